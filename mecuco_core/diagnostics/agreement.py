"""How far two scores of the same points agree."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from mecuco_core.score.ranks import check_values, descending, spearman, top_size
from mecuco_core.types import IntArray


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
        size = top_size(len(self._order_a), q)
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
        spearman=spearman(first, second),
        chatterjee=np.nan if constant else float(stats.chatterjeexi(first, second).statistic),
        _order_a=descending(first),
        _order_b=descending(second),
    )
