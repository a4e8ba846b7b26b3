"""The intrinsic dimension of points, from how fast neighbours grow more with distance."""

from dataclasses import dataclass
from math import erf, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from mecuco_core.neighbors.graph import KnnGraph, as_graph, knn_graph
from mecuco_core.runtime.results import ReadOnly
from mecuco_core.types import FloatArray, Progress, SearchMethod
from mecuco_core.validation import check_n_jobs, check_points

if TYPE_CHECKING:
    import pandas as pd

SURE = 0.9
"""An estimate less sure than this is noted."""

N_NEIGHBORS = 20
"""Middle of the range Levina and Bickel recommend, 10 to 20, and its upper end here."""


@dataclass(frozen=True, eq=False)
class IntrinsicDimension(ReadOnly):
    """How many dimensions the points fill, and how sure that is.

    Attributes
    ----------
    dimension : int
        The nearest whole number, at least 1 and at most n_features - 1.
    estimate : float
        Before rounding.
    error : float
        One standard error of the estimate: its scatter over the points, and how far it would
        still move if neighbours came arbitrarily near, judged by its change between the nearer
        half of them and all, and taken to go with the square of their distance.
    confidence : float
        Chance in [0, 1] that `estimate` rounds to `dimension` when drawn again, taken as normal
        with that error. Small where noise, edges or mixed dimensions blur the answer.
    local : ndarray of shape (n_points,)
        The estimate at every point by itself; NaN where too many neighbours coincide with it.
    n_neighbors : int

    See Also
    --------
    intrinsic_dimension : Makes one from points.

    Examples
    --------
    >>> import mecuco as mc
    >>> roll = mc.datasets.load_manifold("swiss-roll", n_points=800).table
    >>> mc.intrinsic_dimension(roll).local.shape
    (800,)
    """

    dimension: int
    estimate: float
    error: float
    confidence: float
    local: FloatArray
    n_neighbors: int

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what to bear in mind of the estimate; empty where there is nothing."""
        found = []
        if self.confidence < SURE:
            found.append(
                f"The dimension {self.dimension} is only {self.confidence:.0%} sure: noise, edges "
                "or parts of several dimensions blur it."
            )
        unknown = int(np.isnan(self.local).sum())
        if unknown:
            found.append(
                f"{unknown} of {len(self.local)} points have no estimate of their own: too many "
                "of their neighbours coincide with them."
            )
        return tuple(found)

    def __repr__(self) -> str:
        return (
            f"IntrinsicDimension({self.dimension}, estimate={self.estimate:.2f} ± "
            f"{self.error:.2f}, n_neighbors={self.n_neighbors})"
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return one line for every point: `row` and `local_dimension`."""
        import pandas as pd

        return pd.DataFrame({"row": np.arange(len(self.local)), "local_dimension": self.local})


def intrinsic_dimension(
    points: ArrayLike,
    n_neighbors: int | None = None,
    *,
    graph: KnnGraph | ArrayLike | None = None,
    search: SearchMethod = "auto",
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> IntrinsicDimension:
    """Estimate the intrinsic dimension by maximum likelihood.

    The estimator of Levina and Bickel (2004): the logarithms of the distances of a point's
    neighbours, relative to the farthest, are exponential with mean one over the dimension. The
    points are put together by averaging these inverses, as MacKay and Ghahramani (2005) showed
    right, and not the local dimensions. Known to be low in ten dimensions and more, by edges and
    for want of points; noise makes it high.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
        At least two features.
    n_neighbors : int or None
        20 for None, or all columns of `graph` where that is given.
    graph : KnnGraph or array-like of shape (n_points, k), optional
        Neighbours to use instead of searching; of more than wanted the nearest are taken.
    search : {"auto", "exact", "approximate"}, default="auto"
        As for `knn_graph`; without a meaning where `graph` is given.
    seed : int, default=0
        Of an approximate search.
    n_jobs : int or None
        Threads; all processors for None. Changes the time, never the numbers.
    progress : callable or None
        Called with (points searched, n_points).

    Returns
    -------
    IntrinsicDimension

    See Also
    --------
    shape_operator : Takes this dimension with `dimension="auto"`.

    References
    ----------
    E. Levina, P. J. Bickel, "Maximum likelihood estimation of intrinsic dimension", NIPS 17
    (2004), 777-784.
    D. J. C. MacKay, Z. Ghahramani, "Comments on 'Maximum likelihood estimation of intrinsic
    dimension' by E. Levina and P. Bickel" (2005).

    Examples
    --------
    >>> import mecuco as mc
    >>> roll = mc.datasets.load_manifold("swiss-roll", n_points=800).table
    >>> mc.intrinsic_dimension(roll).dimension
    2
    """
    clean = check_points(points)
    n_points, n_features = clean.shape
    if n_features < 2:
        raise ValueError(
            "points must have at least 2 features to lie on a surface, got n_features = 1"
        )
    threads = check_n_jobs(n_jobs)
    if graph is None:
        k = min(N_NEIGHBORS, n_points - 1) if n_neighbors is None else n_neighbors
        found = knn_graph(clean, k, search=search, seed=seed, n_jobs=threads, progress=progress)
    else:
        found = as_graph(graph, clean, n_neighbors, threads)
    k = found.n_neighbors
    if k < 4:
        raise ValueError(
            f"n_neighbors must be at least 4 for an estimate of the dimension, got {k}"
        )
    inverse, count = _inverses(found.distances)
    if not np.nansum(inverse) > 0.0:
        raise ValueError(
            "the dimension cannot be estimated where neighbours are equal or all as far: "
            "give dimension as a number"
        )
    estimate = _together(inverse)
    half, _ = _inverses(found.distances[:, : (k + 1) // 2])
    near = _together(half) if np.nansum(half) > 0.0 else estimate
    known = int(np.isfinite(inverse).sum())
    scatter = float(np.nanstd(inverse)) / sqrt(max(1.0, known / k)) * estimate**2
    shift = (near - estimate) / (1.0 - 2.0 ** (-2.0 / estimate))
    error = float(np.hypot(scatter, shift))
    dimension = min(max(round(estimate), 1), n_features - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Unbiased for a single point, where the inverse of the mean is not.
        local = np.where(count > 1, (count - 1) / (count * inverse), np.nan)
    return IntrinsicDimension(
        dimension=dimension,
        estimate=estimate,
        error=error,
        confidence=_mass(dimension - 0.5, dimension + 0.5, estimate, error),
        local=local,
        n_neighbors=k,
    )


def _inverses(distances: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return one over the dimension at every point, NaN if unknown, and the distances used."""
    farthest, nearer = distances[:, -1:], distances[:, :-1]
    some = (nearer > 0.0) & (farthest > 0.0)
    ratio = np.where(some, farthest, 1.0) / np.where(some, nearer, 1.0)
    count = some.sum(axis=1).astype(np.float64)
    total = np.log(ratio).sum(axis=1)
    return np.where(count > 1, total / np.maximum(count, 1.0), np.nan), count


def _together(inverse: FloatArray) -> float:
    return float(1.0 / np.nanmean(inverse))


def _mass(low: float, high: float, mean: float, sd: float) -> float:
    """Chance of a normal variable to lie between low and high."""
    if sd == 0.0:
        return float(low < mean < high)
    return 0.5 * (erf((high - mean) / (sd * sqrt(2.0))) - erf((low - mean) / (sd * sqrt(2.0))))
