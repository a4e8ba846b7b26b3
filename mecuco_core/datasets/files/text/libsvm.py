"""Sparse text of libsvm and svmlight: `label index:value index:value …`, one row a line.

Read by scikit-learn; the line that it cannot read is found here.
"""

import io
import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.text.lines import lines_of
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
    found = lines_of(unpacked, options.encoding or "utf-8", options.max_line_bytes)
    lines = list(itertools.islice(found, None if n_rows is None else 10 * n_rows))
    try:
        matrix, labels = _loaded(lines)
    except (ValueError, OverflowError):
        raise _bad_line(lines) from None
    if not labels:
        raise DataError("The file holds no rows.")
    features = np.unique(matrix.indices)
    starts_at = 0 if len(features) and features[0] == 0 else 1
    n_features = matrix.shape[1] - starts_at if len(features) else 0
    check_size(len(labels), n_features + 1, options)
    if starts_at == 0:
        findings.note("The features are numbered from 0.")
    names = [f"feature_{position + starts_at}" for position in range(n_features)]
    dense = matrix[:, starts_at : starts_at + n_features].toarray()
    table = pd.DataFrame(dense, columns=names, copy=False)
    table[LABEL] = _labels(labels)
    return table if n_rows is None else table.iloc[:n_rows]


def _loaded(lines: Sequence[bytes]) -> tuple[Any, list[tuple[float, ...]]]:
    """Return the features, as a sparse matrix whose columns count from 0, and the labels."""
    from sklearn.datasets import load_svmlight_file

    if any(b"_" in line and b"_" in line.partition(b"#")[0] for line in lines):
        raise ValueError("a number with _")  # Python would read 1_0 as 10
    text = io.BytesIO(b"\n".join(lines))
    matrix, labels = load_svmlight_file(text, multilabel=True, zero_based=True)
    return matrix, labels


def _bad_line(lines: Sequence[bytes]) -> DataError:
    """Return the sentence on the first line that cannot be read, found by halving."""
    start, stop = 0, len(lines)
    while True:
        middle = (start + stop + 1) // 2
        try:
            _loaded(lines[start:middle])
        except (ValueError, OverflowError) as error:
            if middle - start == 1:
                return DataError(
                    f"Line {middle} is not of the form 'label index:value …' ({shown(error)}); "
                    "correct that line."
                )
            stop = middle
        else:
            start = middle


def _labels(labels: list[tuple[float, ...]]) -> pd.Series:
    if any(len(label) != 1 for label in labels):
        return pd.Series([",".join(f"{one:g}" for one in label) for label in labels], dtype="str")
    numbers = np.array([label[0] for label in labels])
    whole = np.isfinite(numbers).all() and (numbers == np.round(numbers)).all()
    if whole and np.abs(numbers).max() < 2**53:
        return pd.Series(numbers.astype(np.int64))
    return pd.Series(numbers)
