"""Error bars of |H| from what the fits left over  [section 9, eqs. 13 to 15]."""

import numpy as np

from mecuco_core.kernels.surface.compiled_quadric import ACROSS, ALONG, DETERMINED, DOF
from mecuco_core.types import FloatArray, IntArray

CAUTION = 1.5
"""Standard errors by which the excesses must exceed their noise before they count."""

LARGEST_GATHER = 4_000_000
"""Numbers gathered at once."""


def excess_curvature(mean: FloatArray, neighbors: IntArray, weights: FloatArray) -> FloatArray:
    """Return how far |H| of the neighbours, brought to the point by a plane, is above its own.

    A quadric averages the curvature over its patch, and this is what an average changes. Where
    H of a neighbour points the other way, its length counts as negative.

    Parameters
    ----------
    mean : ndarray of shape (n_all, n_features)
        Mean curvature vectors; those of the points themselves come first.
    neighbors : ndarray of shape (n_points, n_neighbors)
        Rows of `mean`.
    weights : ndarray of shape (n_points, n_neighbors)
        Of each neighbour in the value of the plane at the point; the point has the rest.

    Returns
    -------
    ndarray of shape (n_points,)
    """
    n, k = neighbors.shape
    length = np.linalg.norm(mean, axis=1)
    excess = np.empty(n)
    size = max(1, LARGEST_GATHER // (k * mean.shape[1]))
    for start in range(0, n, size):
        rows = slice(start, min(start + size, n))
        theirs, own = neighbors[rows], mean[rows]
        opposite = np.einsum("ij,ikj->ik", own, mean[theirs]) < 0.0
        signed = np.where(opposite, -length[theirs], length[theirs])
        excess[rows] = (weights[rows] * (signed - length[rows, None])).sum(axis=1)
    return excess


def error_bars(
    summary: FloatArray, length: FloatArray, excess: FloatArray, d: int, n_patches: float
) -> FloatArray:
    """Return the standard error of |H| at every point, infinite where it is not determined.

    Parameters
    ----------
    summary : ndarray of shape (n_points, N_SUMMARY)
        As filled by the kernel.
    length : ndarray of shape (n_points,)
        |H|.
    excess : ndarray of shape (n_points,)
        As returned by `excess_curvature`.
    d : int
        Dimension of the surface.
    n_patches : float
        How many of the patches can be disjoint.
    """
    errors = np.full(len(summary), np.inf)
    known = summary[:, DETERMINED] > 0.0
    if not known.any():
        return errors
    along, across, dof = summary[known][:, [ALONG, ACROSS, DOF]].T
    unit = float(max(along.max(), across.max(), np.abs(excess[known]).max())) or 1.0
    along, across, length, excess = (  # squares stay in range
        values / unit for values in (along, across, length[known], excess[known])
    )
    student = dof / (dof - 2.0)  # variance of Student's t
    noise = student * along**2
    folded = length - np.sqrt(np.maximum(length**2 - student * across**2, 0.0))
    level = 1.0 + CAUTION * float(np.sqrt(2.0 / n_patches))
    typical = _typical_square(excess**2, noise, level)
    share = typical / np.where(typical + noise > 0.0, typical + noise, 1.0)
    bias = (d + 2) / (d + 6) * np.sqrt((share * excess) ** 2 + share * noise)
    errors[known] = unit * np.sqrt(noise + folded**2 + bias**2)
    return errors


def _typical_square(squares: FloatArray, noise: FloatArray, level: float) -> float:
    """Return V with mean(squares / (noise + V)) = level, 0 where no V > 0 does it.

    This is the variance between the true excesses by the method of Paule and Mandel (1982), but
    for the level, which they have at 1.
    """
    low, high = 0.0, float(squares.max())
    smallest = 1e-12 * high
    if high == 0.0 or float((squares / (noise + smallest)).mean()) <= level:
        return 0.0
    for _ in range(50):
        middle = 0.5 * (low + high)
        if float((squares / (noise + middle)).mean()) > level:
            low = middle
        else:
            high = middle
    return high
