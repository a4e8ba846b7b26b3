"""Two modes on the same neighbourhoods: their scores, their times, their lists of top points."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mecuco_core.neighbors.graph import KnnGraph, as_graph
from mecuco_core.score.cost import original_bytes_per_point, resolved_mode, seconds_per_point
from mecuco_core.score.curvature import LARGEST_ORIGINAL_BYTES, Curvature, scored, warm_up_scores
from mecuco_core.score.ranks import check_values, descending, top_size
from mecuco_core.types import FloatArray, IntArray, Mode, Progress
from mecuco_core.validation import check_mode, check_n_jobs, check_points

SHORT_SECONDS, MOST_RUNS = 0.3, 5
"""Runs are repeated until they took so long together, at most so often."""

TWICE_SECONDS = 1.5
"""A run shorter than this is never the only one: other work may have been in its way."""


@dataclass(frozen=True, eq=False)
class TimedScores:
    """The scores of some points by one mode, and how long they took.

    Attributes
    ----------
    values : ndarray of shape (n_rows,)
    rows : ndarray of shape (n_rows,)
        The points scored, ascending.
    n_points : int
        Points of the dataset.
    mode : {"original", "exact", "fast", "haar"}
        The mode really used.
    seconds : float
        Wall time of the scoring alone: neighbours found and kernels compiled before. Of a short
        one the best of a few runs.
    n_neighbors : int
    """

    values: FloatArray
    rows: IntArray
    n_points: int
    mode: Mode
    seconds: float
    n_neighbors: int

    @property
    def is_sample(self) -> bool:
        """Whether some points were left out."""
        return len(self.rows) < self.n_points


def timed_scores(
    points: ArrayLike,
    *,
    graph: KnnGraph | ArrayLike,
    mode: Mode,
    rows: ArrayLike | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> TimedScores:
    """Score some points, each by its neighbours among all of them, and take the time.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
    graph : KnnGraph or array-like of shape (n_points, n_neighbors)
    mode : {"original", "exact", "fast", "haar", "auto"}
    rows : array-like of int or None
        Points to score; all for None.
    n_jobs : int or None
        Threads; all processors for None.
    progress : callable or None
        Called with (done, total); may raise to stop the work.

    Returns
    -------
    TimedScores
    """
    clean = check_points(points)
    used = resolved_mode(check_mode(mode), clean.shape[1])
    check_possible(used, clean.shape[1])
    threads = check_n_jobs(n_jobs)
    found = as_graph(graph, clean, None, threads)
    chosen = np.arange(len(clean)) if rows is None else np.unique(np.asarray(rows))
    if len(chosen) == 0 or chosen[0] < 0 or chosen[-1] >= len(clean):
        raise ValueError(f"rows must be one or more positions in [0, {len(clean) - 1}]")
    some = KnnGraph(found.indices[chosen], found.distances[chosen], found.method, found.seed)
    warm_up_scores()
    result, seconds = timed(lambda report: scored(clean, some, used, threads, report), progress)
    return TimedScores(result.values, chosen, len(clean), used, seconds, found.n_neighbors)


def timed(
    score: Callable[[Progress | None], Curvature], progress: Progress | None = None
) -> tuple[Curvature, float]:
    """Return scores and how long they took: the best of a few runs where those are short.

    Kernels must be compiled before. Only the first run tells `progress`.
    """
    times: list[float] = []
    while _one_more(times):
        started = time.perf_counter()
        result = score(progress if not times else None)
        times.append(time.perf_counter() - started)
    return result, min(times)


def _one_more(times: list[float]) -> bool:
    """Whether runs that took so long are followed by another."""
    if len(times) == 1 and times[0] < TWICE_SECONDS:
        return True
    return len(times) < MOST_RUNS and sum(times) < SHORT_SECONDS


def check_possible(mode: Mode, n_features: int) -> None:
    """Refuse a mode that cannot be held in memory for even one point."""
    n_bytes = original_bytes_per_point(n_features)
    if mode == "original" and n_bytes > LARGEST_ORIGINAL_BYTES:
        raise ValueError(
            f"mode 'original' would need {n_bytes / 2**30:.0f} GiB for each point of "
            f"{n_features} features: compare with 'exact', which is the same number"
        )


def affordable_sample(n_points: int, m: int, k: int, mode: Mode, seconds: float) -> int:
    """Return how many points a mode scores in about so many seconds on one thread, at least 8."""
    return min(n_points, max(8, int(seconds / seconds_per_point(m, k, mode))))


def overlap_curve(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Return the share of the top q percent by a that is in it by b, for q = 1, 2, …, 100.

    Parameters
    ----------
    a, b : array-like of shape (n_points,)

    Returns
    -------
    ndarray of shape (100,)
        Each as `Agreement.top_overlap` has it; two unrelated scores would give q / 100.
    """
    first, second = check_values(a, "a"), check_values(b, "b")
    if len(first) != len(second):
        raise ValueError(
            f"a and b must score the same points, got {len(first)} and {len(second)} values"
        )
    n_points = len(first)
    # A point is in both lists of size s when its worse place is before s.
    worse = np.maximum(_places(first), _places(second))
    in_both = np.cumsum(np.bincount(worse, minlength=n_points))
    sizes = np.array([top_size(n_points, q) for q in range(1, 101)])
    return np.asarray(in_both[sizes - 1] / sizes)


def min_max(values: ArrayLike) -> FloatArray:
    """Return scores scaled to [0, 1], as in the paper's tables; zeros if all are equal."""
    clean = check_values(values)
    span = np.ptp(clean)
    return np.asarray((clean - clean.min()) / span if span > 0 else np.zeros_like(clean))


def _places(values: FloatArray) -> IntArray:
    """Place of each value in the list from the highest, 0 for the first."""
    places = np.empty(len(values), dtype=np.int64)
    places[descending(values)] = np.arange(len(values))
    return places
