"""The points with the highest scores: the boundary points of a dataset."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from mecuco_core.runtime.results import ReadOnly
from mecuco_core.score.ranks import check_values, descending
from mecuco_core.types import BoolArray, IntArray
from mecuco_core.validation import check_number

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Boundary(ReadOnly):
    """A split of the points in smooth and boundary.

    Attributes
    ----------
    mask : ndarray of shape (n_points,)
        True for boundary points.
    threshold : float
        The score boundary points lie above.
    indices : ndarray of shape (n_boundary,)
        Boundary points, highest score first, equal scores by index.
    percentile : float

    See Also
    --------
    boundary_points : Makes one from scores.

    Examples
    --------
    >>> import mecuco as mc
    >>> boundary = mc.boundary_points([3.0, 9.0, 1.0, 7.0], percentile=50)
    >>> boundary
    Boundary(2 of 4 points above 5, percentile=50)
    >>> boundary.to_frame()
       place  row
    0      1    1
    1      2    3
    """

    mask: BoolArray
    threshold: float
    indices: IntArray
    percentile: float

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what to bear in mind of the split; empty where there is nothing."""
        last = len(self.mask) - 1  # as many would lie above it, were no two scores equal
        wanted = last - int(last * self.percentile / 100.0 + 1e-9)
        if len(self.indices) >= wanted:
            return ()
        return (
            f"Scores repeat at the threshold: {len(self.indices)} points lie above it, where the "
            f"percentile would have {wanted}.",
        )

    def __repr__(self) -> str:
        return (
            f"Boundary({len(self.indices)} of {len(self.mask)} points above {self.threshold:.4g}, "
            f"percentile={self.percentile:g})"
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return one line for every boundary point, highest first: `place` and `row`."""
        import pandas as pd

        return pd.DataFrame({"place": np.arange(1, len(self.indices) + 1), "row": self.indices})


def boundary_points(values: ArrayLike, *, percentile: float = 75) -> Boundary:
    """Split points at a percentile of their score.

    Parameters
    ----------
    values : Curvature or array-like of shape (n_points,)
    percentile : float, default=75
        Points with a score above this percentile are boundary points: with 75, a quarter of
        them. Where scores repeat at the threshold there are fewer, and none if all are equal.

    Returns
    -------
    Boundary

    See Also
    --------
    curvature : Makes such scores.

    Examples
    --------
    >>> import mecuco as mc
    >>> points = mc.datasets.prepare(mc.datasets.load_bundled("iris")).points
    >>> boundary = mc.boundary_points(mc.curvature(points, 7), percentile=90)
    >>> boundary.mask.sum(), len(boundary.indices)
    (np.int64(15), 15)
    """
    clean = check_values(values)
    if not 0.0 <= check_number(percentile, "percentile") <= 100.0:
        raise ValueError(f"percentile must be in [0, 100], got {percentile}")
    threshold = float(np.percentile(clean, percentile))
    mask = clean > threshold
    order = descending(clean)
    return Boundary(mask, threshold, order[mask[order]], float(percentile))
