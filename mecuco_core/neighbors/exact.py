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
from mecuco_core.kernels.search.lanes import TESTED
from mecuco_core.kernels.search.sieve import sift
from mecuco_core.neighbors.axes import Axes
from mecuco_core.neighbors.single import BLOCK, SingleArray, SinglePoints
from mecuco_core.runtime.progress import Stages
from mecuco_core.runtime.threads import run_blocks
from mecuco_core.types import FloatArray, IntArray, Progress

ROWS = 1024
COLUMNS = 256
"""Queries and points of one product: it fits the processor's second cache, its points the third."""

ROUNDING = 2.0**-24
"""Largest relative error of one operation in single precision."""


ROOM = 2_000_000
"""Numbers of unordered neighbours held at once on one thread."""

MANY = 128
"""More neighbours than these are not kept in order while they are found: too many would move."""


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
    half = _lowered_halves(single.rows, length, axes is not None, n_jobs)
    asked_half = half
    if queries is not points:
        asked_half = _lowered_halves(asked, length, axes is not None, n_jobs)

    def sifted(rows: slice, products: SingleArray, part: slice, room: Lists, own: slice) -> None:
        """Enter some points into the lists of some queries, by the products of both."""
        sift(
            points, queries[rows], single.rows, asked[rows], single.unit, products, part.start,
            part.stop - part.start, half, asked_half[rows], excluded[rows], begun, k,
            room.indices[own], room.squares[own], room.filled[own], limits[rows],
        )  # fmt: skip

    def compare(rows: slice, others: slice, *, both_ways: bool = False) -> None:
        """Compare some queries with some points, and where both are points these with those."""
        size = rows.stop - rows.start
        products = np.zeros((size, COLUMNS), dtype=np.float32)
        turned = np.zeros((COLUMNS, -(-size // COLUMNS) * COLUMNS), dtype=np.float32)
        many = Lists.empty(size, 2 * k) if k > MANY else None
        for part in _parts(others, COLUMNS):
            width = part.stop - part.start
            np.matmul(short_asked[rows], short[part].T, out=products[:, :width])
            sifted(rows, products, part, many or lists, slice(None) if many else rows)
            if both_ways:
                turned[:width, :size] = products[:, :width].T
                sifted(part, turned[:width], rows, lists, part)
        if many is not None:
            for indices, squares, filled in zip(
                many.indices, many.squares, many.filled, strict=True
            ):
                settle(indices[:filled], squares[:filled], k)
            lists.indices[rows], lists.squares[rows] = many.indices[:, :k], many.squares[:, :k]
            lists.filled[rows] = k

    everything = slice(0, len(points))
    if queries is not points or k > MANY:
        size = min(ROWS, max(64, -(-len(queries) // (2 * n_jobs))))  # few: still two a thread
        if k > MANY:
            size = min(size, max(1, ROOM // k))
        run_blocks(
            lambda start, stop: compare(slice(start, stop), everything),
            len(queries), size, n_jobs, progress,
        )  # fmt: skip
        return
    blocks = _parts(everything, min(ROWS, max(64, len(points) // max(32, 4 * n_jobs))))
    stages, rounds = Stages(progress, len(points)), meetings(len(blocks))
    for pairs in rounds:

        def meet(start: int, stop: int, pairs: list[tuple[int, int]] = pairs) -> None:
            for one, other in pairs[start:stop]:
                compare(blocks[one], blocks[other], both_ways=one != other)

        last = pairs is rounds[-1]
        stage = stages.rest() if last else stages.next(len(points) // len(rounds))
        run_blocks(meet, len(pairs), 1, n_jobs, stage)


def meetings(n_blocks: int) -> list[list[tuple[int, int]]]:
    """Return rounds of pairs in which every two blocks meet once, and each block itself.

    No block is in two pairs of a round, so that the pairs of one can be compared side by side: a
    product serves both its sides. One block stays, the others move round (the circle method).
    """
    circle = [*range(n_blocks), *[-1] * (n_blocks % 2)]  # who meets -1 rests
    rounds = [[(block, block) for block in range(n_blocks)]]
    for _ in range(len(circle) - 1):
        half = len(circle) // 2
        pairs = zip(circle[:half], circle[: half - 1 : -1], strict=True)
        rounds.append([(one, other) for one, other in pairs if min(one, other) >= 0])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


def _parts(whole: slice, size: int) -> list[slice]:
    """Divide a range into parts of at most this size."""
    starts = range(whole.start, whole.stop, size)
    return [slice(start, min(start + size, whole.stop)) for start in starts]


def _lowered_halves(rows: SingleArray, length: int, projected: bool, n_jobs: int) -> SingleArray:
    """Half the squared norms of rows, less what a product of this length may be wrong by."""
    allowance = (length + 16) * ROUNDING + (1e-8 if projected else 0.0)
    halves = np.zeros(len(rows) + TESTED, dtype=np.float32)  # the last ones are read beyond

    def block(start: int, stop: int) -> None:
        part = rows[start:stop].astype(np.float64)
        halves[start:stop] = 0.5 * (1.0 - allowance) * np.einsum("ij,ij->i", part, part)

    run_blocks(block, len(rows), BLOCK, n_jobs)
    return halves


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
