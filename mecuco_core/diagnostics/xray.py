"""One neighbourhood step by step: every step from its points to its score, in every mode.

Readable and by itself: nothing is taken from the kernels but the eigenvectors that `exact` uses.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from mecuco_core.kernels.score.compiled_exact import scaled_eigenbasis
from mecuco_core.kernels.score.patch import centred, numerical_rank
from mecuco_core.neighbors.graph import KnnGraph, as_graph
from mecuco_core.types import FloatArray, IntArray, Mode
from mecuco_core.validation import check_n_jobs, check_points

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
    in_range, edge, leverage, squares : ndarray of shape (rank,)
        What (6) and (7) of docs/method.md sum over the eigenvectors s in the range, before it is
        weighted by λ_s: Σ_l T_sll², (Σ_i V_is (1 - q_i))², Σ_i V_is² q_i and Σ_lj T_slj².
    """

    position: int
    neighbors: IntArray
    distances: FloatArray
    patch: FloatArray
    eigenvalues: FloatArray
    basis: FloatArray
    rank: int
    shown: IntArray
    in_range: FloatArray
    edge: FloatArray
    leverage: FloatArray
    squares: FloatArray

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

    @property
    def n_null(self) -> int:
        """The n0 of the formulas: dimensions the neighbours leave open."""
        return self.n_features - self.rank

    def averages(self, mode: Mode) -> bool:
        """Whether a mode averages over bases of the null space here, and needs none of them."""
        return self.n_null > 0 and mode in ("fast", "haar")

    @cached_property
    def projector(self) -> FloatArray:
        """Rows and columns `shown` of P = I - VVᵀ, (b, b)."""
        V = self.basis[self.shown, : self.rank]  # noqa: N806 - the paper's letter
        return np.asarray(np.eye(len(V)) - V @ V.T)

    def product(self, mode: Mode) -> FloatArray:
        """Rows and columns `shown` of what a mode has for H Hᵀ, (b, b): κ is the trace of it by Σ.

        Of `haar` it is the average over all bases of the null space, of `fast` what that takes
        for it; of the other modes that in the basis W.
        """
        if not self.averages(mode):
            return self.identity
        P, one = self.projector, np.eye(len(self.shown))  # noqa: N806
        V2 = self.basis[self.shown, : self.rank] ** 2  # noqa: N806
        edges = np.outer(np.diag(P), np.diag(P))
        if mode == "haar":
            null = (edges + 2.0 * P**2) / (self.n_null + 2)
        else:
            null = (edges + 2.0 * ((one - P) ** 2 - one)) / self.n_null
        return np.asarray(0.5 * (V2 @ V2.T + null + one))

    def compared(self, mode: Mode) -> FloatArray | None:
        """Return what `product` is set beside, (b, b), None where W is not whole.

        Of `haar` H Hᵀ in the basis of `exact`, of `fast` the average it aims at, of the others
        H Hᵀ from the products themselves.
        """
        if not self.averages(mode):
            return self.gram if self.complete else None
        if mode == "fast":
            return self.product("haar")
        return self.identity if self.complete else None

    def shares(self, mode: Mode) -> FloatArray:
        """Return what weighs ½ λ_s of every s in the range in the alignment half, (rank,).

        1 along an axis. `exact` and `original` need all of W.
        """
        if self.averages(mode):
            divisor = self.n_null + (2 if mode == "haar" else 0)
            return self.in_range + (self.edge + 2.0 * self.middle(mode)) / divisor
        C = self.basis[:, : self.rank].T @ self.basis**2  # noqa: N806 - the paper's letter
        return np.asarray((C**2).sum(axis=1))

    def middle(self, mode: Mode) -> FloatArray:
        """Return what λ_s is weighted with in b of `haar`, or in t_B of `fast`, (rank,)."""
        if mode == "fast":
            return self.squares - 1.0
        return 1.0 - 2.0 * self.leverage + self.squares

    def over_range(self, terms: FloatArray) -> float:
        """Return Σ_s λ_s of some terms (rank,)."""
        return float(self.eigenvalues[: self.rank] @ terms)

    def halves(self, mode: Mode) -> tuple[float, float]:
        """Return scatter and alignment of the score; NaN where it needs a W that is not whole."""
        scatter = 0.5 * self.trace
        if not self.complete and not self.averages(mode):
            return scatter, float("nan")
        if mode == "original" and not np.isnan(self.traced):
            return scatter, self.traced - scatter
        alignment = 0.5 * self.over_range(self.shares(mode))
        if mode == "fast":  # the absolute value is part of the published algorithm
            alignment = abs(scatter + alignment) - scatter
        return scatter, alignment

    @property
    def traced(self) -> float:
        """tr(H Hᵀ Σ) with H Hᵀ from the products; NaN where not all rows of H are formed."""
        if not self.complete or len(self.shown) < self.n_features:
            return float("nan")
        covariance = (self.basis * self.eigenvalues) @ self.basis.T
        return float(np.trace(self.gram @ covariance))


def xray(points: ArrayLike, *, graph: KnnGraph | ArrayLike, position: int) -> Xray:
    """Return every step from the neighbours of one point to its score.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
    graph : KnnGraph or array-like of shape (n_points, n_neighbors)
    position : int
    """
    clean = check_points(points)
    found = as_graph(graph, clean, None, check_n_jobs(None))
    n_points, m = clean.shape
    if not 0 <= position < n_points:
        raise ValueError(f"position must be in [0, {n_points - 1}], got {position}")
    own = slice(position, position + 1)
    one = KnnGraph(found.indices[own], found.distances[own], found.method, found.seed)
    near = one.indices[0]
    A, exponent = centred(clean[near])  # noqa: N806 - the paper's letter
    if m <= LARGEST_BASIS:
        lam, basis, rank, _ = scaled_eigenbasis(clean, near)
    else:
        _, singular, Vt = np.linalg.svd(A, full_matrices=False)  # noqa: N806
        rank = numerical_rank(singular, *A.shape)
        lam, basis = singular[:rank] ** 2 / (len(near) - 1), Vt[:rank].T
    V = basis[:, :rank]  # noqa: N806
    q = (V**2).sum(axis=1)
    in_range, squares = _third_moments(V)
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
        in_range=in_range,
        edge=((1.0 - q) @ V) ** 2,
        leverage=q @ V**2,
        squares=squares,
    )


def _third_moments(V: FloatArray) -> FloatArray:  # noqa: N803
    """Return Σ_l T_sll² and Σ_lj T_slj² of every s, (2, rank), with T_slj = Σ_i V_is V_il V_ij."""
    slices = ((V * V[:, s : s + 1]).T @ V for s in range(V.shape[1]))
    sums = [((np.diag(T) ** 2).sum(), (T**2).sum()) for T in slices]
    return np.array(sums, dtype=np.float64).reshape(-1, 2).T
