"""The counting pass sees the rows and fields pandas sees."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mecuco_core.datasets.files import WHITESPACE, ReadOptions
from mecuco_core.datasets.files.text.scan import TableSize, scan
from mecuco_core.errors import DataError


def size(text: str, delimiter: str = ",", quote: str = '"', **settings) -> TableSize:
    options = ReadOptions(delimiter=delimiter, quote=quote, skip_space=False, **settings)
    return scan(io.BytesIO(text.encode()), options, lines_above=0)


@given(
    st.lists(
        st.lists(st.text(alphabet='ab ,"\n\r;', max_size=5), min_size=3, max_size=3), min_size=1
    ),
    st.sampled_from([",", ";", "\t"]),
)
@settings(max_examples=200, deadline=None)
def test_whatever_the_csv_module_writes_is_counted_right(rows, delimiter):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    assert size(out.getvalue(), delimiter) == TableSize(len(rows), 3)


@given(st.text(alphabet='ab,"\n \t', max_size=30))
@settings(max_examples=400, deadline=None)
def test_a_text_that_passes_has_the_rows_pandas_reads(text):
    try:
        found = size(text)
    except DataError:
        return
    if found.n_rows:
        table = pd.read_csv(
            io.StringIO(text, newline=""), header=None, names=range(found.n_columns),
            index_col=False, dtype=str,
        )  # fmt: skip
        assert len(table) == found.n_rows


def test_chunks_do_not_matter(monkeypatch):
    text = '1,"a\n\n""b",3\r\n4,5,6\r\n\r\n   \n7,8,"9"'
    whole = size(text)
    monkeypatch.setattr("mecuco_core.datasets.files.text.scan._CHUNK", 1)
    assert size(text) == whole == TableSize(3, 3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 2\t 3\n", TableSize(1, 3)),
        ("  1   2  3  \n\n4 5 6", TableSize(2, 3)),
        ('"a b" c d\n', TableSize(1, 3)),
    ],
)
def test_runs_of_white_space_count_once(text, expected):
    assert size(text, WHITESPACE) == expected


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1,2\n3,4\n5\n", "Line 3 has 1 field where the rows before it have 2"),
        ('1,"2\n2"\n3,4,5\n', "Line 3 has 3 fields"),
        ('1,2\n3,"4\n5,6\n', "opened in the row of line 2 is never closed"),
        ("1,2\n3,\0\n", "Line 2 holds a null byte"),
    ],
)
def test_a_bad_line_is_named(text, sentence):
    with pytest.raises(DataError, match=sentence):
        size(text)


def test_limits_hold_to_the_byte_and_the_cell():
    assert size("12345\n", max_line_bytes=6).n_rows == 1
    with pytest.raises(DataError, match="max_line_bytes"):
        size("123456\n", max_line_bytes=6)
    assert size("1,2\n" * 5, max_cells=10).n_rows == 5
    with pytest.raises(DataError, match="max_cells"):
        size("1,2\n" * 6, max_cells=10)


def test_a_long_line_is_noticed_in_any_state():
    for text in ("x" * 50, '"' + "x" * 50, " " * 50, "x," * 25):
        with pytest.raises(DataError, match="max_line_bytes"):
            size(text, max_line_bytes=int(np.int64(40)))
