"""Distances to candidates, in one fixed order of summation, compiled.

A search library finds candidates; here their distances are summed again feature by feature, so
that the graph depends on the data alone: not on threads, blocks or the library's rounding. Equal
distances are ordered by index. A row is certain when nothing outside its candidates can be as
near as the k-th of them; the others are compared with every point.

    candidates  (q, c)  indices into points, -1 where there is none
    farthest    (q,)    squared distance of the farthest candidate as the search found it
    excluded    (q,)    index that must not be a neighbour, -1 where all may
    centre      (m,)    what the search subtracted, for the bound on its rounding
"""

from typing import Any

import numpy as np

from mecuco_core.kernels.compiled import compiled

EPS = float(np.finfo(np.float64).eps)
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


@compiled()
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


@compiled()
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
