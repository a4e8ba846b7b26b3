"""The `exact` score, compiled: a block of points at a time, without the interpreter lock.

Notation as in `exact`, its readable twin. The caller runs blocks side by side and holds BLAS to
one thread meanwhile; each block keeps one m × m matrix at a time.

    terms  (n, N_TERMS)  one row per neighbourhood, columns named below  [eq. 8]
"""

from typing import Any

import numpy as np

from mecuco_core.kernels.compiled import compiled
from mecuco_core.kernels.linalg.small_eigen import descending_eigh
from mecuco_core.kernels.score.exact import LEAST_ORTHOGONAL
from mecuco_core.kernels.score.patch import GAP

TRACE, RANGE, NULL_A, LEVERAGE, SQUARES, RANK = range(6)
N_TERMS = 6
EPS = float(np.finfo(np.float64).eps)


@compiled()
def scaled_patch(points: Any, row: Any) -> Any:
    """Return A (k, m), centred, its largest entry in [1/2, 1), and its exponent."""
    k, m = len(row), points.shape[1]
    A = np.zeros((k, m))
    total = np.zeros(m)
    for a in range(1, k):
        for i in range(m):
            A[a, i] = points[row[a], i] - points[row[0], i]
            total[i] += A[a, i]
    largest = 0.0
    for a in range(k):
        for i in range(m):
            A[a, i] -= total[i] / k
            largest = max(largest, abs(A[a, i]))
    exponent = 0
    if largest > 0.0:
        while largest >= 1.0:
            largest *= 0.5
            exponent += 1
        while largest < 0.5:
            largest *= 2.0
            exponent -= 1
        # In two steps, because 2**-exponent alone may overflow.
        half = exponent // 2
        A *= 2.0**-half
        A *= 2.0 ** (half - exponent)
    return A, exponent


@compiled()
def unscaled(value: Any, exponent: Any) -> Any:
    """Return value * 4**exponent, in two steps against early overflow."""
    return value * 2.0**exponent * 2.0**exponent


@compiled()
def numerical_rank(singular_values: Any, k: Any, m: Any) -> Any:
    """Count the singular values above rounding, as `patch.numerical_rank` does."""
    floor = singular_values[0] * max(k, m) * EPS
    rank = 0
    while rank < min(k - 1, len(singular_values)) and singular_values[rank] > floor:
        rank += 1
    return rank


@compiled()
def resolved(squares: Any, rank: Any, least: Any) -> Any:
    """Whether the first `rank` squared singular values are distinct and exceed a share `least`."""
    floor = GAP * squares[0]
    for s in range(rank - 1):
        if squares[s] - squares[s + 1] <= floor:
            return False
    return squares[rank - 1] > least * squares[0]


@compiled()
def _with_null_basis(W: Any, A: Any, rank: Any) -> Any:
    """Return the range of W with LAPACK's null space of AᵀA, as `exact.with_null_basis` does."""
    m = len(W)
    V = np.ascontiguousarray(W[:, :rank])
    _, ascending = np.linalg.eigh(np.dot(A.T, A))
    N = np.ascontiguousarray(ascending[:, : m - rank][:, ::-1])
    Q, R = np.linalg.qr(N - np.dot(V, np.dot(V.T, N)))
    if np.abs(np.diag(R)).min() < LEAST_ORTHOGONAL:
        return W
    joined = np.empty((m, m))
    # By loops: one array assigned to a slice of another costs five seconds of compilation.
    for i in range(m):
        for j in range(rank):
            joined[i, j] = V[i, j]
        for j in range(m - rank):
            joined[i, rank + j] = Q[i, j]
    return joined


@compiled()
def eigenbasis(A: Any) -> Any:
    """Return lam (m,), W (m, m) and the rank of a centred neighbourhood (k, m).

    Where the neighbours do not span the space the null basis is LAPACK's, as in the paper.
    """
    k, m = A.shape
    rank = min(k - 1, m)
    squares, Wt = descending_eigh(np.dot(A.T, A), m < k)
    W = np.ascontiguousarray(Wt.T)
    if not resolved(squares, rank, GAP):
        _, singular, Wt = np.linalg.svd(A, True)
        W = np.ascontiguousarray(Wt.T)
        rank = numerical_rank(singular, k, m)
        squares = singular * singular
        if 0 < rank < m:
            W = _with_null_basis(W, A, rank)
    lam = np.zeros(m)
    for s in range(rank):
        lam[s] = squares[s] / (k - 1)
    return lam, W, rank


@compiled()
def scaled_eigenbasis(points: Any, row: Any) -> Any:
    """Return lam, W, the rank and the exponent of one neighbourhood."""
    A, exponent = scaled_patch(points, row)
    lam, W, rank = eigenbasis(A)
    return lam, W, rank, exponent


@compiled()
def shape_sum(lam: Any, W: Any, rank: Any) -> Any:
    """Return the sum of lam_s C_sl² over the range s and the whole basis l."""
    C = np.dot(W.T, W * W)
    shape = 0.0
    for s in range(rank):
        for l in range(C.shape[1]):
            shape += lam[s] * C[s, l] * C[s, l]
    return shape


@compiled()
def exact_block(points: Any, neighbors: Any, terms: Any) -> None:
    """Fill TRACE, RANGE and RANK of terms; RANGE holds the sum over the whole basis."""
    terms[:] = 0.0
    for i in range(len(neighbors)):
        lam, W, rank, exponent = scaled_eigenbasis(points, neighbors[i])
        terms[i, TRACE] = unscaled(lam.sum(), exponent)
        terms[i, RANGE] = unscaled(shape_sum(lam, W, rank), exponent)
        terms[i, RANK] = rank
