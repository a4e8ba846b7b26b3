"""The exact search: what the points are in double precision decides, to the last tie.

Every query is compared with blocks of points by one product in single precision; the few pairs
that are left are measured in double (`kernels.search.sieve`). Where most of the spread of the
points lies along some leading axes, the product is of these axes alone and bounds the distances.
In few dimensions a tree is quicker.
"""

from dataclasses import dataclass

import numpy as np

from mecuco_core.kernels.search import tree
from mecuco_core.kernels.search.distances import settle
from mecuco_core.kernels.search.sieve import sift
from mecuco_core.neighbors.cost import measured_units, pair_units
from mecuco_core.neighbors.single import BLOCK, SingleArray, SinglePoints
from mecuco_core.runtime.threads import run_blocks, single_threaded_blas
from mecuco_core.types import FloatArray, IntArray, Progress

ROWS = 1024
COLUMNS = 256
"""Queries and points of one product: it fits the processor's second cache, its points the third."""

ROUNDING = 2.0**-24
"""Largest relative error of one operation in single precision."""

MOST_AXES = 256
FEWEST_FEATURES = 32
"""Rows of fewer features are short enough."""

WORTH_IT = 0.9
"""A bound along axes must save at least a tenth: finding it is not free."""

FEWEST_AXES = 16
_TRIED_AXES = (FEWEST_AXES, 32, 48, 64, 96, 128, 192, MOST_AXES)
_SAMPLE = 4096  # points the axes are found from, and pairs are counted with


ROOM = 2_000_000
"""Numbers of unordered neighbours held at once on one thread."""

MANY = 128
"""More neighbours than these are not kept in order while they are found: too many would move."""


@dataclass(frozen=True, eq=False)
class Axes:
    """Leading axes of the points, (n_features, n_axes), orthonormal in double precision."""

    directions: FloatArray

    def shadows(self, rows: SingleArray, n_jobs: int) -> SingleArray:
        """Coordinates along the axes, and the length of what is left: (n_rows, n_axes + 1)."""
        m, p = self.directions.shape
        short = np.empty((len(rows), p + 1), dtype=np.float32)

        def block(start: int, stop: int) -> None:
            whole = rows[start:stop, :m].astype(np.float64)
            along = whole @ self.directions
            left = np.einsum("ij,ij->i", whole, whole) - np.einsum("ij,ij->i", along, along)
            short[start:stop, :p] = along
            short[start:stop, p] = np.sqrt(np.maximum(left, 0.0))

        run_blocks(block, len(rows), BLOCK, n_jobs)
        return short


@dataclass(eq=False)
class Lists:
    """The nearest points found so far, of every query.

    Attributes
    ----------
    indices, squares : ndarray of shape (n_queries, k)
        By squared distance, then index.
    filled : ndarray of shape (n_queries,)
        How many there are.
    """

    indices: IntArray
    squares: FloatArray
    filled: IntArray

    @classmethod
    def empty(cls, n_queries: int, k: int) -> "Lists":
        """Return lists in which nothing is entered."""
        return cls(
            np.full((n_queries, k), -1, dtype=np.int64),
            np.full((n_queries, k), np.inf),
            np.zeros(n_queries, dtype=np.int64),
        )


