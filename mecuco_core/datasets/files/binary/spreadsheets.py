"""Workbooks of Excel and LibreOffice: one sheet as a table, formulas as the values stored beside.

Read by calamine, which evaluates nothing, and knows a cell with an error or a formula without a
stored value as an empty one.
"""

import datetime
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from mecuco_core.datasets.files.archives import Unpacked, compression_of, open_zip
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_bytes, check_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.table.columns import TableBuilder
from mecuco_core.datasets.files.table.header import find_header
from mecuco_core.datasets.files.table.names import unique_names
from mecuco_core.errors import DataError, MissingPackageError
from mecuco_core.runtime.wording import counted

_MOST_ROWS, _MOST_COLUMNS = 1_048_576, 16_384  # of Excel and LibreOffice themselves
_SAMPLE_ROWS = 200
_COUNTED_ROWS = 2000
"""Rows of each sheet that are looked at to choose one."""
_DAY = datetime.timedelta(days=1)
_Row = list[object]


def settle_workbook(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> ReadOptions:
    """Choose the sheet, the rows above the table, and whether it has a header."""
    with _opened(unpacked, options) as book:
        findings.sheets = _sheet_names(book)
        chosen = _chosen(book, options, findings)
        rows = list(_rows(book, chosen, options, _SAMPLE_ROWS))
    rows = [row for row in rows if _is_filled(row)]
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


def read_workbook(
    unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int | None = None
) -> pd.DataFrame:
    """Read one sheet; empty rows and columns are left out.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    builder = TableBuilder(options)
    above = (options.skip_lines or 0) + bool(options.header)
    names: _Row = []
    position = n_taken = n_empty = n_since = 0
    has_gaps = False
    with _opened(unpacked, options) as book:
        for row in _rows(book, options.sheet or "", options):
            if not _is_filled(row):
                n_since += 1
                continue
            # The empty rows below the last one are none of the table.
            n_empty, n_since = n_empty + n_since * bool(position), 0
            position += 1
            if position <= above:
                names = row if options.header and position == above else names
                continue
            builder.add(row)
            has_gaps = has_gaps or None in row
            n_taken += 1
            if n_taken == n_rows:
                break
    if n_empty:
        findings.note(f"{counted(n_empty, 'empty row')} between others left out.")
    width = max(builder.width, len(names))
    padded = [None if name is None else str(name) for name in [*names, *[None] * width][:width]]
    used = [
        position
        for position, name in enumerate(padded)
        if name is not None or not builder.is_empty(position)
    ]
    if has_gaps and n_rows is None:
        findings.note(
            "Empty cells are missing values, and so are errors and formulas without a stored value."
        )
    given = [name or "" for name in padded]
    for position, name in zip(used, unique_names([padded[p] for p in used], findings), strict=True):
        given[position] = name
    return builder.table(given, findings).iloc[:, used]


@contextmanager
def _opened(unpacked: Unpacked, options: ReadOptions) -> Iterator[Any]:
    """Open a workbook, and say in a sentence what calamine has to say against it."""
    try:
        import python_calamine as calamine
    except ImportError as error:
        raise MissingPackageError(
            "Workbooks need the package python-calamine; "
            "install it with: pip install 'mecuco[data]'"
        ) from error
    with unpacked.seekable() as stream:
        if compression_of(stream.read(4)) == "zip":
            with open_zip(stream) as archive:
                _check_parts(archive, options)
        stream.seek(0)
        try:
            yield calamine.CalamineWorkbook.from_filelike(stream)
        except BaseException as error:
            # What calamine meets unawares is no Exception of Python's.
            known = isinstance(error, calamine.CalamineError)
            if not known and type(error).__name__ != "PanicException":
                raise
            raise DataError(
                "The content looks like a workbook, but it is damaged, or needs a password "
                f"({shown(error)}); open it in a spreadsheet program and save it as .xlsx or CSV."
            ) from error


def _check_parts(archive: zipfile.ZipFile, options: ReadOptions) -> None:
    total = sum(info.file_size for info in archive.infolist())
    check_bytes(total, options.max_bytes, "The unpacked workbook")


def _sheet_names(book: Any) -> tuple[str, ...]:
    """Return the names of the worksheets; charts and macros are none."""
    return tuple(
        sheet.name for sheet in book.sheets_metadata if str(sheet.typ).endswith("WorkSheet")
    )


def _chosen(book: Any, options: ReadOptions, findings: Findings) -> str:
    """Return the sheet asked for, or the one with the most rows of numbers."""
    names = findings.sheets
    if not names:
        raise DataError("The workbook has no worksheet; choose another file.")
    listed = ", ".join(shown(name, 40) for name in names[:10])
    if options.sheet is not None:
        if options.sheet not in names:
            raise DataError(f"sheet must be one of {listed}, got {shown(options.sheet, 40)!r}")
        return options.sheet
    if len(names) == 1:
        return names[0]
    counts = [_rows_of_numbers(book, name, options) for name in names]
    chosen = names[counts.index(max(counts))]
    findings.note(
        f"Sheet {shown(chosen, 40)} is read, the first with the most rows of numbers, of {listed}."
    )
    return chosen


def _rows_of_numbers(book: Any, name: str, options: ReadOptions) -> tuple[int, int, bool]:
    """Count the rows that are mostly numbers, those with any, and tell an empty sheet.

    Steps that are numbered are words.
    """
    rows = [row for row in _rows(book, name, options, _COUNTED_ROWS) if _is_filled(row)]
    numbers = np.array([sum(type(cell) in (int, float) for cell in row) for row in rows])
    words = np.array([sum(isinstance(cell, str) for cell in row) for row in rows])
    return int((numbers > words).sum()), int((numbers > 0).sum()), bool(rows)


def _rows(book: Any, name: str, options: ReadOptions, n_rows: int | None = None) -> Iterator[_Row]:
    """Yield the rows of a sheet from its first cell on."""
    sheet = book.get_sheet_by_name(name)
    if sheet.end is None:
        return
    row, column = sheet.end
    if row >= _MOST_ROWS or column >= _MOST_COLUMNS:
        raise DataError(
            f"The sheet has a cell in row {row + 1:,}, column {column + 1:,}, where no sheet has "
            "any; it was not read."
        )
    check_size(sheet.height if n_rows is None else 1, sheet.width, options)
    missing = set(options.missing)
    for cells in sheet.to_python(skip_empty_area=True, nrows=n_rows):
        yield [_value(cell, missing) for cell in cells]


def _is_filled(row: _Row) -> bool:
    return any(cell is not None for cell in row)


def _value(cell: object, missing: set[str]) -> object:
    """Return a cell as a whole number, a fraction, a truth value, a date or a text; or None."""
    match cell:
        case str():
            return None if cell.strip() in missing else cell
        case float():
            return int(cell) if cell.is_integer() and abs(cell) < 2**53 else cell
        case datetime.datetime() | bool():
            return cell
        case datetime.date():
            return datetime.datetime(cell.year, cell.month, cell.day)
        case datetime.time():  # a part of a day, as the sheet stores it
            since = datetime.datetime.combine(datetime.date.min, cell) - datetime.datetime.min
            return since / _DAY
        case datetime.timedelta():
            return cell / _DAY
    return cell


def _title_rows(rows: Sequence[_Row]) -> int:
    """Count the rows with one cell above a table of three columns or more."""
    filled = [sum(cell is not None for cell in row) for row in rows]
    if max(filled) < 3:
        return 0
    above = next(position for position, n in enumerate(filled) if n > 1)
    return above if above < 20 else 0
