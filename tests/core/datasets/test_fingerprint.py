"""The fingerprint of a dataset: every value shows, nothing accidental does."""

import datetime as dt
import decimal
import hashlib
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from mecuco_core.datasets import blocks, fingerprint
from mecuco_core.datasets.base import Dataset, Provenance, Truth, Vectors


def fingerprint_of(column, name="x"):
    return Dataset("one", pd.DataFrame({name: column})).fingerprint


def objects(*values):
    return pd.Series(list(values), dtype=object)


NUMBERS = st.one_of(
    arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=6)),
    arrays(np.int16, array_shapes(min_dims=2, max_dims=2, max_side=6)),
    arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=6)),
)


@settings(deadline=None)
@given(NUMBERS)
def test_memory_layout_does_not_show_in_the_fingerprint(values):
    whole = Dataset("a", pd.DataFrame(np.ascontiguousarray(values), copy=False))
    turned = Dataset("b", pd.DataFrame(np.asfortranarray(values), copy=False))
    apart = Dataset("c", pd.concat([pd.Series(column) for column in values.T], axis=1))
    assert whole.fingerprint == turned.fingerprint == apart.fingerprint


@settings(deadline=None)
@given(NUMBERS, st.data())
def test_one_changed_cell_changes_the_fingerprint(values, data):
    row = data.draw(st.integers(0, values.shape[0] - 1))
    column = data.draw(st.integers(0, values.shape[1] - 1))
    changed = values.copy()
    if np.isnan(values[row, column]):
        changed[row, column] = 0.0
    else:  # the last bit of the cell
        changed.view(f"u{values.itemsize}")[row, column] ^= 1
    before, after = Dataset("a", pd.DataFrame(values)), Dataset("a", pd.DataFrame(changed))
    assert before.fingerprint != after.fingerprint


@settings(deadline=None)
@given(st.permutations(range(5)))
def test_the_order_of_columns_and_of_rows_shows_in_the_fingerprint(order):
    table = pd.DataFrame(np.arange(25).reshape(5, 5), columns=list("abcde"))
    same = order == list(range(5))
    whole = Dataset("a", table).fingerprint
    assert (Dataset("a", table.iloc[:, order]).fingerprint == whole) is same
    assert (Dataset("a", table.iloc[order]).fingerprint == whole) is same


@pytest.mark.parametrize("order", ["C", "F"])
def test_block_size_does_not_show_in_the_fingerprint(monkeypatch, order):
    values = np.random.default_rng(0).normal(size=(30, 50)).astype(np.float64, order=order)
    values[3, 4] = np.nan
    table = pd.DataFrame(values, copy=False).assign(
        text=[f"t{i}" for i in range(30)], whole=range(30)
    )
    before = Dataset("a", table).fingerprint
    monkeypatch.setattr(blocks, "_CELLS", 64)
    monkeypatch.setattr(blocks, "_TILE", 7)
    monkeypatch.setattr(fingerprint, "_CELLS", 100)
    assert Dataset("a", table).fingerprint == before


