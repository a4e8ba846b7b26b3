"""Score of one neighbourhood, averaged over all bases of its null space  [eq. 6].

    A    (k, m)     centred neighbourhood
    V    (m, r)     right singular vectors of A with a non-zero singular value
    lam  (r,)       non-zero eigenvalues of the local covariance
    T    (r, r, r)  sum_i V_is V_il V_ij
    q    (m,)       leverages, the diagonal of V Vᵀ

The null space has no preferred basis, so its share is the expectation over the orthonormal
bases of it (Haar measure). With P = I - V Vᵀ and n0 = m - r:

    E = (a + 2 b) / (n0 + 2)
    a = sum_s lam_s (V_s . diag P)**2
    b = sum_s lam_s V_sᵀ (P * P) V_s            (* is element by element)
"""

import numpy as np

from mecuco_core.kernels.score.patch import Split, centred, numerical_rank, split
from mecuco_core.types import FloatArray


def haar_score(neighborhood: FloatArray) -> Split:
    """Score of one neighbourhood, O(k² m + m r³)."""
    k, m = neighborhood.shape
    A, exponent = centred(neighborhood)
    _, s, Vt = np.linalg.svd(A, full_matrices=False)
    r = numerical_rank(s, k, m)
    V, lam = Vt[:r].T, s[:r] ** 2 / (k - 1)
    trace = float(lam.sum())

    T = np.einsum("is,il,ij->slj", V, V, V, optimize=True)
    in_range = float(lam @ (np.einsum("sll->sl", T) ** 2).sum(axis=1))
    if r == m:
        return split(in_range, trace, r, exponent)

    q = (V**2).sum(axis=1)
    a = float(lam @ (V.T @ (1.0 - q)) ** 2)
    # V_sᵀ (P * P) V_s multiplied out, so that the (m, m) matrix P is never built.
    b = trace - 2.0 * float(q @ (V**2 @ lam)) + float(lam @ (T**2).sum(axis=(1, 2)))
    return split(in_range + (a + 2.0 * b) / (m - r + 2), trace, r, exponent)
