"""What may run in a process of its own, and where it runs; knows no Streamlit."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from mecuco_app.cache import n_bytes
from mecuco_app.embedding import Coordinates
from mecuco_app.jobs import Report
from mecuco_app.processes import apart
from mecuco_core._types import FloatArray, IntArray, Mode, Progress
from mecuco_core.curvature import Curvature, curvature
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.preparation import Preparation, Prepared, prepare
from mecuco_core.datasets.summary import Summary, summarise
from mecuco_core.neighbors import KnnGraph, knn_graph

T = TypeVar("T")

APART_SECONDS = 10.0
"""Work that is estimated to take longer gets a process: to start one takes a few seconds."""

APART_BYTES = 64 * 2**20
"""So does work on more data, which may take much more memory than its data."""


@dataclass(frozen=True)
class Counted(Generic[T]):
    """A function of the engine, which counts its `progress`, as one that reports to a job.

    Parameters
    ----------
    function : callable
    message : str
        What it does, for the visitor; trusted text.
    """

    function: Callable[..., T]
    message: str

    def __call__(self, *arguments: Any, report: Report, **options: Any) -> T:
        """Call the function; `report` is told how far it is."""
        return self.function(*arguments, progress=counting(report, self.message), **options)


def counting(report: Report, message: str) -> Progress:
    """Return a progress callback of the engine that reports to a job."""

    def progress(done: int, total: int) -> None:
        report(done / max(1, total), message)

    return progress


def scored(points: FloatArray, k: int, mode: Mode, graph: KnnGraph, *, report: Report) -> Curvature:
    """Score points whose neighbours are known."""
    return curvature(points, k, mode, neighbors=graph, progress=counting(report, "Scoring"))


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
    shown = there[knn_graph(places, n_neighbors, "exact", progress=progress).indices]
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


def prepared_anew(dataset: Dataset, preparation: Preparation, *, report: Report) -> Prepared:
    """Make the points of a dataset."""
    report(0.0, "Preparing the points")
    return prepare(dataset, preparation)


def placed(
    function: Callable[..., T], *arguments: Any, report: Report, seconds: float, **options: Any
) -> T:
    """Call a function with `report`: here, or in a process of its own where it is long or large.

    Parameters
    ----------
    function : callable
        Of a module that does not import Streamlit.
    arguments, options
    report : callable
    seconds : float
        How long it will take, estimated.
    """
    if seconds > APART_SECONDS or n_bytes(arguments) > APART_BYTES:
        return apart(function, *arguments, report=report, **options)
    return function(*arguments, report=report, **options)
