"""The searches: exact by scikit-learn, approximate by our own descent or by pynndescent."""

import warnings

import numpy as np
from sklearn.neighbors import NearestNeighbors

from mecuco_core.errors import MissingPackageError
from mecuco_core.kernels.search.distances import nearest_block
from mecuco_core.neighbors.descent import Descent, single_precision
from mecuco_core.runtime.threads import run_blocks, single_threaded_blas
from mecuco_core.types import FloatArray, IntArray, Progress

SPARE = 4
"""Candidates beyond k: with a clear gap behind the k-th neighbour a row is certain at once."""

LEAST_RECALL = 0.98
RECALL_SAMPLE = 300
TRIES = ((24, 14), (36, 24), (60, 40))
"""Candidates an approximate search keeps and follows for a point, until its recall is enough."""


def nearest(
    points: FloatArray,
    queries: FloatArray,
    k: int,
    excluded: IntArray,
    n_jobs: int,
    progress: Progress | None = None,
    candidates: IntArray | None = None,
) -> tuple[IntArray, FloatArray]:
    """Return the k nearest points of every query by distance, then index.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    queries : ndarray of shape (n_queries, n_features)
    excluded : ndarray of shape (n_queries,)
        An index that is no neighbour of that query, or -1.
    candidates : ndarray of shape (n_queries, n_candidates), optional
        Found by an approximate search; searched exactly if not given.

    Returns
    -------
    indices, distances : ndarray of shape (n_queries, k)
    """
    exponent = scale_exponent(points)
    if exponent:  # powers of two: exact, and far from underflow when squared
        points, queries = np.ldexp(points, -exponent), np.ldexp(queries, -exponent)
    centre = points.mean(axis=0)
    indices = np.empty((len(queries), k), dtype=np.int64)
    distances = np.empty((len(queries), k))
    n_candidates = min(k + 1 + SPARE, len(points))
    index = None if candidates is not None else _Index(points, centre, n_candidates, n_jobs)
    stride = max(1024, int(4e9 / points.size))
    for first in range(0, len(queries), stride):
        rows = slice(first, min(first + stride, len(queries)))
        if index is None:
            assert candidates is not None
            found, farthest = candidates[rows], np.full(rows.stop - first, np.inf)
        else:
            found, farthest = index.search(queries[rows])
        _refine(
            points, queries[rows], found, farthest, excluded[rows], centre,
            indices[rows], distances[rows], n_jobs,
        )  # fmt: skip
        if progress is not None:
            progress(rows.stop, len(queries))
    return indices, np.ldexp(distances, exponent) if exponent else distances


def scale_exponent(points: FloatArray) -> int:
    """Return the power of two of the largest coordinate, 0 where squares are safe as they are."""
    largest = max(-float(points.min()), float(points.max()))
    exponent = int(np.frexp(largest)[1])
    return exponent if abs(exponent) > 300 else 0


class _Index:
    """scikit-learn's search over points, centred where an offset would cost it digits."""

    def __init__(
        self, points: FloatArray, centre: FloatArray, n_candidates: int, n_jobs: int
    ) -> None:
        self.offset: FloatArray | None = None
        spread = float(np.einsum("ij,ij->", points, points)) / len(points)
        if float(centre @ centre) > 0.5 * spread:
            self.offset = centre
            points = points - centre
        self.all_points = n_candidates == len(points)
        self.search_tree = NearestNeighbors(n_neighbors=n_candidates, n_jobs=n_jobs).fit(points)

    def search(self, queries: FloatArray) -> tuple[IntArray, FloatArray]:
        """Candidates of every query, and the squared distance of the farthest."""
        if self.offset is not None:
            queries = queries - self.offset
        with single_threaded_blas():  # scikit-learn does so too, but must not undo what others set
            distances, found = self.search_tree.kneighbors(queries)
        farthest = distances[:, -1] ** 2
        if self.all_points:  # nothing is left outside the candidates
            farthest = np.full(len(queries), np.inf)
        return found.astype(np.int64, copy=False), farthest


