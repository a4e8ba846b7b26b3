"""The k-nearest-neighbour graph every score starts from."""

import warnings
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from mecuco_core.errors import LowRecallWarning
from mecuco_core.kernels.search.distances import nearest_block
from mecuco_core.neighbors.cost import estimated_approximate_seconds, estimated_search_seconds
from mecuco_core.neighbors.search import LEAST_RECALL, approximate, by_pynndescent, nearest
from mecuco_core.runtime.threads import run_blocks
from mecuco_core.types import SEARCH_METHODS, FloatArray, IntArray, Progress, SearchMethod
from mecuco_core.validation import (
    LARGEST_SEED,
    check_integer,
    check_n_jobs,
    check_n_neighbors,
    check_neighbor_indices,
    check_points,
    check_progress,
)

LONGEST_EXACT_SEARCH = 60.0
"""Seconds the exact search may take before `auto` prefers the approximate one."""


@dataclass(frozen=True, eq=False)
class KnnGraph:
    """The neighbours of every point, nearest first; equal distances are ordered by index.

    Attributes
    ----------
    indices : ndarray of shape (n_points, n_neighbors)
    distances : ndarray of shape (n_points, n_neighbors)
        Euclidean.
    method : {"exact", "approximate", "pynndescent", "given"}
        How the neighbours were found; "given" when the caller brought them.
    seed : int or None
        The seed of an approximate search.
    recall : float or None
        Share of the true neighbours it found, measured on a sample; 1 for an exact search, None
        where the caller brought the neighbours.
    """

    indices: IntArray
    distances: FloatArray
    method: str
    seed: int | None = None
    recall: float | None = None

    @property
    def n_neighbors(self) -> int:
        """Neighbours per point."""
        return int(self.indices.shape[1])

    def __len__(self) -> int:
        return len(self.indices)

    def prefix(self, n_neighbors: int) -> "KnnGraph":
        """Return the graph of the `n_neighbors` nearest, without a new search."""
        if not 2 <= check_integer(n_neighbors, "n_neighbors", 0) <= self.n_neighbors:
            raise ValueError(
                f"n_neighbors must be in [2, {self.n_neighbors}], the size of this graph, "
                f"got {n_neighbors}"
            )
        if n_neighbors == self.n_neighbors:
            return self
        return KnnGraph(
            np.ascontiguousarray(self.indices[:, :n_neighbors]),
            np.ascontiguousarray(self.distances[:, :n_neighbors]),
            self.method,
            self.seed,
            self.recall,
        )


