"""Tasks of the maps of the points, and of what a map keeps of the neighbours."""

from functools import partial
from typing import Any

import numpy as np

from mecuco_app.results.embedding import MIN_POINTS, Coordinates, umap_coordinates
from mecuco_app.results.making import task
from mecuco_app.results.principal import principal_coordinates
from mecuco_app.results.scores import graph_task
from mecuco_app.view.settings import MapSettings
from mecuco_app.work.execution import counting
from mecuco_app.work.jobs import Report
from mecuco_app.work.tasks import Task
from mecuco_core.neighbors.graph import knn_graph
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.types import FloatArray, IntArray

UMAP_SECONDS_PER_POINT = 8e-4

FIDELITY_SECONDS_PER_POINT = 3e-5


def pca_of(prepared: Prepared, dimension: int = 2) -> Coordinates:
    """Return the points along their leading principal directions, (n_points, dimension)."""

    def projected(*, report: Report) -> Coordinates:
        return _projected(prepared.points, dimension)

    return task("pca", "PCA", 0.0, (prepared.fingerprint, dimension), projected, here=True).run()


def _projected(points: FloatArray, dimension: int) -> Coordinates:
    coordinates = np.zeros((len(points), dimension), dtype=np.float32)
    projected = principal_coordinates(points, dimension)
    coordinates[:, : projected.shape[1]] = projected
    return coordinates


def can_umap(prepared: Prepared) -> bool:
    """Whether there are points enough for UMAP."""
    return len(prepared.points) >= MIN_POINTS


def embedding_task(prepared: Prepared, settings: MapSettings) -> Task[Coordinates]:
    """Lay the points out by UMAP on the graph that the score uses."""
    names = ("dimension", "n_neighbors", "min_dist", "seed")
    layout = {name: getattr(settings, name) for name in names}
    return task(
        "umap",
        "UMAP",
        1.0 + UMAP_SECONDS_PER_POINT * len(prepared.points),
        (prepared.fingerprint, *layout.values()),
        partial(umap_coordinates, **layout),
        lambda graph: (prepared.points, graph),
        after=[graph_task(prepared)],
    )


def fidelity_task(
    prepared: Prepared, n_neighbors: int, coordinates: Coordinates, map_key: tuple[Any, ...]
) -> Task[FloatArray]:
    """Find the share of each point's neighbours that are its neighbours on the map too.

    The result has shape (n_points,), in [0, 1], NaN where a point has no place.

    Parameters
    ----------
    prepared : Prepared
    n_neighbors : int
    coordinates : ndarray of shape (n_points, 2) or (n_points, 3)
        The map; NaN where a point has no place on it.
    map_key : tuple
        What the map was made from: the answer is cached by it.
    """
    return task(
        "fidelity",
        "Map fidelity",
        FIDELITY_SECONDS_PER_POINT * len(coordinates),
        (prepared.fingerprint, n_neighbors, map_key),
        kept_neighbors,
        lambda graph: (graph.prefix(n_neighbors).indices, coordinates),
        after=[graph_task(prepared)],
    )


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
