"""Score of one neighbourhood by the identity H Hᵀ = ½ W²(W²)ᵀ + ½ I  [eq. 3, 4].

A    (k, m)  centred neighbourhood
lam  (m,)    eigenvalues of the local covariance, descending
W    (m, m)  its eigenvectors, one per column; the last m - r span the null space
C    (m, m)  Wᵀ W², squares taken element by element
"""

import numpy as np

from mecuco_core._kernels.patch import GAP, Split, centred, numerical_rank, split
from mecuco_core._types import FloatArray


def eigenbasis(A: FloatArray) -> tuple[FloatArray, FloatArray, int]:
    """Return lam, W and the rank r.

    Where r < m the last m - r columns of W are whatever basis LAPACK returns: see section 5.
    """
    k, m = A.shape
    squares, W = np.linalg.eigh(A.T @ A)
    squares, W = squares[::-1], W[:, ::-1]
    rank = min(k - 1, m)
    gaps = squares[:rank] - np.append(squares[1:rank], 0.0)
    if gaps.min() <= GAP * squares[0]:
        _, s, Wt = np.linalg.svd(A, full_matrices=True)
        W, rank = Wt.T, numerical_rank(s, k, m)
        squares = np.zeros(m)
        squares[:rank] = s[:rank] ** 2
    lam = np.zeros(m)
    lam[:rank] = squares[:rank] / (k - 1)
    return lam, W, rank


def score_in_basis(lam: FloatArray, W: FloatArray) -> float:
    """Shape sum of eq. 4 in a given basis, before the factor one half."""
    C = W.T @ W**2  # (m, m)
    return float(lam @ (C**2).sum(axis=1))


def exact_score(neighborhood: FloatArray) -> Split:
    """Score of one neighbourhood, O(k m² + m³)."""
    A, exponent = centred(neighborhood)
    lam, W, rank = eigenbasis(A)
    return split(score_in_basis(lam, W), lam.sum(), rank, exponent)
