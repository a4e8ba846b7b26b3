"""How far two scores of the same points agree."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from mecuco_core.runtime.results import ReadOnly
from mecuco_core.score.ranks import check_values, descending, spearman, top_size
from mecuco_core.types import IntArray

if TYPE_CHECKING:
    import pandas as pd

MEASURES = ("mae", "relative_error", "bias", "spearman", "chatterjee")


@dataclass(frozen=True, eq=False)
class Agreement(ReadOnly):
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

    See Also
    --------
    compare : Makes one from two scores.

    Examples
    --------
    >>> import mecuco as mc
    >>> agreement = mc.compare([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 4.0, 5.0])
    >>> agreement
    Agreement(4 points, spearman=1, chatterjee=0.4, relative_error=0.2, bias=0.2)
    >>> agreement.top_overlap(25)
    1.0
    """

    mae: float
    relative_error: float
    bias: float
    spearman: float
    chatterjee: float
    _order_a: IntArray = field(repr=False)
    _order_b: IntArray = field(repr=False)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what to bear in mind of the agreement; empty where there is nothing."""
        if np.isnan(self.spearman):
            return ("One of the scores is the same at every point: it has no order to compare.",)
        return ()

    def __repr__(self) -> str:
        return (
            f"Agreement({len(self._order_a)} points, spearman={self.spearman:.3g}, "
            f"chatterjee={self.chatterjee:.3g}, relative_error={self.relative_error:.3g}, "
            f"bias={self.bias:.3g})"
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return one line for each measure: `measure` and `value`."""
        import pandas as pd

        values = [float(getattr(self, name)) for name in MEASURES]
        return pd.DataFrame({"measure": MEASURES, "value": values})

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

    See Also
    --------
    curvature : Makes such scores.
    k_stability : How far scores for several k agree.

    Examples
    --------
    >>> import mecuco as mc
    >>> points = mc.datasets.prepare(mc.datasets.load_bundled("wine")).points
    >>> recommended = mc.curvature(points, 7)
    >>> agreement = mc.compare(recommended, recommended.in_mode("fast"))
    >>> agreement.bias < 0  # published, fast comes out low
    True
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
