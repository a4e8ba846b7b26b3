"""Score of one neighbourhood by Algorithm 1 of the paper, term by term as published  [eq. 7].

    A    (k, m)     centred neighbourhood (the paper's X_c)
    V    (m, p)     right singular vectors of A, p = k - 1 at most
    lam  (p,)       s**2 / (k - 1)
    d    (m,)       diagonal of I - V Vᵀ
    G    (k, p, p)  sum_i A_ai V_il V_ij

Two of its terms differ from the expectation they stand for; `haar` has them right and
docs/method.md section 4 says what each costs. Where neighbours repeat, the last singular vectors
belong to singular values of zero and are arbitrary: p is then the rank.
"""

import numpy as np

from mecuco_core.kernels.score.patch import Split, centred, numerical_rank
from mecuco_core.types import FloatArray


def fast_score(neighborhood: FloatArray) -> Split:
    """Score of one neighbourhood, O(k² m + k m p²)."""
    k, m = neighborhood.shape
    A, exponent = centred(neighborhood)
    _, s, Vt = np.linalg.svd(A, full_matrices=False)
    p = numerical_rank(s, k, m)
    V, lam = Vt[:p].T, s[:p] ** 2 / (k - 1)
    trace = float(lam.sum())

    t_range = float(((A @ V**2) ** 2).sum()) / (k - 1)
    d = 1.0 - (V**2).sum(axis=1)
    t_a = float(((A @ d) ** 2).sum()) / (k - 1)
    G = np.einsum("ai,il,ij->alj", A, V, V, optimize=True)
    t_b = trace - 2.0 * float(((A @ V) ** 2).sum()) / (k - 1) + float((G**2).sum()) / (k - 1)
    t_null = (t_a + 2.0 * t_b) / (m - p) if m > p else 0.0

    score = abs(0.5 * (t_range + t_null) + 0.5 * trace)
    scatter = 0.5 * trace
    return Split(
        scatter=float(np.ldexp(scatter, 2 * exponent)),
        shape=float(np.ldexp(score - scatter, 2 * exponent)),
        rank=p,
    )