def sieve(
    points: FloatArray,
    queries: FloatArray,
    lists: Lists,
    excluded: IntArray,
    single: SinglePoints,
    axes: Axes | None,
    n_jobs: int,
    progress: Progress | None = None,
) -> None:
    """Complete the lists of all queries.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    queries : ndarray of shape (n_queries, n_features)
    lists : Lists
        Empty, or begun (of at most `MANY` neighbours): the nearer what they hold, the fewer
        distances are left to measure.
    excluded : ndarray of shape (n_queries,)
        An index that is no neighbour of that query, or -1.
    single : SinglePoints
        The points in single precision.
    axes : Axes or None
        To bound distances along; None to compare all features.
    """
    asked = single.rows if queries is points else single.of_queries(queries, n_jobs)
    if axes is None:
        short, short_asked = single.rows, asked
    else:
        short = axes.shadows(single.rows, n_jobs)
        short_asked = short if queries is points else axes.shadows(asked, n_jobs)
    length = short.shape[1]
    k, begun = lists.indices.shape[1], bool(lists.filled.any())
    limits = np.where(lists.filled == k, lists.squares[:, -1], np.inf)
    half = _lowered_halves(single.rows, length, axes is not None)
    asked_half = half if queries is points else _lowered_halves(asked, length, axes is not None)

    def block(start: int, stop: int) -> None:
        rows = slice(start, stop)
        products = np.zeros((stop - start, COLUMNS), dtype=np.float32)
        room = lists if k <= MANY else Lists.empty(stop - start, 2 * k)
        own = rows if k <= MANY else slice(None)
        for first in range(0, len(points), COLUMNS):
            part = short[first : first + COLUMNS]
            np.matmul(short_asked[rows], part.T, out=products[:, : len(part)])
            sift(
                points, queries[rows], single.rows, asked[rows], single.unit, products, first,
                len(part), half, asked_half[rows], excluded[rows], begun, k,
                room.indices[own], room.squares[own], room.filled[own], limits[rows],
            )  # fmt: skip
        if k > MANY:
            for indices, squares, filled in zip(
                room.indices, room.squares, room.filled, strict=True
            ):
                settle(indices[:filled], squares[:filled], k)
            lists.indices[rows], lists.squares[rows] = room.indices[:, :k], room.squares[:, :k]
            lists.filled[rows] = k

    size = min(ROWS, max(64, len(queries) // 16))  # few queries: still some blocks a thread
    if k > MANY:
        size = min(size, max(1, ROOM // k))
    run_blocks(block, len(queries), size, n_jobs, progress)


def _lowered_halves(rows: SingleArray, length: int, projected: bool) -> SingleArray:
    """Half the squared norms of rows, less what a product of this length may be wrong by."""
    allowance = (length + 16) * ROUNDING + (1e-8 if projected else 0.0)
    halves = np.zeros(len(rows) + COLUMNS, dtype=np.float32)  # the last block may be read beyond
    for start in range(0, len(rows), BLOCK):
        part = rows[start : start + BLOCK].astype(np.float64)
        squares = np.einsum("ij,ij->i", part, part)
        halves[start : start + len(part)] = 0.5 * (1.0 - allowance) * squares
    return halves


def leading_axes(single: SinglePoints) -> Axes:
    """Return axes that hold most of the spread of the points, the longest first.

    Found by products with a sample (Halko, Martinsson and Tropp, 2011): any orthonormal axes give
    a bound, these a close one.
    """
    n, m = len(single.rows), len(single.centre)
    sample = single.rows[:: max(1, n // _SAMPLE), :m]
    sample = np.clip(sample, -1e3, 1e3) - np.float32(0.0)  # a point far away is no direction
    sample -= sample.mean(axis=0)
    rng = np.random.default_rng(0)
    basis = rng.standard_normal((m, min(m, MOST_AXES + 8))).astype(np.float32)
    with single_threaded_blas():
        for _ in range(2):
            basis = np.linalg.qr(sample.T @ (sample @ basis))[0]
        along = (sample @ basis).astype(np.float64)
        turn = np.linalg.eigh(along.T @ along)[1][:, ::-1]
        directions = np.linalg.qr(basis.astype(np.float64) @ turn)[0]
    return Axes(np.ascontiguousarray(directions[:, : min(m, MOST_AXES)]))


def best_axes(single: SinglePoints, rows: IntArray, reach: FloatArray) -> tuple[Axes | None, float]:
    """Return the axes a sieve costs least with, or None, and what a pair then costs.

    Parameters
    ----------
    single : SinglePoints
    rows : ndarray of shape (n_rows,)
        A sample of the points.
    reach : ndarray of shape (n_rows,)
        Squared distance to the k-th neighbour of each.

    Returns
    -------
    axes : Axes or None
    cost : float
        In units of `cost.pair_units`.
    """
    n, m = len(single.rows), len(single.centre)
    least = pair_units(m)
    if m < FEWEST_FEATURES:
        return None, least
    axes = leading_axes(single)
    others = np.arange(0, n, max(1, n // _SAMPLE))
    both = np.concatenate([rows, others])
    whole = single.rows[both, :m].astype(np.float64)
    with single_threaded_blas():
        along = whole @ axes.directions
        norms = np.einsum("ij,ij->i", whole, whole)
        best = None
        products = np.zeros((len(rows), len(others)))
        start = 0
        for p in (p for p in _TRIED_AXES if p <= axes.directions.shape[1] and p < m):
            products += along[: len(rows), start:p] @ along[len(rows) :, start:p].T
            start = p
            left = np.sqrt(
                np.maximum(norms - np.einsum("ij,ij->i", along[:, :p], along[:, :p]), 0.0)
            )
            bounds = norms[: len(rows), np.newaxis] + norms[len(rows) :]
            bounds -= 2.0 * (products + np.outer(left[: len(rows)], left[len(rows) :]))
            below = bounds <= reach[:, np.newaxis] / single.unit**2 * 1.05
            cost = pair_units(p) + float(below.mean()) * measured_units(m)
            if cost < WORTH_IT * least:
                best, least = p, cost / WORTH_IT
    if best is None:
        return None, least
    return Axes(np.ascontiguousarray(axes.directions[:, :best])), least * WORTH_IT


def search_by_tree(
    points: FloatArray,
    queries: FloatArray,
    lists: Lists,
    excluded: IntArray,
    n_jobs: int,
    progress: Progress | None = None,
) -> None:
    """Fill empty lists of all queries, for points of few features."""
    n, m = points.shape
    order = np.arange(n)
    n_nodes = 2 ** (tree.depth_of(n) + 1)
    low, high = np.empty((n_nodes, m)), np.empty((n_nodes, m))
    tree.plant(points, order, low, high)
    # Queries that lie together read the same boxes.
    rows = order if queries is points else np.arange(len(queries))

    def block(start: int, stop: int) -> None:
        tree.search_tree(
            points, order, low, high, queries, rows[start:stop], excluded,
            lists.indices, lists.squares, lists.filled,
        )  # fmt: skip

    run_blocks(block, len(queries), 512, n_jobs, progress)
