"""Score of one neighbourhood by the identity H Hᵀ = ½ W²(W²)ᵀ + ½ I  [eq. 3, 4].

A    (k, m)  centred neighbourhood
lam  (m,)    eigenvalues of the local covariance, descending
W    (m, m)  its eigenvectors, one per column; the last m - r span the null space
C    (m, m)  Wᵀ W², squares taken element by element
"""

import numpy as np

from mecuco_core.kernels.score.patch import GAP, Split, centred, numerical_rank, split
from mecuco_core.types import FloatArray

LEAST_ORTHOGONAL = 0.5


def eigenbasis(A: FloatArray) -> tuple[FloatArray, FloatArray, int]:
    """Return lam, W and the rank r.

    Where r < m the last m - r columns of W are a basis of the null space as LAPACK's
    eigendecomposition returns it: see section 5.
    """
    k, m = A.shape
    squares, W = np.linalg.eigh(A.T @ A)
    squares, W = squares[::-1], W[:, ::-1]
    rank = min(k - 1, m)
    gaps = squares[:rank] - np.append(squares[1:rank], 0.0)
    if gaps.min() <= GAP * squares[0]:
        _, s, Wt = np.linalg.svd(A, full_matrices=True)
        rank = numerical_rank(s, k, m)
        squares = s**2
        W = with_null_basis(Wt.T, W, rank)
    lam = np.zeros(m)
    lam[:rank] = squares[:rank] / (k - 1)
    return lam, W, rank


def with_null_basis(W: FloatArray, eigenvectors: FloatArray, rank: int) -> FloatArray:
    """Return the range of W with the null space of `eigenvectors`, both (m, m).

    The SVD is exact on the range, but its null basis leans to the axes far more than that of the
    eigendecomposition, which is what `exact` means. Where that one is too inaccurate to be made
    orthogonal to the range, the null basis of the SVD stays.
    """
    m = len(W)
    if rank == m:
        return W
    V, N = W[:, :rank], eigenvectors[:, rank:]
    Q, R = np.linalg.qr(N - V @ (V.T @ N))
    if np.abs(np.diag(R)).min() < LEAST_ORTHOGONAL:
        return W
    return np.hstack([V, Q])


def score_in_basis(lam: FloatArray, W: FloatArray) -> float:
    """Shape sum of eq. 4 in a given basis, before the factor one half."""
    C = W.T @ W**2  # (m, m)
    return float(lam @ (C**2).sum(axis=1))


def exact_score(neighborhood: FloatArray) -> Split:
    """Score of one neighbourhood, O(k m² + m³)."""
    A, exponent = centred(neighborhood)
    lam, W, rank = eigenbasis(A)
    return split(score_in_basis(lam, W), lam.sum(), rank, exponent)