DIFFERENT = {
    "minus zero": (pd.Series([0.0]), pd.Series([-0.0])),
    "dtype": (pd.Series([1, 2]), pd.Series([1.0, 2.0])),
    "dtype width": (pd.Series([0], dtype="int8"), pd.Series([0], dtype="uint8")),
    "nullable dtype": (pd.Series([1], dtype="Int64"), pd.Series([1])),
    "missing mark": (objects("a", None), objects("a", np.nan)),
    "missing mark NA": (objects("a", None), objects("a", pd.NA)),
    "missing mark NaT": (objects("a", pd.NA), objects("a", pd.NaT)),
    "missing nullable": (pd.array([0, 1], "Int64"), pd.array([None, 1], "Int64")),
    "missing nullable place": (pd.array([None, 0], "Int64"), pd.array([0, None], "Int64")),
    "missing text": (pd.Series(["nan", "a"]), pd.Series([None, "a"], dtype="str")),
    "text cut": (pd.Series(["ab", "c"]), pd.Series(["a", "bc"])),
    "number as text": (objects(1), objects("1")),
    "number as boolean": (objects(1), objects(True)),
    "number as float": (objects(1), objects(1.0)),
    "bytes": (objects(b"a"), objects("a")),
    "decimal": (objects(decimal.Decimal("1.0")), objects(decimal.Decimal("1.00"))),
    "nested": (objects([1, [2]]), objects([1, 2])),
    "nested text": (objects(["ab", "c"]), objects(["a", "bc"])),
    "list and tuple": (objects([1]), objects((1,))),
    "dictionary": (objects({"a": 1}), objects({"a": 2})),
    "array in a cell": (objects(np.arange(3000)), objects(np.r_[0:1500, 0, 1501:3000])),
    "category": (pd.Categorical(["a", "b"]), pd.Categorical(["a", "a"], ["a", "b"])),
    "category order": (pd.Categorical(["a"], ["a", "b"]), pd.Categorical(["a"], ["b", "a"])),
    "unused category": (pd.Categorical(["a"], ["a"]), pd.Categorical(["a"], ["a", "b"])),
    "ordered": (pd.Categorical(["a"]), pd.Categorical(["a"], ordered=True)),
    "category dtype": (pd.Categorical([1, 2]), pd.Categorical(["1", "2"])),
    "missing category": (pd.Categorical(["a", None]), pd.Categorical(["a", "a"])),
    "time zone": (
        pd.to_datetime(["2024-01-01"]).tz_localize("UTC"),
        pd.to_datetime(["2024-01-01"]).tz_localize("Asia/Tokyo"),
    ),
    "zoned instant": (
        pd.to_datetime(["2024-01-01 01:00"]).tz_localize("Asia/Tokyo"),
        pd.to_datetime(["2024-01-01 02:00"]).tz_localize("Asia/Tokyo"),
    ),
    "naive date": (
        pd.to_datetime(["2024-01-01"]),
        pd.to_datetime(["2024-01-01"]).tz_localize("UTC"),
    ),
    "missing date": (pd.to_datetime(["2024-01-01", None]), pd.to_datetime(["2024-01-01"] * 2)),
    "duration": (pd.to_timedelta([1], unit="s"), pd.to_timedelta([2], unit="s")),
    "period": (pd.period_range("2024", periods=1, freq="D"), pd.period_range("2025", periods=1)),
    "date object": (objects(dt.date(2024, 1, 1)), objects(dt.date(2024, 1, 2))),
    "complex": (pd.Series([1j]), pd.Series([2j])),
    "long double": (
        pd.Series(np.array([1], np.longdouble)),
        pd.Series(np.array([1], np.longdouble) + np.finfo(np.longdouble).eps),
    ),
    "sparse": (pd.arrays.SparseArray([0.0, 1.0]), pd.arrays.SparseArray([1.0, 0.0])),
    "byte order": (pd.Series([1], dtype="<i4"), pd.Series(np.array([1], ">i4"))),
}


@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_different_columns_have_different_fingerprints(one, other):
    assert fingerprint_of(one) != fingerprint_of(other)


def under_the_mask(number):
    column = pd.array([number, 1], dtype="Int64")
    column[0] = pd.NA
    assert column._data[0] == number
    return column


def long_double(padding):
    number = np.array([1.5], np.longdouble)
    number.view(np.uint8)[10:] = padding  # 80 bits count; without any padding 64 do
    return pd.Series(number)


EQUAL = {
    "padding of a long double": (long_double(0), long_double(0xAA)),
    "NaN payload": (
        pd.Series(np.array([0x7FF8000000000000, 0], np.uint64).view(np.float64)),
        pd.Series(np.array([0xFFF8000000000123, 0], np.uint64).view(np.float64)),
    ),
    "number under a missing mark": (under_the_mask(5), under_the_mask(7)),
    "order of a set": (objects({0, 8}), objects({8, 0})),  # both hash to the same slot
    "whole numbers in objects": (objects(np.int64(1), "a"), objects(1, "a")),
    "NaN in objects": (objects(float("nan"), "a"), objects(np.float64("nan"), "a")),
    "kind of sparse index": (
        pd.arrays.SparseArray([0.0, 1.0], kind="integer"),
        pd.arrays.SparseArray([0.0, 1.0], kind="block"),
    ),
    "same category made twice": (pd.Categorical(["b", "a"]), pd.Categorical(["b", "a"])),
}


@pytest.mark.parametrize(("one", "other"), EQUAL.values(), ids=EQUAL)
def test_equal_columns_have_equal_fingerprints(one, other):
    assert fingerprint_of(one) == fingerprint_of(other)


def test_text_held_by_arrow_or_by_python_has_one_fingerprint():
    pytest.importorskip("pyarrow")
    for missing in (np.nan, pd.NA):
        made = [
            fingerprint_of(pd.array(["a", None, "é"], pd.StringDtype(storage, na_value=missing)))
            for storage in ("python", "pyarrow")
        ]
        assert made[0] == made[1]


