"""The only file with caches.

Results are cached by fingerprints and frozen settings, never by arrays. A cache is filled only
with a finished result, so that a stopped or failed run leaves nothing behind.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np

from mecuco_app import warming
from mecuco_app.cache import Cache
from mecuco_app.calculations import Counted, kept_neighbors, looked_at, placed, scored
from mecuco_app.embedding import MIN_POINTS, Coordinates, umap_coordinates
from mecuco_app.jobs import Flights, Report, silent, stretch
from mecuco_app.limits import LIMITS
from mecuco_app.principal import principal_coordinates
from mecuco_app.settings import K_MAX, K_MAX_LARGE, LARGE, MapSettings, ScoreSettings
from mecuco_core._types import FloatArray, Mode
from mecuco_core._validation import default_n_neighbors
from mecuco_core.cost import estimated_seconds, resolved_mode
from mecuco_core.curvature import Curvature
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.openml.settings import cache_folder
from mecuco_core.datasets.preparation import Prepared
from mecuco_core.datasets.summary import Summary
from mecuco_core.graph_store import GraphStore
from mecuco_core.neighbors import KnnGraph, estimated_auto_search_seconds, knn_graph

T = TypeVar("T")

UMAP_SECONDS_PER_POINT = 8e-4

FIDELITY_SECONDS_PER_POINT = 3e-5

SUMMARY_SECONDS_PER_CELL = 2e-7

KEPT_SECONDS = 1.0
"""Searches that take longer are kept on disk, for the next start."""


_cache = Cache(LIMITS.cache_bytes)
_flights = Flights()


@dataclass(frozen=True, eq=False)
class Task(Generic[T]):
    """A result that may take long: how it is known again, and how it is made.

    Parameters
    ----------
    kind : str
        What the result is, one word for each meaning of `key`.
    title : str
        For the visitor; trusted text.
    seconds : float
        How long it will take, estimated.
    key : tuple
        Fingerprints and settings, all the result depends on. Never arrays.
    work : callable
        Called with `report`; returns the result, which must not be None.
    """

    kind: str
    title: str
    seconds: float
    key: tuple[Any, ...]
    work: Callable[[Report], T]

    def ready(self) -> T | None:
        """Return the result if it is cached; never computes, never waits."""
        found: T | None = _cache.get((self.kind, *self.key))
        return found

    def run(self, report: Report = silent) -> T:
        """Return the cached result, or make it and cache it. What `report` raises ends it.

        Where somebody is already making it, this waits for the same work.
        """
        found = self.ready()
        if found is not None:
            return found
        return _flights.run(self.title, self._made, (self.kind, *self.key), report)

    def _made(self, report: Report) -> T:
        made = self.ready()  # it may have come in the last moment
        if made is None:
            made = self.work(report)
            report(1.0, "")  # nothing is kept of what is no longer wanted
            _cache.put((self.kind, *self.key), made)
        return made


def wait_for_others(mine: tuple[str, ...], seconds: float, report: Report) -> None:
    """Wait until no work but that of the kinds `mine` is under way, at most so long for each."""
    _flights.wait_for_others(mine, seconds, report)
    warming.wait(seconds, report)


def is_busy() -> bool:
    """Whether anybody waits for work that is under way."""
    return _flights.are_up


def largest_k(prepared: Prepared) -> int:
    """Return the most neighbours the graph of these points has."""
    n_points = len(prepared.points)
    return min(K_MAX if n_points <= LARGE else K_MAX_LARGE, n_points - 1)


def k_of(prepared: Prepared, settings: ScoreSettings) -> int:
    """Return the number of neighbours the settings mean, cut to what the data allow."""
    wanted = settings.n_neighbors or default_n_neighbors(len(prepared.points))
    return max(2, min(wanted, largest_k(prepared)))


def mode_of(prepared: Prepared, settings: ScoreSettings) -> Mode:
    """Return the mode the settings mean: what `auto` stands for. Keys hold this, not the word."""
    return resolved_mode(settings.mode, prepared.points.shape[1])


def graph_task(prepared: Prepared) -> Task[KnnGraph]:
    """Find the neighbours of every point, once for every k up to `largest_k`."""
    n_points, n_features = prepared.points.shape
    k = largest_k(prepared)

    seconds = estimated_auto_search_seconds(n_points, n_features, k)

    def work(report: Report) -> KnnGraph:
        store = GraphStore(cache_folder() / "graphs", LIMITS.disk_bytes // 4)
        kept = store.load(prepared.fingerprint, k) if seconds > KEPT_SECONDS else None
        if kept is not None:
            return kept
        search = Counted(knn_graph, "Searching neighbours")
        found = placed(search, prepared.points, k, report=report, seconds=seconds)
        if seconds > KEPT_SECONDS:
            store.save(prepared.fingerprint, found)
        return found

    return Task("graph", "Neighbours", seconds, (prepared.fingerprint, k), work)


def graph_of(prepared: Prepared, report: Report = silent) -> KnnGraph:
    """Return the neighbours of every point; `.prefix(k)` serves every smaller k."""
    return graph_task(prepared).run(report)


def score_task(prepared: Prepared, settings: ScoreSettings) -> Task[Curvature]:
    """Score every point, and find its neighbours first where that is still to be done."""
    n_points, n_features = prepared.points.shape
    k, graph = k_of(prepared, settings), graph_task(prepared)
    mode = mode_of(prepared, settings)
    own = estimated_seconds(n_points, n_features, k, mode)
    search = 0.0 if graph.ready() is not None else graph.seconds
    share = search / max(search + own, 1e-9)

    def work(report: Report) -> Curvature:
        if mode == "fast" or mode == "haar":
            other = "haar" if mode == "fast" else "fast"
            twin: Curvature | None = _cache.get(("score", prepared.fingerprint, other, k))
            if twin is not None:  # sums of the same terms
                return twin.in_mode(mode)
        found = graph.run(stretch(report, 0.0, share))
        rest = stretch(report, share, 1.0)
        return placed(scored, prepared.points, k, mode, found, report=rest, seconds=own)

    key = (prepared.fingerprint, mode, k)
    return Task("score", f"Score by {mode}, k = {k}", search + own, key, work)


def curvature_of(prepared: Prepared, settings: ScoreSettings) -> Curvature:
    """Return the score of every point, computed at most once per settings."""
    return score_task(prepared, settings).run()


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


def summary_task(dataset: Dataset) -> Task[Summary]:
    """Take a first look at the dataset."""
    key = (dataset.fingerprint, dataset.name)
    seconds = 0.2 + SUMMARY_SECONDS_PER_CELL * dataset.table.size

    def work(report: Report) -> Summary:
        return placed(looked_at, dataset, report=report, seconds=seconds)

    return Task("summary", "First look", seconds, key, work)
