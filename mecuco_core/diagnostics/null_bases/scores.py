"""What `exact` can be where a neighbourhood does not span the space.

The null space of the local covariance then has no preferred basis, and `exact` depends on the one
that is used. Here is what it gives in others.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from mecuco_core.kernels.score.null_bases import (
    random_rotations,
    range_and_null,
    rotated_shares,
    shape_share,
)
from mecuco_core.kernels.score.patch import centred
from mecuco_core.neighbors.graph import KnnGraph, as_graph
from mecuco_core.preparation.sampling import sample_rows
from mecuco_core.runtime.progress import Stages
from mecuco_core.runtime.threads import run_blocks
from mecuco_core.score.curvature import scored
from mecuco_core.types import BoolArray, FloatArray, IntArray, Progress
from mecuco_core.validation import PROCESSORS, check_n_jobs, check_points

Driver = Literal["ev", "evd", "evr"]
DRIVERS: tuple[Driver, ...] = get_args(Driver)
"""LAPACK's drivers for the symmetric eigenproblem."""

AXIS_ALIGNED = "leaning"
"""The axis-aligned basis in results on disk, which keep the name they were written with."""

LARGEST_FEATURES = 2000
LARGEST_SAMPLE = 2000
SAMPLE_SECONDS = 3.0
"""What `rows=None` may take, roughly, on `PROCESSORS` of today, before a sample is drawn."""

SAME = 1e-9
"""Relative difference below which two scores are the same number but for rounding."""

_CHUNK_BYTES = 128 * 2**20
_SECONDS_PER_PRODUCT = 2e-10  # per m n0² of one random basis, on one thread
_SECONDS_PER_ROTATION = 5e-10  # per n0³ of one random rotation
_SECONDS_PER_DECOMPOSITION = 3e-9  # per m³ of the drivers and the axis-aligned basis
_SECONDS_PER_POINT = 1e-3


@dataclass(frozen=True, eq=False)
class NullBasisSpread:
    """The scores some points can have, over the bases of their null spaces.

    Attributes
    ----------
    rows : ndarray of shape (n_rows,)
        The points looked at, ascending. All of them unless `is_sample`.
    n_points : int
        Points of the dataset.
    rank : ndarray of shape (n_rows,)
        Dimension each neighbourhood spans. Where it is n_features, every score below is the same.
    haar, fast, exact : ndarray of shape (n_rows,)
        The expectation over all bases, the published approximation, and what the mode `exact`
        returns here: its basis is LAPACK's too, by `evd` or, where eigenvalues are close, SVD.
    draws : ndarray of shape (n_rows, n_bases)
        Scores in random (Haar) bases. Rows of equal rank share the rotations, so that a row's
        draws depend on the seed alone, not on the other rows.
    drivers : ndarray of shape (n_rows, 3)
        Scores in the bases LAPACK returns, in the order of `DRIVERS`.
    axis_aligned : ndarray of shape (n_rows,)
        Scores in the axis-aligned basis, a pivoted QR of the null projector: near the upper end
        of what a basis can give.
    n_features, n_neighbors, n_bases, seed : int
    """

    rows: IntArray
    n_points: int
    rank: IntArray
    haar: FloatArray
    fast: FloatArray
    exact: FloatArray
    draws: FloatArray
    drivers: FloatArray
    axis_aligned: FloatArray
    n_features: int
    n_neighbors: int
    n_bases: int
    seed: int

    @property
    def is_sample(self) -> bool:
        """Whether some points were left out."""
        return len(self.rows) < self.n_points

    @property
    def deficient(self) -> BoolArray:
        """Which rows have more than one basis to choose from, (n_rows,)."""
        return self.rank < self.n_features - 1

    @property
    def undetermined(self) -> BoolArray:
        """Which rows have scores that depend on the basis, (n_rows,).

        Fewer than `deficient`: neighbours that are one point score zero in every basis, and
        directions in which no feature varies add nothing.
        """
        return self.deficient & (self.sd > SAME * self.haar)

    @property
    def mean(self) -> FloatArray:
        """Mean over the random bases, (n_rows,)."""
        return np.asarray(self.draws.mean(axis=1))

    @property
    def sd(self) -> FloatArray:
        """Standard deviation over the random bases, (n_rows,)."""
        return np.asarray(self.draws.std(axis=1, ddof=1))

    @property
    def band(self) -> FloatArray:
        """The 2.5 and 97.5 percentiles over the random bases, (n_rows, 2)."""
        return np.percentile(self.draws, [2.5, 97.5], axis=1).T

    def relative(self, scores: FloatArray) -> FloatArray:
        """Return scores over `haar`, minus one; 0 where a neighbourhood has no scatter.

        Parameters
        ----------
        scores : ndarray of shape (n_rows,) or (n_rows, c)
        """
        haar = self.haar if scores.ndim == 1 else self.haar[:, None]
        zero = haar == 0.0
        return np.asarray(np.where(zero, 0.0, scores / np.where(zero, 1.0, haar) - 1.0))

    def share_inside(self, scores: FloatArray) -> float:
        """Share of the undetermined rows whose score (n_rows,) lies within `band`."""
        low, high = self.band.T
        inside = ((low <= scores) & (scores <= high))[self.undetermined]
        return float(inside.mean()) if len(inside) else 1.0


