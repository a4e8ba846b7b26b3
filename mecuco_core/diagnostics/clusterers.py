"""Three clusterings and the measures of one, as scikit-learn computes them."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Literal, get_args

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from sklearn import cluster, metrics
from sklearn.exceptions import ConvergenceWarning

from mecuco_core.neighbors.search import exact, nearest
from mecuco_core.types import FloatArray, IntArray
from mecuco_core.validation import available_processors

Clusterer = Literal["k-means", "hdbscan", "spectral"]
CLUSTERERS: tuple[Clusterer, ...] = get_args(Clusterer)

LARGEST_SAMPLE: dict[Clusterer, int] = {"k-means": 10_000, "hdbscan": 4_000, "spectral": 2_000}
"""Points a clustering is tried on; above it, a random sample of so many."""

LARGEST_SILHOUETTE = 5_000
"""Points of the silhouette, which compares all pairs; above it, a random sample of so many."""

SPECTRAL_NEIGHBORS = 10
NOISE = -1
UNLABELLED = -1


@dataclass(frozen=True)
class Measures:
    """Measures of one clustering; NaN where one is not defined.

    Attributes
    ----------
    silhouette, calinski_harabasz, davies_bouldin : float
        Of the points in clusters, noise left out. Higher is better, but for Davies–Bouldin.
        Calinski–Harabasz grows with the number of points.
    ari, nmi : float
        Against the labels, over the points kept; noise counts as one cluster. NaN without labels.
    ari_all : float
        Against the labels over all points: each removed point joins the cluster of the nearest
        point that was kept. The fair one, because every removal answers for the same points.
    n_clusters : float
        Clusters found; a mean over draws need not be whole.
    noise : float
        Share of the points kept that HDBSCAN puts in no cluster.
    """

    silhouette: float
    calinski_harabasz: float
    davies_bouldin: float
    ari: float
    nmi: float
    ari_all: float
    n_clusters: float
    noise: float


MEASURES: tuple[str, ...] = tuple(field.name for field in fields(Measures))


def clustering(points: FloatArray, method: Clusterer, n_clusters: int, seed: int) -> IntArray:
    """Return the cluster of every point, (n_points,), -1 for noise.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    method : {"k-means", "hdbscan", "spectral"}
    n_clusters : int
        Of k-means and spectral. HDBSCAN finds its own number; its smallest cluster is one
        hundredth of the points, at least 5.
    seed : int
    """
    return np.asarray(_FIT[method](points, n_clusters, seed), dtype=np.int64)


def measures(
    points: FloatArray,
    kept: IntArray,
    clusters: IntArray,
    labels: IntArray | None,
    seed: int,
) -> Measures:
    """Measure the clustering of the points kept.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    kept : ndarray of shape (n_kept,)
        Positions of the points that were clustered.
    clusters : ndarray of shape (n_kept,)
    labels : ndarray of shape (n_points,) or None
        `UNLABELLED` where a point has none.
    seed : int
        Of the sample for the silhouette.
    """
    inside = clusters != NOISE
    inner, found = points[kept[inside]], clusters[inside]
    n_clusters = len(np.unique(found))
    silhouette = calinski = davies = np.nan
    if 2 <= n_clusters < len(found):
        silhouette = _silhouette(inner, found, seed)
        calinski = float(metrics.calinski_harabasz_score(inner, found))
        davies = float(metrics.davies_bouldin_score(inner, found))
    ari = nmi = ari_all = np.nan
    if labels is not None:
        known = labels != UNLABELLED
        true_labels, found_there = labels[kept][known[kept]], clusters[known[kept]]
        if len(true_labels):
            ari = float(metrics.adjusted_rand_score(true_labels, found_there))
            nmi = float(metrics.normalized_mutual_info_score(true_labels, found_there))
            everyone = joined(points, kept, clusters)
            ari_all = float(metrics.adjusted_rand_score(labels[known], everyone[known]))
    return Measures(
        silhouette=silhouette,
        calinski_harabasz=calinski,
        davies_bouldin=davies,
        ari=ari,
        nmi=nmi,
        ari_all=ari_all,
        n_clusters=float(n_clusters),
        noise=float(1.0 - inside.mean()),
    )


def joined(points: FloatArray, kept: IntArray, clusters: IntArray) -> IntArray:
    """Return a cluster for every point: its own, or that of the nearest point kept."""
    removed = np.setdiff1d(np.arange(len(points)), kept)
    everyone = np.empty(len(points), dtype=np.int64)
    everyone[kept] = clusters
    if len(removed):
        anyone = np.full(len(removed), -1)
        closest, _ = nearest(points[kept], points[removed], 1, anyone, available_processors())
        everyone[removed] = clusters[closest[:, 0]]
    return everyone


def _silhouette(points: FloatArray, clusters: IntArray, seed: int) -> float:
    if len(points) > LARGEST_SILHOUETTE:
        some = np.random.default_rng(seed).choice(len(points), LARGEST_SILHOUETTE, replace=False)
        points, clusters = points[some], clusters[some]
        if len(np.unique(clusters)) < 2:
            return np.nan
    return float(metrics.silhouette_score(points, clusters))


def _k_means(points: FloatArray, n_clusters: int, seed: int) -> IntArray:
    with warnings.catch_warnings():
        # Fewer distinct points than clusters: the number of clusters found says so.
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = cluster.KMeans(n_clusters, n_init=10, random_state=seed).fit(points)
    return np.asarray(fitted.labels_)


def _hdbscan(points: FloatArray, n_clusters: int, seed: int) -> IntArray:
    smallest = max(5, round(len(points) / 100))
    # Brute force gives the same clusters, sooner in many dimensions, and lets other threads run.
    fitted = cluster.HDBSCAN(min_cluster_size=smallest, algorithm="brute", copy=True).fit(points)
    return np.asarray(fitted.labels_)


def _with_self(neighbors: IntArray) -> csr_array:
    """Return a graph with an edge from each point to its neighbours and to itself."""
    n, k = neighbors.shape
    ends = np.concatenate([neighbors, np.arange(n)[:, np.newaxis]], axis=1).astype(np.int32)
    starts = np.arange(n + 1, dtype=np.int32) * (k + 1)
    return csr_array((np.ones(ends.size), ends.ravel(), starts), shape=(n, n))


def _spectral(points: FloatArray, n_clusters: int, seed: int) -> IntArray:
    n_neighbors = min(SPECTRAL_NEIGHBORS, len(points) - 1)
    graph = _with_self(exact(points, max(1, n_neighbors - 1), available_processors()).indices)
    affinity = 0.5 * (graph + graph.T)
    n_parts, parts = connected_components(affinity, directed=False)
    if n_parts >= n_clusters:
        # The eigenvectors only separate the pieces then, and their choice is arbitrary.
        return np.asarray(parts)
    fitter = cluster.SpectralClustering(
        n_clusters, affinity="precomputed", assign_labels="cluster_qr", random_state=seed
    )
    with warnings.catch_warnings():
        # A graph in a few pieces is no error: each piece becomes a cluster, and some are cut.
        warnings.filterwarnings("ignore", message="Graph is not fully connected")
        return np.asarray(fitter.fit_predict(affinity))


_FIT: dict[Clusterer, Callable[[FloatArray, int, int], IntArray]] = {
    "k-means": _k_means,
    "hdbscan": _hdbscan,
    "spectral": _spectral,
}
