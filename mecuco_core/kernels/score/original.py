"""Score of one neighbourhood as first proposed: H and H Hᵀ are built in full  [eq. 1, 2].

lam  (m,)               eigenvalues of the local covariance Σ
W    (m, m)             its eigenvectors, one per column
H    (m, m (m + 1) / 2) squares w_l∘w_l, then cross products w_j∘w_l for j < l
"""

import numpy as np

from mecuco_core.kernels.score.exact import eigenbasis
from mecuco_core.kernels.score.patch import Split, centred
from mecuco_core.types import FloatArray


def trace_with_products(lam: FloatArray, W: FloatArray) -> float:
    """tr(H Hᵀ Σ), eq. 2."""
    j, l = np.triu_indices(len(lam), k=1)
    H = np.hstack([W**2, W[:, j] * W[:, l]])
    covariance = (W * lam) @ W.T
    return float(np.trace(H @ H.T @ covariance))


def original_score(neighborhood: FloatArray) -> Split:
    """Score of one neighbourhood, O(m⁴) in time and O(m³) in memory."""
    A, exponent = centred(neighborhood)
    lam, W, rank = eigenbasis(A)
    scatter = 0.5 * float(lam.sum())
    shape = trace_with_products(lam, W) - scatter
    return Split(
        scatter=float(np.ldexp(scatter, 2 * exponent)),
        shape=float(np.ldexp(shape, 2 * exponent)),
        rank=rank,
    )
