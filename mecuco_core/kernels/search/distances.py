"""Distances to candidates, in one fixed order of summation, compiled.

The searches find candidates in single precision; here their distances are summed again feature by
feature, in double, so that the graph depends on the data alone: not on threads or blocks. Equal
distances are ordered by index.

    candidates        (q, c)  indices into points, -1 where there is none
    excluded          (q,)    index that must not be a neighbour, -1 where all may
    indices, squares  (q, k)  the nearest so far, filled (q,) how many there are
                      (q, w)  of many neighbours, with room for more before they are settled
"""

from typing import Any

import numpy as np

from mecuco_core.kernels.compiled import compiled

STEP = 32


@compiled()
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


@compiled()
def squared_distances(points: Any, queries: Any, indices: Any) -> Any:
    """Squared distances of queries (q, m) to the points of their row of indices (q, k)."""
    squares = np.empty(indices.shape)
    for row in range(len(queries)):
        for a in range(indices.shape[1]):
            squares[row, a] = squared_distance(queries[row], points[indices[row, a]], np.inf)
    return squares


@compiled()
def insert(indices: Any, squares: Any, filled: Any, index: Any, square: Any) -> Any:
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


@compiled()
def settle(indices: Any, squares: Any, k: Any) -> None:
    """Put the k nearest of a row first, by distance and index.

    Entries of one distance stand in the order of their indices already.
    """
    order = np.argsort(squares, kind="mergesort")[:k]
    indices[:k], squares[:k] = indices[order], squares[order]


@compiled()
def listed(indices: Any, filled: Any, index: Any) -> Any:
    """Whether an index is among the `filled` first."""
    for a in range(filled):  # noqa: SIM110 - compiled, where any() is not
        if indices[a] == index:
            return True
    return False


@compiled()
def nearest_candidates(
    points: Any, queries: Any, candidates: Any, excluded: Any,
    indices: Any, squares: Any, filled: Any,
) -> None:  # fmt: skip
    """Fill indices and squares (q, k) with the k nearest candidates of each query."""
    k = indices.shape[1]
    for row in range(len(queries)):
        for index in candidates[row]:
            if index < 0 or index == excluded[row]:
                continue
            limit = squares[row, k - 1] if filled[row] == k else np.inf
            square = squared_distance(queries[row], points[index], limit)
            if square <= limit:
                filled[row] = insert(indices[row], squares[row], filled[row], index, square)
