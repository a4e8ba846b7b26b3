"""The score of every point: the public door to the kernels."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from mecuco_core.errors import SlowModeWarning
from mecuco_core.kernels.score.compiled_exact import (
    LEVERAGE,
    N_TERMS,
    NULL_A,
    RANGE,
    RANK,
    SQUARES,
    TRACE,
    exact_block,
    scaled_eigenbasis,
)
from mecuco_core.kernels.score.compiled_terms import terms_block
from mecuco_core.kernels.score.original import trace_with_products
from mecuco_core.neighbors.graph import KnnGraph, as_graph, knn_graph
from mecuco_core.runtime.progress import Stages
from mecuco_core.runtime.threads import run_blocks
from mecuco_core.score.cost import (
    estimated_seconds,
    original_bytes_per_point,
    resolved_mode,
    seconds_per_point,
)
from mecuco_core.types import FloatArray, IntArray, Mode, Progress
from mecuco_core.validation import (
    check_mode,
    check_n_jobs,
    check_n_neighbors,
    check_points,
    check_progress,
)

LARGEST_ORIGINAL_BYTES = 4 * 2**30
SLOW_SECONDS = 120.0
BLOCK_SECONDS = 0.05
"""Work between two calls of `progress` on one thread: a stop is felt at once."""

SCORED_ELSEWHERE: dict[str, Callable[..., "Curvature"]] = {}
"""Who scores arrays that do not lie in memory, by the package of the array: `mecuco_core.cluster`
enters itself here, for it stands above this room."""

Block = Callable[[FloatArray, IntArray, FloatArray], None]


@dataclass(frozen=True, eq=False)
class Terms:
    """Sums over the features of every neighbourhood, of which the scores are made  [eq. 8]."""

    table: FloatArray
    n_features: int


@dataclass(frozen=True, eq=False)
class Curvature:
    """The score of every point, with the settings that produced it.

    It behaves as the array of its values where an array is wanted.

    Attributes
    ----------
    values : ndarray of shape (n_points,)
        The score κ, the sum of the two halves.
    scatter : ndarray of shape (n_points,)
        Half the local scatter, ½ τ.
    shape : ndarray of shape (n_points,)
        The half that depends on how the neighbourhood lies to the axes, between 0 and ½ τ for
        every mode but `fast`.
    rank : ndarray of shape (n_points,)
        Dimension each neighbourhood spans.
    mode : {"original", "exact", "fast", "haar"}
        The mode really used.
    n_neighbors : int
    neighbors : KnnGraph
    terms : Terms or None
        What `in_mode` needs, of a score by `fast` or `haar`.
    """

    values: FloatArray
    scatter: FloatArray
    shape: FloatArray
    rank: IntArray
    mode: Mode
    n_neighbors: int
    neighbors: KnnGraph
    terms: Terms | None = field(default=None, repr=False)

    def in_mode(self, mode: Literal["fast", "haar"]) -> "Curvature":
        """Return the same points scored by `haar` instead of `fast` or the other way round.

        Both are sums of the same terms, so this costs nothing and gives the numbers `curvature`
        would give.

        Examples
        --------
        >>> published = curvature(points, mode="fast")
        >>> recommended = published.in_mode("haar")
        """
        if mode not in ("fast", "haar") or self.terms is None:
            raise ValueError(
                f"scores by {self.mode!r} cannot be turned into {mode!r}, only 'fast' and 'haar' "
                f"of one machine into one another: call curvature with mode={mode!r}"
            )
        return _from_terms(self.terms, self.neighbors, mode)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, item: Any) -> Any:
        return self.values[item]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> FloatArray:
        return np.array(self.values, dtype=dtype, copy=copy)


def curvature(
    points: ArrayLike,
    n_neighbors: int | str | None = None,
    mode: Mode = "haar",
    neighbors: KnnGraph | ArrayLike | None = None,
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
        with `neighbors` given, all its columns.
    mode : {"original", "exact", "fast", "haar", "auto"}, default="haar"
        "haar" is the mean over all null-space bases: it depends on the data alone. "original"
        builds every product, O(m⁴) a point; "exact" is the same number by an identity, O(m³).
        Both are "haar" where neighbourhoods span the space, and elsewhere (k ≤ m) depend on the
        basis LAPACK happens to return. "fast" is the paper's approximation of the mean, as
        published: too low, on some data below the bounds of the score. With repeated
        neighbours it takes the rank for p: the published p = k - 1 would bring arbitrary
        vectors in. "auto" is the paper's choice: "exact" below 50 features, else
        "fast".
    neighbors : KnnGraph or array-like of shape (n_points, k), optional
        A graph to use instead of searching; of a larger one the nearest columns are taken.
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
    """
    elsewhere = SCORED_ELSEWHERE.get(type(points).__module__.partition(".")[0])
    if elsewhere is not None:
        if neighbors is not None:
            raise ValueError("neighbors cannot be given with a dask array: its graph is searched")
        check_n_jobs(n_jobs)
        return elsewhere(points, n_neighbors, mode, progress)
    clean = check_points(points)
    n_points, n_features = clean.shape
    used = resolved_mode(check_mode(mode), n_features)
    threads = check_n_jobs(n_jobs)
    check_progress(progress)
    if neighbors is None:
        k = check_n_neighbors(n_neighbors, n_points)
        check_cost(n_points, n_features, k, used, threads)
        stages = Stages(progress, 2 * n_points)
        graph = knn_graph(clean, k, n_jobs=threads, progress=stages.next(n_points))
    else:
        graph = as_graph(neighbors, clean, n_neighbors, threads)
        check_cost(n_points, n_features, graph.n_neighbors, used, threads)
        stages = Stages(progress, n_points)
    return scored(clean, graph, used, threads, stages.next(n_points))


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
        shape = _published_shape(table, m)
    else:
        null = _expected_null_share(table, m) if mode == "haar" else 0.0
        # Rounding must not carry a score out of its proven bounds (eq. 5).
        shape = np.clip(0.5 * (table[:, RANGE] + null), 0.0, scatter)
    return Curvature(
        values=scatter + shape,
        scatter=scatter,
        shape=shape,
        rank=table[:, RANK].astype(np.int64),
        mode=mode,
        n_neighbors=graph.n_neighbors,
        neighbors=graph,
        terms=terms if mode in ("fast", "haar") else None,
    )


