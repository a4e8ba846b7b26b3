"""Excel workbooks: one sheet as a table, formulas as the values stored beside them."""

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.columns import TableBuilder
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.header import find_header
from mecuco_core.datasets.files.names import unique_names
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.workbook import CellText, Handler, Stop, Workbook
from mecuco_core.errors import DataError
from mecuco_core.runtime.wording import counted

_MAX_ROW, _MAX_COLUMN = 1_048_576, 16_384  # of Excel itself
_SAMPLE_ROWS = 200
_COUNTED_ROWS = 2000
"""Rows of each sheet that are looked at to choose one."""
_Row = list[object]


def settle_xlsx(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> ReadOptions:
    """Choose the sheet, the rows above the table, and whether it has a header."""
    with unpacked.seekable() as stream:
        book = Workbook(stream, options)
        names = tuple(sheet.name for sheet in book.sheets)
        findings.sheets = names
        if not names:
            raise DataError("The workbook has no worksheet; choose another file.")
        if options.sheet is not None and options.sheet not in names:
            raise DataError(
                f"sheet must be one of {', '.join(shown(n, 40) for n in names[:10])}, "
                f"got {shown(options.sheet, 40)!r}"
            )
        chosen = options.sheet or names[0]
        if options.sheet is None and len(names) > 1:
            counts = [_rows_of_numbers(book, name, options) for name in names]
            chosen = names[counts.index(max(counts))]
            findings.note(
                f"Sheet {shown(chosen, 40)} is read, the first with the most rows of numbers, of "
                f"{', '.join(shown(n, 40) for n in names[:10])}."
            )
        rows = _sample(book, chosen, options)
    if not rows:
        raise DataError(f"Sheet {shown(chosen, 40)} is empty; choose another one.")
    skip_lines = options.skip_lines
    if skip_lines is None:
        skip_lines = _title_rows(rows)
        if skip_lines:
            findings.note(
                f"The first {skip_lines} row{'s' * (skip_lines > 1)} of the sheet "
                f"{'have' if skip_lines > 1 else 'has'} one cell, and "
                f"{'are' if skip_lines > 1 else 'is'} left out."
            )
    header = options.header
    if header is None:
        header = find_header(rows[skip_lines:], "the first row", findings)
    return replace(options, sheet=chosen, skip_lines=skip_lines, header=header)


def read_xlsx(
    unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int | None = None
) -> pd.DataFrame:
    """Read one sheet; empty rows and columns are left out.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    builder = TableBuilder(options)
    names: _Row = []
    skipped = 0
    taken = 0
    needs_names = bool(options.header)

    def take(row: _Row) -> None:
        nonlocal skipped, taken, names, needs_names
        if skipped < (options.skip_lines or 0):
            skipped += 1
        elif needs_names:
            names, needs_names = row, False
        else:
            builder.add(row)
            taken += 1
            if taken == n_rows:
                raise Stop

    with unpacked.seekable() as stream:
        book = Workbook(stream, options)
        cells = _SheetCells(book, take, options)
        part = next(sheet.part for sheet in book.sheets if sheet.name == options.sheet)
        book.parse(part, cells)
    cells.note(findings)
    width = max(builder.width, len(names))
    padded = [None if name is None else str(name) for name in [*names, *[None] * width][:width]]
    used = [
        position
        for position, name in enumerate(padded)
        if name is not None or not builder.is_empty(position)
    ]
    given = [name or "" for name in padded]
    for position, name in zip(used, unique_names([padded[p] for p in used], findings), strict=True):
        given[position] = name
    return builder.table(given, findings).iloc[:, used]


def _rows_of_numbers(book: Workbook, name: str, options: ReadOptions) -> tuple[int, bool]:
    """Count the rows of a sheet with a number in them, and tell an empty sheet from others."""
    rows = _sample(book, name, options, _COUNTED_ROWS)
    return sum(any(type(cell) in (int, float) for cell in row) for row in rows), bool(rows)


def _sample(
    book: Workbook, name: str, options: ReadOptions, n_rows: int = _SAMPLE_ROWS
) -> list[_Row]:
    rows: list[_Row] = []

    def take(row: _Row) -> None:
        rows.append(row)
        if len(rows) == n_rows:
            raise Stop

    part = next(sheet.part for sheet in book.sheets if sheet.name == name)
    book.parse(part, _SheetCells(book, take, options))
    return rows


def _title_rows(rows: Sequence[_Row]) -> int:
    """Count the rows with one cell above a table of three columns or more."""
    filled = [sum(cell is not None for cell in row) for row in rows]
    if max(filled) < 3:
        return 0
    above = next(position for position, n in enumerate(filled) if n > 1)
    return above if above < 20 else 0


class _SheetCells(Handler):
    """Turns the events of a sheet into rows of values; rows without any are left out."""

    def __init__(self, book: Workbook, take: Callable[[_Row], None], options: ReadOptions) -> None:
        self._strings = book.shared_strings
        self._dates = book.date_styles
        # 30 and not 31 December: Excel believes in a 29 February 1900.
        self._epoch = datetime.datetime(*(1904, 1, 1) if book.dates_from_1904 else (1899, 12, 30))
        self._missing = set(options.missing)
        self._take = take
        self._row: _Row = []
        self._row_number = 0
        self._column = -1
        self._type = "n"
        self._style = 0
        self._text = CellText()
        self._in_text = False
        self._formula = False
        self._has_value = False
        self._in_cell = False
        self._aside = 0
        self._last_taken = 0
        self._n_empty = 0
        self._n_errors = 0
        self._n_formulas = 0
        self._n_unstored = 0

    def note(self, findings: Findings) -> None:
        """Say what the sheet had that a table has not."""
        if self._n_formulas:
            findings.note(
                f"Formulas ({counted(self._n_formulas, 'cell')}) are read as the values stored "
                f"with them; {self._n_unstored:,} have none and are missing."
            )
        if self._n_empty > 0:
            findings.note(f"{counted(self._n_empty, 'empty row')} between others left out.")
        if self._n_errors:
            findings.note(f"Excel errors ({counted(self._n_errors, 'cell')}) are missing values.")

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "row":
            self._row_number = int(attributes.get("r", self._row_number + 1))
            if not 1 <= self._row_number <= _MAX_ROW:
                raise DataError(f"The sheet has a row number {self._row_number}; not read.")
            self._row, self._column = [], -1
        elif name == "c":
            self._column = _column_of(attributes.get("r", ""), self._column)
            self._type = attributes.get("t", "n")
            self._style = int(attributes.get("s", "0"))
            self._formula, self._has_value, self._in_cell = False, False, True
            self._text.take()
        elif name == "f":
            self._formula = True
        elif name == "rPh":
            self._aside += 1
        elif name in ("v", "t") and self._in_cell and not self._aside:
            self._in_text = True

    def text(self, text: str) -> None:
        if self._in_text:
            self._text.add(text)

    def end(self, name: str) -> None:
        if name in ("v", "t") and self._in_text:
            self._in_text, self._has_value = False, True
        elif name == "rPh":
            self._aside -= 1
        elif name == "c":
            self._in_cell = False
            self._n_formulas += self._formula
            self._n_unstored += self._formula and not self._has_value
            value = self._cell()
            if value is not None:
                self._row.extend([None] * (self._column + 1 - len(self._row)))
                self._row[self._column] = value
        elif name == "row" and self._row:
            row, self._row = self._row, []
            self._n_empty += self._row_number - self._last_taken - 1 if self._last_taken else 0
            self._last_taken = self._row_number
            self._take(row)

    def _cell(self) -> object:
        if not self._has_value:
            return None
        value = self._text.take()
        match self._type:
            case "s":
                return self._worded(self._strings[int(value)])
            case "str" | "inlineStr":
                return self._worded(value)
            case "b":
                return value.strip() == "1"
            case "e":
                self._n_errors += 1
                return None
            case "d":
                return datetime.datetime.fromisoformat(value)
        if not value.strip():
            return None
        number = float(value)
        if self._style in self._dates and 1 <= number < 2_958_466:
            milliseconds = round(number * 86_400_000)
            return self._epoch + datetime.timedelta(milliseconds=milliseconds)
        if number.is_integer() and abs(number) < 2**53:
            return int(number)
        return number

    def _worded(self, text: str) -> str | None:
        return None if text.strip() in self._missing else text


def _column_of(reference: str, last: int) -> int:
    """Position of the column in a reference such as AB12, or the next when there is none."""
    column = 0
    for letter in reference:
        if not "A" <= letter <= "Z":
            break
        column = 26 * column + ord(letter) - 64
        if column > _MAX_COLUMN:
            raise DataError(f"The sheet has a cell at {shown(reference, 20)}; not read.")
    position = column - 1 if column else last + 1
    if position >= _MAX_COLUMN:
        raise DataError(f"The sheet has more than {_MAX_COLUMN:,} columns; not read.")
    return position
