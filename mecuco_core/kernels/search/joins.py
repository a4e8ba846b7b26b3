"""Local joins: the neighbours of a point are compared with one another.

The rows of one small set stay in the processor's near cache, and every pair is measured once for
both its ends. What was found is written down and entered
later, list by list: nothing depends on how many threads there are. All distances that enter a list
are single precision, summed in one fixed order; `distances` measures them again.

    points   (n, m)  float32, rows padded with zeros (`lanes.padded`)
    lists    (n, K)  candidates of each point, nearest first, -1 where there is none
    squares  (n, K)  their squared distances
    new      (n, K)  whether a candidate has not been followed yet
    reverse  (n, R)  points that list a point, -1 where there is none
"""

from typing import Any

import numpy as np

from mecuco_core.kernels.compiled import compiled
from mecuco_core.kernels.search.lanes import squares_between

MOST = 64
"""Points of a run or set at most."""


@compiled()
def _known(row: Any, index: Any) -> Any:
    found = False
    for a in range(len(row)):
        found |= row[a] == index
    return found


@compiled()
def _wider(targets: Any, others: Any, found: Any) -> Any:
    size = 2 * len(targets)
    new_targets, new_others = np.empty(size, np.int32), np.empty(size, np.int32)
    new_found = np.empty(size, np.float32)
    for a in range(len(targets)):
        new_targets[a], new_others[a], new_found[a] = targets[a], others[a], found[a]
    return new_targets, new_others, new_found


@compiled()
def _join(
    points: Any, lists: Any, squares: Any, members: Any, n_new: Any, n_all: Any, near: Any,
    targets: Any, others: Any, found: Any, filled: Any,
) -> Any:  # fmt: skip
    """Compare the first n_new members with each other and with the rest; write down what enters."""
    last = squares.shape[1] - 1
    m, points_at = points.shape[1], np.int64(points.ctypes.data)
    if filled + n_all * n_all > len(targets):
        targets, others, found = _wider(targets, others, found)
    for a in range(n_new):
        i = members[a]
        squares_between(points_at + 4 * m * i, points_at, m, members, a + 1, n_all, near)
        reach = squares[i, last]
        for b in range(a + 1, n_all):
            j, square = members[b], near[b]
            if square < reach and not _known(lists[i], j):
                targets[filled], others[filled], found[filled] = i, j, square
                filled += 1
            if square < squares[j, last] and not _known(lists[j], i):
                targets[filled], others[filled], found[filled] = j, i, square
                filled += 1
    return targets, others, found, filled


@compiled()
def _room() -> Any:
    """Room for the distances of a set and for what is found."""
    size = 2 * MOST * MOST
    written = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.float32)
    return np.empty(MOST, np.float32), written


@compiled()
def join_leaves(
    points: Any, lists: Any, squares: Any, order: Any, starts: Any, first: Any, stop: Any
) -> Any:
    """Compare all points within each of the runs first ... stop of a tree's order."""
    near, (targets, others, found) = _room()
    filled = 0
    for leaf in range(first, stop):
        members = order[starts[leaf] : starts[leaf + 1]]
        targets, others, found, filled = _join(
            points, lists, squares, members, len(members), len(members), near,
            targets, others, found, filled,
        )  # fmt: skip
    return targets[:filled], others[:filled], found[:filled]


@compiled()
def join_neighbors(
    points: Any, lists: Any, squares: Any, new: Any,
    reverse: Any, reverse_new: Any, most: Any, start: Any, stop: Any,
) -> Any:  # fmt: skip
    """Compare the neighbours, both ways, of each point of [start, stop).

    At most `most` of those not followed yet and `most` others, nearer ones first. Those taken count
    as followed from now on.
    """
    near, (targets, others, found) = _room()
    filled = 0
    K, R = lists.shape[1], reverse.shape[1]
    members = np.empty(2 * most, dtype=np.int32)
    for i in range(start, stop):
        n_new = 0
        for fresh in (True, False):
            n_all = n_new
            room = n_new + most
            for a in range(max(K, R)):
                if a < K and n_all < room:
                    j = lists[i, a]
                    if j >= 0 and new[i, a] == fresh and not _known(members[:n_all], j):
                        members[n_all] = j
                        n_all += 1
                if a < R and n_all < room:
                    j = reverse[i, a]
                    if j >= 0 and reverse_new[i, a] == fresh and not _known(members[:n_all], j):
                        members[n_all] = j
                        n_all += 1
            if fresh:
                n_new = n_all
        if n_new == 0:
            continue
        for a in range(K):
            if new[i, a] and _known(members[:n_new], lists[i, a]):
                new[i, a] = False
        targets, others, found, filled = _join(
            points, lists, squares, members, n_new, n_all, near,
            targets, others, found, filled,
        )  # fmt: skip
    return targets[:filled], others[:filled], found[:filled]


@compiled()
def enter(
    targets: Any, others: Any, found: Any, start: Any, stop: Any,
    lists: Any, squares: Any, new: Any,
) -> Any:  # fmt: skip
    """Enter what was found for the points of [start, stop); return how many entries changed."""
    last = lists.shape[1] - 1
    changes = 0
    for u in range(len(targets)):
        i = targets[u]
        if i < start or i >= stop:
            continue
        square, j = found[u], others[u]
        if not square < squares[i, last] or _known(lists[i], j):
            continue
        place = last
        while place > 0 and square < squares[i, place - 1]:
            squares[i, place] = squares[i, place - 1]
            lists[i, place] = lists[i, place - 1]
            new[i, place] = new[i, place - 1]
            place -= 1
        squares[i, place], lists[i, place], new[i, place] = square, j, True
        changes += 1
    return changes


@compiled()
def reverse_lists(
    lists: Any, new: Any, start: Any, stop: Any, reverse: Any, reverse_new: Any, filled: Any
) -> None:
    """Fill reverse for the points of [start, stop), those who list them as nearer first."""
    n, K = lists.shape
    R = reverse.shape[1]
    reverse[start:stop] = -1
    filled[start:stop] = 0
    for a in range(K):
        for i in range(n):
            j = lists[i, a]
            if j >= start and j < stop and filled[j] < R:
                reverse[j, filled[j]] = i
                reverse_new[j, filled[j]] = new[i, a]
                filled[j] += 1
