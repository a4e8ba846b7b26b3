"""The score of every point: the public door to the kernels."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from mecuco_core.errors import SlowModeWarning
from mecuco_core.kernels.score.compiled_exact import (
    N_TERMS,
    RANGE,
    RANK,
    TRACE,
    exact_block,
    scaled_eigenbasis,
)
from mecuco_core.kernels.score.compiled_terms import terms_block
from mecuco_core.kernels.score.original import trace_with_products
from mecuco_core.neighbors.graph import KnnGraph, as_graph, knn_graph, metric_of
from mecuco_core.runtime.metric import check_metric, in_metric
from mecuco_core.runtime.progress import Stages
from mecuco_core.runtime.results import ReadOnly
from mecuco_core.runtime.threads import run_blocks
from mecuco_core.score.cost import (
    SLOW_SECONDS,
    estimated_seconds,
    original_bytes_per_point,
    resolved_mode,
    seconds_per_point,
)
from mecuco_core.score.halves import expected_null_share, published_alignment
from mecuco_core.score.notes import basis_note, bound_note, cost_note
from mecuco_core.score.ranks import rank_percent
from mecuco_core.types import FloatArray, IntArray, Metric, Mode, Progress, SearchMethod
from mecuco_core.validation import (
    check_mode,
    check_n_jobs,
    check_n_neighbors,
    check_points,
    check_progress,
)

if TYPE_CHECKING:
    import pandas as pd

LARGEST_ORIGINAL_BYTES = 4 * 2**30
BLOCK_SECONDS = 0.05
"""Work between two calls of `progress` on one thread: a stop is felt at once."""

SCORED_ELSEWHERE: dict[str, Callable[..., "Curvature"]] = {}
"""Who scores arrays that do not lie in memory, by the package of the array: `mecuco_core.cluster`
enters itself here, for it stands above this room."""

Block = Callable[[FloatArray, IntArray, FloatArray], None]


@dataclass(frozen=True, eq=False)
class Terms(ReadOnly):
    """Sums over the features of every neighbourhood, of which the scores are made  [eq. 8]."""

    table: FloatArray
    n_features: int


@dataclass(frozen=True, eq=False)
class Curvature(ReadOnly):
    """The score of every point, with the settings that produced it.

    It behaves as the array of its values where an array is wanted.

    Attributes
    ----------
    values : ndarray of shape (n_points,)
        The score κ, the sum of the two halves.
    scatter : ndarray of shape (n_points,)
        Half the local scatter, ½ τ.
    alignment : ndarray of shape (n_points,)
        The half that depends on how the neighbourhood lies to the axes, between 0 and ½ τ for
        every mode but `fast`.
    covariance_rank : ndarray of shape (n_points,)
        Dimension each neighbourhood spans.
    graph : KnnGraph
    mode : {"original", "exact", "fast", "haar"}
        The mode really used.
    n_neighbors, n_features : int
    terms : Terms or None
        What `in_mode` needs, of a score by `fast` or `haar`.

    See Also
    --------
    curvature : Makes one from points.
    boundary_points : The points of the highest scores.
    compare : How far two scores agree.

    Examples
    --------
    >>> import mecuco as mc
    >>> points = mc.datasets.prepare(mc.datasets.load_bundled("wine")).points
    >>> score = mc.curvature(points, 7)
    >>> score
    Curvature(178 points, mode='haar', n_neighbors=7, search='exact')
    >>> int(score.values.argmax()), score.notes
    (69, ())
    >>> score.to_frame().columns.tolist()
    ['row', 'score', 'scatter', 'alignment', 'covariance_rank', 'knn_distance', 'percentile']
    """

    values: FloatArray
    scatter: FloatArray
    alignment: FloatArray
    covariance_rank: IntArray
    graph: KnnGraph
    mode: Mode
    n_neighbors: int
    n_features: int
    terms: Terms | None = field(default=None, repr=False)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what to bear in mind of these numbers; empty where there is nothing."""
        return (
            *self.graph.notes,
            *cost_note(len(self), self.n_features, self.n_neighbors, self.mode),
            *basis_note(self.covariance_rank, self.n_features, self.mode),
            *bound_note(self.scatter, self.alignment),
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return one line for every point, with the columns of docs/exports.md."""
        import pandas as pd

        return pd.DataFrame({"row": np.arange(len(self))} | score_columns(self))

    def in_mode(self, mode: Literal["fast", "haar"]) -> "Curvature":
        """Return the same points scored by `haar` instead of `fast` or the other way round.

        Both are sums of the same terms, so this costs nothing and gives the numbers `curvature`
        would give.

        Examples
        --------
        >>> import mecuco as mc
        >>> points = mc.datasets.prepare(mc.datasets.load_bundled("wine")).points
        >>> mc.curvature(points, mode="fast").in_mode("haar").mode
        'haar'
        """
        if mode not in ("fast", "haar") or self.terms is None:
            raise ValueError(
                f"scores by {self.mode!r} cannot be turned into {mode!r}, only 'fast' and 'haar' "
                f"of one machine into one another: call curvature with mode={mode!r}"
            )
        return _from_terms(self.terms, self.graph, mode)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return (
            f"Curvature({len(self)} points, mode={self.mode!r}, n_neighbors={self.n_neighbors}, "
            f"search={self.graph.method!r})"
        )

    def __getitem__(self, item: Any) -> Any:
        return self.values[item]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> FloatArray:
        return np.array(self.values, dtype=dtype, copy=copy)


def curvature(
    points: ArrayLike,
    n_neighbors: int | str | None = None,
    *,
    mode: Mode = "haar",
    graph: KnnGraph | ArrayLike | None = None,
    search: SearchMethod = "auto",
    seed: int = 0,
    metric: Metric = "euclidean",
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Curvature:
    """Score every point by its neighbourhood.

    The score is a scatter of the neighbours times a factor between one half and one for their
    lie to the axes. It ranks sparse, boundary-like points high. It is not an estimate of the
    mean curvature of a surface: docs/method.md section 7.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
        Finite real numbers. A sparse matrix is made dense if that fits. A dask array is scored
        on its cluster, block by block, with an exact search.
    n_neighbors : int, "log2" or None
        Neighbours of a point, itself not counted; round(log2 n_points) for "log2" and None, or
        with `graph` given, all its columns.
    mode : {"original", "exact", "fast", "haar", "auto"}, default="haar"
        "haar" is the mean over all null-space bases: it depends on the data alone. "original"
        builds every product, O(m⁴) a point; "exact" is the same number by an identity, O(m³).
        Both are "haar" where neighbourhoods span the space, and elsewhere (k ≤ m) depend on the
        basis LAPACK happens to return. "fast" is the paper's approximation of the mean, as
        published: too low, on some data below the bounds of the score. With repeated
        neighbours it takes the rank for p: the published p = k - 1 would bring arbitrary
        vectors in. "auto" is the paper's choice: "exact" below 50 features, else
        "fast".
    graph : KnnGraph or array-like of shape (n_points, k), optional
        Neighbours to use instead of searching; of more than wanted the nearest are taken.
    search : {"auto", "exact", "approximate"}, default="auto"
        As for `knn_graph`; without a meaning where `graph` is given.
    seed : int, default=0
        Of an approximate search.
    metric : {"euclidean", "cosine"}, default="euclidean"
        With "cosine" the rows are scaled to length one first. A graph that was given says its
        own metric.
    n_jobs : int or None
        Threads; all processors for None. Changes the time, never the numbers. For a dask array
        those of its cluster are used.
    progress : callable or None
        Called with (done, total), counting points searched and points scored; may raise to stop
        the work. Then nothing is kept.

    Returns
    -------
    Curvature

    Warns
    -----
    SlowModeWarning
        If `original` or `exact` will take minutes: see `estimated_seconds`.

    See Also
    --------
    knn_graph : The neighbours alone.
    CurvatureScore : The same as a scikit-learn estimator.
    shape_operator : The mean curvature of a surface through the points.

    Examples
    --------
    >>> import mecuco as mc
    >>> points = mc.datasets.prepare(mc.datasets.load_bundled("digits")).points
    >>> score = mc.curvature(points, 11)
    >>> score
    Curvature(1797 points, mode='haar', n_neighbors=11, search='exact')
    >>> bool((score.values == score.scatter + score.alignment).all())
    True
    >>> graph = mc.knn_graph(points, 20)
    >>> mc.curvature(points, 11, mode="exact", graph=graph)
    Curvature(1797 points, mode='exact', n_neighbors=11, search='exact')
    """
    elsewhere = SCORED_ELSEWHERE.get(type(points).__module__.partition(".")[0])
    if elsewhere is not None:
        if graph is not None:
            raise ValueError("graph cannot be given with a dask array: its graph is searched")
        if check_metric(metric) != "euclidean":
            raise ValueError(
                "metric 'cosine' is not for dask arrays: scale their rows to length one"
            )
        check_n_jobs(n_jobs)
        return elsewhere(
            points, n_neighbors, mode=mode, search=search, seed=seed, progress=progress
        )
    clean = check_points(points)
    n_points, n_features = clean.shape
    used = resolved_mode(check_mode(mode), n_features)
    threads = check_n_jobs(n_jobs)
    check_progress(progress)
    metric = metric_of(graph, metric)
    clean = in_metric(clean, metric)
    if graph is None:
        k = check_n_neighbors(n_neighbors, n_points)
        check_cost(n_points, n_features, k, used, threads)
        stages = Stages(progress, 2 * n_points)
        report = stages.next(n_points)
        found = knn_graph(clean, k, search=search, seed=seed, n_jobs=threads, progress=report)
    else:
        found = as_graph(graph, clean, n_neighbors, threads)
        check_cost(n_points, n_features, found.n_neighbors, used, threads)
        stages = Stages(progress, n_points)
    if found.metric != metric:
        found = replace(found, metric=metric)
    return scored(clean, found, used, threads, stages.next(n_points))


def scored(
    points: FloatArray,
    graph: KnnGraph,
    mode: Mode,
    n_jobs: int,
    progress: Progress | None = None,
) -> Curvature:
    """Score checked points on a checked graph, one row of the graph per score.

    The graph may have other rows than points: those of new points with neighbours among them.
    """
    k, m = graph.n_neighbors, points.shape[1]
    terms = np.empty((len(graph), N_TERMS))
    indices = graph.indices.view()
    indices.flags.writeable = False  # one array type, so that the kernels compile once

    def block(start: int, stop: int) -> None:
        BLOCKS[mode](points, indices[start:stop], terms[start:stop])

    size = min(BLOCK_SECONDS / seconds_per_point(m, k, mode), len(graph) / (8 * n_jobs))
    run_blocks(block, len(graph), max(1, int(size)), n_jobs, progress)

    return _from_terms(Terms(terms, m), graph, mode)


def _from_terms(terms: Terms, graph: KnnGraph, mode: Mode) -> Curvature:
    """Scores in one mode, of terms that hold what it needs."""
    table, m = terms.table, terms.n_features
    scatter = 0.5 * table[:, TRACE]
    if mode == "fast":
        alignment = published_alignment(table, m)
    else:
        null = expected_null_share(table, m) if mode == "haar" else 0.0
        # Rounding must not carry a score out of its proven bounds (eq. 5).
        alignment = np.clip(0.5 * (table[:, RANGE] + null), 0.0, scatter)
    return Curvature(
        values=scatter + alignment,
        scatter=scatter,
        alignment=alignment,
        covariance_rank=table[:, RANK].astype(np.int64),
        graph=graph,
        mode=mode,
        n_neighbors=graph.n_neighbors,
        n_features=m,
        terms=terms if mode in ("fast", "haar") else None,
    )


def _original_block(points: FloatArray, neighbors: IntArray, terms: FloatArray) -> None:
    """Fill TRACE, RANGE and RANK of terms, with H built in full for every neighbourhood."""
    for i, row in enumerate(neighbors):
        lam, W, rank, exponent = scaled_eigenbasis(points, row)  # noqa: N806
        trace = lam.sum()
        score = trace_with_products(lam, W)
        terms[i, TRACE] = np.ldexp(trace, 2 * exponent)
        terms[i, RANGE] = np.ldexp(2.0 * score - trace, 2 * exponent)
        terms[i, RANK] = rank


BLOCKS: dict[Mode, Block] = {
    "original": _original_block,
    "exact": exact_block,
    "fast": terms_block,
    "haar": terms_block,
}


def check_cost(n: int, m: int, k: int, mode: Mode, n_jobs: int, stacklevel: int = 3) -> None:
    """Refuse what cannot be held in memory and warn of what takes minutes."""
    if mode not in ("original", "exact"):
        return
    n_bytes = original_bytes_per_point(m)
    if mode == "original" and n_bytes > LARGEST_ORIGINAL_BYTES:
        raise ValueError(
            f"mode 'original' would need {n_bytes / 2**30:.0f} GiB for each point of "
            f"{m} features: use 'exact', which is the same number, or 'haar'"
        )
    seconds = estimated_seconds(n, m, k, mode, n_jobs=n_jobs)
    if seconds > SLOW_SECONDS:
        warnings.warn(
            f"mode {mode!r} will take about {seconds / 60:.0f} minutes for {n} points of "
            f"{m} features; 'haar' takes about "
            f"{estimated_seconds(n, m, k, 'haar', n_jobs=n_jobs):.1g} s",
            SlowModeWarning,
            stacklevel=stacklevel,
        )


def score_columns(result: Curvature) -> dict[str, Any]:
    """Return the columns of a score by their names in docs/exports.md, each (n_points,)."""
    return {
        "score": result.values,
        "scatter": result.scatter,
        "alignment": result.alignment,
        "covariance_rank": result.covariance_rank,
        "knn_distance": result.graph.distances[:, -1],
        "percentile": rank_percent(result.values),
    }


def warm_up_scores() -> None:
    """Compile the kernels of the scores, or load them from disk."""
    points = np.random.default_rng(0).standard_normal((12, 6))
    for mode in ("exact", "haar"):
        curvature(points, 4, mode=mode)
