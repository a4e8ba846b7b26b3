"""Searches for neighbour candidates: scikit-learn, pynndescent. The only file that calls them."""

import warnings

import numpy as np
from sklearn.neighbors import NearestNeighbors

from mecuco_core._kernels.distances import nearest_block
from mecuco_core._threads import run_blocks
from mecuco_core._types import FloatArray, IntArray, Progress

SPARE = 4
"""Candidates beyond k: with a clear gap behind the k-th neighbour a row is certain at once."""


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
    exponent = _exponent(points)
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


def _exponent(points: FloatArray) -> int:
    """Power of two of the largest coordinate, 0 where squares are safe as they are."""
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


def approximate_candidates(
    points: FloatArray, k: int, seed: int, progress: Progress | None
) -> IntArray:
    """Candidates by pynndescent, the same for the same seed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ImportWarning)
            from pynndescent import NNDescent
    except ImportError:
        raise ValueError(
            "method 'approximate' needs the package pynndescent: "
            "pip install 'mecuco[approximate]', or use method 'exact'"
        ) from None
    if progress is not None:
        progress(0, len(points))
    search = NNDescent(
        points.astype(np.float32),
        n_neighbors=min(k + 1 + SPARE, len(points)),
        random_state=seed,
        low_memory=True,
    )
    found, _ = search.neighbor_graph
    return np.asarray(found, dtype=np.int64)