def _published_shape(terms: FloatArray, m: int) -> FloatArray:
    """Shape half of Algorithm 1, eq. 7; its absolute value is part of it."""
    trace, p = terms[:, TRACE], terms[:, RANK]
    # The algorithm's middle term ‖A V‖²/(k-1) is the trace itself, so t_B is this difference.
    t_b = terms[:, SQUARES] - trace
    dimension = np.where(m > p, m - p, np.inf)
    t_null = (terms[:, NULL_A] + 2.0 * t_b) / dimension
    score: FloatArray = np.abs(0.5 * (terms[:, RANGE] + t_null) + 0.5 * trace)
    return score - 0.5 * trace


def _expected_null_share(terms: FloatArray, m: int) -> FloatArray:
    """Return the expectation of the null-space share over all its bases, eq. 6."""
    n0 = m - terms[:, RANK]
    b = terms[:, TRACE] - 2.0 * terms[:, LEVERAGE] + terms[:, SQUARES]
    share: FloatArray = (terms[:, NULL_A] + 2.0 * b) / (n0 + 2.0)
    return np.where(n0 > 0, share, 0.0)


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


def warm_up_scores() -> None:
    """Compile the kernels of the scores, or load them from disk."""
    points = np.random.default_rng(0).standard_normal((12, 6))
    for mode in ("exact", "haar"):
        curvature(points, 4, mode)
