"""How estimate and scores follow a mean curvature that is known."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from mecuco_core.datasets.manifolds import ManifoldSample
from mecuco_core.neighbors.graph import KnnGraph, knn_graph
from mecuco_core.runtime.progress import Stages
from mecuco_core.score.curvature import Curvature, curvature
from mecuco_core.score.ranks import spearman
from mecuco_core.surface.shape_operator import ShapeOperator, shape_operator
from mecuco_core.types import BoolArray, FloatArray, IntArray, Mode, Progress

CONSTANT = 1e-9
"""A true |H| that varies by less, relative to its size, is the same everywhere."""

ROUNDING = 1e-11
"""Errors below this do not shrink with more points: they are rounding."""

FEWEST_SIZES = 4
"""A power law is fitted to no fewer."""

WITHIN = 1.35
"""Factor within which errors lie on the line of a power law."""


@dataclass(frozen=True, eq=False)
class GroundTruth:
    """A sample of a manifold, its true |H|, and everything measured on the same neighbours.

    Attributes
    ----------
    truth : ndarray of shape (n_points,)
    shape : ShapeOperator
        The estimate by local quadrics.
    scores : dict of Mode to Curvature
    distance : ndarray of shape (n_points,)
        To the farthest neighbour.
    inner : ndarray of bool of shape (n_points,)
        Points farther from the edge than from their farthest neighbour.
    """

    truth: FloatArray
    shape: ShapeOperator
    scores: dict[Mode, Curvature]
    distance: FloatArray
    inner: BoolArray

    @property
    def varies(self) -> bool:
        """Whether the true |H| differs from point to point."""
        return bool(np.ptp(self.truth) > CONSTANT * max(1.0, float(self.truth.max())))

    @property
    def scatter(self) -> FloatArray:
        """The local scatter τ, the same for every mode, (n_points,)."""
        return 2.0 * next(iter(self.scores.values())).scatter


@dataclass(frozen=True)
class Following:
    """How some values follow the true |H|.

    Attributes
    ----------
    spearman : float
        Rank correlation; NaN where one of both is constant.
    relative_error : float
        Median of |value - truth| / truth; NaN where the truth is zero. Only for estimates of |H|.
    absolute_error : float
        Median of |value - truth|. Only for estimates of |H|.
    n_points : int
        Points compared.
    """

    spearman: float
    relative_error: float
    absolute_error: float
    n_points: int


def ground_truth(
    sample: ManifoldSample,
    n_neighbors: int,
    modes: Sequence[Mode] = ("exact", "fast", "haar"),
    progress: Progress | None = None,
) -> GroundTruth:
    """Estimate |H| of a sample and score it, on the same neighbours.

    Parameters
    ----------
    sample : ManifoldSample
    n_neighbors : int
    modes : sequence of Mode
        At least one.
    progress : callable or None
        Called with (done, total), counting stages; may raise to stop the work.
    """
    stages = Stages(progress, 2 + len(modes))
    graph = knn_graph(sample.points, n_neighbors)
    stages.passed()
    shape = shape_operator(sample.points, dimension=sample.shape.dimension, graph=graph)
    stages.passed()
    scores = {}
    for mode in modes:
        scores[mode] = curvature(sample.points, mode=mode, graph=graph)
        stages.passed()
    return GroundTruth(
        truth=np.abs(sample.truth.mean),
        shape=shape,
        scores=scores,
        distance=graph.distances[:, -1],
        inner=_inner(sample, graph),
    )


def following(values: FloatArray, truth: FloatArray, kept: BoolArray) -> Following:
    """Return how `values` follow `truth`, both (n_points,), at the points kept."""
    a, b = truth[kept], values[kept]
    if len(a) == 0:
        return Following(np.nan, np.nan, np.nan, 0)
    constant = np.ptp(a) <= CONSTANT * max(1.0, float(a.max()))
    off = np.abs(b - a)
    return Following(
        spearman=np.nan if constant else spearman(a, b),
        relative_error=float(np.median(off / a)) if (a > CONSTANT).all() else np.nan,
        absolute_error=float(np.median(off)),
        n_points=len(a),
    )


@dataclass(frozen=True)
class PowerLaw:
    """Errors that go like n^rate.

    Attributes
    ----------
    rate : float
        Median of the slopes between any two sizes (Theil and Sen), on logarithmic axes.
    low, high : float
        Ends of its 95 percent interval.
    first, last : int
        The sizes between which the law holds.
    factor : float
        The line is factor · n^rate.
    """

    rate: float
    low: float
    high: float
    first: int
    last: int
    factor: float


@dataclass(frozen=True, eq=False)
class Convergence:
    """How the estimate of |H| improves with the number of points.

    Attributes
    ----------
    n_points : ndarray of shape (c,)
    fixed, chosen : ndarray of shape (c,)
        Median error with the given k, and with the k the engine chooses: relative, or where the
        true |H| is zero somewhere absolute.
    n_chosen : ndarray of shape (c,)
        The k the engine chose.
    quadric, score : ndarray of shape (c,)
        Rank correlation with the true |H| of the estimate and of the score, both with the given
        k; NaN where the truth does not vary.
    relative : bool
    n_neighbors : int
    mode : Mode
    """

    n_points: IntArray
    fixed: FloatArray
    chosen: FloatArray
    n_chosen: IntArray
    quadric: FloatArray
    score: FloatArray
    relative: bool
    n_neighbors: int
    mode: Mode

    def law(self, errors: FloatArray) -> PowerLaw | None:
        """Return the law that errors (c,) follow up to the largest size, None where there is none.

        From the `FEWEST_SIZES` largest on smaller ones are taken in while they lie on the line
        through the larger. A rate that may be zero is no law.
        """
        good = np.isfinite(errors) & (errors > ROUNDING)
        sizes, x, y = (
            self.n_points[good].tolist(),
            np.log(self.n_points[good]),
            np.log(errors[good]),
        )
        law: PowerLaw | None = None
        for start in range(len(x) - FEWEST_SIZES, -1, -1):
            rate, _, low, high = map(float, stats.theilslopes(y[start:], x[start:]))
            above = np.median(y[start:] - rate * x[start:])
            line = PowerLaw(rate, low, high, sizes[start], sizes[-1], float(np.exp(above)))
            judge = law or line
            off = y[start:] - np.log(judge.factor) - judge.rate * x[start:]
            if np.abs(off).max() > np.log(WITHIN):
                break
            law = line
        return None if law is None or law.low <= 0 <= law.high else law


def convergence(
    samples: Sequence[ManifoldSample],
    n_neighbors: int,
    mode: Mode = "haar",
    progress: Progress | None = None,
) -> Convergence:
    """Measure the error of the estimate of |H| on samples of growing size.

    Parameters
    ----------
    samples : sequence of ManifoldSample
        Of one manifold.
    n_neighbors : int
    mode : Mode
        Of the score that is followed beside.
    progress : callable or None
        Called with (done, total), counting points; may raise to stop the work.
    """
    sizes = np.array([len(sample.points) for sample in samples])
    relative = all((np.abs(sample.truth.mean) > CONSTANT).all() for sample in samples)
    columns: list[list[float]] = []
    stages = Stages(progress, int(sizes.sum()))
    for sample in samples:
        found = ground_truth(sample, n_neighbors, (mode,))
        free = shape_operator(sample.points, dimension=sample.shape.dimension, frames=False)
        own = following(free.values, found.truth, _inner(sample, free.graph))
        fixed = following(found.shape.values, found.truth, found.inner)
        score = following(found.scores[mode].values, found.truth, found.inner)
        errors = [one.relative_error if relative else one.absolute_error for one in (fixed, own)]
        columns.append([*errors, float(free.n_neighbors), fixed.spearman, score.spearman])
        stages.passed(len(sample.points))
    table = np.array(columns)
    return Convergence(
        n_points=sizes,
        fixed=table[:, 0],
        chosen=table[:, 1],
        n_chosen=table[:, 2].astype(np.int64),
        quadric=table[:, 3],
        score=table[:, 4],
        relative=relative,
        n_neighbors=n_neighbors,
        mode=mode,
    )


def _inner(sample: ManifoldSample, graph: KnnGraph) -> BoolArray:
    return np.asarray(sample.edge_distance > graph.distances[:, -1])
