"""How many neighbours a local quadric should have, found on a sample of the points."""

from typing import NamedTuple

import numpy as np

from mecuco_core.kernels.surface.compiled_quadric import RADIUS, REACH
from mecuco_core.kernels.surface.quadric import n_quadratic
from mecuco_core.neighbors.search import nearest
from mecuco_core.surface.error_bars import error_bars, excess_curvature
from mecuco_core.surface.local_quadrics import local_quadrics
from mecuco_core.types import FloatArray, IntArray

CENTRES = 32
MEMBERS = 12
"""Neighbours of every centre that are fitted too, to see how the curvature changes around it."""

GROWTH = 1.5
WORTH = 0.9
"""More neighbours are taken only for an error bar below this share of the last."""

LARGEST_REACH = 0.5
"""Patches that reach farther around a bend are not taken: their error bars know too little."""

FLATTER = 0.7
"""Where none is flat enough, wider patches are taken only for a reach below this share."""

LARGEST_SHARE = 10
LARGEST_NEIGHBORS = 600
NEGLIGIBLE = 1e-4
"""Error bars below this share of the inverse radius of the first patch need no improvement."""


class _Trial(NamedTuple):
    """Patches of k points: median error bar and radius, and the reach nine in ten do not pass."""

    k: int
    error: float
    radius: float
    reach: float


def smallest_n_neighbors(dimension: int) -> int:
    """Return where the choice starts: three points an unknown, two beyond three dimensions.

    There patches grow so fast with their number of points that more do harm even without noise.
    """
    return (3 if dimension <= 3 else 2) * n_quadratic(dimension)


def suggested_n_neighbors(points: FloatArray, dimension: int, n_jobs: int) -> int:
    """Return the number of neighbours with the smallest error bars, k0 · 1.5^j.

    Noise asks for large patches and bending for small ones; the error bars know both. Up to a
    tenth of the points, and 600, are tried, around a few of the points. Where noise makes every
    patch look strongly bent, they are widened as long as that helps.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    dimension : int
    n_jobs : int
    """
    n_points = len(points)
    first = min(smallest_n_neighbors(dimension), n_points - 1)
    last = max(first, min(n_points // LARGEST_SHARE, LARGEST_NEIGHBORS))
    generator = np.random.default_rng(0)
    centres = generator.choice(n_points, min(CENTRES, n_points), replace=False)
    around, _ = nearest(points, points[centres], last, centres, n_jobs)

    best = flattest = _Trial(first, np.inf, 1.0, np.inf)
    size, floor = float(first), 0.0
    while round(size) <= last:
        k = round(size)
        ranks = np.linspace(0, k - 1, min(MEMBERS, k)).astype(np.int64)
        trial = _trial(points, centres, around[:, ranks], k, dimension, n_jobs)
        floor = floor or NEGLIGIBLE / trial.radius
        if trial.reach < FLATTER * flattest.reach:
            flattest = trial
        if trial.reach <= LARGEST_REACH and trial.error < WORTH * best.error:
            best = trial
        if best.error <= floor or trial.error > 2.0 * best.error:
            break
        size *= GROWTH
    return best.k if np.isfinite(best.error) else flattest.k


def _trial(
    points: FloatArray, centres: IntArray, members: IntArray, k: int, d: int, n_jobs: int
) -> _Trial:
    """Fit patches of k points at the centres, and at their members to see H around them."""
    rows = np.concatenate([centres, members.ravel()])
    queries = points[rows]
    indices, _ = nearest(points, queries, k, rows, n_jobs)
    shapes = local_quadrics(points, queries, indices, d, n_jobs)
    n = len(centres)
    t = np.einsum("iaj,ikj->ika", shapes.tangents[:n], points[members] - queries[:n, None])
    weights = np.array([_plane_weights(row) for row in t])
    places = n + np.arange(members.size).reshape(members.shape)
    excess = excess_curvature(shapes.mean, places, weights)
    summary, length = shapes.summary[:n], np.linalg.norm(shapes.mean[:n], axis=1)
    errors = error_bars(summary, length, excess, d, min(n, len(points) / k))
    return _Trial(
        k,
        float(np.median(errors)),
        float(np.median(summary[:, RADIUS])),
        float(np.quantile(summary[:, REACH], 0.9)),
    )


def _plane_weights(t: FloatArray) -> FloatArray:
    """Weights of points (n, d) in the value at 0 of a plane through them and a point at 0."""
    columns = np.column_stack([np.ones(len(t) + 1), np.vstack([np.zeros(t.shape[1]), t])])
    return np.asarray(np.linalg.pinv(columns)[0, 1:])
