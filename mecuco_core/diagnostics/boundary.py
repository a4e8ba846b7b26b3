"""The points with the highest scores: the boundary points of a dataset."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mecuco_core.score.ranks import check_values, descending
from mecuco_core.types import BoolArray, IntArray
from mecuco_core.validation import check_number


@dataclass(frozen=True, eq=False)
class Boundary:
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
    """

    mask: BoolArray
    threshold: float
    indices: IntArray
    percentile: float


def boundary_points(values: ArrayLike, percentile: float = 75) -> Boundary:
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
    """
    clean = check_values(values)
    if not 0.0 <= check_number(percentile, "percentile") <= 100.0:
        raise ValueError(f"percentile must be in [0, 100], got {percentile}")
    threshold = float(np.percentile(clean, percentile))
    mask = clean > threshold
    order = descending(clean)
    return Boundary(mask, threshold, order[mask[order]], float(percentile))
