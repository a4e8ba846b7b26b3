"""Tasks of the maps of the points, and of what a map keeps of the neighbours."""

from functools import partial
from typing import Any

import numpy as np

from mecuco_app.results.calculations import kept_neighbors
from mecuco_app.results.embedding import MIN_POINTS, Coordinates, umap_coordinates
from mecuco_app.results.making import task
from mecuco_app.results.principal import principal_coordinates
from mecuco_app.results.scores import graph_task
from mecuco_app.view.settings import MapSettings
from mecuco_app.work.jobs import Report
from mecuco_app.work.tasks import Task
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.types import FloatArray

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


def embedding_of(prepared: Prepared, settings: MapSettings) -> Coordinates:
    """Return the map by UMAP, computed at most once per settings; takes seconds or minutes."""
    return embedding_task(prepared, settings).run()


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
