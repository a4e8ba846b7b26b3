"""Sparse text of libsvm and svmlight: `label index:value index:value …`, one row a line."""

from array import array
from dataclasses import replace

import numpy as np
import pandas as pd

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.text import lines_of
from mecuco_core.errors import DataError

LABEL = "label"


def settle_libsvm(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> ReadOptions:
    """Take the label as the target: the format has no other."""
    findings.suggested_target = LABEL
    findings.note("The first number of every line is its label, and became the target.")
    return replace(options, encoding=options.encoding or "utf-8", target=options.target or LABEL)


def read_libsvm(
    unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int | None = None
) -> pd.DataFrame:
    """Read all rows as a dense table with the label last.

    Returns
    -------
    DataFrame of shape (n_rows, n_features + 1)
    """
    indices, values = array("q"), array("d")
    ends = array("q", [0])
    labels: list[str] = []
    lines = lines_of(unpacked, options.encoding or "utf-8", options.max_line_bytes)
    for number, line in enumerate(lines, start=1):
        fields = line.partition(b"#")[0].split()
        if not fields:
            continue
        try:
            if b"_" in line:  # Python would read 1_0 as 10
                raise ValueError("a number with _")
            _add(fields, labels, indices, values)
        except (ValueError, OverflowError) as error:
            raise DataError(
                f"Line {number} is not of the form 'label index:value …' ({shown(error)}); "
                "correct that line."
            ) from error
        ends.append(len(indices))
        # What is stored takes 16 bytes a value, twice as much as a cell of the table.
        check_size(len(indices), 1, options)
        if len(labels) == n_rows:
            break
    if not labels:
        raise DataError("The file holds no rows.")
    return _dense(indices, values, ends, labels, options, findings)


def _add(
    fields: list[bytes], labels: list[str], indices: "array[int]", values: "array[float]"
) -> None:
    label, *pairs = fields
    for part in label.split(b","):
        float(part)
    labels.append(label.decode())
    last = -1
    for pair in pairs:
        index, _, value = pair.partition(b":")
        if index == b"qid":
            continue
        position = int(index)
        if position <= last:
            raise ValueError(f"index {position} after {last}")
        last = position
        indices.append(position)
        values.append(float(value))


def _dense(
    indices: "array[int]",
    values: "array[float]",
    ends: "array[int]",
    labels: list[str],
    options: ReadOptions,
    findings: Findings,
) -> pd.DataFrame:
    columns = np.frombuffer(indices, dtype=np.int64) if indices else np.empty(0, np.int64)
    starts_at = 0 if columns.size and columns.min() == 0 else 1
    n_features = int(columns.max()) + 1 - starts_at if columns.size else 0
    check_size(len(labels), n_features + 1, options)
    matrix = np.zeros((len(labels), n_features))
    rows = np.repeat(np.arange(len(labels)), np.diff(np.array(ends)))
    matrix[rows, columns - starts_at] = np.frombuffer(values, dtype=np.float64) if values else ()
    if starts_at == 0:
        findings.note("The features are numbered from 0.")
    names = [f"feature_{position + starts_at}" for position in range(n_features)]
    table = pd.DataFrame(matrix, columns=names, copy=False)
    table[LABEL] = _labels(labels)
    return table


def _labels(labels: list[str]) -> pd.Series:
    if any("," in label for label in labels):
        return pd.Series(labels, dtype="str")  # several labels a row
    numbers = np.array([float(label) for label in labels])
    whole = np.isfinite(numbers).all() and (numbers == np.round(numbers)).all()
    if whole and np.abs(numbers).max() < 2**53:
        return pd.Series(numbers.astype(np.int64))
    return pd.Series(numbers)