def _refine(
    points: FloatArray,
    queries: FloatArray,
    found: IntArray,
    farthest: FloatArray,
    excluded: IntArray,
    centre: FloatArray,
    indices: IntArray,
    distances: FloatArray,
    n_jobs: int,
) -> None:
    def block(start: int, stop: int) -> None:
        rows = slice(start, stop)
        nearest_block(
            points, queries[rows], found[rows], farthest[rows], excluded[rows], centre,
            indices[rows], distances[rows],
        )  # fmt: skip

    run_blocks(block, len(queries), 256, n_jobs)


def approximate(
    points: FloatArray, k: int, seed: int, n_jobs: int, progress: Progress | None = None
) -> tuple[IntArray, FloatArray, float]:
    """Return indices, distances and recall of an approximate search, the same for the same seed.

    The recall is measured on a sample of the points against the exact search; while it is below
    `LEAST_RECALL` the search goes on, wider.
    """
    n_points = len(points)
    told = _rising(progress)
    rows, reach = _checked_rows(points, k, seed, n_jobs)
    for shortest, width in TRIES:
        size = min(max(k + 1 + SPARE, shortest), n_points - 1)
        search = Descent(points, size, seed, n_jobs, _part(told, 0.0, 0.8))
        search.descend(width)
        _, found = nearest(
            points, points[rows], k, rows, n_jobs, candidates=search.candidates_of(rows)
        )
        recall = _recall(found, reach)
        if recall >= LEAST_RECALL:
            break
    everyone = np.arange(n_points)
    indices, distances = nearest(
        points, points, k, everyone, n_jobs, _part(told, 0.8, 1.0), search.candidates_of(everyone)
    )
    return indices, distances, recall


def by_pynndescent(
    points: FloatArray, k: int, seed: int, n_jobs: int, progress: Progress | None = None
) -> tuple[IntArray, FloatArray, float]:
    """Return indices, distances and recall of a search by pynndescent, as `approximate` does."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ImportWarning)
            from pynndescent import NNDescent
    except ImportError:
        raise MissingPackageError(
            "search 'pynndescent' needs the package of that name: pip install pynndescent, "
            "or use search 'approximate', which needs nothing more"
        ) from None
    n_points = len(points)
    if progress is not None:
        progress(0, n_points)
    size = min(k + 1 + SPARE, n_points)
    # On one thread: its graph depends on how many there are.
    search = NNDescent(
        single_precision(points), n_neighbors=size, random_state=seed, n_jobs=1, low_memory=True
    )
    candidates = np.asarray(search.neighbor_graph[0], dtype=np.int64)
    everyone = np.arange(n_points)
    indices, distances = nearest(points, points, k, everyone, n_jobs, progress, candidates)
    rows, reach = _checked_rows(points, k, seed, n_jobs)
    return indices, distances, _recall(distances[rows], reach)


def _checked_rows(
    points: FloatArray, k: int, seed: int, n_jobs: int
) -> tuple[IntArray, FloatArray]:
    """Return the rows the recall is measured on, and how far their true neighbours reach."""
    rows = np.sort(np.random.default_rng(seed).permutation(len(points))[:RECALL_SAMPLE])
    return rows, nearest(points, points[rows], k, rows, n_jobs)[1][:, -1]


def _recall(found: FloatArray, reach: FloatArray) -> float:
    """Return the share of found distances that a true neighbour may have.

    Not of the same indices: which of some points at one distance are the neighbours is a matter of
    their numbers alone.
    """
    return float((found <= reach[:, np.newaxis]).mean())


def _rising(progress: Progress | None) -> Progress | None:
    """Return a progress that never falls, though a search may start again."""
    if progress is None:
        return None
    highest = 0

    def told(done: int, total: int) -> None:
        nonlocal highest
        highest = max(highest, done)
        progress(highest, total)

    return told


def _part(progress: Progress | None, low: float, high: float) -> Progress | None:
    """Return a progress that fills the part from low to high."""
    if progress is None:
        return None
    return lambda done, total: progress(round(low * total + (high - low) * done), total)
