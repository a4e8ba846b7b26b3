"""Columns of a table, some at a time, turned so that each one is contiguous in memory.

Wide tables are read block by block and never copied whole: whoever walks over a table holds the
table, his own result, and one block.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

_CELLS = 1_000_000  # of one block: 8 MB of float64, and there are a few copies of it
_TILE = 512  # rows turned at once: what they touch fits in the processor's cache


def block_width(n_rows: int) -> int:
    """Return how many columns of `n_rows` rows make one block."""
    return max(1, _CELLS // max(1, n_rows))


def column_block(
    table: pd.DataFrame,
    positions: Sequence[int],
    rows: npt.NDArray[np.int64] | None = None,
    dtype: npt.DTypeLike | None = None,
) -> npt.NDArray[np.generic]:
    """Columns of plain numbers as the rows of an array.

    Parameters
    ----------
    table : DataFrame of shape (n_rows, n_columns)
    positions : sequence of int, ascending
    rows : ndarray of shape (n_kept,) or None
        Positions of the rows wanted; None for all.
    dtype : dtype or None
        Of the result; None for what the columns have in common.

    Returns
    -------
    ndarray of shape (n_positions, n_rows) or (n_positions, n_kept)
        C-contiguous. May share memory with the table.
    """
    part = columns_at(table, positions)
    if rows is not None:
        part = part.iloc[rows]
    return _contiguous(part.to_numpy(dtype=dtype).T)


def columns_at(table: pd.DataFrame, positions: Sequence[int]) -> pd.DataFrame:
    """Return the columns at ascending `positions`, as a view where they are neighbours."""
    if len(positions) > 0 and positions[-1] - positions[0] + 1 == len(positions):
        return table.iloc[:, positions[0] : positions[-1] + 1]
    return table.iloc[:, list(positions)]


def _contiguous(values: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    """`values` in C order, turned tile by tile: several times as fast as in one go."""
    if values.flags.c_contiguous:
        return values
    turned = np.empty(values.shape, values.dtype)
    for start in range(0, values.shape[1], _TILE):
        turned[:, start : start + _TILE] = values[:, start : start + _TILE]
    return turned


def write_columns(
    points: npt.NDArray[np.float64], first: int, values: npt.NDArray[np.float64]
) -> None:
    """Write the rows of `values` (n_part, n_rows) as columns of `points` from `first` on."""
    last = first + len(values)
    for start in range(0, len(points), _TILE):
        points[start : start + _TILE, first:last] = values[:, start : start + _TILE].T
