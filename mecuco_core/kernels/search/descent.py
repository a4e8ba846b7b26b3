"""Approximate neighbours, compiled: a forest of random splits, then neighbours of neighbours.

Every round reads the graph of the round before and every row writes its own list only, so that
the graph depends on data and seed alone, not on threads. Distances here are in single precision
and only choose candidates; `distances` measures these again.

    points   (n, m)  float32, centred
    lists    (n, K)  candidates of each point, nearest first, -1 where there is none
    squares  (n, K)  their squared distances
    new      (n, K)  whether a candidate came in the last round
"""

from typing import Any

import numpy as np

from mecuco_core.kernels.compiled import compiled

STEP = 64


@compiled(fastmath=True)
def _square(x: Any, y: Any, limit: Any) -> Any:
    """Squared distance, or any number above `limit` as soon as it is passed."""
    total = np.float32(0.0)
    m = len(x)
    for start in range(0, m, STEP):
        part = np.float32(0.0)
        for i in range(start, min(start + STEP, m)):
            d = x[i] - y[i]
            part += d * d
        total += part
        if total > limit:
            return total
    return total


@compiled()
def _offer(lists: Any, squares: Any, new: Any, index: Any, square: Any) -> None:
    """Put a candidate that is not in the list in its place, if it is near enough."""
    place = len(lists) - 1
    if not square < squares[place]:
        return
    while place > 0 and square < squares[place - 1]:
        squares[place] = squares[place - 1]
        lists[place] = lists[place - 1]
        new[place] = new[place - 1]
        place -= 1
    squares[place] = square
    lists[place] = index
    new[place] = True


@compiled()
def _random(state: Any, size: Any) -> Any:
    """Next state of a small generator, and a number in [0, size)."""
    state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
    return state, np.int64((state >> np.uint64(33)) % np.uint64(size))


@compiled(fastmath=True)
def _along(row: Any, direction: Any) -> Any:
    total = np.float32(0.0)
    for i in range(len(row)):
        total += row[i] * direction[i]
    return total


@compiled()
def _project(points: Any, members: Any, first: Any, second: Any, shadows: Any) -> None:
    """Fill shadows with the position of each member along the line through two of them."""
    direction = points[second] - points[first]
    for a in range(len(members)):
        shadows[a] = _along(points[members[a]], direction)


@compiled()
def tree_order(points: Any, seed: Any, leaf: Any, order: Any) -> None:
    """Fill order (n,) with the points so that each run of `leaf` or fewer lies together.

    Halves are split at the median along the line through two random members: runs are those of
    the halving of n, whatever the data, repeated points among them.
    """
    n = len(points)
    for i in range(n):
        order[i] = i
    shadows = np.empty(n, dtype=np.float32)
    state = np.uint64(seed) * np.uint64(2862933555777941757) + np.uint64(3037000493)
    stack = [(0, n)]
    while len(stack) > 0:
        start, stop = stack.pop()
        if stop - start <= leaf:
            continue
        members = order[start:stop]
        state, first = _random(state, stop - start)
        state, second = _random(state, stop - start)
        _project(points, members, members[first], members[second], shadows[start:stop])
        ranks = np.argsort(shadows[start:stop], kind="mergesort")
        sorted_members = members[ranks]
        for a in range(stop - start):
            order[start + a] = sorted_members[a]
        middle = (start + stop) // 2
        stack.append((start, middle))
        stack.append((middle, stop))


@compiled()
def join_leaves(
    points: Any, order: Any, place: Any, leaf: Any, start: Any, stop: Any,
    lists: Any, squares: Any, new: Any,
) -> None:  # fmt: skip
    """Offer every point of [start, stop) the others of its run in one tree."""
    n = len(points)
    for i in range(start, stop):
        low, high = 0, n
        while high - low > leaf:
            middle = (low + high) // 2
            if place[i] < middle:
                high = middle
            else:
                low = middle
        for a in range(low, high):
            j = order[a]
            if j == i or _known(lists[i], j):
                continue
            square = _square(points[i], points[j], squares[i, -1])
            _offer(lists[i], squares[i], new[i], j, square)


@compiled()
def _known(row: Any, index: Any) -> Any:
    for other in row:  # noqa: SIM110 - compiled, where any() is not
        if other == index:
            return True
    return False


@compiled()
def reverse_lists(lists: Any, new: Any, reverse: Any, reverse_new: Any) -> None:
    """Fill reverse (n, R) with points that list a point, nearer ones of each list first."""
    n, K = lists.shape
    R = reverse.shape[1]
    filled = np.zeros(n, dtype=np.int64)
    for a in range(K):
        for i in range(n):
            j = lists[i, a]
            if j >= 0 and filled[j] < R:
                reverse[j, filled[j]] = i
                reverse_new[j, filled[j]] = new[i, a]
                filled[j] += 1
    for i in range(n):
        for a in range(filled[i], R):
            reverse[i, a] = -1


@compiled()
def descend_block(
    points: Any, lists: Any, squares: Any, new: Any, reverse: Any, reverse_new: Any, width: Any,
    start: Any, stop: Any, out_lists: Any, out_squares: Any, out_new: Any,
) -> Any:  # fmt: skip
    """Offer the points of [start, stop) the neighbours of their neighbours, both ways.

    Of each list the first `width` lead on. Only pairs are tried of which one step is new: the
    others were tried before. Returns how many entries changed.
    """
    n, K = lists.shape
    R = reverse.shape[1]
    W = min(width, K)
    seen = np.full(n, -1, dtype=np.int32)
    changes = 0
    for i in range(start, stop):
        row, near, fresh = out_lists[i], out_squares[i], out_new[i]
        seen[i] = i
        for a in range(K):
            row[a], near[a], fresh[a] = lists[i, a], squares[i, a], False
            if row[a] >= 0:
                seen[row[a]] = i
        for a in range(W + R):
            if a < W:
                via, first_new = lists[i, a], new[i, a]
            else:
                via, first_new = reverse[i, a - W], reverse_new[i, a - W]
            if via < 0:
                continue
            for b in range(-1, W + R):
                if b < 0:
                    j, second_new = via, first_new
                elif b < W:
                    j, second_new = lists[via, b], new[via, b]
                else:
                    j, second_new = reverse[via, b - W], reverse_new[via, b - W]
                if j < 0 or seen[j] == i or not (first_new or second_new):
                    continue
                seen[j] = i
                square = _square(points[i], points[j], near[K - 1])
                if square < near[K - 1]:
                    _offer(row, near, fresh, j, square)
        for a in range(K):
            if fresh[a]:
                changes += 1
    return changes
