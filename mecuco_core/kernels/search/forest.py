"""A tree of random halvings: points that lie together come to stand together in its order.

Every sum is taken in one fixed order, so that a tree is the same on every machine.

    points      (n, m)  float32
    directions  (m, D)  float32, random
    shadows     (n, D)  float32, the points along these directions: short rows, quick to split by
    order       (n,)    the points, each run of the halving side by side
"""

from typing import Any

import numpy as np

from mecuco_core.kernels.compiled import compiled


@compiled()
def cast_shadows(points: Any, directions: Any, start: Any, stop: Any, shadows: Any) -> None:
    """Fill shadows[start:stop] with points times directions, summed feature by feature."""
    for i in range(start, stop):
        row, shadow = points[i], shadows[i]
        shadow[:] = np.float32(0.0)
        for f in range(len(row)):
            value, along = row[f], directions[f]
            for d in range(len(along)):
                shadow[d] += value * along[d]


@compiled()
def _random(state: Any, size: Any) -> Any:
    """Next state of a small generator, and a number in [0, size)."""
    state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
    return state, np.int64((state >> np.uint64(33)) % np.uint64(size))


@compiled()
def part_at(keys: Any, members: Any, place: Any) -> None:
    """Reorder keys, and members with them: none before `place` is larger, none after smaller."""
    low, high = 0, len(keys) - 1
    while low < high:
        a, b, c = keys[low], keys[(low + high) // 2], keys[high]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = low, high
        while i <= j:
            while keys[i] < pivot:
                i += 1
            while pivot < keys[j]:
                j -= 1
            if i <= j:  # equal keys change sides too: halves stay even among many ties
                keys[i], keys[j] = keys[j], keys[i]
                members[i], members[j] = members[j], members[i]
                i += 1
                j -= 1
        if place <= j:
            high = j
        elif place >= i:
            low = i
        else:
            return


@compiled()
def tree_order(shadows: Any, seed: Any, leaf: Any, order: Any) -> None:
    """Fill order (n,) with the points so that each run of `leaf` or fewer lies together.

    Halves are split at the median along the line through two random members: runs are those of
    the halving of n, whatever the data, repeated points among them.
    """
    n, D = shadows.shape
    for i in range(n):
        order[i] = i
    keys = np.empty(n, dtype=np.float32)
    state = np.uint64(seed) * np.uint64(2862933555777941757) + np.uint64(3037000493)
    stack = [(0, n)]
    while len(stack) > 0:
        start, stop = stack.pop()
        if stop - start <= leaf:
            continue
        state, first = _random(state, stop - start)
        state, second = _random(state, stop - start)
        one, other = shadows[order[start + first]], shadows[order[start + second]]
        for a in range(start, stop):
            row, key = shadows[order[a]], np.float32(0.0)
            for d in range(D):
                key += row[d] * (other[d] - one[d])
            keys[a] = key
        middle = (start + stop) // 2
        part_at(keys[start:stop], order[start:stop], middle - start)
        stack.append((start, middle))
        stack.append((middle, stop))


@compiled()
def leaf_bounds(n: Any, leaf: Any) -> Any:
    """Where the runs of a tree of n points begin, and n itself."""
    bounds = [0]
    stack = [(0, n)]
    while len(stack) > 0:
        start, stop = stack.pop()
        if stop - start <= leaf:
            bounds.append(stop)
            continue
        middle = (start + stop) // 2
        stack.append((middle, stop))
        stack.append((start, middle))
    return np.array(bounds)
