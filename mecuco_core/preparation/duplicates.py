"""Rows that repeat an earlier one, found without holding the rows."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from mecuco_core.types import FloatArray, IntArray

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # odd: multiplying by it loses nothing


class RowHashes:
    """A 64-bit hash of each row, grown block of columns by block of columns.

    Among a million different rows the chance that any two share a hash is below 1e-7.
    """

    def __init__(self, n_rows: int) -> None:
        self._hashes = np.zeros(n_rows, dtype=np.uint64)

    def update(self, values: FloatArray) -> None:
        """Take in more columns, the rows of `values` of shape (n_columns, n_rows)."""
        mixed = pd.util.hash_array(values.reshape(-1), categorize=False).reshape(values.shape)
        for column in mixed:
            self._hashes *= _MULTIPLIER
            self._hashes += column

    def n_repeated(self) -> int:
        """Return how many rows are equal to an earlier row."""
        return len(self._hashes) - len(np.unique(self._hashes))


def row_groups(columns: Sequence["pd.Series"], n_rows: int) -> IntArray:
    """Return for each row the position of the first row that is equal in every column.

    Parameters
    ----------
    columns : sequence of Series of shape (n_rows,)
        Of any kind; two missing values are equal.

    Returns
    -------
    ndarray of shape (n_rows,)
    """
    hashes = np.zeros(n_rows, dtype=np.uint64)
    for series in columns:
        hashes *= _MULTIPLIER
        hashes += _hashed(series)
    _, first, group = np.unique(hashes, return_index=True, return_inverse=True)
    return first[group].astype(np.int64)


def _hashed(series: "pd.Series") -> npt.NDArray[np.uint64]:
    kind = getattr(series.dtype, "kind", "O")
    if isinstance(series.dtype, np.dtype) and kind in "biuf":
        values = series.to_numpy(dtype=np.float64)
        values = np.where(np.isnan(values), np.nan, values + 0.0)  # of one bit pattern
        return pd.util.hash_array(values, categorize=False)
    codes, _ = pd.factorize(_hashable(series), use_na_sentinel=True)
    return pd.util.hash_array(codes.astype(np.int64), categorize=False)


def _hashable(series: "pd.Series") -> "npt.NDArray[np.object_] | pd.Series":
    """Return values that can be told apart by their hash, None where one is missing."""
    if series.dtype != np.dtype(object):
        return series
    missing = series.isna().to_numpy()
    values = np.empty(len(series), dtype=object)
    values[:] = [
        value if isinstance(value, str | bytes | int | float) else repr(value) for value in series
    ]
    values[missing] = None
    return values
