"""The k-nearest-neighbour graph every score starts from."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from mecuco_core.kernels.search.distances import nearest_candidates
from mecuco_core.neighbors.cost import (
    REFERENCE_THREADS,
    estimated_approximate_seconds,
    estimated_search_seconds,
)
from mecuco_core.neighbors.search import approximate, exact
from mecuco_core.runtime.threads import run_blocks
from mecuco_core.types import (
    METRICS,
    SEARCH_METHODS,
    FloatArray,
    IntArray,
    Metric,
    Progress,
    SearchMethod,
)
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
    method : {"exact", "approximate", "given"}
        How the neighbours were found; "given" when the caller brought them.
    seed : int or None
        The seed of an approximate search.
    recall : float or None
        Share of the true neighbours it found, measured on a sample; 1 for an exact search, None
        where the caller brought the neighbours.
    metric : {"euclidean", "cosine"}
        With "cosine", rows were scaled to length one before.
    """

    indices: IntArray
    distances: FloatArray
    method: str
    seed: int | None = None
    recall: float | None = None
    metric: Metric = "euclidean"

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
            self.metric,
        )


def knn_graph(
    points: ArrayLike,
    n_neighbors: int | str | None = None,
    method: SearchMethod = "auto",
    seed: int = 0,
    *,
    metric: Metric = "euclidean",
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
    method : {"auto", "exact", "approximate"}, default="auto"
        "exact" depends on the data alone. "approximate" finds at least 98 % of the neighbours,
        measured on a sample, depends on the seed too, and says its recall; where it would find
        fewer, or take no less time, it is exact. "auto" is exact unless that would take longer
        than `budget`, then approximate; the graph says which it was.
    seed : int, default=0
        Seed of the approximate search.
    budget : float, default=60
        Seconds an exact search may take before "auto" prefers the approximate one, by an estimate
        for two threads of a machine of our day: the choice is the same on every machine.
    metric : {"euclidean", "cosine"}, default="euclidean"
        "cosine" compares rows scaled to length one, and gives their Euclidean distances.
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
    _check_method(method, SEARCH_METHODS)
    seed = check_integer(seed, "seed", 0, LARGEST_SEED)
    check_progress(progress)
    if check_metric(metric) == "cosine":
        clean = unit_rows(clean)
    if resolved_search(method, n_points, n_features, budget) == "exact":
        found = exact(clean, k, threads, progress)
    else:
        found = approximate(clean, k, seed, threads, progress)
    used_seed = seed if found.method == "approximate" else None
    return KnnGraph(found.indices, found.distances, found.method, used_seed, found.recall, metric)


def unit_rows(points: FloatArray) -> FloatArray:
    """Return the rows scaled to length one; rows of zeros have no direction."""
    largest = np.abs(points).max(axis=1, keepdims=True)
    n_zero = int((largest == 0.0).sum())
    if n_zero:
        rows = "1 row has none" if n_zero == 1 else f"{n_zero} rows have none"
        raise ValueError(f"metric 'cosine' needs a value other than 0 in every row: {rows}")
    # A power of two first: the square of no coordinate overflows.
    scaled: FloatArray = np.ldexp(points, -np.frexp(largest)[1])
    scaled /= np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, np.newaxis]
    return scaled


def check_metric(metric: object) -> Metric:
    """Return the metric, or raise."""
    for one in METRICS:
        if metric == one:
            return one
    raise ValueError(f"metric must be one of {', '.join(METRICS)}, got {metric!r}")


def resolved_search(
    method: SearchMethod, n_points: int, n_features: int, budget: float = LONGEST_EXACT_SEARCH
) -> SearchMethod:
    """Return the search "auto" stands for, or the one given."""
    _check_method(method, SEARCH_METHODS)
    if method != "auto":
        return method
    slow = estimated_search_seconds(n_points, n_features, REFERENCE_THREADS) > budget
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
    n_points, k = given.shape
    indices = np.full((n_points, k), -1, dtype=np.int64)
    squares, filled = np.full((n_points, k), np.inf), np.zeros(n_points, dtype=np.int64)
    anyone = np.full(n_points, -1)

    def block(start: int, stop: int) -> None:
        rows = slice(start, stop)
        nearest_candidates(
            points, points[rows], given[rows], anyone[rows],
            indices[rows], squares[rows], filled[rows],
        )  # fmt: skip

    run_blocks(block, n_points, 1024, n_jobs)
    return KnnGraph(indices, np.sqrt(squares), "given")
