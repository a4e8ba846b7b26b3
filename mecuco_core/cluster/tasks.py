"""What a worker does: pure functions of blocks of rows."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mecuco_core.kernels.search.distances import squared_distances
from mecuco_core.neighbors.graph import KnnGraph
from mecuco_core.neighbors.search import nearest, scale_exponent
from mecuco_core.score.curvature import Curvature, scored
from mecuco_core.types import FloatArray, IntArray, Mode
from mecuco_core.validation import as_array, first_bad

SCANNED_ROWS = 256


@dataclass(frozen=True, eq=False)
class Found:
    """Neighbours (n_queries, k) by squared distance, then index, both as on one machine."""

    indices: IntArray
    squares: FloatArray


@dataclass(frozen=True)
class Group:
    """Rows of one block scored in one task, with the blocks their neighbours lie in."""

    start: int
    stop: int
    touched: list[int]


def clean_block(block: Any, exponent: int = 0) -> FloatArray:
    """Return a block as the kernels want points, divided by 2**exponent."""
    clean = np.require(as_array(block, "points"), np.float64, ["C", "ALIGNED"])
    clean = np.ldexp(clean, -exponent) if exponent else clean.view()
    clean.flags.writeable = False
    return clean


def extent(block: Any) -> tuple[float, float, tuple[int, int, float] | None]:
    """Smallest and largest entry, with row, column and value of the first that is not finite."""
    clean = clean_block(block)
    low, high = float(clean.min()), float(clean.max())
    if math.isfinite(low) and math.isfinite(high):
        return low, high, None
    row, column = first_bad(clean, np.isfinite)
    return low, high, (row, column, float(clean[row, column]))


def nearest_of_pair(
    queries: Any, block: Any, start: int, own: bool, k: int, exponent: int
) -> Found:
    """Neighbours of one block in another, or in itself; all its rows where they are fewer."""
    queries, points = clean_block(queries, exponent), clean_block(block, exponent)
    excluded = np.arange(len(queries)) if own else np.full(len(queries), -1)
    k = min(k, len(points) - own)
    if k == 0:
        return Found(np.empty((len(queries), 0), np.int64), np.empty((len(queries), 0)))
    # With few points every one is a candidate. Small ones `nearest` would scale, and so make
    # a difference where all are equal at the scale of all points.
    if len(points) <= k + 1 or scale_exponent(points):
        found = _scanned(points, queries, k, excluded)
    else:
        indices, _ = nearest(points, queries, k, excluded, 1)
        found = Found(indices, squared_distances(points, queries, indices))
    return Found(found.indices + start, found.squares)


def _scanned(points: FloatArray, queries: FloatArray, k: int, excluded: IntArray) -> Found:
    """Compare every query with every point."""
    parts = []
    for first in range(0, len(queries), SCANNED_ROWS):
        rows = slice(first, min(first + SCANNED_ROWS, len(queries)))
        everyone = np.tile(np.arange(len(points)), (rows.stop - first, 1))
        squares = squared_distances(points, queries[rows], everyone)
        squares[everyone == excluded[rows, None]] = np.inf
        parts.append(_best(everyone, squares, k))
    return Found(
        np.concatenate([part.indices for part in parts]),
        np.concatenate([part.squares for part in parts]),
    )


def merged(left: Found, right: Found, k: int) -> Found:
    """Nearest k of two lists; every index of the left one is the smaller."""
    return _best(
        np.concatenate([left.indices, right.indices], axis=1),
        np.concatenate([left.squares, right.squares], axis=1),
        k,
    )


def _best(indices: IntArray, squares: FloatArray, k: int) -> Found:
    """Nearest k, of equal ones those that come first."""
    order = np.argsort(squares, axis=1, kind="stable")[:, :k]
    return Found(
        np.take_along_axis(indices, order, axis=1), np.take_along_axis(squares, order, axis=1)
    )


def groups_of(found: Found, starts: IntArray, limit: int) -> list[Group]:
    """Cut the rows of a block in halves until no group needs more than `limit` rows."""
    groups = []
    pending = [(0, len(found.indices))]
    while pending:
        start, stop = pending.pop()
        needed = np.unique(found.indices[start:stop])
        if len(needed) > limit and stop - start > 1:
            middle = (start + stop) // 2
            pending += [(middle, stop), (start, middle)]
            continue
        touched = np.unique(np.searchsorted(starts, needed, side="right") - 1)
        groups.append(Group(start, stop, touched.tolist()))
    return groups


def picked(block: Any, first: int, found: Found, start: int, stop: int) -> FloatArray:
    """Rows of one block that a group needs, in order."""
    needed = np.unique(found.indices[start:stop])
    own = needed[(needed >= first) & (needed < first + block.shape[0])]
    return clean_block(block[own - first])


def scored_group(
    pieces: list[FloatArray], found: Found, start: int, stop: int, mode: Mode
) -> Curvature:
    """Scores of a group on the rows picked for it, with its part of the graph."""
    indices, squares = found.indices[start:stop], found.squares[start:stop]
    needed = np.unique(indices)
    points = np.concatenate(pieces)
    points.flags.writeable = False
    renumbered = KnnGraph(np.searchsorted(needed, indices), np.empty(indices.shape), "exact")
    part = scored(points, renumbered, mode, 1)
    graph = KnnGraph(indices, np.sqrt(squares), "exact")
    return replace(part, graph=graph, terms=None)


def taken(block: Any, rows: IntArray) -> FloatArray:
    """Return some rows of a block."""
    return clean_block(block[rows])


def stacked(pieces: list[FloatArray]) -> FloatArray:
    """Rows of several blocks, one below the other."""
    return np.concatenate(pieces)


def labelled(block: Any, centres: FloatArray, exponent: int) -> IntArray:
    """Nearest centre of every row of a block; centres (n_cells, n_features) are scaled already."""
    points = clean_block(block, exponent)
    nearest_centre = np.empty(len(points), dtype=np.int64)
    squares = (centres**2).sum(axis=1)
    for first in range(0, len(points), SCANNED_ROWS):
        rows = slice(first, first + SCANNED_ROWS)
        nearest_centre[rows] = (squares - 2.0 * points[rows] @ centres.T).argmin(axis=1)
    return nearest_centre


def found_rows(found: Found, rows: IntArray) -> IntArray:
    """Neighbours of some rows."""
    return found.indices[rows]
