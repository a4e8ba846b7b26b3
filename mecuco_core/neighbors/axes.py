"""Leading axes of the points, where most of their spread lies: products of them bound distances."""

from dataclasses import dataclass

import numpy as np

from mecuco_core.neighbors.cost import measured_units, pair_units
from mecuco_core.neighbors.single import BLOCK, SingleArray, SinglePoints
from mecuco_core.runtime.threads import run_blocks, single_threaded_blas
from mecuco_core.types import FloatArray, IntArray

MOST_AXES = 256
FEWEST_FEATURES = 32
"""Rows of fewer features are short enough."""

WORTH_IT = 0.9
"""A bound along axes must save at least a tenth: finding it is not free."""

FEWEST_AXES = 16
_TRIED_AXES = (FEWEST_AXES, 32, 48, 64, 96, 128, 192, MOST_AXES)
_SAMPLE = 4096  # points the axes are found from, and pairs are counted with


@dataclass(frozen=True, eq=False)
class Axes:
    """Leading axes of the points, (n_features, n_axes), orthonormal in double precision."""

    directions: FloatArray

    def shadows(self, rows: SingleArray, n_jobs: int) -> SingleArray:
        """Coordinates along the axes, and the length of what is left: (n_rows, n_axes + 1)."""
        m, p = self.directions.shape
        short = np.empty((len(rows), p + 1), dtype=np.float32)

        def block(start: int, stop: int) -> None:
            whole = rows[start:stop, :m].astype(np.float64)
            along = whole @ self.directions
            left = np.einsum("ij,ij->i", whole, whole) - np.einsum("ij,ij->i", along, along)
            short[start:stop, :p] = along
            short[start:stop, p] = np.sqrt(np.maximum(left, 0.0))

        run_blocks(block, len(rows), BLOCK, n_jobs)
        return short


def leading_axes(single: SinglePoints) -> Axes:
    """Return axes that hold most of the spread of the points, the longest first.

    Found by products with a sample (Halko, Martinsson and Tropp, 2011): any orthonormal axes give
    a bound, these a close one.
    """
    n, m = len(single.rows), len(single.centre)
    sample = single.rows[:: max(1, n // _SAMPLE), :m]
    sample = np.clip(sample, -1e3, 1e3) - np.float32(0.0)  # a point far away is no direction
    sample -= sample.mean(axis=0)
    rng = np.random.default_rng(0)
    basis = rng.standard_normal((m, min(m, MOST_AXES + 8))).astype(np.float32)
    with single_threaded_blas():
        for _ in range(2):
            basis = np.linalg.qr(sample.T @ (sample @ basis))[0]
        along = (sample @ basis).astype(np.float64)
        turn = np.linalg.eigh(along.T @ along)[1][:, ::-1]
        directions = np.linalg.qr(basis.astype(np.float64) @ turn)[0]
    return Axes(np.ascontiguousarray(directions[:, : min(m, MOST_AXES)]))


def best_axes(single: SinglePoints, rows: IntArray, reach: FloatArray) -> tuple[Axes | None, float]:
    """Return the axes a sieve costs least with, or None, and what a pair then costs.

    Parameters
    ----------
    single : SinglePoints
    rows : ndarray of shape (n_rows,)
        A sample of the points.
    reach : ndarray of shape (n_rows,)
        Squared distance to the k-th neighbour of each.

    Returns
    -------
    axes : Axes or None
    cost : float
        In units of `cost.pair_units`.
    """
    n, m = len(single.rows), len(single.centre)
    least = pair_units(m)
    if m < FEWEST_FEATURES:
        return None, least
    axes = leading_axes(single)
    others = np.arange(0, n, max(1, n // _SAMPLE))
    both = np.concatenate([rows, others])
    whole = single.rows[both, :m].astype(np.float64)
    with single_threaded_blas():
        along = whole @ axes.directions
        norms = np.einsum("ij,ij->i", whole, whole)
        best = None
        products = np.zeros((len(rows), len(others)))
        start = 0
        for p in (p for p in _TRIED_AXES if p <= axes.directions.shape[1] and p < m):
            products += along[: len(rows), start:p] @ along[len(rows) :, start:p].T
            start = p
            left = np.sqrt(
                np.maximum(norms - np.einsum("ij,ij->i", along[:, :p], along[:, :p]), 0.0)
            )
            bounds = norms[: len(rows), np.newaxis] + norms[len(rows) :]
            bounds -= 2.0 * (products + np.outer(left[: len(rows)], left[len(rows) :]))
            below = bounds <= reach[:, np.newaxis] / single.unit**2 * 1.05
            cost = pair_units(p) + float(below.mean()) * measured_units(m)
            if cost < WORTH_IT * least:
                best, least = p, cost / WORTH_IT
    if best is None:
        return None, least
    return Axes(np.ascontiguousarray(axes.directions[:, :best])), least * WORTH_IT
