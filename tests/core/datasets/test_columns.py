"""Recognising what a column is."""

import datetime as dt
import decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mecuco_core.preparation.columns import is_category, recognise, recognise_column
from mecuco_core.preparation.encoding import as_numbers

N = 60
LETTERS = ["red", "green", "blue"] * (N // 3)


def seen(values, name="x"):
    """Kind, reading, and whether it is used without being asked for."""
    column = recognise_column(pd.Series(values, name=name))
    return column.kind, column.reading, not column.reason


def texts(*values, repeat=1):
    return pd.Series(list(values) * repeat, dtype=object)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["a", "b", "c"]), min_size=10, max_size=40))
def test_text_is_recognised_alike_whatever_holds_it(values):
    columns = [
        pd.Series(values, dtype=object),
        pd.Series(values, dtype="str"),
        pd.Series(values, dtype="string"),
    ]
    assert len({seen(column) for column in columns}) == 1


@settings(deadline=None)
@given(st.integers(1, 10_000), st.integers(1, 10_000))
def test_more_distinct_texts_never_make_a_category_of_free_text(n_distinct, n):
    if is_category(n_distinct + 1, n):
        assert is_category(n_distinct, n)


RECOGNISED = {
    "float": (np.linspace(0, 1, N), ("number", "plain", True)),
    "whole": (np.arange(N) // 2, ("number", "plain", True)),
    "nullable": (pd.array([1, None] * 30, "Int64"), ("number", "nullable", True)),
    "sparse": (pd.arrays.SparseArray([0, 1, 0] * 20), ("number", "nullable", True)),
    "boolean": ([True, False] * 30, ("boolean", "plain", True)),
    "nullable boolean": (pd.array([True, None] * 30, "boolean"), ("boolean", "nullable", True)),
    "boolean objects": (texts(True, None, False), ("boolean", "parsed", True)),
    "decimals": (texts(decimal.Decimal("1.5"), None), ("number", "parsed", True)),
    "number objects": (texts(1, 2.5, None), ("number", "parsed", True)),
    "number beyond floats": (texts(10**400, 1, 2), ("number", "parsed", True)),
    "numbers as text": (texts("1", " 2.5 ", "-3e4"), ("number", "parsed", True)),
    "category": (pd.Categorical(LETTERS), ("category", "codes", True)),
    "category of its own for each row": (pd.Categorical(range(N)), ("category", "codes", True)),
    "few texts": (LETTERS, ("category", "labels", True)),
    "one text": (["a"] * N, ("category", "labels", True)),
    "numbers and words": (texts(1, 2, "a", "b", repeat=15), ("category", "labels", True)),
    "different words": ([f"w{i}" for i in range(N)], ("identifier", "labels", False)),
    "sentences": ([f"these are words {i}" for i in range(N)], ("text", "labels", False)),
    "names that recur": ([f"n{i % 40}" for i in range(N)], ("text", "labels", False)),
    "dates": (pd.date_range("2024", periods=N), ("date", "dates", False)),
    "zoned": (pd.date_range("2024", periods=N, tz="Asia/Tokyo"), ("date", "dates", False)),
    "periods": (pd.period_range("2024", periods=N, freq="M"), ("date", "dates", False)),
    "date objects": (texts(dt.date(2024, 1, 1), None), ("date", "dates", False)),
    "date texts": (["2024-01-05", "2023-12-31"] * 30, ("date", "dates", False)),
    "durations": (pd.to_timedelta(np.arange(N), unit="h"), ("duration", "durations", True)),
    "duration objects": (texts(dt.timedelta(1), None), ("duration", "durations", True)),
    "complex": (np.arange(N) * 1j, ("complex", "none", False)),
    "complex objects": (texts(1j, 2j), ("complex", "none", False)),
    "lists": (texts([1], [2]), ("other", "none", False)),
    "bytes": (texts(b"a", b"b"), ("other", "none", False)),
    "intervals": (pd.interval_range(0, 5), ("other", "none", False)),
    "nothing": (texts(None, None), ("number", "empty", True)),
    "no rows": (texts(), ("number", "empty", True)),
}


@pytest.mark.parametrize(("values", "expected"), RECOGNISED.values(), ids=RECOGNISED)
def test_columns_are_recognised(values, expected):
    assert seen(values) == expected


def test_arrow_columns_are_recognised():
    pa = pytest.importorskip("pyarrow")
    assert seen(pd.array(LETTERS, pd.ArrowDtype(pa.string()))) == ("category", "labels", True)
    assert seen(pd.array([1, None], pd.ArrowDtype(pa.int8()))) == ("number", "nullable", True)
    assert seen(pd.array([True], pd.ArrowDtype(pa.bool_()))) == ("boolean", "nullable", True)
    days = pd.array([dt.date(2024, 1, 1)], pd.ArrowDtype(pa.date32()))
    assert seen(days) == ("date", "dates", False)


COUNTER = np.arange(1, N + 1)
SHUFFLED = np.random.default_rng(0).permutation(N)
SCATTERED = COUNTER * 17 % 1009
IDENTIFIERS = {
    "id": (COUNTER, True),
    "ID": (SCATTERED, True),
    "customer_id": (SCATTERED, True),
    "patientId": (SCATTERED, True),
    "index": (SHUFFLED, True),
    "Unnamed: 0": (COUNTER, True),
    "Row No.": (COUNTER, True),
    "": (COUNTER, True),
    "no": (SCATTERED, False),  # different, but they do not count
    "id ": (COUNTER // 2, False),  # not all different
    "x": (COUNTER, False),  # nothing in the name
    "valid": (COUNTER, False),
    "acid": (COUNTER, False),
    "user id": (COUNTER + 0.5, False),
    "row": (np.where(COUNTER == 3, np.nan, COUNTER), False),
}


@pytest.mark.parametrize("name", IDENTIFIERS)
def test_numbers_that_only_name_rows_are_identifiers(name):
    values, is_identifier = IDENTIFIERS[name]
    expected = "identifier" if is_identifier else "number"
    assert seen(values, name)[0] == expected
    assert seen(values.astype(object), name)[0] == expected
    if not np.isnan(values).any():
        assert seen([f"{value:g}" for value in values], name)[0] == expected


@pytest.mark.parametrize(
    ("n_words", "kind"),
    [(0, "number"), (6, "number"), (7, "text"), (30, "text"), (31, "identifier")],
)
def test_a_tenth_of_words_leaves_a_column_a_number_and_half_of_them_does_not(n_words, kind):
    values = [str(i) for i in range(N - n_words)] + [f"word {i}" for i in range(n_words)]
    column = recognise_column(pd.Series(values))
    assert column.kind == kind
    if n_words == 6:
        assert column.note == (
            "numbers written as text, and 6 words counted as missing: "
            "'word 0', 'word 1', 'word 2', …"
        )
    if n_words == 7:
        assert column.reading == "parsed"
        assert "numbers mixed with words: 7 of 60 values are words, 'word 0'" in column.reason


# (distinct, of): at most half of the rows, and at most 20, a tenth of the rows, or 1000.
@pytest.mark.parametrize(
    ("n_distinct", "n", "expected"),
    [
        (2, 3, True),
        (3, 4, False),
        (20, 40, True),
        (21, 100, False),
        (100, 1000, True),
        (101, 1000, False),
        (1000, 100_000, True),
        (1001, 100_000, False),
    ],
)
def test_few_distinct_texts_are_categories(n_distinct, n, expected):
    assert is_category(n_distinct, n) is expected


# 2024-03-05 is day 19 787 after 1970-01-01: 54 years with 13 leap days, 31 + 29 + 4 days.
DAY = 54 * 365 + 13 + 31 + 29 + 4
DATES = {
    "ISO": (["2024-03-05", "2024-03-31"], DAY, "year, month, day"),
    "ISO with time": (["2024-03-05T06:00:00Z", "2024-03-05T07:00:00Z"], DAY + 0.25, "year"),
    "ISO with zone": (["2024-03-05 02:00+02:00", "2024-03-05 07:00Z"], DAY, "year"),
    "slashes": (["2024/03/05", "2024/3/31"], DAY, "year, month, day"),
    "day first": (["05.03.2024", "31.03.2024"], DAY, "day, month, year"),
    "month first": (["03/05/2024", "03/31/2024"], DAY, "month, day, year"),
    "either": (["05/03/2024", "06/03/2024"], DAY, "day, month, year"),
    "two-digit year": (["05-03-24", "31-03-24"], DAY, "day, month, year"),
    "with a time": (["05/03/2024 12:00", "31/03/2024 13:00"], DAY + 0.5, "day, month, year"),
}


@pytest.mark.parametrize(("values", "day", "order"), DATES.values(), ids=DATES)
def test_dates_written_as_text_are_read_as_days(values, day, order):
    series = pd.Series([*values, None] * 5)
    column = recognise_column(series)
    assert column.kind == "date"
    assert f"read as {order}" in column.note
    numbers = as_numbers(series, column)
    assert numbers[0] == day
    assert np.isnan(numbers[2])


@pytest.mark.parametrize(
    "values", [["2024-13-45", "2024-01-01"], ["1.2.3", "1.2.4"], ["12/2024", "11/2024"]]
)
def test_what_only_looks_like_a_date_is_text(values):
    assert recognise_column(pd.Series(values * 10)).kind == "category"


def test_a_whole_number_beyond_any_float_is_infinite():
    series = texts(10**400, 7, None, "9", "word")
    numbers = as_numbers(series, recognise_column(texts(10**400, 7)))
    np.testing.assert_array_equal(numbers, [np.inf, 7.0, np.nan, 9.0, np.nan])


def test_a_table_with_repeated_names_is_recognised_by_position():
    table = pd.DataFrame([[1, "a", 2.5]] * 4, columns=["x", "x", 7])
    assert [(c.position, c.name, c.kind) for c in recognise(table)] == [
        (0, "x", "number"),
        (1, "x", "category"),
        (2, "7", "number"),
    ]
