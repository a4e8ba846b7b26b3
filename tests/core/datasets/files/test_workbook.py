"""Workbooks, by hand and against the libraries that write them."""

import datetime
import io
import sys

import numpy as np
import openpyxl
import pandas as pd
import pytest

from mecuco_core.datasets.files import ReadOptions, read, read_with_notes, sniff
from mecuco_core.errors import DataError
from tests.core.datasets.files import examples

STRINGS = (
    "<sst><si><t>name</t></si><si><t>x</t></si>"
    '<si><r><t xml:space="preserve">rich </t></r><r><t>text</t></r><rPh><t>aside</t></rPh></si>'
    '<si><t xml:space="preserve">  blanks &amp; &lt;marks&gt; </t></si></sst>'
)


def written(rows: list[list[object]], title: str = "Data", **others: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    for name, more in others.items():
        sheet = book.create_sheet(name)
        for row in more:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_types_come_back():
    when = datetime.datetime(2020, 5, 17, 13, 30)
    rows = [["i", "f", "b", "t", "d"], [1, 1.5, True, "a", when], [2, None, False, None, None]]
    table = read(written(rows)).table
    assert [str(d).split("[")[0] for d in table.dtypes] == [
        "int64", "float64", "bool", "str", "datetime64",
    ]  # fmt: skip
    assert table["d"][0] == pd.Timestamp(when)
    assert table["f"].isna().tolist() == [False, True]


def test_random_sheets_come_back_cell_by_cell():
    rng = np.random.default_rng(3)
    for _ in range(20):
        shape = (int(rng.integers(1, 30)), int(rng.integers(1, 8)))
        values = rng.standard_normal(shape) * 10.0 ** rng.integers(-200, 200, shape)
        values[rng.random(shape) < 0.2] = np.nan
        values[0] = values[:, 0] = 1.5  # no row is empty
        frame = pd.DataFrame(values, columns=[f"c{i}" for i in range(shape[1])])
        raw = examples.xlsx_bytes(frame)
        expected = pd.read_excel(io.BytesIO(raw), engine="openpyxl").astype(float)
        pd.testing.assert_frame_equal(read(raw).table.astype(float), expected, check_exact=True)
        pd.testing.assert_frame_equal(expected, frame, rtol=1e-14)


def test_shared_and_rich_strings_are_read():
    sheet = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
        '<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>5</v></c></row>'
        '<row r="3"><c r="A3" t="s"><v>3</v></c><c r="B3"><v>6</v></c></row>'
    )
    table = read(examples.workbook_bytes({"a": sheet}, STRINGS)).table
    assert table["name"].tolist() == ["rich text", "  blanks & <marks> "]
    assert table["x"].tolist() == [5, 6]


def test_errors_are_missing_and_said():
    sheet = (
        '<row><c t="str"><v>x</v></c><c t="str"><v>y</v></c></row>'
        '<row><c><v>2</v></c><c t="e"><v>#DIV/0!</v></c></row><row><c t="e"><v>#N/A</v></c></row>'
        "<row><c><v>3</v></c><c><v>4</v></c></row>"
    )
    found = read_with_notes(examples.workbook_bytes({"a": sheet}))
    np.testing.assert_array_equal(found.dataset.table.to_numpy(), [[2, np.nan], [3, 4]])
    assert found.notes == (  # a row of nothing but an error is empty
        "1 empty row between others left out.",
        "Empty cells are missing values, and so are errors and formulas without a stored value.",
    )


@pytest.mark.parametrize("kind", ["xls", "xlsb", "ods"])
def test_other_workbooks_hold_the_same_table(kind):
    sniffed = sniff(examples.EXAMPLES[kind], f"data.{kind}")
    assert sniffed.format == kind
    assert sniffed.sheets == ("Data",)
    assert read(examples.EXAMPLES[kind]).fingerprint == read(examples.EXAMPLES["xlsx"]).fingerprint


def test_times_of_day_and_durations_are_parts_of_a_day():
    rows = [["t", "d"], [datetime.time(18), datetime.timedelta(hours=36)]] * 2
    table = read(written(rows[:2] + rows[1:2])).table
    assert table["t"].tolist() == [0.75, 0.75]
    assert table["d"].tolist() == [1.5, 1.5]


def test_a_workbook_with_a_password_is_refused():
    raw = bytearray(examples.EXAMPLES["xls"])
    # The record that says so, in the place of one that a reader can do without (WINDOW1).
    place = raw.index(b"\x3d\x00\x12\x00")
    raw[place : place + 4] = b"\x2f\x00\x12\x00"
    with pytest.raises(DataError, match="needs a password"):
        read(bytes(raw))


