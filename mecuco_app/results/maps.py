"""Tasks of the maps of the points, and of what a map keeps of the neighbours."""

from functools import partial
from typing import Any

import numpy as np

from mecuco_app.results.calculations import kept_neighbors
from mecuco_app.results.embedding import MIN_POINTS, Coordinates, umap_coordinates
from mecuco_app.results.principal import principal_coordinates
from mecuco_app.results.scores import graph_task
from mecuco_app.view.settings import MapSettings
from mecuco_app.work.jobs import Report, stretch
from mecuco_app.work.placing import placed
from mecuco_app.work.tasks import Task
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.types import FloatArray

UMAP_SECONDS_PER_POINT = 8e-4

FIDELITY_SECONDS_PER_POINT = 3e-5


def pca_of(prepared: Prepared, dimension: int = 2) -> Coordinates:
    """Return the points along their leading principal directions, (n_points, dimension)."""
    key = (prepared.fingerprint, dimension)
    work = partial(_projected, prepared.points, dimension)
    return Task("pca", "PCA", 0.0, key, lambda report: work()).run()


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
    graph = graph_task(prepared)
    search = 0.0 if graph.ready() is not None else graph.seconds
    own = 1.0 + UMAP_SECONDS_PER_POINT * len(prepared.points)
    share = search / (search + own)

    def work(report: Report) -> Coordinates:
        found = graph.run(stretch(report, 0.0, share))
        return placed(
            umap_coordinates,
            prepared.points,
            found,
            dimension=settings.dimension,
            n_neighbors=settings.n_neighbors,
            min_dist=settings.min_dist,
            seed=settings.seed,
            report=stretch(report, share, 1.0),
            seconds=own,
        )

    layout = (settings.dimension, settings.n_neighbors, settings.min_dist, settings.seed)
    return Task("umap", "UMAP", search + own, (prepared.fingerprint, *layout), work)


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
    graph = graph_task(prepared)
    search = 0.0 if graph.ready() is not None else graph.seconds
    own = FIDELITY_SECONDS_PER_POINT * len(coordinates)
    share = search / (search + own)

    def work(report: Report) -> FloatArray:
        near = graph.run(stretch(report, 0.0, share)).prefix(n_neighbors).indices
        rest = stretch(report, share, 1.0)
        return placed(kept_neighbors, near, coordinates, report=rest, seconds=own)

    key = (prepared.fingerprint, n_neighbors, map_key)
    return Task("fidelity", "Map fidelity", search + own, key, work)
