"""What may run in a process of its own; knows no Streamlit."""

import numpy as np

from mecuco_app.results.embedding import Coordinates
from mecuco_app.work.jobs import Report
from mecuco_app.work.placing import counting
from mecuco_core.datasets.base import Dataset
from mecuco_core.neighbors.graph import KnnGraph, knn_graph
from mecuco_core.preparation.summary import Summary, summarise
from mecuco_core.score.curvature import Curvature, curvature
from mecuco_core.types import FloatArray, IntArray, Mode


def scored(points: FloatArray, k: int, mode: Mode, graph: KnnGraph, *, report: Report) -> Curvature:
    """Score points whose neighbours are known."""
    return curvature(points, k, mode=mode, graph=graph, progress=counting(report, "Scoring"))


def kept_neighbors(near: IntArray, coordinates: Coordinates, *, report: Report) -> FloatArray:
    """Return the share of each point's neighbours that are its neighbours on a map too.

    Parameters
    ----------
    near : ndarray of shape (n_points, n_neighbors)
    coordinates : ndarray of shape (n_points, 2) or (n_points, 3)
        NaN where a point has no place: its share is NaN too.
    """
    kept, n_neighbors = np.full(len(near), np.nan), near.shape[1]
    there = np.flatnonzero(np.isfinite(coordinates).all(axis=1))
    if len(there) <= n_neighbors:
        return kept
    progress = counting(report, "Searching neighbours on the map")
    places = coordinates[there].astype(np.float64)
    shown = there[knn_graph(places, n_neighbors, search="exact", progress=progress).indices]
    for start in range(0, len(there), 4096):
        rows = slice(start, start + 4096)
        same = near[there[rows], :, np.newaxis] == shown[rows, np.newaxis, :]
        kept[there[rows]] = same.any(axis=2).mean(axis=1)
        report(1.0, "Comparing neighbours")
    return kept


def looked_at(dataset: Dataset, *, report: Report) -> Summary:
    """Take a first look at a dataset."""
    report(0.0, "Looking at the table")
    return summarise(dataset)