def test_a_word_document_of_before_2007_is_no_workbook():
    with pytest.raises(DataError, match="looks like a workbook, but it is damaged"):
        read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(DataError, match=r"need the package python-calamine; .*mecuco\[data\]"):
        read(examples.EXAMPLES["xlsx"])


def test_a_sheet_can_be_chosen():
    raw = written([["a"], [1]], "One", Two=[["b", "c"], [2, 3]])
    sniffed = sniff(raw)
    assert sniffed.sheets == ("One", "Two")
    assert sniffed.options.sheet == "One"
    assert any("Sheet One is read" in note for note in sniffed.notes)
    assert read(raw, ReadOptions(sheet="Two")).feature_names == ["b", "c"]
    with pytest.raises(DataError, match="sheet must be one of One, Two, got 'Three'"):
        read(raw, ReadOptions(sheet="Three"))


def test_an_empty_first_sheet_is_passed_over():
    assert sniff(written([], "Empty", Full=[["a"], [1]])).options.sheet == "Full"
    with pytest.raises(DataError, match="is empty"):
        read(written([]))


def test_the_sheet_with_the_most_rows_of_numbers_is_read():
    about = [["About"], ["Version", 1], ["Written in Rome"]] + [["words", "words"]] * 30
    raw = written(about, "README", Data=[["a", "b"], *([i, i * i] for i in range(9))])
    sniffed = sniff(raw)
    assert sniffed.options.sheet == "Data"
    assert "Sheet Data is read, the first with the most rows of numbers, of README, Data." in (
        sniffed.notes
    )
    assert read(raw).feature_names == ["a", "b"]


def test_a_list_of_numbered_steps_is_not_the_data():
    steps = [[i, "Do this, then that"] for i in range(30)]
    data = [["a", "b", "c"], *([i, i * i, -i] for i in range(20))]
    assert sniff(written(steps, "README", Data=data)).options.sheet == "Data"


def test_a_sheet_of_words_alone_is_still_read():
    raw = written([], "Empty", Full=[["a", "b"], ["u", "v"]])
    assert sniff(raw).options.sheet == "Full"


def test_a_note_on_a_column_says_its_name():
    found = read_with_notes(written([["u", "v", "price"], [1, 2, 3], [1, 2, "free"]]))
    assert any(
        note.startswith("Column 3, 'price', holds numbers and text.") for note in found.notes
    )


def test_titles_empty_rows_and_empty_columns_are_left_out():
    rows = [["My table"], [], [None, "a", "b", "c"], [None, 1, 2, 3], [], [None, 4, 5, 6]]
    found = read_with_notes(written(rows))
    assert found.dataset.feature_names == ["a", "b", "c"]
    assert found.dataset.table.to_numpy().tolist() == [[1, 2, 3], [4, 5, 6]]
    said = " ".join(found.notes)
    assert "The first 1 row of the sheet has one cell" in said
    assert "2 empty rows between others left out" in said


def test_a_sheet_without_a_header_gets_names():
    found = read(written([[1, 2.5], [3, 4.5]]))
    assert found.feature_names == ["column_1", "column_2"]
    assert found.n_rows == 2


def test_dates_are_told_by_their_style_and_their_epoch():
    styles = (
        '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm"/>'
        '<numFmt numFmtId="171" formatCode="0.00 &quot;days&quot;"/>'
        '<numFmt numFmtId="172" formatCode="[h]:mm"/></numFmts><cellXfs>'
        '<xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/>'
        '<xf numFmtId="172"/></cellXfs></styleSheet>'
    )
    cells = "".join(f'<c s="{style}"><v>43831.5</v></c>' for style in range(5))
    row = read(
        examples.workbook_bytes({"a": f"<row>{cells}</row>"}, styles=styles),
        ReadOptions(header=False),
    ).table.iloc[0]
    day = pd.Timestamp("2020-01-01 12:00")
    assert row.tolist() == [43831.5, day, day, 43831.5, 43831.5]


def test_rows_and_cells_may_stand_anywhere():
    sheet = (
        '<row r="3"><c r="C3" t="str"><v>x</v></c><c r="E3" t="str"><v>y</v></c></row>'
        '<row r="7"><c r="E7"><v>2</v></c></row><row r="9"><c r="C9"><v>1</v></c></row>'
    )
    table = read(examples.workbook_bytes({"a": sheet})).table
    assert list(table.columns) == ["x", "y"]
    np.testing.assert_array_equal(table.to_numpy(), [[np.nan, 2], [1, np.nan]])
