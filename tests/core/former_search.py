"""The exact search of version 0.1.0: scikit-learn in double precision, then certified.

It stays as the oracle of the searches that took its place.
"""

from typing import Any

import numpy as np
from numba import njit
from sklearn.neighbors import NearestNeighbors

from mecuco_core.runtime.threads import run_blocks, single_threaded_blas
from mecuco_core.types import FloatArray, IntArray

SPARE = 4
"""Candidates beyond k: with a clear gap behind the k-th neighbour a row is certain at once."""

EPS = float(np.finfo(np.float64).eps)
STEP = 32


@njit(nogil=True)
def squared_distance(x: Any, y: Any, limit: Any) -> Any:
    """Squared distance, or any number above `limit` as soon as it is passed."""
    m = len(x)
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    for start in range(0, m - 3, STEP):
        stop = min(start + STEP, m - m % 4)
        for i in range(start, stop, 4):
            d0, d1 = x[i] - y[i], x[i + 1] - y[i + 1]
            d2, d3 = x[i + 2] - y[i + 2], x[i + 3] - y[i + 3]
            s0 += d0 * d0
            s1 += d1 * d1
            s2 += d2 * d2
            s3 += d3 * d3
        if s0 + s1 + s2 + s3 > limit:
            return np.inf
    for i in range(m - m % 4, m):
        d0 = x[i] - y[i]
        s0 += d0 * d0
    return s0 + s1 + s2 + s3


@njit(nogil=True)
def _insert(indices: Any, squares: Any, filled: Any, index: Any, square: Any) -> Any:
    """Put a neighbour in its place among the `filled` nearest, ordered by distance and index."""
    k = len(indices)
    if filled == k and not (
        square < squares[k - 1] or (square == squares[k - 1] and index < indices[k - 1])
    ):
        return filled
    place = min(filled, k - 1)
    while place > 0 and (
        square < squares[place - 1] or (square == squares[place - 1] and index < indices[place - 1])
    ):
        squares[place] = squares[place - 1]
        indices[place] = indices[place - 1]
        place -= 1
    squares[place] = square
    indices[place] = index
    return min(filled + 1, k)


@njit(nogil=True)
def _scan(points: Any, query: Any, excluded: Any, limit: Any, indices: Any, squares: Any) -> None:
    """Compare one query with every point."""
    k, filled = len(indices), 0
    for j in range(len(points)):
        if j == excluded:
            continue
        square = squared_distance(query, points[j], limit)
        if square <= limit:
            filled = _insert(indices, squares, filled, j, square)
            if filled == k:
                limit = min(limit, squares[k - 1])


@njit(nogil=True)
def nearest_block(
    points: Any,
    queries: Any,
    candidates: Any,
    farthest: Any,
    excluded: Any,
    centre: Any,
    indices: Any,
    distances: Any,
) -> None:
    """Fill indices and distances (q, k) with the k nearest candidates, certain or scanned.

    With farthest = inf every row is taken as certain: the search is then approximate.
    """
    k, m = indices.shape[1], points.shape[1]
    for row in range(len(queries)):
        filled = 0
        for index in candidates[row]:
            if index < 0 or index == excluded[row]:
                continue
            limit = distances[row, k - 1] if filled == k else np.inf
            square = squared_distance(queries[row], points[index], limit)
            if square <= limit:
                filled = _insert(indices[row], distances[row], filled, index, square)
        limit = distances[row, k - 1] if filled == k else np.inf
        norm = 0.0
        for i in range(m):
            norm += (queries[row, i] - centre[i]) ** 2
        # A point missed at this limit has a norm of at most sqrt(norm) + sqrt(limit), and the
        # search rounds its squared distance by at most this much.
        slack = 4.0 * (m + 8) * EPS * (norm + (np.sqrt(norm) + np.sqrt(limit)) ** 2)
        if not limit + slack < farthest[row]:
            _scan(points, queries[row], excluded[row], limit, indices[row], distances[row])
        for a in range(k):
            distances[row, a] = np.sqrt(distances[row, a])


def nearest(
    points: FloatArray,
    queries: FloatArray,
    k: int,
    excluded: IntArray,
    n_jobs: int,
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
    exponent = _exponent(points)
    if exponent:  # powers of two: exact, and far from underflow when squared
        points, queries = np.ldexp(points, -exponent), np.ldexp(queries, -exponent)
    centre = points.mean(axis=0)
    indices = np.empty((len(queries), k), dtype=np.int64)
    distances = np.empty((len(queries), k))
    n_candidates = min(k + 1 + SPARE, len(points))
    index = _Index(points, centre, n_candidates, n_jobs)
    stride = max(1024, int(4e9 / points.size))
    for first in range(0, len(queries), stride):
        rows = slice(first, min(first + stride, len(queries)))
        found, farthest = index.search(queries[rows])
        _refine(
            points, queries[rows], found, farthest, excluded[rows], centre,
            indices[rows], distances[rows], n_jobs,
        )  # fmt: skip
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
