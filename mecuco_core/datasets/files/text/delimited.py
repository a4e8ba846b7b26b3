"""Delimited text, read by pandas with every setting decided beforehand."""

import csv
import io
from collections.abc import Callable
from typing import BinaryIO

import numpy as np
import pandas as pd

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.limits import check_size
from mecuco_core.datasets.files.options import WHITESPACE, Findings, ReadOptions
from mecuco_core.datasets.files.table.names import unique_names
from mecuco_core.datasets.files.table.numbers import EXACT, as_numbers
from mecuco_core.datasets.files.text.delimited_settings import Sample, sample_of
from mecuco_core.datasets.files.text.dialect import cut, first_record
from mecuco_core.datasets.files.text.lines import open_text
from mecuco_core.datasets.files.text.scan import TableSize, scan
from mecuco_core.errors import DataError


def read_csv(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> pd.DataFrame:
    """Read delimited text whose settings are all decided.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    sample = sample_of(unpacked, options)
    header, lines_above = _header(sample, options)

    def body() -> BinaryIO:
        return open_text(
            unpacked,
            options.encoding or "utf-8",
            skip_lines=lines_above,
            max_line_bytes=options.max_line_bytes,
        )

    with body() as stream:
        size = scan(stream, options, lines_above=lines_above)
    return _table(body, size, header, sample, options, findings)


def preview_csv(
    unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int
) -> pd.DataFrame:
    """Read the first rows only; where they cannot be read, show their fields as text."""
    sample = sample_of(unpacked, options)
    header, lines_above = _header(sample, options)
    text = sample.below(lines_above)
    rows = cut(
        text, options.delimiter or ",", options.quote or "", bool(options.skip_space), 10 * n_rows
    )
    if not sample.complete and len(rows) > 1:
        rows = rows[:-1]  # it may be cut off inside quotes
    size = TableSize(len(rows), len(rows[0]) if rows else 0)
    quiet = Findings()
    try:
        if sample.complete or any(len(row) != size.n_columns for row in rows):
            with io.BytesIO(text.encode()) as stream:
                scan(stream, options, lines_above=lines_above)
        table = _table(
            lambda: io.BytesIO(text.encode()), size, header, sample, options, findings,
            n_rows=size.n_rows,
        )  # fmt: skip
    except DataError as error:
        findings.note(f"This cannot be read as it is: {error}")
        width = max(map(len, rows), default=len(header or ()))
        names = unique_names([*(header or ()), *[""] * width][:width], quiet)
        padded = [[*row, *[None] * width][:width] for row in rows]
        table = pd.DataFrame(padded, columns=names)
    return table.head(n_rows)


def _header(sample: Sample, options: ReadOptions) -> tuple[list[str] | None, int]:
    """Return the names in the file, if any, and the number of lines above the first value."""
    skip_lines = options.skip_lines or 0
    if not options.header:
        return None, skip_lines
    fields, n_lines = first_record(sample.below(skip_lines), options)
    check_size(1, len(fields), options)
    return fields, skip_lines + n_lines


def _table(
    body: Callable[[], BinaryIO],
    size: TableSize,
    header: list[str] | None,
    sample: Sample,
    options: ReadOptions,
    findings: Findings,
    *,
    n_rows: int | None = None,
) -> pd.DataFrame:
    if size.n_rows == 0:
        raise DataError(
            "The file has names of columns but no rows below them; say that it has no header if "
            "line 1 is a row."
            if header
            else "The file holds no rows."
        )
    check_size(size.n_rows, size.n_columns, options)
    names, trailing = _names(header, size, sample, options, findings)
    wanted = None
    if options.columns is not None:
        kept = {*options.columns, options.target}
        wanted = [position for position, name in enumerate(names) if name in kept]
    as_text = [position for position, name in enumerate(names) if name in (options.text or ())]
    table = _parsed(body, size, wanted, as_text, options, findings, n_rows=n_rows)
    table.columns = pd.Index([names[int(position)] for position in table.columns])
    if trailing and table.shape[1] > 1 and table.iloc[:, -1].isna().all():
        findings.note("Every row ends with a delimiter; the empty column behind it is left out.")
        table = table.iloc[:, :-1]
    return table


def _names(
    header: list[str] | None,
    size: TableSize,
    sample: Sample,
    options: ReadOptions,
    findings: Findings,
) -> tuple[list[str], bool]:
    """Return a name for every field, and whether the last field may only be a last delimiter."""
    if header is None:
        return unique_names([None] * size.n_columns, Findings()), False
    missing = size.n_columns - len(header)
    if missing == 0 and (header[-1].strip() or not _ends_empty(sample, options)):
        return unique_names(header, findings), False
    line = (options.skip_lines or 0) + 1
    if missing in (0, 1) and _ends_empty(sample, options):
        return unique_names([*header, ""][: size.n_columns], Findings()), True
    if missing == 1:
        findings.note(
            f"Line {line} has one name fewer than there are columns, as R writes row names; the "
            "first column was taken as the one without a name."
        )
        return unique_names(["", *header], findings), False
    if missing == -1 and not header[-1].strip():
        return unique_names(header[:-1], findings), False
    raise DataError(
        f"Line {line} has {len(header)} names and the rows below it have {size.n_columns} fields; "
        "correct that line, or set header, skip_lines or delimiter."
    )


def _ends_empty(sample: Sample, options: ReadOptions) -> bool:
    """Whether the first rows all end with a delimiter."""
    _, lines_above = _header(sample, options)
    text, delimiter = sample.below(lines_above), options.delimiter or ","
    rows = cut(text, delimiter, options.quote or "", bool(options.skip_space), 100)
    return bool(rows) and all(not row[-1].strip() for row in rows)


def _parsed(
    body: Callable[[], BinaryIO],
    size: TableSize,
    wanted: list[int] | None,
    as_text: list[int],
    options: ReadOptions,
    findings: Findings,
    *,
    n_rows: int | None = None,
) -> pd.DataFrame:
    with body() as stream:
        table: pd.DataFrame = pd.read_csv(
            stream,
            sep=r"\s+" if options.delimiter == WHITESPACE else options.delimiter,
            header=None,
            names=range(size.n_columns),
            index_col=False,
            usecols=wanted,
            dtype=dict.fromkeys(as_text, "str") or None,
            engine="c",
            nrows=n_rows,
            quotechar=options.quote or '"',
            quoting=csv.QUOTE_MINIMAL if options.quote else csv.QUOTE_NONE,
            skipinitialspace=bool(options.skip_space),
            decimal=options.decimal or ".",
            na_values=list(options.missing),
            keep_default_na=False,
            encoding="utf-8",
            **EXACT,
        )
    if len(table) != size.n_rows:
        raise DataError(
            f"{size.n_rows:,} rows were counted but {len(table):,} were read, since line ends or "
            "quotes are not regular; save the file with usual line ends, or choose another quote."
        )
    # pandas types a long file piece by piece; a column that is numbers in one piece and words
    # in another is read again as words.
    positions = wanted if wanted is not None else list(range(size.n_columns))
    kinds = {
        position: pd.api.types.infer_dtype(table[position], skipna=True)
        for position, dtype in zip(positions, table.dtypes, strict=True)
        if dtype == np.dtype(object)
    }
    mixed = [p for p, kind in kinds.items() if kind.startswith("mixed") and p not in as_text]
    if mixed:
        again = sorted({*as_text, *mixed})
        return _parsed(body, size, wanted, again, options, findings, n_rows=n_rows)
    for position, dtype in zip(positions, table.dtypes, strict=True):
        if position not in as_text and _is_text(dtype, kinds.get(position)):
            numbers = as_numbers(table[position], options.decimal or ".", options.thousands or "")
            if numbers is not None:
                table[position] = numbers
    return table


def _is_text(dtype: object, inferred: str | None) -> bool:
    return isinstance(dtype, pd.StringDtype) or inferred == "string"
