"""A tree of boxes, for few dimensions: each half of the points in a box of its own.

Points stand in the tree's order; the node of a run is halved as `forest.tree_order` halves, at the
median of the feature in which its box is widest. Node i has the nodes 2i and 2i + 1 below it, the
root is 1.

    order         (n,)          indices of the points in the tree's order
    low, high     (nodes, m)    corners of the boxes
    indices, squares, filled    as in `distances`
"""

from typing import Any

import numpy as np

from mecuco_core.kernels.compiled import compiled
from mecuco_core.kernels.search.distances import insert, squared_distance
from mecuco_core.kernels.search.forest import part_at

LEAF = 12
NEARER = 1.0 - 1e-12
"""A box is searched where rounding alone may have put it beyond reach."""


@compiled()
def depth_of(n: Any) -> Any:
    """Levels below the root."""
    depth = 0
    while n > LEAF:
        n = (n + 1) // 2
        depth += 1
    return depth


@compiled()
def plant(points: Any, order: Any, low: Any, high: Any) -> None:
    """Fill order, low and high; order holds 0 ... n - 1 before."""
    n, m = points.shape
    keys = np.empty(n)
    stack = [(1, 0, n)]
    while len(stack) > 0:
        node, start, stop = stack.pop()
        for f in range(m):
            low[node, f], high[node, f] = np.inf, -np.inf
        for a in range(start, stop):
            row = points[order[a]]
            for f in range(m):
                low[node, f] = min(low[node, f], row[f])
                high[node, f] = max(high[node, f], row[f])
        if stop - start <= LEAF:
            continue
        widest = 0
        for f in range(m):
            if high[node, f] - low[node, f] > high[node, widest] - low[node, widest]:
                widest = f
        for a in range(start, stop):
            keys[a] = points[order[a], widest]
        middle = (start + stop) // 2
        part_at(keys[start:stop], order[start:stop], middle - start)
        stack.append((2 * node, start, middle))
        stack.append((2 * node + 1, middle, stop))


@compiled()
def _gap(query: Any, low: Any, high: Any) -> Any:
    """Squared distance of a query to a box."""
    total = 0.0
    for f in range(len(query)):
        beside = max(low[f] - query[f], query[f] - high[f])
        if beside > 0.0:
            total += beside * beside
    return total


@compiled()
def search_tree(
    points: Any, order: Any, low: Any, high: Any, queries: Any, rows: Any, excluded: Any,
    indices: Any, squares: Any, filled: Any,
) -> None:  # fmt: skip
    """Fill the lists of some rows of the queries."""
    k = indices.shape[1]
    stack = np.empty((2 * len(low), 3), dtype=np.int64)
    gaps = np.empty(2 * len(low))
    for a in rows:
        query = queries[a]
        limit = np.inf
        top = 1
        stack[0, 0], stack[0, 1], stack[0, 2], gaps[0] = 1, 0, len(points), 0.0
        while top > 0:
            top -= 1
            if gaps[top] * NEARER > limit:
                continue
            node, start, stop = stack[top, 0], stack[top, 1], stack[top, 2]
            if stop - start <= LEAF:
                for place in range(start, stop):
                    j = order[place]
                    if j == excluded[a]:
                        continue
                    square = squared_distance(query, points[j], limit)
                    if square <= limit:
                        filled[a] = insert(indices[a], squares[a], filled[a], j, square)
                        if filled[a] == k:
                            limit = squares[a, k - 1]
                continue
            middle = (start + stop) // 2
            left = _gap(query, low[2 * node], high[2 * node])
            right = _gap(query, low[2 * node + 1], high[2 * node + 1])
            for side in (left > right, left <= right):  # the nearer one is put last, taken first
                if side:
                    stack[top, 0], stack[top, 1], stack[top, 2] = 2 * node, start, middle
                    gaps[top] = left
                else:
                    stack[top, 0], stack[top, 1], stack[top, 2] = 2 * node + 1, middle, stop
                    gaps[top] = right
                top += 1
