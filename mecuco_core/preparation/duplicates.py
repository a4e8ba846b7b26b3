"""Count rows that repeat an earlier one, without holding the rows."""

import numpy as np
import pandas as pd

from mecuco_core.types import FloatArray

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
