"""How rotating, rescaling or whitening the features changes the score."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from mecuco_core.diagnostics.agreement import Agreement, compare
from mecuco_core.neighbors.graph import KnnGraph, as_graph
from mecuco_core.runtime.haar import random_frame
from mecuco_core.runtime.progress import Stages
from mecuco_core.score.curvature import Curvature, curvature
from mecuco_core.score.ranks import descending, spearman
from mecuco_core.types import FloatArray, IntArray, Progress
from mecuco_core.validation import check_n_jobs, check_points

ChangeKind = Literal["rotation", "rescaling", "whitening"]
CHANGE_KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)

WIDEST_RESCALING = 2.0
"""Features are multiplied by random factors between one over this and this."""


@dataclass(frozen=True)
class ScoreFacts:
    """How the score of a dataset follows the scatter, and where neighbourhoods have a null space.

    Attributes
    ----------
    spearman_with_scatter : float
        Rank correlation of the score κ with the local scatter τ; NaN where one is constant.
    ratio_quantiles : tuple of float
        Least, 5 %, 50 %, 95 % and greatest κ/τ, of points with any scatter; NaN without one.
    outside_band : int
        Points whose κ/τ is not between one half and one; only `fast` can have any.
    deficient_share : float
        Share of neighbourhoods that do not span the space.
    median_rank : float
    n_features : int
    """

    spearman_with_scatter: float
    ratio_quantiles: tuple[float, float, float, float, float]
    outside_band: int
    deficient_share: float
    median_rank: float
    n_features: int


def score_facts(score: Curvature, n_features: int) -> ScoreFacts:
    """Return what there is to know of a score of points with `n_features` features."""
    tau = 2.0 * score.scatter
    spread = tau > 0.0
    ratio = score.values[spread] / tau[spread]
    if len(ratio) == 0:
        ratio = np.array([np.nan])
    low, five, middle, ninety_five, high = np.percentile(ratio, [0, 5, 50, 95, 100]).tolist()
    rounding = 1e-12
    return ScoreFacts(
        spearman_with_scatter=spearman(score.values, tau),
        ratio_quantiles=(low, five, middle, ninety_five, high),
        outside_band=int(((ratio < 0.5 - rounding) | (ratio > 1.0 + rounding)).sum()),
        deficient_share=float((score.covariance_rank < n_features).mean()),
        median_rank=float(np.median(score.covariance_rank)),
        n_features=n_features,
    )


@dataclass(frozen=True, eq=False)
class CoordinateChange:
    """The score before and after a change of coordinates.

    Attributes
    ----------
    kind : {"rotation", "rescaling", "whitening"}
    seed : int
    before, after : Curvature
    median_change : float
        Median of |after / before - 1| of the scores, each first divided by its mean unless the
        change keeps lengths; points with a score of zero are left out.
    median_scatter_change : float
        The same of the local scatter: 0 but for rounding under a rotation.
    agreement : Agreement
        Of `after` with `before`: Spearman, overlap of the top q percent.
    """

    kind: ChangeKind
    seed: int
    before: Curvature
    after: Curvature
    median_change: float
    median_scatter_change: float
    agreement: Agreement = field(repr=False)


def coordinate_change(
    points: ArrayLike,
    before: Curvature,
    *,
    kind: ChangeKind = "rotation",
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> CoordinateChange:
    """Score the points again after a change of coordinates.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
    before : Curvature
        The score of these points; its mode and k are used again.
    kind : {"rotation", "rescaling", "whitening"}, default="rotation"
        "rotation": a random rotation (Haar). Distances, and so the neighbours, stay.
        "rescaling": every feature times a random factor between ½ and 2, on a logarithmic scale.
        "whitening": covariance made the identity along its own axes, directions without variance
        left out. The latter two change distances, so the neighbours are searched anew.
    seed : int, default=0
        Of the rotation and the factors.
    n_jobs : int or None
    progress : callable or None
        As in `curvature`.

    Returns
    -------
    GaugeChange
    """
    clean = check_points(points)
    if kind not in CHANGE_KINDS:
        raise ValueError(f"kind must be one of {', '.join(CHANGE_KINDS)}, got {kind!r}")
    if len(before) != len(clean):
        raise ValueError(f"before must score the {len(clean)} points, it has {len(before)} values")
    threads = check_n_jobs(n_jobs)
    graph: KnnGraph | None = None
    if kind == "rotation":
        moved = rotated(clean, seed)
        graph = as_graph(before.graph, clean, None, threads)
    else:
        moved = rescaled(clean, seed) if kind == "rescaling" else whitened(clean)
    after = curvature(
        moved,
        before.n_neighbors,
        mode=before.mode,
        graph=graph,
        n_jobs=threads,
        progress=progress,
    )
    keeps_lengths = kind == "rotation"
    return CoordinateChange(
        kind=kind,
        seed=seed,
        before=before,
        after=after,
        median_change=_median_change(before.values, after.values, keeps_lengths),
        median_scatter_change=_median_change(before.scatter, after.scatter, keeps_lengths),
        agreement=compare(before, after),
    )


def rotated(points: FloatArray, seed: int) -> FloatArray:
    """Return points (n_points, n_features) in a random frame; lengths and angles stay.

    Fewer points than features span a small space, whose image alone is drawn: the same
    distribution, without a matrix of n_features squared.
    """
    n_points, n_features = points.shape
    rng = np.random.default_rng(seed)
    if n_points >= n_features:
        return points @ random_frame(n_features, n_features, rng)
    basis, weights = np.linalg.qr(points.T)  # (m, n), (n, n)
    frame = random_frame(n_features, basis.shape[1], rng)
    return np.asarray(weights.T @ frame.T)


def rescaled(points: FloatArray, seed: int) -> FloatArray:
    """Return points with every feature times a random factor between ½ and 2."""
    exponents = np.random.default_rng(seed).uniform(-1.0, 1.0, points.shape[1])
    return np.asarray(points * WIDEST_RESCALING**exponents)


def whitened(points: FloatArray) -> FloatArray:
    """Return points with covariance the identity on the directions that vary, axes kept."""
    centred = points - points.mean(axis=0)
    _, sizes, axes = np.linalg.svd(centred, full_matrices=False)
    kept = sizes > sizes[0] * max(points.shape) * np.finfo(np.float64).eps
    if not kept.any():
        return np.zeros_like(points)
    along = (centred @ axes[kept].T) / sizes[kept] * np.sqrt(len(points) - 1)
    return np.asarray(along @ axes[kept])


@dataclass(frozen=True, eq=False)
class CoordinateStability:
    """How often each point stays in the top q % after a change of coordinates.

    Attributes
    ----------
    ranks : ndarray of shape (n_seeds, n_points)
        Rank of every point after each change, 0 the highest score.
    seeds : tuple of int
    """

    ranks: IntArray
    seeds: tuple[int, ...]

    def share(self, size: int) -> FloatArray:
        """Return the share of changes after which a point is among the `size` highest."""
        return np.asarray((self.ranks < size).mean(axis=0))


def ranks_after(change: CoordinateChange) -> IntArray:
    """Return the rank of every point after a change of coordinates, 0 the highest, (n_points,)."""
    order = descending(change.after.values)
    found = np.empty(len(order), dtype=np.int64)
    found[order] = np.arange(len(order))
    return found


def coordinate_stability(
    points: ArrayLike,
    before: Curvature,
    *,
    kind: ChangeKind,
    seeds: Sequence[int],
    progress: Progress | None = None,
) -> CoordinateStability:
    """Rank the points after several changes of coordinates.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
    before : Curvature
        The score of these points; its mode and k are used again.
    kind : {"rotation", "rescaling", "whitening"}
    seeds : sequence of int
        One change of coordinates each.
    progress : callable or None
        Called with (done, total), counting changes; may raise to stop the work.
    """
    ranks, stages = [], Stages(progress, len(seeds))
    for seed in seeds:
        ranks.append(ranks_after(coordinate_change(points, before, kind=kind, seed=seed)))
        stages.passed()
    return CoordinateStability(np.array(ranks), tuple(seeds))


def _median_change(before: FloatArray, after: FloatArray, keeps_lengths: bool) -> float:
    if not keeps_lengths:
        before = before / (before.mean() or 1.0)
        after = after / (after.mean() or 1.0)
    some = before > 0.0
    if not some.any():
        return 0.0
    return float(np.median(np.abs(after[some] / before[some] - 1.0)))
