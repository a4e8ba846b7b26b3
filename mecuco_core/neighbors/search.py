"""The searches: exact, and approximate where that is good enough."""

from typing import NamedTuple

import numpy as np

from mecuco_core.kernels.search.distances import nearest_candidates
from mecuco_core.neighbors.approximate import MOST_ROUNDS, SPARE, Descent
from mecuco_core.neighbors.axes import FEWEST_AXES, Axes, best_axes, leading_axes
from mecuco_core.neighbors.cost import descent_units, pair_units, tree_is_better
from mecuco_core.neighbors.exact import MANY, Lists, search_by_tree, sieve
from mecuco_core.neighbors.single import SinglePoints, single_precision
from mecuco_core.runtime.progress import Stages
from mecuco_core.runtime.threads import run_blocks
from mecuco_core.types import FloatArray, IntArray, Progress

LEAST_RECALL = 0.98
RECALL_SAMPLE = 300

HOPELESS = (0.6, 0.8)
"""An approximate search that found less than this after one round, or two, is ended."""

FEWEST_TO_SURVEY = 8192
"""Of fewer points all pairs are compared at once."""

CHEAPEST_PAIR = pair_units(FEWEST_AXES)
"""Units of a pair where a bound along the fewest axes rules out nearly all."""

MEASURED = 2
"""Candidates beyond k that are measured in double precision: rounding may change places."""

EARLY_ROUNDS = 2
SEEDS = 8
"""Candidates beyond k that an exact search begins with."""


class Found(NamedTuple):
    """Neighbours of all points, by distance, then index, and how they were found."""

    indices: IntArray
    distances: FloatArray
    method: str
    recall: float


def nearest(
    points: FloatArray,
    queries: FloatArray,
    k: int,
    excluded: IntArray,
    n_jobs: int,
    progress: Progress | None = None,
) -> tuple[IntArray, FloatArray]:
    """Return the k nearest points of every query by distance, then index.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    queries : ndarray of shape (n_queries, n_features)
    excluded : ndarray of shape (n_queries,)
        An index that is no neighbour of that query, or -1.

    Returns
    -------
    indices, distances : ndarray of shape (n_queries, k)
    """
    points, queries, exponent = _scaled(points, queries)
    lists = Lists.empty(len(queries), k)
    if tree_is_better(len(points), points.shape[1], k) and len(queries) > len(points) // 10:
        search_by_tree(points, queries, lists, excluded, n_jobs, progress)
    else:
        single = single_precision(points, n_jobs)
        sieve(points, queries, lists, excluded, single, None, n_jobs, progress)
    return lists.indices, _distances(lists.squares, exponent)


def exact(points: FloatArray, k: int, n_jobs: int, progress: Progress | None = None) -> Found:
    """Return the k nearest other points of every point."""
    n, m = points.shape
    points, _, exponent = _scaled(points, points)
    if tree_is_better(n, m, k):
        lists = Lists.empty(n, k)
        search_by_tree(points, points, lists, np.arange(n), n_jobs, progress)
        return _found(lists, exponent)
    single = single_precision(points, n_jobs)
    axes = None
    if n >= FEWEST_TO_SURVEY:
        rows, reach = _sampled(points, single, k, 0, n_jobs)
        axes, _ = best_axes(single, rows, reach)
    return _found(_sieved(points, single, axes, k, n_jobs, progress), exponent)


