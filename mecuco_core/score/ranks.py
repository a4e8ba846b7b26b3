"""The order of values: ranks, how alike two orders are, how many the top q percent are."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from mecuco_core.types import BoolArray, FloatArray, IntArray
from mecuco_core.validation import check_number, unmasked_array


def check_values(values: ArrayLike, name: str = "values") -> FloatArray:
    """Return scores as a float array (n_points,), finite and not empty."""
    array = unmasked_array(values, name)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be numbers, got dtype {array.dtype}")
    if array.ndim != 1 or len(array) == 0:
        raise ValueError(f"{name} must be 1-D and not empty, got shape {array.shape}")
    clean = array.astype(np.float64)
    if not np.isfinite(clean).all():
        raise ValueError(
            f"{name} must be finite, got {float(clean[np.argmin(np.isfinite(clean))])} "
            f"at position {int(np.argmin(np.isfinite(clean)))}"
        )
    return clean


def descending(values: FloatArray) -> IntArray:
    """Return positions from the highest value to the lowest, equal values by position."""
    return np.argsort(-values, kind="stable")


def rank_percent(values: ArrayLike) -> FloatArray:
    """Return each value's rank in percent, (n_points,): 100 for the highest, near 0 the lowest.

    It is the share of the values that are not higher, equal ones counted half; NaN where there is
    no value.
    """
    array = np.asarray(values, dtype=np.float64)
    ranks = np.full(len(array), np.nan)
    known = np.isfinite(array)
    ranks[known] = 100.0 * stats.rankdata(array[known]) / max(1, known.sum())
    return ranks


def top_size(n_points: int, q: float) -> int:
    """Return how many points the top q percent are, at least one."""
    if not 0.0 < check_number(q, "q") <= 100.0:
        raise ValueError(f"q must be a percentage in (0, 100], got {q}")
    return max(1, round(n_points * q / 100.0))


def in_top(values: FloatArray, q: float) -> BoolArray:
    """Return which values (n_points,) are among the top q percent."""
    chosen = np.zeros(len(values), dtype=bool)
    chosen[descending(values)[: top_size(len(values), q)]] = True
    return chosen


def spearman(a: FloatArray, b: FloatArray) -> float:
    """Return the rank correlation of two lists of values, NaN where one has no order."""
    if np.ptp(a) == 0.0 or np.ptp(b) == 0.0:
        return float("nan")
    return float(stats.spearmanr(a, b).statistic)
