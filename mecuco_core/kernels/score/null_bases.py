"""The score of one neighbourhood in a basis of its null space that is given, not averaged.

    A    (k, m)        centred neighbourhood
    V    (m, r)        eigenvectors of the range of the local covariance
    N    (m, n0)       one orthonormal basis of its null space, n0 = m - r
    lam  (r,)          non-zero eigenvalues
    Q    (b, n0, n0)   orthogonal matrices: N Q is another basis of the same space

Only the columns of W that span the null space depend on the basis chosen, so the shape sum of
eq. 4 is one number of the range, computed once, plus the share of the null space.
"""

import numpy as np

from mecuco_core.kernels.score.patch import numerical_rank
from mecuco_core.types import FloatArray

CACHED = 2**15
"""Numbers of an intermediate result that the second-level cache holds with room to spare."""


def range_and_null(A: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return lam, V and some N."""
    k, m = A.shape
    _, s, Wt = np.linalg.svd(A, full_matrices=True)
    r = numerical_rank(s, k, m)
    return s[:r] ** 2 / (k - 1), Wt[:r].T, Wt[r:].T


def shape_share(lam: FloatArray, V: FloatArray, columns: FloatArray) -> FloatArray:
    """Return sum_s lam_s sum_l (V_s . w_l²)² for the columns w_l of (..., m, c) matrices."""
    C = V.T @ columns**2  # (..., r, c)
    return np.asarray((C**2).sum(axis=-1) @ lam)


def rotated_shares(lam: FloatArray, V: FloatArray, N: FloatArray, Q: FloatArray) -> FloatArray:
    """Return the share of the null space in every basis N Q, (b,)."""
    # A few bases at a time stay in the cache: measured three times quicker than all at once.
    step = max(1, CACHED // max(1, N.size))
    shares = np.empty(len(Q))
    for start in range(0, len(Q), step):
        part = slice(start, start + step)
        shares[part] = shape_share(lam, V, N @ Q[part])
    return shares


def random_rotations(n0: int, count: int, rng: np.random.Generator) -> FloatArray:
    """Draw Q (count, n0, n0) from the Haar measure, up to the signs of columns.

    Signs do not matter here: basis vectors enter the score squared.
    """
    return np.linalg.qr(rng.standard_normal((count, n0, n0))).Q