def approximate(
    points: FloatArray, k: int, seed: int, n_jobs: int, progress: Progress | None = None
) -> Found:
    """Return nearly all of the k nearest other points of every point, the same for the same seed.

    Where an exact search costs no more, as a look at the data tells, the search is exact. The
    recall is measured on a sample of the points; where it stays below `LEAST_RECALL`, or far below
    after the first rounds, the search ends exactly, with what was found to begin with.
    """
    n, m = points.shape
    units = descent_units(n, m, k)
    if n < FEWEST_TO_SURVEY or tree_is_better(n, m, k):
        return exact(points, k, n_jobs, progress)
    scaled, _, exponent = _scaled(points, points)
    single = single_precision(scaled, n_jobs)
    rows, reach = _sampled(scaled, single, k, seed, n_jobs)
    if n * n * CHEAPEST_PAIR <= units:
        axes, cost = best_axes(single, rows, reach)
        if n * n * cost <= units:
            return _found(_sieved(scaled, single, axes, k, n_jobs, progress), exponent)
    search = Descent(single.rows, min(k + SPARE, n - 1), seed, n_jobs)
    del single  # the search keeps a copy of its own
    stages = Stages(progress, n)
    search.plant(stages.next(n // 5))
    recall, rounds = 0.0, 0
    while not search.settled and rounds < MOST_ROUNDS:
        # Seven tenths are for the rounds, however many there are: each is shorter than the last.
        search.round(stages.next(int(0.7 * 0.4 * 0.6**rounds * n)))
        rounds += 1
        if rounds <= len(HOPELESS):
            recall = _recall(scaled, search, rows, reach, k, n_jobs)
            if recall < HOPELESS[rounds - 1]:
                break
    rest = stages.rest()
    recall = _recall(scaled, search, rows, reach, k, n_jobs)
    lists = _measured(scaled, search, k, n_jobs, rest if recall >= LEAST_RECALL else None)
    if recall >= LEAST_RECALL and bool((lists.filled == k).all()):
        return Found(lists.indices, _distances(lists.squares, exponent), "approximate", recall)
    del search
    single = single_precision(scaled, n_jobs)
    axes, _ = best_axes(single, rows, reach)
    if k > MANY:
        lists = Lists.empty(n, k)
    sieve(scaled, scaled, lists, np.arange(n), single, axes, n_jobs, rest)
    return _found(lists, exponent)


def _sieved(
    points: FloatArray,
    single: SinglePoints,
    axes: Axes | None,
    k: int,
    n_jobs: int,
    progress: Progress | None,
) -> Lists:
    """Search all points exactly; where axes bound the distances, begin with what lies near."""
    n = len(points)
    lists = Lists.empty(n, k)
    if axes is not None and k <= MANY:
        search = Descent(single.rows, min(k + SEEDS, n - 1), 0, n_jobs)
        stages = Stages(progress, n)
        search.plant(stages.next(n // 10))
        for _ in range(EARLY_ROUNDS):
            search.round(stages.next(n // 10))
        lists = _measured(points, search, k, n_jobs)
        del search
        progress = stages.rest()
    sieve(points, points, lists, np.arange(n), single, axes, n_jobs, progress)
    return lists


def warm_up_searches() -> None:
    """Compile the kernels of the searches, or load them from disk."""
    rng = np.random.default_rng(0)
    exact(rng.standard_normal((200, 2)), 4, 1)  # by a tree
    exact(rng.standard_normal((200, 20)), MANY + 1, 1)
    points = rng.standard_normal((200, 2 * FEWEST_AXES)) / np.arange(1, 2 * FEWEST_AXES + 1)
    single = single_precision(points, 1)
    axes = Axes(leading_axes(single).directions[:, :2].copy())
    _sieved(points, single, axes, 4, 1, None)


def _scaled(points: FloatArray, queries: FloatArray) -> tuple[FloatArray, FloatArray, int]:
    """Points and queries divided by a power of two where squares would not be safe."""
    exponent = scale_exponent(points)
    if not exponent:
        return points, queries, 0
    scaled = np.ldexp(points, -exponent)
    return scaled, scaled if queries is points else np.ldexp(queries, -exponent), exponent


def scale_exponent(points: FloatArray) -> int:
    """Power of two of the largest coordinate, 0 where squares are safe as they are."""
    largest = max(-float(points.min()), float(points.max()))
    exponent = int(np.frexp(largest)[1])
    return exponent if abs(exponent) > 300 else 0


def _distances(squares: FloatArray, exponent: int) -> FloatArray:
    distances: FloatArray = np.sqrt(squares)
    return np.ldexp(distances, exponent) if exponent else distances


def _found(lists: Lists, exponent: int) -> Found:
    return Found(lists.indices, _distances(lists.squares, exponent), "exact", 1.0)


def _sampled(
    points: FloatArray, single: SinglePoints, k: int, seed: int, n_jobs: int
) -> tuple[IntArray, FloatArray]:
    """Return some rows, and the squared distance of the k-th true neighbour of each."""
    rows = np.sort(np.random.default_rng(seed).permutation(len(points))[:RECALL_SAMPLE])
    lists = Lists.empty(len(rows), k)
    sieve(points, points[rows], lists, rows, single, None, n_jobs)
    return rows, lists.squares[:, -1]


def _measured(
    points: FloatArray, search: Descent, k: int, n_jobs: int, progress: Progress | None = None
) -> Lists:
    """Measure the candidates of all points in double precision."""
    lists = Lists.empty(len(points), k)

    def block(start: int, stop: int) -> None:
        rows = search.order[start:stop].astype(np.int64)  # these share many candidates
        part = _nearest_of(points, search, rows, k)
        lists.indices[rows], lists.squares[rows] = part.indices, part.squares
        lists.filled[rows] = part.filled

    run_blocks(block, len(points), 256, n_jobs, progress)
    return lists


def _recall(
    points: FloatArray, search: Descent, rows: IntArray, reach: FloatArray, k: int, n_jobs: int
) -> float:
    """Return the share of found distances that a true neighbour may have.

    Not of the same indices: which of some points at one distance are the neighbours is a matter of
    their numbers alone.
    """
    squares = _nearest_of(points, search, rows, k).squares
    return float((squares <= reach[:, np.newaxis]).mean())


def _nearest_of(points: FloatArray, search: Descent, rows: IntArray, k: int) -> Lists:
    """Measure the candidates of some points in double precision."""
    lists = Lists.empty(len(rows), k)
    nearest_candidates(
        points, points[rows], search.candidates_of(rows)[:, : k + MEASURED], rows,
        lists.indices, lists.squares, lists.filled,
    )  # fmt: skip
    return lists
