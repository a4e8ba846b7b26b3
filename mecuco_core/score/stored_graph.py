"""A neighbour graph that another program left behind: used only where it is the exact one."""

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from mecuco_core.neighbors.choice import resolved_search
from mecuco_core.neighbors.graph import KnnGraph, knn_graph
from mecuco_core.types import FloatArray, IntArray

CHECKED = 1000
"""Rows that are compared with all others, where there are too many to search each exactly."""

_ROUNDING = 1e-9  # relative: the distances of both sides are sums in double precision
_SEED = 0
_BLOCK = 8_000_000  # distances held at once


def graph_beside(
    stored: Any, points: FloatArray, n_neighbors: int, place: str
) -> tuple[KnnGraph, str]:
    """Return the neighbours of points, and a sentence on where they come from.

    Where an exact search takes some seconds only, it is made, and the stored graph is compared with
    it. Where it would take longer, the stored graph is used if all of `CHECKED` rows hold exactly
    their nearest neighbours; else neighbours are searched anew.

    Parameters
    ----------
    stored : sparse matrix of shape (n_points, n_points) or None
        Distances to neighbours, as scanpy stores them.
    points : ndarray of shape (n_points, n_features)
    n_neighbors : int
    place : str
        Where the graph was stored, for the sentence.
    """
    if stored is None:
        return knn_graph(points, n_neighbors), "The neighbours were searched."
    listed = listed_neighbors(stored, len(points))
    if listed is None or listed.shape[1] < n_neighbors:
        why = "has rows of different lengths"
        if listed is not None:
            why = f"has {listed.shape[1]} neighbours of each row, fewer than {n_neighbors}"
        anew = f"{place} {why}: the neighbours were searched anew."
        return knn_graph(points, n_neighbors), anew
    n_points, n_features = points.shape
    if resolved_search("auto", n_points, n_features, listed.shape[1]) == "exact":
        found = knn_graph(points, listed.shape[1], search="exact")
        rows = np.arange(len(points))
        wrong = int((~_are_nearest(points, listed, rows, found.distances[:, -1])).sum())
        said = f"differs from the exact one in {wrong:,} of {len(points):,} rows, and was not used."
        return found.prefix(n_neighbors), f"{place} {said if wrong else 'is the exact graph.'}"
    rows = np.sort(np.random.default_rng(_SEED).permutation(len(points))[:CHECKED])
    farthest = farthest_nearest(points, rows, listed.shape[1])
    wrong = int((~_are_nearest(points, listed, rows, farthest)).sum())
    if wrong:
        anew = f"{place} is not exact in {wrong:,} of {len(rows):,} rows that were checked"
        return knn_graph(points, n_neighbors), f"{anew}: the neighbours were searched anew."
    order = np.argsort(_measured(points, listed, np.arange(len(points))), axis=1, kind="stable")
    nearest = np.take_along_axis(listed, order, axis=1)[:, :n_neighbors]
    graph = _as_graph(points, np.ascontiguousarray(nearest))
    return graph, f"{place} was used: all of {len(rows):,} rows that were checked are exact."


def listed_neighbors(stored: Any, n_points: int) -> IntArray | None:
    """Return the neighbours that are stored, (n_points, k); None where it is no such graph."""
    rows = stored.tocsr() if hasattr(stored, "tocsr") else None
    if rows is None or rows.shape != (n_points, n_points):
        return None
    counts = np.diff(rows.indptr)
    if n_points == 0 or counts.min() != counts.max() or counts[0] == 0:
        return None
    listed: IntArray = rows.indices.reshape(n_points, counts[0]).astype(np.int64)
    return None if (listed == np.arange(n_points)[:, None]).any() else listed


def farthest_nearest(points: FloatArray, rows: IntArray, k: int) -> FloatArray:
    """Return the distance of some points to their k-th nearest, by comparison with all others."""
    found = np.empty(len(rows))
    step = max(1, _BLOCK // len(points))
    for start in range(0, len(rows), step):
        some = rows[start : start + step]
        distances = cdist(points[some], points)
        distances[np.arange(len(some)), some] = np.inf
        found[start : start + step] = np.partition(distances, k - 1, axis=1)[:, k - 1]
    return found


def _are_nearest(
    points: FloatArray, listed: IntArray, rows: IntArray, farthest: FloatArray
) -> "np.ndarray[Any, np.dtype[np.bool_]]":
    """Return which rows list none that is farther than their k-th nearest."""
    own = _measured(points, listed, rows).max(axis=1)
    return np.asarray(own <= farthest * (1.0 + _ROUNDING))


def _measured(points: FloatArray, listed: IntArray, rows: IntArray) -> FloatArray:
    """Return the distances of some rows to the points they list, (n_rows, k)."""
    found = np.empty((len(rows), listed.shape[1]))
    for column in range(listed.shape[1]):
        difference = points[listed[rows, column]] - points[rows]
        found[:, column] = np.sqrt(np.einsum("ij,ij->i", difference, difference))
    return found


def _as_graph(points: FloatArray, nearest: IntArray) -> KnnGraph:
    distances = _measured(points, nearest, np.arange(len(points)))
    return KnnGraph(nearest, distances, "given")
