"""ARFF, by hand and against the library that writes it."""

import arff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mecuco_core.datasets.files import ReadOptions, read, read_with_notes, sniff
from mecuco_core.errors import DataError
from tests.core.datasets.files.examples import EXAMPLES, TABLE


def table(text: str) -> pd.DataFrame:
    return read(text.encode(), ReadOptions(format="arff")).table


@given(
    st.lists(
        st.tuples(
            st.none() | st.floats(allow_nan=False, allow_infinity=False),
            st.none() | st.text(alphabet="ab ,'\"%{}\\?é", min_size=1).filter(lambda t: t != "?"),
            st.none() | st.sampled_from(["x", "y z", "it's", "100%"]),
        ),
        min_size=1,
        max_size=20,
    )
)
@settings(max_examples=150, deadline=None)
def test_what_liac_arff_writes_comes_back(rows):
    document = {
        "relation": "r",
        "attributes": [("n", "REAL"), ("s t", "STRING"), ("class", ["x", "y z", "it's", "100%"])],
        "data": [list(row) for row in rows],
    }
    found = table(arff.dumps(document))
    numbers, texts, classes = zip(*rows, strict=True)
    np.testing.assert_array_equal(
        found["n"].to_numpy(), np.array([np.nan if v is None else v for v in numbers])
    )
    assert [None if t != t else t for t in found["s t"]] == list(texts)
    assert [None if c != c else c for c in found["class"]] == list(classes)


def test_the_example_comes_back():
    found = read(EXAMPLES["arff"]).table
    assert found["whole"].tolist() == TABLE["whole"].tolist()
    assert str(found["whole"].dtype) == "int64"
    np.testing.assert_array_equal(found["fraction"].to_numpy(), TABLE["fraction"].to_numpy())
    assert found["class"].astype("str").tolist() == TABLE["class"].tolist()
    assert found["class"].cat.categories.tolist() == ["u", "v"]
    assert sniff(EXAMPLES["arff"]).suggested_target == "class"


def test_empty_sparse_rows_are_rows():
    # {0 1.5, 1 y} / {} / {2 -3} / {1 ?, 2 4} / {}: what is left out is 0, or the first category.
    found = read(EXAMPLES["sparse.arff"]).table
    assert found["a"].tolist() == [1.5, 0, 0, 0, 0]
    assert found["b"].astype("str").fillna("?").tolist() == ["y", "x", "x", "?", "x"]
    assert found["c"].tolist() == [0, 0, -3, 4, 0]


def test_fast_and_slow_rows_are_one_table(monkeypatch):
    # A quote sends its block the slow way; small blocks make both ways meet in one file.
    monkeypatch.setattr("mecuco_core.datasets.files.text.arff._BLOCK_BYTES", 1)
    rows = ["1.5,x,aa", "?,y,bb", "'2.5','x','a a'", "% comment", "", "-3e2, y ,cc", "4,?,?"]
    text = "@relation r\n@attribute n real\n@attribute c {x,y}\n@attribute s string\n@data\n"
    found = table(text + "\n".join(rows))
    np.testing.assert_array_equal(found["n"].to_numpy(), [1.5, np.nan, 2.5, -300, 4])
    assert found["c"].cat.codes.tolist() == [0, 1, 0, 1, -1]
    assert found["s"].fillna("?").tolist() == ["aa", "bb", "a a", "cc", "?"]


def test_categories_keep_their_declared_order():
    found = table("@relation r\n@attribute c {low, 'very high', high}\n@data\nhigh\nlow\n")
    assert found["c"].cat.categories.tolist() == ["low", "very high", "high"]
    assert found["c"].cat.codes.tolist() == [2, 0]


def test_dates_are_read_in_their_declared_format():
    found = table(
        "@relation r\n@attribute a date\n@attribute b date 'dd/MM/yyyy'\n@data\n"
        "2020-01-02T03:04:05,'31/12/2021'\n?,01/02/2022\n"
    )
    assert found["a"][0] == pd.Timestamp("2020-01-02 03:04:05")
    assert found["a"].isna().tolist() == [False, True]
    assert found["b"][1] == pd.Timestamp("2022-02-01")


def test_a_date_format_that_is_not_known_stays_text_and_is_said():
    text = "@relation r\n@attribute a date 'W YYYY'\n@attribute b real\n@data\n3 2020,1\n"
    found = read_with_notes(text.encode())
    assert found.dataset.table["a"].tolist() == ["3 2020"]
    assert any("date format" in note for note in found.notes)


def test_keywords_types_and_spacing_are_free():
    text = (
        "% comment\n\n@RELATION 'my data'\n@Attribute\ta\tREAL\n@attribute 'b b'{p,q}\n"
        '@attribute "c\\"c" Integer [0,5]\n@DATA\n1\tp\t2\n3 , q , 4, {2.5}\n'
    )
    found = read_with_notes(text.encode())
    assert found.dataset.feature_names == ["a", "b b", 'c"c']
    assert found.dataset.table["a"].tolist() == [1, 3]
    assert found.dataset.table['c"c'].tolist() == [2, 4]
    assert any("weights" in note for note in found.notes)


def test_repeated_attribute_names_are_numbered():
    found = table("@relation r\n@attribute a real\n@attribute a real\n@data\n1,2\n")
    assert found.columns.tolist() == ["a", "a_2"]


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("1", "Line 6 has 1 values for 2 declared attributes"),
        ("1,x,2", "Line 6 has 3 values"),
        ("abc,x", "Line 6 has 'abc' for the numeric attribute 'n'"),
        ("1,z", "Line 6 has 'z' for the nominal attribute 'c'"),
        ("{2 1}", "Line 6 is not of the form"),
        ("{0 1", "Line 6 opens a brace"),
        ("1_0,x", "Line 6 has"),
    ],
)
def test_a_bad_row_is_named(row, sentence):
    text = f"@relation r\n@attribute n real\n@attribute c {{x,y}}\n@data\n1,x\n{row}\n"
    with pytest.raises(DataError, match=sentence):
        table(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("@relation r\n@attribute a real\n", "no @data"),
        ("@relation r\n@data\n1\n", "declares no @attribute"),
        ("@relation r\n@attribute a real\n@data\n", "no rows below @data"),
        ("@relation r\n@attribute a relational\n@data\n", "type 'relational', which is not read"),
        ("@relation r\n@attribute a {x,y\n@data\nx\n", "closing brace"),
        ("@relation r\nnonsense\n@data\n", "begins with 'nonsense'"),
    ],
)
def test_a_bad_header_is_said(text, sentence):
    with pytest.raises(DataError, match=sentence):
        table(text)


def test_blanks_and_quotes_without_end_take_no_time():
    header = "@relation r\n@attribute a string\n@attribute b string\n@data\n"
    for row in ("a" + " " * 500_000 + "b,c", "'" + "a," * 200_000, "'\\" * 200_000):
        try:
            table(header + row + "\n")
        except DataError:
            continue
