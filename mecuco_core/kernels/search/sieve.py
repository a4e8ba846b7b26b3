"""Exact neighbours for less: a bound of every distance first, the distance itself where needed.

With P an orthogonal projection and r(x) = ‖x − Px‖,

    ‖x − y‖² >= ‖Px − Py‖² + (r(x) − r(y))² = ‖x‖² + ‖y‖² − 2 [Px, r(x)]·[Py, r(y)]

so that one product of short rows bounds all distances of a block from below. Where nothing is
projected the bound is the distance. Pairs above the reach of a query, its k-th distance so far,
are left out; those below are measured in double precision, with `distances`, and entered by
distance, then index. Products are in single precision: `half` is lowered, and reaches are raised,
by more than they can be wrong, so that no neighbour is lost (docs/method.md section 6).

    points, queries  (n, m), (q, m)  float64
    single, asked    (n, M), (q, M)  the same, centred, divided by `unit` and rounded, see `lanes`
    products         (q, c)  of short rows of the queries and of n_columns <= c points from `first`
    half             (n + c,)  half the squared norms of the points, asked_half (q,) of the queries
    indices, squares (q, w)  the nearest so far, filled (q,) how many there are; with w = k they
                             are in order, with more room they are put in order when it is full
    limits           (q,)    distance beyond which nothing enters a list
"""

from typing import Any

import numpy as np

from mecuco_core.kernels.compiled import compiled
from mecuco_core.kernels.search.distances import insert, listed, settle, squared_distance
from mecuco_core.kernels.search.lanes import TESTED, passing, squares_between

FARTHEST = np.float32(1e15)
"""Coordinates are cut off here: points only come closer by that, and no square overflows."""

WIDER = np.float32(1.0001)
"""How much farther than its reach a query looks, on account of coordinates that were rounded."""

BLUR = np.float32(1e-8)
"""The same, as a share of the squared norms."""

UNDERFLOW = 4.8e-38
"""The same for every feature: products of small numbers end at the least that is normal."""


@compiled()
def round_off(points: Any, centre: Any, factor: Any, start: Any, stop: Any, single: Any) -> None:
    """Fill single[start:stop] with (points - centre) * factor; features beyond m stay zero."""
    for i in range(start, stop):
        row, out = points[i], single[i]
        for f in range(len(row)):
            value = np.float32((row[f] - centre[f]) * factor)
            out[f] = max(min(value, FARTHEST), -FARTHEST)


@compiled()
def sift(
    points: Any, queries: Any, single: Any, asked: Any, unit: Any, products: Any, first: Any,
    n_columns: Any, half: Any, asked_half: Any, excluded: Any, begun: Any, k: Any,
    indices: Any, squares: Any, filled: Any, limits: Any,
) -> None:  # fmt: skip
    """Enter the points first ... first + c into the lists of queries they belong in.

    `begun` says that points may be in the lists already.
    """
    room = indices.shape[1]
    members = np.empty(TESTED, dtype=np.int64)
    near = np.empty(TESTED, dtype=np.float32)
    per_square = 1.0 / (unit * unit)
    width = 4 * products.shape[1]
    products_at, halves_at = np.int64(products.ctypes.data), np.int64(half.ctypes.data) + 4 * first
    m, points_at, asked_at = single.shape[1], single.ctypes.data, asked.ctypes.data
    lost = np.float32(UNDERFLOW * (m + 32))
    for a in range(len(products)):
        limit = limits[a]
        for start in range(0, n_columns, TESTED):
            reach = np.float32(limit * per_square) * WIDER + lost
            least = asked_half[a] - np.float32(0.5) * reach
            count = passing(
                products_at + a * width + 4 * start, halves_at + 4 * start,
                min(TESTED, n_columns - start), least, members,
            )  # fmt: skip
            if count == 0:
                continue
            for u in range(count):
                members[u] += first + start
            squares_between(asked_at + 4 * m * a, points_at, m, members, 0, count, near)
            for u in range(count):
                j = members[u]
                blur = BLUR * np.float32(2.0) * (asked_half[a] + half[j]) + lost
                if near[u] > np.float32(limit * per_square) * WIDER * WIDER + blur:
                    continue
                if j == excluded[a] or (begun and listed(indices[a], filled[a], j)):
                    continue
                square = squared_distance(queries[a], points[j], limit)
                if not square <= limit:
                    continue
                if room == k:
                    filled[a] = insert(indices[a], squares[a], filled[a], j, square)
                    if filled[a] == k:
                        limit = squares[a, k - 1]
                    continue
                indices[a, filled[a]], squares[a, filled[a]] = j, square
                filled[a] += 1
                if filled[a] == room:
                    settle(indices[a], squares[a], k)
                    filled[a], limit = k, squares[a, k - 1]
        limits[a] = limit
