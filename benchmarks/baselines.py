"""What the engine is measured against: per-point loops as the paper lists them."""

from typing import Any

import numpy as np
from scipy import linalg


def algorithm_1(neighborhood: Any) -> float:
    """Score by the fast branch of Algorithm 1: LAPACK's SVD, the einsum as printed."""
    k, m = neighborhood.shape
    Xc = neighborhood - neighborhood.mean(axis=0)
    _, s, Vt = np.linalg.svd(Xc, full_matrices=False)
    p = min(k - 1, m)
    V = Vt[:p].T
    lam = s[:p] ** 2 / (k - 1)
    tau = lam.sum()
    t_range = ((Xc @ V**2) ** 2).sum() / (k - 1)
    d = 1.0 - (V**2).sum(axis=1)
    t_a = ((Xc @ d) ** 2).sum() / (k - 1)
    t_b2 = ((Xc @ V) ** 2).sum() / (k - 1)
    G = np.einsum("ai,il,ij->alj", Xc, V, V)
    t_b = tau - 2 * t_b2 + (G**2).sum() / (k - 1)
    t_null = (t_a + 2 * t_b) / (m - p) if m > p else 0.0
    return float(abs(0.5 * (t_range + t_null) + 0.5 * tau))


def exact_by_eigh(neighborhood: Any) -> float:
    """Score by the exact branch of Algorithm 1: scipy's eigh, driver as the paper chooses."""
    sigma = np.cov(neighborhood, rowvar=False)
    lam, W = linalg.eigh(sigma, driver="evr" if len(sigma) < 500 else "evd")
    C = W.T @ W**2
    return float(abs(0.5 * lam @ (C**2).sum(axis=1) + 0.5 * lam.sum()))
