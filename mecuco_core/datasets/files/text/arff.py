"""ARFF files, dense and sparse, with nominal, string and date attributes."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.table.names import unique_names
from mecuco_core.datasets.files.text.arff_header import Attribute, read_header
from mecuco_core.datasets.files.text.arff_rows import RowReader
from mecuco_core.datasets.files.text.encoding import settle_encoding
from mecuco_core.datasets.files.text.lines import lines_of
from mecuco_core.errors import DataError
from mecuco_core.types import FloatArray

_BLOCK_BYTES = 4_000_000
# Letters of Java's SimpleDateFormat, in which ARFF writes date formats, and Python's.
_DATE_PARTS = {
    "yyyy": "%Y", "yy": "%y", "MMMM": "%B", "MMM": "%b", "MM": "%m", "dd": "%d", "HH": "%H",
    "hh": "%I", "mm": "%M", "ss": "%S", "SSS": "%f", "a": "%p", "EEE": "%a", "Z": "%z",
}  # fmt: skip


def settle_arff(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> ReadOptions:
    """Find the encoding, and an attribute that is named like a class."""
    options = replace(options, encoding=settle_encoding(unpacked, options, findings))
    lines = lines_of(unpacked, options.encoding or "utf-8", options.max_line_bytes)
    header = read_header(lines, options.max_columns)
    names = unique_names([a.name for a in header.attributes], Findings())
    classes = [name for name in names if name.lower() == "class"]
    findings.suggested_target = classes[-1] if classes else None
    return options


def read_arff(
    unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int | None = None
) -> pd.DataFrame:
    """Read every row; nominal attributes become categories in their declared order.

    Returns
    -------
    DataFrame of shape (n_rows, n_attributes)
    """
    lines = lines_of(unpacked, options.encoding or "utf-8", options.max_line_bytes)
    header = read_header(lines, options.max_columns)
    rows = RowReader(header.attributes, options, findings)
    blocks: list[FloatArray] = []
    total = 0
    number = header.data_line + 1
    while block_lines := _next_block(lines, n_rows):
        block = rows.block(block_lines, number)
        number += len(block_lines)
        total += len(block)
        check_size(total, len(header.attributes), options)
        if len(block):
            blocks.append(block)
        if n_rows is not None and total >= n_rows:
            break
    if total == 0:
        raise DataError("The ARFF file has attributes but no rows below @data.")
    matrix = _joined(blocks, total)
    names = unique_names([a.name for a in header.attributes], findings)
    columns = [
        _column(attribute, matrix[:, position], rows.pools[position], name, findings)
        for position, (attribute, name) in enumerate(zip(header.attributes, names, strict=True))
    ]
    if all(column is None for column in columns):
        return pd.DataFrame(matrix, columns=names, copy=False)
    return pd.DataFrame(
        {
            name: pd.Series(matrix[:, position]) if column is None else column
            for position, (name, column) in enumerate(zip(names, columns, strict=True))
        }
    )


def _next_block(lines: Iterator[bytes], n_rows: int | None) -> list[bytes]:
    """Take lines until they make a block, or `n_rows` of them."""
    block: list[bytes] = []
    n_bytes = 0
    for line in itertools.islice(lines, n_rows):
        block.append(line)
        n_bytes += len(line)
        if n_bytes >= _BLOCK_BYTES:
            break
    return block


def _joined(blocks: list[FloatArray], n_rows: int) -> FloatArray:
    """Join blocks into one matrix, letting go of each as soon as it is copied."""
    if len(blocks) == 1:
        return blocks[0]
    matrix = np.empty((n_rows, blocks[0].shape[1]))
    end = n_rows
    while blocks:
        block = blocks.pop()
        matrix[end - len(block) : end] = block
        end -= len(block)
    return matrix


def _column(
    attribute: Attribute,
    values: FloatArray,
    pool: dict[str, int],
    name: str,
    findings: Findings,
) -> pd.Series | None:
    """Return the column an attribute declares; None where the numbers are the column."""
    missing = np.isnan(values)
    if attribute.kind == "numeric":
        return None
    codes = np.where(missing, -1, values).astype(np.int64)
    match attribute.kind:
        case "integer":
            whole = not missing.any() and bool((np.abs(values) < 2**53).all())
            return pd.Series(codes) if whole and bool((values == codes).all()) else None
        case "nominal":
            categories = pd.Index(attribute.values, dtype="str")
            return pd.Series(pd.Categorical.from_codes(codes, categories))
    texts = pd.Series([*pool, None], dtype="str").take(codes).reset_index(drop=True)
    if attribute.kind == "string":
        return texts
    form = _python_format(attribute.date_format)
    if form is None:
        findings.note(
            f"The date format {shown(attribute.date_format, 40)!r} of column {shown(name, 60)} is "
            "not known, and its values stay text."
        )
        return texts
    try:
        return pd.to_datetime(texts, format=form)
    except ValueError as error:
        raise DataError(
            f"Column {shown(name, 60)} has dates that are not in its format "
            f"{shown(attribute.date_format, 40)!r} ({shown(error, 80)})."
        ) from error


def _python_format(java: str) -> str | None:
    """Translate a date format, or return None when it has a part that cannot be translated."""
    parts: list[str] = []
    for match in re.finditer(r"'([^']*)'|(([A-Za-z])\3*)|(.)", java, re.DOTALL):
        if match[2]:
            if match[2] not in _DATE_PARTS:
                return None
            parts.append(_DATE_PARTS[match[2]])
        else:
            parts.append((match[1] if match[1] is not None else match[4]).replace("%", "%%"))
    return "".join(parts)
