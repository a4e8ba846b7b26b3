"""One neighbourhood taken apart: every step from its points to its score, kept to be looked at."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from mecuco_core._kernels.compiled_exact import scaled_eigenbasis
from mecuco_core._kernels.patch import centred, numerical_rank
from mecuco_core._types import FloatArray, IntArray, Mode
from mecuco_core._validation import check_n_jobs, check_points
from mecuco_core.curvature import scored
from mecuco_core.neighbors import KnnGraph, as_graph

LARGEST_BASIS = 1500
"""Features up to which the whole basis W is formed: beyond it only its range."""

LARGEST_PRODUCTS = 2_000_000
"""Numbers of H that are formed at most; for more, only some of its rows."""

MOST_SHOWN = 64
"""Rows of H that are formed at most."""


@dataclass(frozen=True, eq=False)
class Xray:
    """One neighbourhood, step by step.

    Attributes
    ----------
    position : int
        Of the point.
    neighbors : ndarray of shape (k,)
    distances : ndarray of shape (k,)
    patch : ndarray of shape (k, n_features)
        The neighbours minus their mean.
    eigenvalues : ndarray of shape (n_columns,)
        Of the local covariance Σ, descending.
    basis : ndarray of shape (n_features, n_columns)
        W, its eigenvectors, as the mode `exact` uses them; n_columns is n_features, or where that
        is larger than `LARGEST_BASIS` the rank.
    rank : int
    shown : ndarray of shape (b,)
        Features with the largest local variance, in the order of the data: those for which rows
        of H are formed.
    averaged : dict of Mode to float
        The shape half by `fast` and `haar`, which average over the null space.
    """

    position: int
    neighbors: IntArray
    distances: FloatArray
    patch: FloatArray
    eigenvalues: FloatArray
    basis: FloatArray
    rank: int
    shown: IntArray
    averaged: dict[Mode, float]

    @property
    def n_features(self) -> int:
        """The m of the formulas."""
        return int(self.patch.shape[1])

    @property
    def complete(self) -> bool:
        """Whether W is whole."""
        return bool(self.basis.shape[1] == self.n_features)

    @property
    def trace(self) -> float:
        """The local scatter τ, the trace of Σ."""
        return float(self.eigenvalues.sum())

    @property
    def n_products(self) -> int:
        """Columns of H."""
        return self.n_features * (self.n_features + 1) // 2

    @cached_property
    def orthogonality(self) -> float:
        """Largest entry of |WᵀW - I|."""
        gram = self.basis.T @ self.basis
        return float(np.abs(gram - np.eye(len(gram))).max())

    @cached_property
    def products(self) -> FloatArray:
        """Rows `shown` of H = [w_l∘w_l | w_j∘w_l, j < l], (b, n_products); needs all of W."""
        W = self.basis[self.shown]  # noqa: N806 - the paper's letter
        j, l = np.triu_indices(self.basis.shape[1], k=1)  # noqa: E741
        return np.hstack([W**2, W[:, j] * W[:, l]])

    @cached_property
    def gram(self) -> FloatArray:
        """H Hᵀ from the products themselves, (b, b)."""
        return np.asarray(self.products @ self.products.T)

    @cached_property
    def identity(self) -> FloatArray:
        """½ W²(W²)ᵀ + ½ I, which H Hᵀ is claimed to be, (b, b)."""
        squares = self.basis[self.shown] ** 2
        return np.asarray(0.5 * squares @ squares.T + 0.5 * np.eye(len(squares)))

    @property
    def identity_error(self) -> float:
        """Largest difference between the two."""
        return float(np.abs(self.gram - self.identity).max())

    @cached_property
    def shares(self) -> FloatArray:
        """Σ_l C_sl² of every eigenvector s in the range, (rank,): 1 along an axis."""
        C = self.basis[:, : self.rank].T @ self.basis**2  # noqa: N806 - the paper's letter
        return np.asarray((C**2).sum(axis=1))

    @property
    def halves(self) -> dict[Mode, tuple[float, float]]:
        """Scatter and shape half of the score, by `exact` (this very W, if whole) and others."""
        found: dict[Mode, tuple[float, float]] = {}
        if self.complete:
            exact = float(0.5 * self.eigenvalues[: self.rank] @ self.shares)
            found["exact"] = (0.5 * self.trace, exact)
        for mode, shape in self.averaged.items():
            found[mode] = (0.5 * self.trace, shape)
        return found

    @property
    def traced(self) -> float:
        """tr(H Hᵀ Σ) with H Hᵀ from the products; NaN where not all rows of H are formed."""
        if not self.complete or len(self.shown) < self.n_features:
            return float("nan")
        covariance = (self.basis * self.eigenvalues) @ self.basis.T
        return float(np.trace(self.gram @ covariance))


def xray(points: ArrayLike, neighbors: KnnGraph | ArrayLike, position: int) -> Xray:
    """Take the neighbourhood of one point apart.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
    neighbors : KnnGraph or array-like of shape (n_points, n_neighbors)
    position : int
    """
    clean = check_points(points)
    graph = as_graph(neighbors, clean, None, check_n_jobs(None))
    n_points, m = clean.shape
    if not 0 <= position < n_points:
        raise ValueError(f"position must be in [0, {n_points - 1}], got {position}")
    own = slice(position, position + 1)
    one = KnnGraph(graph.indices[own], graph.distances[own], graph.method, graph.seed)
    near = one.indices[0]
    A, exponent = centred(clean[near])  # noqa: N806 - the paper's letter
    if m <= LARGEST_BASIS:
        lam, basis, rank, _ = scaled_eigenbasis(clean, near)
    else:
        _, s, Vt = np.linalg.svd(A, full_matrices=False)  # noqa: N806
        rank = numerical_rank(s, *A.shape)
        lam, basis = s[:rank] ** 2 / (len(near) - 1), Vt[:rank].T
    modes: tuple[Mode, ...] = ("fast", "haar")
    scores = {mode: scored(clean, one, mode, 1) for mode in modes}
    affordable = max(2, LARGEST_PRODUCTS // (m * (m + 1) // 2))
    largest = np.argsort(-(A**2).sum(axis=0), kind="stable")
    return Xray(
        position=position,
        neighbors=near,
        distances=one.distances[0],
        patch=np.ldexp(A, exponent),
        eigenvalues=np.ldexp(lam, 2 * exponent),
        basis=basis,
        rank=int(rank),
        shown=np.sort(largest[: min(m, MOST_SHOWN, affordable)]),
        averaged={mode: float(one.shape[0]) for mode, one in scores.items()},
    )