def knn_graph(
    points: ArrayLike,
    n_neighbors: int | str | None = None,
    method: SearchMethod | Literal["pynndescent"] = "auto",
    seed: int = 0,
    *,
    budget: float = LONGEST_EXACT_SEARCH,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> KnnGraph:
    """Find the nearest neighbours of every point, the point itself never among them.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
    n_neighbors : int, "log2" or None
        Between 2 and n_points - 1; round(log2 n_points) for "log2" and None.
    method : {"auto", "exact", "approximate", "pynndescent"}, default="auto"
        "exact" searches with scikit-learn and depends on the data alone; "approximate" follows
        neighbours of neighbours and depends on the seed too; it says its recall. "pynndescent"
        leaves that to the package of this name, which compiles for half a minute in every
        process and cannot be stopped meanwhile. "auto" is exact unless that would take longer
        than `budget`, then approximate; the graph says which it was.
    seed : int, default=0
        Seed of the approximate search.
    budget : float, default=60
        Seconds an exact search may take before "auto" prefers the approximate one.
    n_jobs : int or None
        Threads; all processors for None. Changes the time, never the graph.
    progress : callable or None
        Called with (points done, n_points); may raise to stop the search.

    Returns
    -------
    KnnGraph
    """
    clean = check_points(points)
    n_points, n_features = clean.shape
    k = check_n_neighbors(n_neighbors, n_points)
    threads = check_n_jobs(n_jobs)
    _check_method(method, (*SEARCH_METHODS, "pynndescent"))
    seed = check_integer(seed, "seed", 0, LARGEST_SEED)
    check_progress(progress)
    if method == "pynndescent":
        indices, distances, recall = by_pynndescent(clean, k, seed, threads, progress)
        return KnnGraph(indices, distances, method, seed, recall)
    if resolved_search(method, n_points, n_features, budget) == "exact":
        own = np.arange(n_points)
        indices, distances = nearest(clean, clean, k, own, threads, progress)
        return KnnGraph(indices, distances, "exact", recall=1.0)
    indices, distances, recall = approximate(clean, k, seed, threads, progress)
    if recall < LEAST_RECALL:
        warnings.warn(
            f"the approximate search found {recall:.0%} of the true neighbours, measured on a "
            "sample: scores will differ from those of method 'exact'",
            LowRecallWarning,
            stacklevel=2,
        )
    return KnnGraph(indices, distances, "approximate", seed, recall)


def resolved_search(
    method: SearchMethod, n_points: int, n_features: int, budget: float = LONGEST_EXACT_SEARCH
) -> SearchMethod:
    """Return the search "auto" stands for, or the one given."""
    _check_method(method, SEARCH_METHODS)
    if method != "auto":
        return method
    slow = estimated_search_seconds(n_points, n_features) > budget
    return "approximate" if slow else "exact"


def _check_method(method: object, allowed: tuple[str, ...]) -> None:
    if not isinstance(method, str) or method not in allowed:
        raise ValueError(f"method must be one of {', '.join(allowed)}, got {method!r}")


def estimated_auto_search_seconds(n_points: int, n_features: int, n_neighbors: int = 16) -> float:
    """Estimate how long the search takes that "auto" stands for, on all processors."""
    if resolved_search("auto", n_points, n_features) == "exact":
        return estimated_search_seconds(n_points, n_features)
    return estimated_approximate_seconds(n_points, n_features, n_neighbors)


def spoken_search(graph: KnnGraph) -> str:
    """Return how the neighbours were found: "exact", "approximate (recall 0.985)" or "given"."""
    if graph.method == "exact" or graph.recall is None:
        return graph.method
    return f"{graph.method} (recall {graph.recall:.3f})"


def as_graph(
    neighbors: KnnGraph | ArrayLike, points: FloatArray, n_neighbors: object, n_jobs: int
) -> KnnGraph:
    """Return a given graph as a KnnGraph over points, cut to n_neighbors if that is not None."""
    if isinstance(neighbors, KnnGraph):
        indices = check_neighbor_indices(neighbors.indices, len(points))
        distances = np.asarray(neighbors.distances, dtype=np.float64)
        if distances.shape != indices.shape:
            raise ValueError(
                f"neighbors.distances must have the shape of neighbors.indices, {indices.shape}, "
                f"got {distances.shape}"
            )
        graph = neighbors
        if indices is not neighbors.indices or distances is not neighbors.distances:
            graph = replace(neighbors, indices=indices, distances=distances)
    else:
        given = check_neighbor_indices(neighbors, len(points))
        graph = _measured(given, points, n_jobs)
    if n_neighbors is None:
        return graph
    k = check_n_neighbors(n_neighbors, len(points))
    if k > graph.n_neighbors:
        raise ValueError(
            f"n_neighbors must be at most {graph.n_neighbors}, the columns of neighbors, got {k}"
        )
    return graph.prefix(k)


def _measured(given: IntArray, points: FloatArray, n_jobs: int) -> KnnGraph:
    """Distances of given neighbours, nearest first."""
    distances = np.empty(given.shape)
    indices = np.empty_like(given)
    nowhere = np.full(len(points), np.inf)
    anyone = np.full(len(points), -1)
    centre = np.zeros(points.shape[1])

    def block(start: int, stop: int) -> None:
        rows = slice(start, stop)
        nearest_block(
            points, points[rows], given[rows], nowhere[rows], anyone[rows], centre,
            indices[rows], distances[rows],
        )  # fmt: skip

    run_blocks(block, len(points), 1024, n_jobs)
    return KnnGraph(indices, distances, "given")