def test_arrow_numbers_text_and_dates_are_told_apart():
    pa = pytest.importorskip("pyarrow")
    columns = [
        pd.array([1, None], pd.ArrowDtype(pa.int32())),
        pd.array([1, 0], pd.ArrowDtype(pa.int32())),
        pd.array([1, None], pd.ArrowDtype(pa.float64())),
        pd.array(["1", None], pd.ArrowDtype(pa.string())),
        pd.array(["1", ""], pd.ArrowDtype(pa.string())),
        pd.array([dt.datetime(2024, 1, 1), None], pd.ArrowDtype(pa.timestamp("us"))),
        pd.array([dt.datetime(2024, 1, 2), None], pd.ArrowDtype(pa.timestamp("us"))),
    ]
    assert len({fingerprint_of(column) for column in columns}) == len(columns)


SCRIPT = """
import numpy as np, pandas as pd
from mecuco_core.datasets.base import Dataset, Truth
table = pd.DataFrame({
    "number": [1.5, np.nan, -0.0],
    "text": ["a", None, "ü"],
    "set": [{"x", "y", "z"}, frozenset("abc"), None],
    "category": pd.Categorical(["v", "u", None]),
    "zoned": pd.to_datetime(["2024-03-01", None, "2024-03-02"]).tz_localize("Europe/Paris"),
    "nullable": pd.array([1, None, 3], dtype="Int64"),
})
table.insert(0, "number", [1, 2, 3], allow_duplicates=True)
print(Dataset("a", table, pd.Series([True, False, True]), truth=Truth(np.ones(3))).fingerprint)
"""


@pytest.mark.thorough
def test_every_process_computes_the_same_fingerprint(capsys):
    # Another seed orders sets of text in another way.
    other = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    exec(SCRIPT, {})
    printed = capsys.readouterr().out
    assert len(printed.strip()) == 64
    assert other.stdout == printed


def test_the_fingerprint_of_a_small_table_stays_what_it_is():
    # SHA-256 of the bytes listed here by hand: counts and lengths as little-endian int64.
    def tokens(*parts):
        lengths = b"".join(len(part).to_bytes(8, "little") for part in parts)
        return lengths + len(parts).to_bytes(8, "little") + b"".join(parts)

    expected = hashlib.sha256(
        tokens(b"table", b"2", b"1")
        + tokens(b"sx")
        + tokens(b"int64")
        + (1).to_bytes(8, "little")
        + (2).to_bytes(8, "little")
        + tokens(b"target", b"no")
        + tokens(b"truth", b"no")
        + tokens(b"image", b"None")
    ).hexdigest()
    assert fingerprint_of(pd.Series([1, 2], dtype="int64")) == expected


def test_name_provenance_and_index_are_no_part_of_the_fingerprint():
    table = pd.DataFrame({"x": [1, 2]})
    one = Dataset("a", table, pd.Series([1, 2]))
    other = Dataset("b", table.set_axis([7, 8]), pd.Series([1, 2], [5, 6]), Provenance("file"))
    assert one.fingerprint == other.fingerprint


def test_everything_beside_the_table_is_part_of_the_fingerprint():
    table = pd.DataFrame(np.arange(8).reshape(2, 4))
    ones, twos = np.ones(2), np.full(2, 2.0)
    made = [
        Dataset("a", table),
        Dataset("a", table.rename(columns={0: "0"})),
        Dataset("a", table, pd.Series([1, 2])),
        Dataset("a", table, pd.Series([1, 2], name="y")),
        Dataset("a", table, pd.Series([1, 3])),
        Dataset("a", table, image_shape=(2, 2)),
        Dataset("a", table, image_shape=(1, 4)),
        Dataset("a", table, truth=Truth(ones)),
        Dataset("a", table, truth=Truth(twos)),
        Dataset("a", table, truth=Truth(ones, ones)),
        Dataset("a", table, truth=Truth(ones, twos)),
        Dataset("a", table, vectors=Vectors("v", ("0", "1"))),
        Dataset("a", table, vectors=Vectors("v", ("0", "2"))),
        Dataset("a", table, vectors=Vectors("w", ("0", "1"))),
    ]
    assert len({dataset.fingerprint for dataset in made}) == len(made)


def test_columns_of_one_name_are_all_in_the_fingerprint():
    table = pd.DataFrame([[1, "a", 2.5], [3, "b", 4.5]], columns=["x", "x", "x"])
    changed = table.copy()
    changed.iloc[1, 1] = "c"
    assert Dataset("a", table).fingerprint != Dataset("a", changed).fingerprint
    assert Dataset("a", table).feature_names == ["x", "x", "x"]
