"""One neighbourhood in many null bases: its score in each, and how they differ."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from mecuco_core.diagnostics.null_bases.scores import (
    AXIS_ALIGNED,
    DRIVERS,
    NullBasisSpread,
    null_basis_scores,
)
from mecuco_core.kernels.score.null_bases import random_rotations, range_and_null
from mecuco_core.kernels.score.patch import centred
from mecuco_core.neighbors.graph import KnnGraph, as_graph
from mecuco_core.types import FloatArray
from mecuco_core.validation import check_n_jobs, check_points


@dataclass(frozen=True, eq=False)
class PointBases:
    """What `exact` can be at one point, and why LAPACK's bases are not typical ones.

    Attributes
    ----------
    spread : NullBasisSpread
        Of this point alone.
    random_closeness : ndarray of shape (n_bases,)
        How close the random bases are to the axes, see `axis_closeness`.
    closeness : dict of str to float
        The same of the basis of every driver, and of the axis-aligned one (`AXIS_ALIGNED`).
    bases : dict of str to ndarray of shape (n_features, n0)
        The first random basis ("random") and those of `closeness`.
    """

    spread: NullBasisSpread
    random_closeness: FloatArray
    closeness: dict[str, float]
    bases: dict[str, FloatArray]

    @property
    def n_null(self) -> int:
        """Dimension n0 of the null space."""
        return int(self.spread.n_features - self.spread.rank[0])

    def scores(self) -> dict[str, float]:
        """Return the score by every way that is one number."""
        spread = self.spread
        found = {"haar": float(spread.haar[0]), "fast": float(spread.fast[0])}
        for column, driver in enumerate(DRIVERS):
            found[driver] = float(spread.drivers[0, column])
        return found | {AXIS_ALIGNED: float(spread.axis_aligned[0])}


def axis_closeness(basis: FloatArray) -> float:
    """Return how close a basis (m, n0) is to the coordinate axes: the mean of Σ_i w_i⁴.

    1 where every vector is a coordinate axis, 1/m where all entries are equal.
    """
    return float((basis**4).sum(axis=0).mean()) if basis.shape[1] else float("nan")


def point_bases(
    points: ArrayLike,
    *,
    graph: KnnGraph | ArrayLike,
    position: int,
    n_bases: int = 400,
    seed: int = 0,
) -> PointBases:
    """Score one point in many bases of its null space, and measure the bases.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
    graph : KnnGraph or array-like of shape (n_points, n_neighbors)
    position : int
    n_bases : int, default=400
    seed : int, default=0
        Of the random bases.
    """
    clean = check_points(points)
    found = as_graph(graph, clean, None, check_n_jobs(None))
    spread = null_basis_scores(clean, graph=found, n_bases=n_bases, seed=seed, rows=[position])
    patch, _ = centred(clean[found.indices[position]])
    _, in_range, null = range_and_null(patch)
    n0 = null.shape[1]
    # The same stream as in `null_basis_scores`, and so the same bases.
    rng = np.random.default_rng([seed, n0])
    random_closeness, first = np.empty(n_bases), null
    for draw in range(n_bases):
        basis = null @ random_rotations(n0, 1, rng)[0]
        random_closeness[draw] = axis_closeness(basis)
        if draw == 0:
            first = basis
    covariance = patch.T @ patch
    bases: dict[str, FloatArray] = {"random": first}
    closeness: dict[str, float] = {}
    for driver in DRIVERS:
        basis = linalg.eigh(covariance, driver=driver)[1][:, :n0]
        closeness[driver] = axis_closeness(basis)
        bases[driver] = basis
    projector = np.eye(len(covariance)) - in_range @ in_range.T
    bases[AXIS_ALIGNED] = np.asarray(linalg.qr(projector, pivoting=True)[0][:, :n0])
    closeness[AXIS_ALIGNED] = axis_closeness(bases[AXIS_ALIGNED])
    return PointBases(spread, random_closeness, closeness, bases)


@dataclass(frozen=True, eq=False)
class NullSeries:
    """How much the basis matters as m/k grows; every array of shape (c,), relative to `haar`.

    Attributes
    ----------
    ratio : ndarray
        m/k.
    n_features, n_neighbors : ndarray
    random : ndarray
        Standard deviation over random bases, median over points.
    lapack, axis_aligned, fast : ndarray
        Median difference of LAPACK's `evr`, of the axis-aligned basis, and of published `fast`.
    """

    ratio: FloatArray
    n_features: FloatArray
    n_neighbors: FloatArray
    random: FloatArray
    lapack: FloatArray
    axis_aligned: FloatArray
    fast: FloatArray


def series_row(spread: NullBasisSpread) -> tuple[float, ...]:
    """Return one column of a `NullSeries`, in the order of its fields."""
    m, k = spread.n_features, spread.n_neighbors
    wide = spread.sd / np.where(spread.haar > 0, spread.haar, 1.0)
    column = DRIVERS.index("evr")
    return (
        m / k, float(m), float(k), float(np.median(wide)),
        float(np.median(spread.relative(spread.drivers[:, column]))),
        float(np.median(spread.relative(spread.axis_aligned))),
        float(np.median(spread.relative(spread.fast))),
    )  # fmt: skip
