"""What leaving out the boundary points does to a clustering, next to honest controls."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import count
from typing import Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from threadpoolctl import threadpool_limits

from mecuco_core.diagnostics.boundary import boundary_points
from mecuco_core.diagnostics.clusterers import (
    CLUSTERERS,
    LARGEST_SAMPLE,
    MEASURES,
    UNLABELLED,
    Clusterer,
    Measures,
    clustering,
    measures,
)
from mecuco_core.neighbors.graph import KnnGraph, as_graph
from mecuco_core.preparation.sampling import sample_rows
from mecuco_core.runtime.threads import single_threaded_blas
from mecuco_core.score.ranks import check_values, descending
from mecuco_core.types import FloatArray, IntArray, Progress
from mecuco_core.validation import check_points

Removal = Literal["nothing", "score", "random", "k-NN distance", "LOF"]
REMOVALS: tuple[Removal, ...] = get_args(Removal)

FEWEST_KEPT = 10


@dataclass(frozen=True)
class RemovalResult:
    """One clustering after one removal.

    Attributes
    ----------
    method : {"k-means", "hdbscan", "spectral"}
    removal : {"nothing", "score", "random", "k-NN distance", "LOF"}
    mean : Measures
        Over the draws where points are removed at random, else the one value.
    sd : Measures or None
        Standard deviation over the draws; None where there is one value.
    n_points : int
        Points tried, before removal: all, or a sample.
    n_removed : int
    n_draws : int
    """

    method: Clusterer
    removal: Removal
    mean: Measures
    sd: Measures | None
    n_points: int
    n_removed: int
    n_draws: int


@dataclass(frozen=True)
class RemovalEffect:
    """Every clustering after every removal, methods in order, each with all removals in order.

    Attributes
    ----------
    results : tuple of RemovalResult
    percentile : float
        Of the score, or of the control, above which points are removed.
    n_points : int
        Points of the dataset; a result with fewer comes from a random sample.
    n_clusters, n_neighbors, seed : int
    """

    results: tuple[RemovalResult, ...]
    percentile: float
    n_points: int
    n_clusters: int
    n_neighbors: int
    seed: int

    def of(self, method: Clusterer, removal: Removal) -> RemovalResult:
        """Return one of the results."""
        for result in self.results:
            if (result.method, result.removal) == (method, removal):
                return result
        raise ValueError(f"there is no result of {method!r} after {removal!r}")


def removal_effect(
    points: ArrayLike,
    values: ArrayLike,
    *,
    graph: KnnGraph | ArrayLike,
    n_clusters: int,
    percentile: float = 75,
    labels: ArrayLike | None = None,
    methods: Sequence[Clusterer] = CLUSTERERS,
    n_draws: int = 5,
    seed: int = 0,
    progress: Progress | None = None,
) -> RemovalEffect:
    """Cluster the points without those of the highest scores, and without as many others.

    The silhouette of fewer, easier points rises by construction: whoever leaves out the sparse
    points leaves out those between clusters. So a gain says nothing by itself. It is to be read
    against the controls, which remove as many points at random, by the distance to the k-th
    neighbour, and by the local outlier factor; and against `ari_all`, for which every removal
    answers for the same points.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
    values : Curvature or array-like of shape (n_points,)
        The score.
    graph : KnnGraph or array-like of shape (n_points, n_neighbors)
        The graph the score came from; the controls use the same.
    n_clusters : int
        Of k-means and spectral clustering; HDBSCAN finds its own.
    percentile : float, default=75
        As in `boundary_points`. Controls remove exactly as many points as the score does.
    labels : array-like of shape (n_points,), optional
        Classes, numbers or text, for ARI and NMI. Points without one (None, NaN) do not count
        in either.
    methods : sequence of {"k-means", "hdbscan", "spectral"}
    n_draws : int, default=5
        Random removals, at least 2.
    seed : int, default=0
        Of draws, samples and clusterings.
    progress : callable or None
        Called with (done, total), counting clusterings; may raise to stop the work.

    Returns
    -------
    RemovalEffect
        Where a dataset is larger than `LARGEST_SAMPLE`, from a random sample, drawn once for
        each method and the same for every removal.
    """
    clean = check_points(points)
    found = as_graph(graph, clean, None, 1)
    classes = _checked(clean, check_values(values), n_clusters, labels, methods, n_draws)
    ranked_by: dict[Removal, FloatArray] = {
        "score": check_values(values),
        "k-NN distance": found.distances[:, -1],
        "LOF": local_outlier_factor(found),
    }
    tries = _Tries(clean, classes, n_clusters, n_draws, seed, percentile, ranked_by)
    total = len(methods) * (len(REMOVALS) - 1 + n_draws)
    done = count()

    def run(method: Clusterer, chosen: IntArray, removed: IntArray) -> Measures:
        if progress is not None:
            progress(next(done), total)
        return tries.measured(method, chosen, removed)

    results = []
    # Held to one thread: OpenMP's threads wait for each other busily, and beside other work, as in
    # the app, that was measured to cost ten times what they gain.
    with single_threaded_blas(), threadpool_limits(1, user_api="openmp"):
        for method in methods:
            size = min(len(clean), LARGEST_SAMPLE[method])
            chosen = sample_rows(np.arange(len(clean)), size, seed)
            for removal in REMOVALS:
                removals = tries.removals(chosen, removal)
                runs = [run(method, chosen, removed) for removed in removals]
                results.append(_summary(method, removal, runs, size, len(removals[0])))
    if progress is not None:
        progress(total, total)
    return RemovalEffect(
        results=tuple(results),
        percentile=float(percentile),
        n_points=len(clean),
        n_clusters=n_clusters,
        n_neighbors=found.n_neighbors,
        seed=seed,
    )


def local_outlier_factor(graph: KnnGraph) -> FloatArray:
    """Return the local outlier factor of every point, (n_points,), from a graph already found.

    It is scikit-learn's, with the graph's neighbours: near 1 inside a cluster, larger outside.
    """
    reach = np.maximum(graph.distances, graph.distances[graph.indices, -1])
    density = 1.0 / (reach.mean(axis=1) + 1e-10)
    return np.asarray(density[graph.indices].mean(axis=1) / density)


@dataclass(frozen=True, eq=False)
class _Tries:
    """What every clustering of one comparison has in common."""

    points: FloatArray
    classes: IntArray | None
    n_clusters: int
    n_draws: int
    seed: int
    percentile: float
    ranked_by: dict[Removal, FloatArray]

    def removals(self, chosen: IntArray, removal: Removal) -> list[IntArray]:
        """Positions within `chosen` to leave out, one array per draw."""
        size = len(
            boundary_points(self.ranked_by["score"][chosen], percentile=self.percentile).indices
        )
        if removal == "nothing":
            return [np.empty(0, dtype=np.int64)]
        if removal == "random":
            rng = np.random.default_rng(self.seed)
            return [rng.choice(len(chosen), size, replace=False) for _ in range(self.n_draws)]
        return [descending(self.ranked_by[removal][chosen])[:size]]

    def measured(self, method: Clusterer, chosen: IntArray, removed: IntArray) -> Measures:
        kept = np.setdiff1d(np.arange(len(chosen)), removed)
        own = method == "hdbscan"  # finds the number of clusters by itself
        least = FEWEST_KEPT if own else max(FEWEST_KEPT, self.n_clusters)
        if len(chosen) < least:
            raise ValueError(
                f"a clustering needs at least {least} points, and there are {len(chosen)}"
            )
        if len(kept) < least:
            raise ValueError(
                f"percentile {self.percentile:g} keeps {len(kept)} points, and a clustering needs "
                f"at least {least}: raise it"
            )
        some = self.points[chosen]
        clusters = clustering(some[kept], method, self.n_clusters, self.seed)
        classes = None if self.classes is None else self.classes[chosen]
        return measures(some, kept, clusters, classes, self.seed)


def _summary(
    method: Clusterer, removal: Removal, runs: list[Measures], n_points: int, n_removed: int
) -> RemovalResult:
    table = np.array([astuple(run) for run in runs])  # (n_draws, n_measures)
    sd = None
    if len(runs) > 1:
        sd = Measures(**dict(zip(MEASURES, table.std(axis=0, ddof=1).tolist(), strict=True)))
    mean = Measures(**dict(zip(MEASURES, table.mean(axis=0).tolist(), strict=True)))
    return RemovalResult(method, removal, mean, sd, n_points, n_removed, len(runs))


def _checked(
    points: FloatArray,
    values: FloatArray,
    n_clusters: int,
    labels: ArrayLike | None,
    methods: Sequence[Clusterer],
    n_draws: int,
) -> IntArray | None:
    """Refuse what cannot be compared; return labels as integers."""
    if len(values) != len(points):
        raise ValueError(f"values must score the {len(points)} points, got {len(values)} values")
    if not 2 <= n_clusters < len(points):
        raise ValueError(f"n_clusters must be in [2, {len(points) - 1}], got {n_clusters}")
    if n_draws < 2:
        raise ValueError(f"n_draws must be at least 2, got {n_draws}")
    for method in methods:
        if method not in CLUSTERERS:
            raise ValueError(f"methods must be among {', '.join(CLUSTERERS)}, got {method!r}")
    if labels is None:
        return None
    given = np.asarray(labels)
    if given.shape != (len(points),):
        raise ValueError(
            f"labels must have one value for each of the {len(points)} points, "
            f"got shape {given.shape}"
        )
    codes = np.unique(given.astype(str), return_inverse=True)[1].astype(np.int64)
    return np.where(pd.isna(given), UNLABELLED, codes)
