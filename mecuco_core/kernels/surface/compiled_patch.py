"""A patch made ready for its quadric, compiled: in tangents and normals, with its design.

Notation as in `quadric`, the readable twin, but arrays stand on their side: a row for each
column of the design, of t and of y, so that every inner loop runs along a row. Loops are written
out where NumPy has a word for them: each of its words costs a tenth of a second to compile.

    X   (m, N)      the patch
    Z   (r, N)      t in the first d rows, y in the others
    E   (r, m)      the axes of Z
    A   (q, N)      the columns of B; the quadratic ones are the last, because then their
                    coefficients need only the last block of R
"""

from typing import Any

import numpy as np

from mecuco_core.kernels.compiled import compiled
from mecuco_core.kernels.linalg.least_squares import (
    inner,
    multiply,
    orthonormalise,
    solve_upper,
    subtract,
)
from mecuco_core.kernels.linalg.small_eigen import descending_eigh
from mecuco_core.kernels.surface.quadric import SLACK, SMALLEST_EXTENT


@compiled(error_model="numpy")
def local_patch(points: Any, query: Any, row: Any) -> Any:
    """Return X with its largest entry 1, the point in its first column, and the length that was."""
    k, m = len(row), len(query)
    X = np.zeros((m, k + 1))
    largest = 0.0
    for a in range(k):
        for i in range(m):
            X[i, a + 1] = points[row[a], i] - query[i]
            largest = max(largest, abs(X[i, a + 1]))
    if largest == 0.0:
        return X, 1.0
    for i in range(m):
        for n in range(k + 1):
            X[i, n] /= largest
    return X, largest


@compiled(error_model="numpy")
def _principal_axes(X: Any) -> Any:
    """Return the principal axes of the columns of X, largest first, as rows."""
    r, N = X.shape
    C, S = np.empty((r, N)), np.empty((r, r))
    for i in range(r):
        mean = 0.0
        for n in range(N):
            mean += X[i, n] / N
        for n in range(N):
            C[i, n] = X[i, n] - mean
        for j in range(i + 1):
            S[i, j] = inner(C[i], C[j])
            S[j, i] = S[i, j]
    return descending_eigh(S, True)[1]


@compiled(error_model="numpy")
def principal_frame(X: Any) -> Any:
    """Return the patch in its principal axes, Z, and these axes, E."""
    m, N = X.shape
    r = min(m, N - 1)
    Z, E = np.empty((r, N)), np.empty((r, m))
    if r == m:
        W = _principal_axes(X)
        multiply(W, X, Z)
        return Z, W
    # By QR, which unlike the Gram matrix keeps the digits of flat patches.
    neighbors = np.empty((m, r))
    for i in range(m):
        for n in range(r):
            neighbors[i, n] = X[i, n + 1]
    columns, R = np.linalg.qr(neighbors)
    inside, span = np.zeros((r, N)), np.empty((r, m))
    for j in range(r):
        for n in range(r):
            inside[j, n + 1] = R[j, n]
        for i in range(m):
            span[j, i] = columns[i, j]
    W = _principal_axes(inside)
    multiply(W, inside, Z)
    multiply(W, span, E)
    return Z, E


@compiled(error_model="numpy")
def scaled_tangents(Z: Any, d: Any) -> Any:
    """Return t (d, N) in units of rho, zero along tangents without extent, and rho, or 1."""
    N = Z.shape[1]
    total = 0.0
    for a in range(d):
        total += inner(Z[a], Z[a])
    rho = np.sqrt(total / N)
    if rho == 0.0:
        rho = 1.0
    t = np.zeros((d, N))
    for a in range(d):
        if np.sqrt(inner(Z[a], Z[a]) / N) > SMALLEST_EXTENT * rho:
            for n in range(N):
                t[a, n] = Z[a, n] / rho
    return t, rho


@compiled(error_model="numpy")
def design(t: Any, cubic: Any, q: Any) -> Any:
    """Return A, not yet orthonormal."""
    d, N = t.shape
    A = np.empty((q, N))
    for n in range(N):
        A[0, n] = 1.0
    last = 1 + d
    first = q - d * (d + 1) // 2
    for a in range(d):
        for n in range(N):
            A[1 + a, n] = t[a, n]
        for b in range(a, d):
            half = 0.5 if a == b else 1.0
            for n in range(N):
                A[first, n] = half * t[a, n] * t[b, n]
            first += 1
            if cubic:
                for c in range(b, d):
                    for n in range(N):
                        A[last, n] = t[a, n] * t[b, n] * t[c, n]
                    last += 1
    return A


@compiled(error_model="numpy")
def remove_slope(Z: Any, E: Any, d: Any) -> None:
    """Turn Z and E until a quadric over the tangents has no slope at the point."""
    r = len(Z)
    q = 1 + d + d * (d + 1) // 2
    t, rho = scaled_tangents(Z, d)
    A, R, z = design(t, False, q), np.zeros((q, q)), np.empty(q)
    orthonormalise(A, R)
    M = np.zeros((d, r))  # the new tangents, not yet orthonormal
    for b in range(r - d):
        for j in range(q):
            z[j] = inner(A[j], Z[d + b])
        solve_upper(R, 0, q, z)
        for a in range(d):
            M[a, d + b] = z[1 + a] / rho
    for a in range(d):  # Householder reflections that bring the tangents onto the first axes
        M[a, a] += 1.0
        v = np.zeros(r)
        for i in range(a, r):
            v[i] = M[a, i]
        norm = np.sqrt(inner(v, v))
        v[a] += norm if v[a] >= 0.0 else -norm
        norm = np.sqrt(inner(v, v))
        for i in range(a, r):
            v[i] /= norm
        for c in range(a, d):
            subtract(M[c], 2.0 * inner(M[c], v), v)
        _reflect(Z, v)
        _reflect(E, v)


@compiled(error_model="numpy")
def _reflect(rows: Any, v: Any) -> None:
    """Overwrite rows (r, .) with (1 - 2 v vᵀ) rows."""
    share = np.zeros(rows.shape[1])
    for i in range(len(v)):
        for n in range(rows.shape[1]):
            share[n] += v[i] * rows[i, n]
    for i in range(len(v)):
        subtract(rows[i], 2.0 * v[i], share)


@compiled(error_model="numpy")
def unselected(Z: Any, d: Any, least: Any) -> Any:
    """Return the columns of Z that are neighbours whatever y is there, and which they are."""
    r, N = Z.shape
    t2 = np.zeros(N)
    farthest, highest = 0.0, 0.0
    for n in range(N):
        y2 = 0.0
        for i in range(r):
            if i < d:
                t2[n] += Z[i, n] * Z[i, n]
            else:
                y2 += Z[i, n] * Z[i, n]
        farthest, highest = max(farthest, t2[n] + y2), max(highest, y2)
    limit = (1.0 + SLACK) * farthest - highest
    kept = _n_within(t2, limit)
    while kept < min(least, N):  # on to the next distance along the surface
        following = np.inf
        for n in range(N):
            if t2[n] > limit:
                following = min(following, t2[n])
        limit = (1.0 + SLACK) * following
        kept = _n_within(t2, limit)
    out, places = np.empty((r, kept)), np.empty(kept, np.int64)
    j = 0
    for n in range(N):
        if t2[n] <= limit:
            places[j] = n
            for i in range(r):
                out[i, j] = Z[i, n]
            j += 1
    return out, places


@compiled(error_model="numpy")
def _n_within(t2: Any, limit: Any) -> Any:
    count = 0
    for n in range(len(t2)):
        if t2[n] <= limit:
            count += 1
    return count
