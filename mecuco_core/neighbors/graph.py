"""The k-nearest-neighbour graph every score starts from."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from mecuco_core.kernels.search.distances import nearest_candidates
from mecuco_core.neighbors.choice import check_search, resolved_search
from mecuco_core.neighbors.cost import estimated_approximate_seconds, estimated_search_seconds
from mecuco_core.neighbors.search import approximate, exact
from mecuco_core.runtime.metric import check_metric, in_metric
from mecuco_core.runtime.results import ReadOnly
from mecuco_core.runtime.threads import run_blocks
from mecuco_core.types import FloatArray, IntArray, Metric, Progress, SearchMethod
from mecuco_core.validation import (
    LARGEST_SEED,
    check_integer,
    check_n_jobs,
    check_n_neighbors,
    check_neighbor_indices,
    check_points,
    check_progress,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class KnnGraph(ReadOnly):
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

    See Also
    --------
    knn_graph : Makes one from points.

    Examples
    --------
    >>> import mecuco as mc
    >>> graph = mc.knn_graph([[0.0], [1.0], [3.0], [7.0]], 2)
    >>> graph
    KnnGraph(4 points, n_neighbors=2, method='exact')
    >>> graph.indices
    array([[1, 2],
           [0, 2],
           [1, 0],
           [2, 1]])
    >>> graph.to_frame().head(3)
       row  neighbor_row  distance
    0    0             1       1.0
    1    0             2       3.0
    2    1             0       1.0
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

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what to bear in mind: what an approximate search has missed."""
        if self.recall is None or self.method == "exact":
            return ()
        return (
            f"The search was approximate: it found {self.recall:.1%} of the true neighbours, "
            "measured on a sample.",
        )

    def __len__(self) -> int:
        return len(self.indices)

    def __repr__(self) -> str:
        return (
            f"KnnGraph({len(self)} points, n_neighbors={self.n_neighbors}, method={self.method!r})"
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return one line for every point and neighbour, (n_points * n_neighbors, 3)."""
        import pandas as pd

        rows = np.repeat(np.arange(len(self)), self.n_neighbors)
        return pd.DataFrame(
            {
                "row": rows,
                "neighbor_row": self.indices.ravel(),
                "distance": self.distances.ravel(),
            }
        )

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
    *,
    search: SearchMethod = "auto",
    seed: int = 0,
    metric: Metric = "euclidean",
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> KnnGraph:
    """Find the nearest neighbours of every point, the point itself never among them.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
    n_neighbors : int, "log2" or None
        Between 2 and n_points - 1; round(log2 n_points) for "log2" and None.
    search : {"auto", "exact", "approximate"}, default="auto"
        "exact" depends on the data alone. "approximate" finds at least 98 % of the neighbours,
        measured on a sample, depends on the seed too, and reports its recall; where it would find
        fewer, or take no less time, it is exact. "auto" chooses by the numbers of points, features
        and neighbours alone: exact unless that would take more than about ten seconds on two
        processors. The graph says which it was.
    seed : int, default=0
        Seed of the approximate search.
    metric : {"euclidean", "cosine"}, default="euclidean"
        "cosine" compares rows scaled to length one, and gives their Euclidean distances.
    n_jobs : int or None
        Threads; all processors for None. Changes the time, never the graph.
    progress : callable or None
        Called with (points done, n_points); may raise to stop the search.

    Returns
    -------
    KnnGraph

    See Also
    --------
    curvature : Takes the graph as `graph=`.
    estimated_search_seconds : What an exact search takes.

    Examples
    --------
    >>> import mecuco as mc
    >>> points = mc.datasets.prepare(mc.datasets.load_bundled("digits")).points
    >>> graph = mc.knn_graph(points, 30)
    >>> graph
    KnnGraph(1797 points, n_neighbors=30, method='exact')
    >>> [mc.curvature(points, k, graph=graph).n_neighbors for k in (10, 20, 30)]  # one search
    [10, 20, 30]
    """
    clean = check_points(points)
    n_points, n_features = clean.shape
    k = check_n_neighbors(n_neighbors, n_points)
    threads = check_n_jobs(n_jobs)
    check_search(search)
    seed = check_integer(seed, "seed", 0, LARGEST_SEED)
    check_progress(progress)
    clean = in_metric(clean, check_metric(metric))
    if resolved_search(search, n_points, n_features, k) == "exact":
        found = exact(clean, k, threads, progress)
    else:
        found = approximate(clean, k, seed, threads, progress)
    used_seed = seed if found.method == "approximate" else None
    return KnnGraph(found.indices, found.distances, found.method, used_seed, found.recall, metric)


def estimated_auto_search_seconds(n_points: int, n_features: int, n_neighbors: int = 16) -> float:
    """Estimate how long the search takes that "auto" stands for, on all processors."""
    if resolved_search("auto", n_points, n_features, n_neighbors) == "exact":
        return estimated_search_seconds(n_points, n_features, n_neighbors)
    return estimated_approximate_seconds(n_points, n_features, n_neighbors)


def spoken_search(graph: KnnGraph) -> str:
    """Return how the neighbours were found: "exact", "approximate (recall 0.985)" or "given"."""
    if graph.method == "exact" or graph.recall is None:
        return graph.method
    return f"{graph.method} (recall {graph.recall:.3f})"


def metric_of(graph: object, metric: object = "euclidean") -> Metric:
    """Return the metric of a graph that is given, else the one that is asked for."""
    return graph.metric if isinstance(graph, KnnGraph) else check_metric(metric)


def as_graph(
    given: KnnGraph | ArrayLike, points: FloatArray, n_neighbors: object, n_jobs: int
) -> KnnGraph:
    """Return a given graph as a KnnGraph over points, cut to n_neighbors if that is not None."""
    if isinstance(given, KnnGraph):
        indices = check_neighbor_indices(given.indices, len(points))
        distances = np.asarray(given.distances, dtype=np.float64)
        if distances.shape != indices.shape:
            raise ValueError(
                f"graph.distances must have the shape of graph.indices, {indices.shape}, "
                f"got {distances.shape}"
            )
        graph = given
        if indices is not given.indices or distances is not given.distances:
            graph = replace(given, indices=indices, distances=distances)
    else:
        graph = _measured(check_neighbor_indices(given, len(points)), points, n_jobs)
    if n_neighbors is None:
        return graph
    k = check_n_neighbors(n_neighbors, len(points))
    if k > graph.n_neighbors:
        raise ValueError(
            f"n_neighbors must be at most {graph.n_neighbors}, the columns of graph, got {k}"
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
