"""How far two scores of the same points agree."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from mecuco_core._types import FloatArray, IntArray
from mecuco_core._validation import check_number, unmasked_array


@dataclass(frozen=True, eq=False)
class Agreement:
    """Agreement of a score b with a score a taken as the reference.

    Attributes
    ----------
    mae : float
        Mean of |a - b|.
    relative_error : float
        `mae` over the mean of |a|; 0 when both are zero throughout.
    bias : float
        Mean of b - a over the mean of |a|: negative when b is low.
    spearman : float
        Rank correlation ρ.
    chatterjee : float
        Chatterjee's ξ of b as a function of a.
    """

    mae: float
    relative_error: float
    bias: float
    spearman: float
    chatterjee: float
    _order_a: IntArray = field(repr=False)
    _order_b: IntArray = field(repr=False)

    def top_overlap(self, q: float) -> float:
        """Share of the top q percent by a that is in the top q percent by b."""
        if not 0.0 < check_number(q, "q") <= 100.0:
            raise ValueError(f"q must be a percentage in (0, 100], got {q}")
        size = max(1, round(len(self._order_a) * q / 100.0))
        return len(np.intersect1d(self._order_a[:size], self._order_b[:size])) / size


def compare(a: ArrayLike, b: ArrayLike) -> Agreement:
    """Compare two scores of the same points.

    Parameters
    ----------
    a, b : Curvature or array-like of shape (n_points,)
        `a` is the reference.

    Returns
    -------
    Agreement
        Correlations are NaN where one score is constant.
    """
    first, second = check_values(a, "a"), check_values(b, "b")
    if len(first) != len(second):
        raise ValueError(
            f"a and b must score the same points, got {len(first)} and {len(second)} values"
        )
    difference = second - first
    scale = float(np.abs(first).mean()) or float(np.abs(second).mean()) or 1.0
    constant = bool(np.ptp(first) == 0.0 or np.ptp(second) == 0.0)
    return Agreement(
        mae=float(np.abs(difference).mean()),
        relative_error=float(np.abs(difference).mean()) / scale,
        bias=float(difference.mean()) / scale,
        spearman=np.nan if constant else float(stats.spearmanr(first, second).statistic),
        chatterjee=np.nan if constant else float(stats.chatterjeexi(first, second).statistic),
        _order_a=descending(first),
        _order_b=descending(second),
    )


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
