"""How the ranking of the points depends on k: one search, every smaller k as a prefix."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mecuco_core.neighbors.graph import KnnGraph, as_graph, knn_graph
from mecuco_core.score.cost import resolved_mode
from mecuco_core.score.curvature import scored
from mecuco_core.score.ranks import descending, rank_percent, top_size
from mecuco_core.types import FloatArray, IntArray, Mode, Progress
from mecuco_core.validation import check_mode, check_n_jobs, check_points

N_K = 12


@dataclass(frozen=True, eq=False)
class Stability:
    """The scores of every point for several k.

    Attributes
    ----------
    k_values : ndarray of shape (n_k,)
        Ascending.
    values : ndarray of shape (n_k, n_points)
    percent : ndarray of shape (n_k, n_points)
        Rank in percent: see `rank_percent`.
    mode : {"original", "exact", "fast", "haar"}
    """

    k_values: IntArray
    values: FloatArray
    percent: FloatArray
    mode: Mode

    def overlap(self, q: float) -> FloatArray:
        """Share of the top q percent for one k that is in it for another, (n_k, n_k)."""
        top = self._in_top(q)
        return np.asarray(top @ top.T / top[0].sum())

    def persistence(self, q: float) -> FloatArray:
        """Share of the k for which each point is in the top q percent, (n_points,)."""
        return np.asarray(self._in_top(q).mean(axis=0))

    def _in_top(self, q: float) -> FloatArray:
        """1 where a point is among the highest q percent, (n_k, n_points)."""
        n_k, n_points = self.values.shape
        size = top_size(n_points, q)
        top = np.zeros((n_k, n_points))
        for row, values in zip(top, self.values, strict=True):
            row[descending(values)[:size]] = 1.0
        return top


def k_around(k: int, largest: int) -> IntArray:
    """Return a dozen k from a third to three times of one, ascending; none above the largest."""
    low, high = max(3, round(k / 3)), min(largest, 3 * k)
    spread = np.geomspace(min(low, high), high, N_K).round().astype(np.int64)
    return np.unique(np.append(spread, k))


def k_stability(
    points: ArrayLike,
    k_values: Sequence[int],
    mode: Mode = "haar",
    neighbors: KnnGraph | ArrayLike | None = None,
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
    neighbors : KnnGraph or array-like of shape (n_points, k), optional
        A graph with at least max(k_values) columns, to use instead of searching.
    n_jobs : int or None
        Threads; all processors for None.
    progress : callable or None
        Called with (done, total), counting points searched and scored; may raise to stop.

    Returns
    -------
    Stability
    """
    clean = check_points(points)
    used = resolved_mode(check_mode(mode), clean.shape[1])
    threads = check_n_jobs(n_jobs)
    ks = np.unique(np.asarray(k_values))
    if ks.dtype.kind not in "iu" or len(ks) < 2:
        raise ValueError(f"k_values must hold two or more different integers, got {k_values!r}")
    n_stages = len(ks) + (neighbors is None)

    def stage(number: int) -> Progress | None:
        if progress is None:
            return None
        return lambda done, _: progress(number * len(clean) + done, n_stages * len(clean))

    if neighbors is None:
        graph = knn_graph(clean, int(ks[-1]), n_jobs=threads, progress=stage(0))
    else:
        graph = as_graph(neighbors, clean, int(ks[-1]), threads)
    values = np.empty((len(ks), len(clean)))
    for row, k in enumerate(ks):
        number = row + (neighbors is None)
        values[row] = scored(clean, graph.prefix(int(k)), used, threads, stage(number)).values
    percent = np.array([rank_percent(row) for row in values])
    return Stability(ks.astype(np.int64), values, percent, used)
