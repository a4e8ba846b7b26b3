"""JSON documents and JSON lines, in the shapes tables are written in."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.table.columns import TableBuilder
from mecuco_core.datasets.files.table.header import find_header
from mecuco_core.datasets.files.table.names import unique_names
from mecuco_core.datasets.files.text.encoding import settle_encoding
from mecuco_core.datasets.files.text.lines import lines_of, open_text
from mecuco_core.errors import DataError
from mecuco_core.runtime.wording import spoken_bytes

# Python objects take up to 25 times the room of their JSON.
_MAX_DOCUMENT = 100_000_000  # bytes


def settle_json(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> ReadOptions:
    """Find the encoding."""
    return replace(options, encoding=settle_encoding(unpacked, options, findings))


def read_json(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> pd.DataFrame:
    """Read one document: records, columns, split, rows, or one of these under a single key.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    limit = min(_MAX_DOCUMENT, options.max_bytes)
    with open_text(unpacked, options.encoding or "utf-8", max_line_bytes=limit) as stream:
        raw = stream.read(limit + 1)
    if len(raw) > limit:
        raise DataError(
            f"The JSON document is larger than {spoken_bytes(limit)}, and would be held in memory "
            "at once; save it as JSON lines or CSV."
        )
    document = json.loads(raw)
    del raw
    return _table(document, options, findings)


def read_jsonl(
    unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int | None = None
) -> pd.DataFrame:
    """Read one record or list per line.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    return _rows(_lines(unpacked, options, n_rows), options, findings, "line")


def _lines(unpacked: Unpacked, options: ReadOptions, n_rows: int | None) -> Iterator[object]:
    count = 0
    lines = lines_of(unpacked, options.encoding or "utf-8", options.max_line_bytes)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(
                f"Line {number} is not JSON ({shown(error)}); correct that line."
            ) from error
        count += 1
        if count == n_rows:
            return


def _table(document: object, options: ReadOptions, findings: Findings) -> pd.DataFrame:
    if isinstance(document, list):
        return _rows(document, options, findings, "entry")
    if not isinstance(document, dict):
        raise DataError("The JSON document is a single value, not a table.")
    if isinstance(document.get("data"), list) and isinstance(document.get("columns"), list):
        builder = TableBuilder(options)
        names = unique_names(document["columns"], findings)
        for number, row in enumerate(document["data"], start=1):
            _check_row(row, number, "entry", len(names))
            builder.add(row)
        return builder.table(names, findings)
    values = list(document.values())
    if values and all(isinstance(value, list) for value in values):
        lengths = {len(value) for value in values}
        # One column of single values tells a table of columns from several tables of rows.
        if len(lengths) == 1 and not all(isinstance(v, dict | list) for c in values for v in c):
            return _columns(document, options, findings)
    if values and all(isinstance(value, dict) for value in values):
        return _labelled(document, options, findings)
    tables = [key for key, value in document.items() if _is_rows(value)]
    if len(tables) == 1:
        findings.note(f"The table was found under the key {shown(tables[0])!r}.")
        table = _rows(document[tables[0]], options, findings, "entry")
        # pandas' "table" form numbers its rows in a column of that name.
        numbered = isinstance(document.get("schema"), dict) and "index" in table.columns
        return table.drop(columns="index") if numbered and table.shape[1] > 1 else table
    if not any(isinstance(value, (dict, list)) for value in values) and values:
        return _rows([document], options, findings, "entry")
    raise DataError(
        "The JSON document is not in a shape tables are written in: a list of records, a list of "
        "rows, or an object of columns of equal length."
    )


def _is_rows(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], (dict, list))


def _columns(
    document: Mapping[str, Sequence[object]], options: ReadOptions, findings: Findings
) -> pd.DataFrame:
    check_size(len(next(iter(document.values()))), len(document), options)
    builder = TableBuilder(options)
    for row in zip(*document.values(), strict=True):
        builder.add(row)
    return builder.table(unique_names(document, findings), findings)


def _labelled(
    document: Mapping[str, Mapping[str, object]], options: ReadOptions, findings: Findings
) -> pd.DataFrame:
    """Read an object of objects: columns of labelled rows, or rows of labelled columns."""
    outer_are_rows = all(key.lstrip("-").isdigit() for key in document)
    inner = {key: None for value in document.values() for key in value}
    inner_are_rows = all(key.lstrip("-").isdigit() for key in inner)
    if outer_are_rows and not inner_are_rows:
        return _rows(document.values(), options, findings, "entry")
    check_size(len(inner), len(document), options)
    builder = TableBuilder(options)
    for label in inner:
        builder.add([column.get(label) for column in document.values()])
    return builder.table(unique_names(document, findings), findings)


def _rows(
    rows: Iterable[object], options: ReadOptions, findings: Findings, what: str
) -> pd.DataFrame:
    """Build a table from records, lists or single values; all must be of one kind."""
    builder = TableBuilder(options)
    positions: dict[str, int] = {}
    first: object = None
    sample: list[Sequence[object]] = []
    width = 0
    for number, row in enumerate(rows, start=1):
        if number == 1:
            first = row
        if isinstance(row, dict) != isinstance(first, dict) or isinstance(row, list) != isinstance(
            first, list
        ):
            raise DataError(f"{what.capitalize()} {number} is of another kind than the first one.")
        if isinstance(row, dict):
            for key in row:
                positions.setdefault(key, len(positions))
            check_size(number, len(positions), options)
            cells: list[object] = [None] * len(positions)
            for key, value in row.items():
                cells[positions[key]] = value
            builder.add(cells)
            continue
        values = row if isinstance(row, list) else [row]
        width = width or len(values)
        _check_row(values, number, what, width)
        if len(sample) < 50:
            sample.append(values)
        builder.add(values)
    if isinstance(first, dict):
        return builder.table(unique_names(positions, findings), findings)
    return _with_header(builder, sample, width, options, findings, what)


def _with_header(
    builder: TableBuilder,
    sample: Sequence[Sequence[object]],
    width: int,
    options: ReadOptions,
    findings: Findings,
    what: str,
) -> pd.DataFrame:
    """Take the first row of lists as names where it is one."""
    header = options.header
    if header is None and sample:
        words = all(isinstance(name, str) for name in sample[0])
        header = words and find_header(sample, f"{what} 1", findings)
    if not header:
        return builder.table(unique_names([None] * width, Findings()), findings)
    names = unique_names(sample[0], findings)
    builder.drop_first()
    return builder.table(names, findings)


def _check_row(row: object, number: int, what: str, width: int) -> None:
    if not isinstance(row, list):
        raise DataError(f"{what.capitalize()} {number} is not a list of values.")
    if len(row) != width:
        raise DataError(
            f"{what.capitalize()} {number} has {len(row)} values where the first has {width}."
        )