def null_basis_scores(
    points: ArrayLike,
    *,
    graph: KnnGraph | ArrayLike,
    n_bases: int = 200,
    seed: int = 0,
    rows: ArrayLike | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> NullBasisSpread:
    """Score points in random bases of their null spaces, in LAPACK's, and in the axis-aligned one.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
        At most 2 000 features: every basis is a matrix of that size.
    graph : KnnGraph or array-like of shape (n_points, n_neighbors)
    n_bases : int, default=200
        Random bases, at least 2.
    seed : int, default=0
        Of the random bases, and of the sample of points.
    rows : array-like of int or None
        Points to look at. None for all, or where that would take long for a random sample of
        `affordable_rows` of them; the result says which.
    progress : callable or None
        Called with (done, total), counting points times bases; may raise to stop the work.
    n_jobs : int or None
        Threads; all processors for None.

    Returns
    -------
    NullBasisSpread
    """
    clean = check_points(points)
    n_points, m = clean.shape
    threads = check_n_jobs(n_jobs)
    found = as_graph(graph, clean, None, threads)
    if m > LARGEST_FEATURES:
        raise ValueError(
            f"points must have at most {LARGEST_FEATURES} features for null-space bases, got {m}: "
            "reduce them first, for example by PCA"
        )
    if n_bases < 2:
        raise ValueError(f"n_bases must be at least 2, got {n_bases}")
    chosen = _chosen(rows, n_points, affordable_rows(n_points, m, found.n_neighbors, n_bases), seed)
    some = KnnGraph(found.indices[chosen], found.distances[chosen], found.method, found.seed)

    haar = scored(clean, some, "haar", threads)
    work = _Work(clean, some.indices, haar.covariance_rank, np.empty((len(chosen), n_bases)))
    work.fill(seed, threads, progress)
    return NullBasisSpread(
        rows=chosen,
        n_points=n_points,
        rank=haar.covariance_rank,
        haar=haar.values,
        fast=haar.in_mode("fast").values,
        exact=scored(clean, some, "exact", threads).values,
        draws=work.draws,
        drivers=work.drivers,
        axis_aligned=work.axis_aligned,
        n_features=m,
        n_neighbors=found.n_neighbors,
        n_bases=n_bases,
        seed=seed,
    )


def estimated_null_basis_seconds(
    n_rows: int, m: int, k: int, n_bases: int, *, n_jobs: int | None = None
) -> float:
    """Estimate how long `null_basis_scores` takes for so many points; good to a factor of two."""
    n0 = max(0, m - (k - 1))
    rotations = n_bases * _SECONDS_PER_ROTATION * n0**3
    return rotations + n_rows * _seconds_per_row(m, n0, n_bases) / check_n_jobs(n_jobs)


def _seconds_per_row(m: int, n0: int, n_bases: int) -> float:
    """Estimated seconds for one point on one thread, rotations already drawn."""
    products = n_bases * _SECONDS_PER_PRODUCT * m * n0**2
    return _SECONDS_PER_POINT + products + _SECONDS_PER_DECOMPOSITION * m**3


def affordable_rows(n_points: int, m: int, k: int, n_bases: int) -> int:
    """Return how many of n_points `null_basis_scores` scores by default: at least 4.

    The same on every machine: the sample is part of the result.
    """
    a_row = _seconds_per_row(m, max(0, m - (k - 1)), n_bases) / PROCESSORS
    return min(n_points, LARGEST_SAMPLE, max(4, int(SAMPLE_SECONDS / a_row)))


def _chosen(rows: ArrayLike | None, n_points: int, n_affordable: int, seed: int) -> IntArray:
    if rows is None:
        return sample_rows(np.arange(n_points), n_affordable, seed)
    chosen = np.unique(np.asarray(rows))
    if chosen.dtype.kind not in "iu" or len(chosen) == 0:
        raise ValueError(f"rows must be one or more integer positions, got {rows!r}")
    if chosen[0] < 0 or chosen[-1] >= n_points:
        wrong = int(chosen[0] if chosen[0] < 0 else chosen[-1])
        raise ValueError(f"rows must be in [0, {n_points - 1}], got {wrong}")
    return chosen.astype(np.int64)


class _Work:
    """The arrays being filled, one row per point looked at."""

    def __init__(
        self, points: FloatArray, indices: IntArray, rank: IntArray, draws: FloatArray
    ) -> None:
        self.points, self.indices, self.rank, self.draws = points, indices, rank, draws
        self.drivers = np.empty((len(indices), len(DRIVERS)))
        self.axis_aligned = np.empty(len(indices))

    def fill(self, seed: int, n_jobs: int, progress: Progress | None) -> None:
        """Fill every row, rows of equal rank together and a few bases at a time."""
        n_bases = self.draws.shape[1]
        stages = Stages(progress, len(self.rank) * n_bases)
        for rank in np.unique(self.rank):
            members = np.flatnonzero(self.rank == rank)
            n0 = self.points.shape[1] - int(rank)
            rng = np.random.default_rng([seed, n0])
            chunk = max(1, min(n_bases, _CHUNK_BYTES // (8 * max(1, n0) ** 2)))
            for first in range(0, n_bases, chunk):
                count = min(chunk, n_bases - first)
                rotations = random_rotations(n0, count, rng)

                def block(
                    start: int,
                    stop: int,
                    members: IntArray = members,
                    first: int = first,
                    rotations: FloatArray = rotations,
                ) -> None:
                    for row in members[start:stop]:
                        self._fill_row(int(row), first, rotations)

                report = stages.next(len(members) * count)
                run_blocks(block, len(members), 1, n_jobs, report)

    def _fill_row(self, row: int, first: int, rotations: FloatArray) -> None:
        patch, exponent = centred(self.points[self.indices[row]])
        lam, in_range, null = range_and_null(patch)
        own = float(shape_share(lam, in_range, in_range)) + float(lam.sum())

        def score(share: FloatArray) -> FloatArray:
            return np.asarray(np.ldexp(0.5 * (own + share), 2 * exponent))

        stop = first + len(rotations)
        n0 = null.shape[1]
        if n0 < 2:  # one basis up to its sign
            self.draws[row, first:stop] = score(shape_share(lam, in_range, null))
        else:
            self.draws[row, first:stop] = score(rotated_shares(lam, in_range, null, rotations))
        if first > 0:
            return
        covariance = patch.T @ patch
        for column, driver in enumerate(DRIVERS):
            basis = linalg.eigh(covariance, driver=driver)[1][:, :n0]
            self.drivers[row, column] = score(shape_share(lam, in_range, basis))
        projector = np.eye(len(covariance)) - in_range @ in_range.T
        axis_aligned = np.asarray(linalg.qr(projector, pivoting=True)[0][:, :n0], dtype=np.float64)
        self.axis_aligned[row] = score(shape_share(lam, in_range, axis_aligned))
