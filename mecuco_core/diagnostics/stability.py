"""How the ranking of the points depends on k: one search, every smaller k as a prefix."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from mecuco_core.neighbors.graph import KnnGraph, as_graph, knn_graph, metric_of
from mecuco_core.runtime.metric import in_metric
from mecuco_core.runtime.progress import Stages
from mecuco_core.runtime.results import ReadOnly
from mecuco_core.score.cost import resolved_mode
from mecuco_core.score.curvature import scored
from mecuco_core.score.ranks import in_top, rank_percent
from mecuco_core.types import FloatArray, IntArray, Metric, Mode, Progress, SearchMethod
from mecuco_core.validation import check_mode, check_n_jobs, check_points

if TYPE_CHECKING:
    import pandas as pd
N_K = 12


@dataclass(frozen=True, eq=False)
class Stability(ReadOnly):
    """The scores of every point for several k.

    Attributes
    ----------
    k_values : ndarray of shape (n_k,)
        Ascending.
    values : ndarray of shape (n_k, n_points)
    percent : ndarray of shape (n_k, n_points)
        Rank in percent: see `rank_percent`.
    mode : {"original", "exact", "fast", "haar"}
    graph : KnnGraph or None
        The neighbours for the largest k.

    See Also
    --------
    k_stability : Makes one from points.

    Examples
    --------
    >>> import mecuco as mc
    >>> points = mc.datasets.prepare(mc.datasets.load_bundled("iris")).points
    >>> stability = mc.k_stability(points, k_values=[5, 10, 20])
    >>> stability
    Stability(150 points, k_values=[5, 10, 20], mode='haar')
    >>> stability.overlap(10).shape
    (3, 3)
    """

    k_values: IntArray
    values: FloatArray
    percent: FloatArray
    mode: Mode
    graph: KnnGraph | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what to bear in mind of these numbers; empty where there is nothing."""
        return () if self.graph is None else self.graph.notes

    def __repr__(self) -> str:
        return (
            f"Stability({self.values.shape[1]} points, k_values={self.k_values.tolist()}, "
            f"mode={self.mode!r})"
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return one line for every k and point: `n_neighbors`, `row`, `score`, `percentile`."""
        import pandas as pd

        n_k, n_points = self.values.shape
        return pd.DataFrame(
            {
                "n_neighbors": np.repeat(self.k_values, n_points),
                "row": np.tile(np.arange(n_points), n_k),
                "score": self.values.ravel(),
                "percentile": self.percent.ravel(),
            }
        )

    def overlap(self, q: float) -> FloatArray:
        """Share of the top q percent for one k that is in it for another, (n_k, n_k)."""
        top = self._in_top(q)
        return np.asarray(top @ top.T / top[0].sum())

    def persistence(self, q: float) -> FloatArray:
        """Share of the k for which each point is in the top q percent, (n_points,)."""
        return np.asarray(self._in_top(q).mean(axis=0))

    def _in_top(self, q: float) -> FloatArray:
        """1 where a point is in the top q percent, (n_k, n_points)."""
        return np.array([in_top(values, q) for values in self.values], dtype=np.float64)


def k_around(k: int, largest: int) -> IntArray:
    """Return a dozen k from a third to three times of one, ascending; none above the largest."""
    low, high = max(3, round(k / 3)), min(largest, 3 * k)
    spread = np.geomspace(min(low, high), high, N_K).round().astype(np.int64)
    return np.unique(np.append(spread, k))


def k_stability(
    points: ArrayLike,
    *,
    k_values: Sequence[int],
    mode: Mode = "haar",
    graph: KnnGraph | ArrayLike | None = None,
    search: SearchMethod = "auto",
    seed: int = 0,
    metric: Metric = "euclidean",
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Stability:
    """Score every point for every k, with one neighbour search at the largest.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
    k_values : sequence of int
        Two or more different numbers of neighbours.
    mode : {"original", "exact", "fast", "haar", "auto"}, default="haar"
    graph : KnnGraph or array-like of shape (n_points, k), optional
        Neighbours to use instead of searching, at least max(k_values) of a point.
    search : {"auto", "exact", "approximate"}, default="auto"
        As for `knn_graph`; without a meaning where `graph` is given.
    seed : int, default=0
        Of an approximate search.
    metric : {"euclidean", "cosine"}, default="euclidean"
        As for `curvature`.
    n_jobs : int or None
        Threads; all processors for None.
    progress : callable or None
        Called with (done, total), counting points searched and scored; may raise to stop.

    Returns
    -------
    Stability

    See Also
    --------
    curvature : The scores for one k.
    compare : How far two scores agree.

    Examples
    --------
    >>> import mecuco as mc
    >>> points = mc.datasets.prepare(mc.datasets.load_bundled("iris")).points
    >>> often = mc.k_stability(points, k_values=range(5, 12)).persistence(5)
    >>> often.shape, bool((often == 1).any())  # points in the top 5 % whatever k
    ((150,), True)
    """
    clean = check_points(points)
    used = resolved_mode(check_mode(mode), clean.shape[1])
    threads = check_n_jobs(n_jobs)
    ks = np.unique(np.asarray(k_values))
    if ks.dtype.kind not in "iu" or len(ks) < 2:
        raise ValueError(f"k_values must hold two or more different integers, got {k_values!r}")
    metric = metric_of(graph, metric)
    clean = in_metric(clean, metric)
    stages = Stages(progress, len(clean) * (len(ks) + (graph is None)))
    if graph is None:
        report = stages.next(len(clean))
        found = knn_graph(
            clean, int(ks[-1]), search=search, seed=seed, n_jobs=threads, progress=report
        )
    else:
        found = as_graph(graph, clean, int(ks[-1]), threads)
    found = replace(found, metric=metric)
    values = np.empty((len(ks), len(clean)))
    for row, k in enumerate(ks):
        report = stages.next(len(clean))
        values[row] = scored(clean, found.prefix(int(k)), used, threads, report).values
    percent = np.array([rank_percent(row) for row in values])
    return Stability(ks.astype(np.int64), values, percent, used, found)
