"""Shape of a surface at one point by a local quadric, readable  [section 9, eqs. 9 to 13].

X    (N, m)     the point and its k neighbours, minus the point; N = k + 1
E    (r, m)     orthonormal rows that span the patch, tangents first; r = min(k, m)
t    (N, d)     coordinates along the d tangents
y    (N, p)     coordinates along the p = r - d normals
g    (d, p)     slopes of y
Q    (p, d, d)  second derivatives of y: one second fundamental form for each normal
B    (N, q)     1, t, the cubic monomials where there are rows enough, the quadratic ones
rho             rms length of t, the radius of the patch
"""

from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from mecuco_core.kernels.linalg.least_squares import SMALLEST_PIVOT
from mecuco_core.types import FloatArray, IntArray

NEWTON_STEPS = 3
"""Newton steps towards the Q whose implied terms, taken off, give Q again."""

LARGEST_SHRINKAGE = 0.2
"""Beyond it the implied terms are no longer of third degree in Q, and the rule ends."""

SLACK = 1e-9

SMALLEST_EXTENT = 1e-6
"""A patch this thin along a tangent, relative to its radius, has no extent there but rounding."""


class Fit(NamedTuple):
    """What one patch says; from `along` on, what error bars and warnings are made of."""

    mean: FloatArray  # (m,)  mean curvature vector
    tangents: FloatArray  # (d, m)
    normal: FloatArray  # (m,)  zero unless d = m - 1, as the next two
    principal: FloatArray  # (d,)  descending
    directions: FloatArray  # (d, m)
    along: float  # standard error of H along itself
    across: float  # and over all directions across
    residual: float  # variance off the quadric over variance along one tangent
    reach: float  # largest |Q t|²: radius of the patch over radius of curvature, squared
    radius: float
    dof: int
    determined: bool
    weights: FloatArray  # (k,)  of the neighbours in a plane through their values at the point


def n_quadratic(d: int) -> int:
    """Return the unknowns of a quadric over d variables for each normal."""
    return 1 + d + d * (d + 1) // 2


def n_cubic(d: int) -> int:
    """Return the same with all terms of third degree."""
    return (d + 1) * (d + 2) * (d + 3) // 6


def fits_cubic(k: int, d: int) -> bool:
    """Whether k neighbours are enough to fit the terms of third degree too."""
    q = n_cubic(d)
    return 2 * (k + 1) >= max(3 * q, 2 * q + 6)


def fewest_neighbors(d: int) -> int:
    """Return the least k that leaves three degrees of freedom."""
    return n_quadratic(d) + 2


def fewest_rows(q: int) -> int:
    """Return the rows every patch keeps for q unknowns, if it has them."""
    return q + max(3, q // 2)


def quadric_fit(patch: FloatArray, d: int) -> Fit:
    """Fit one patch (k + 1, m), the point itself in its first row."""
    N, m = patch.shape
    cubic = fits_cubic(N - 1, d)
    X = patch - patch[0]
    scale = float(np.abs(X).max()) or 1.0
    X = X / scale
    E = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][: N - 1]
    E = _without_slope(X, E, d)
    Z = X @ E.T
    kept = _unselected(Z, d, fewest_rows(n_cubic(d) if cubic else n_quadratic(d)))
    t, y = Z[kept, :d], Z[kept, d:]
    scaled, rho = _scaled(t)

    B, pairs = _design(scaled, cubic)
    solve = _solver(B)  # (q, N)
    plain = Q = _forms(solve @ y, pairs, rho, d)
    for _ in range(NEWTON_STEPS):
        terms, _ = _gauss_terms(t, Q)
        Q = Q + _gain(plain, Q) * (_forms(solve @ (y - terms), pairs, rho, d) - Q)
    terms, reach = _gauss_terms(t, Q)
    rest = y - terms
    theta = solve @ rest
    Q = _forms(theta, pairs, rho, d)
    g = theta[1 : d + 1] / rho

    L = np.linalg.cholesky(np.eye(d) + g @ g.T)  # of the metric G
    J = np.linalg.solve(L, np.hstack([np.eye(d), g]))  # (d, r)  orthonormal tangents
    G_inverse = np.linalg.inv(L @ L.T)
    H = np.append(np.zeros(d), np.einsum("ac,bac->b", G_inverse, Q) / d)  # (r,)
    length = float(np.linalg.norm(H))
    u = H[d:] / length if length > 0.0 else np.full(len(Q), len(Q) ** -0.5)

    # Each component of H is a . theta.
    a = np.zeros(B.shape[1])
    for j, (b, c) in enumerate(pairs):
        a[j - len(pairs)] = G_inverse[b, c] * (1.0 if b == c else 2.0) / (d * rho**2)
    dof = len(t) - B.shape[1]
    sigma2 = ((rest - B @ theta) ** 2).sum(axis=0) / dof  # (p,)
    leverage = _gain(plain, Q) ** 2 * float(((solve.T @ a) ** 2).sum()) / scale**2
    weights = np.zeros(N)
    weights[kept] = _solver(B[:, : d + 1])[0]

    normal, principal, directions = np.zeros(m), np.zeros(d), np.zeros((d, m))
    if d == m - 1:
        slope = np.sqrt(1.0 + float((g**2).sum()))
        normal = np.append(-g[:, 0], 1.0) @ E / slope
        form = np.linalg.solve(L, np.linalg.solve(L, Q[0] / slope).T)
        kappa, turns = np.linalg.eigh((form + form.T) / 2.0)
        principal, directions = kappa[::-1] / scale, turns[:, ::-1].T @ J @ E
    return Fit(
        mean=(H - J.T @ (J @ H)) @ E / scale,
        tangents=J @ E,
        normal=normal,
        principal=principal,
        directions=directions,
        along=float(np.sqrt(leverage * (u**2 @ sigma2))),
        across=float(np.sqrt(leverage * ((1.0 - u**2) @ sigma2))),
        residual=float(sigma2.sum()) * d / rho**2,
        reach=reach,
        radius=rho * scale,
        dof=dof,
        determined=bool(_pivots(B).min() > SMALLEST_PIVOT),
        weights=weights[1:],
    )


def _without_slope(X: FloatArray, E: FloatArray, d: int) -> FloatArray:
    """Turn the frame until a quadric over its tangents has no slope at the point."""
    Z = X @ E.T
    scaled, rho = _scaled(Z[:, :d])
    B, _ = _design(scaled, cubic=False)
    g = (_solver(B) @ Z[:, d:])[1 : d + 1] / rho
    turned, _ = np.linalg.qr(np.vstack([np.eye(d), g.T]), mode="complete")  # (r, r)
    return turned.T @ E


def _unselected(Z: FloatArray, d: int, least: int) -> IntArray:
    """Return the rows that are neighbours whatever y is there  [eq. 10]."""
    t2, y2 = (Z[:, :d] ** 2).sum(axis=1), (Z[:, d:] ** 2).sum(axis=1)
    # The farthest point is often the highest too and on the limit: rounding must not drop it.
    limit = (1.0 + SLACK) * (t2 + y2).max() - y2.max()
    least = min(least, len(Z))
    if (t2 <= limit).sum() < least:
        limit = (1.0 + SLACK) * np.sort(t2)[least - 1]
    return np.flatnonzero(t2 <= limit)


def _scaled(t: FloatArray) -> tuple[FloatArray, float]:
    """Return t in units of rho, zero along tangents without extent, and rho."""
    extents = np.sqrt((t**2).mean(axis=0))  # (d,)
    rho = float(np.linalg.norm(extents)) or 1.0
    return np.where(extents > SMALLEST_EXTENT * rho, t / rho, 0.0), rho


def _design(t: FloatArray, cubic: bool) -> tuple[FloatArray, list[tuple[int, int]]]:
    """Return B and the pair of tangents of each quadratic column."""
    d = t.shape[1]
    columns = [np.ones(len(t)), *t.T]
    if cubic:
        columns += [
            t[:, a] * t[:, b] * t[:, c] for a, b, c in combinations_with_replacement(range(d), 3)
        ]
    pairs = list(combinations_with_replacement(range(d), 2))
    columns += [t[:, a] * t[:, b] * (0.5 if a == b else 1.0) for a, b in pairs]
    return np.column_stack(columns), pairs


def _solver(B: FloatArray) -> FloatArray:
    """Return the matrix (q, N) of least squares on the columns of B, whatever their lengths."""
    unit, lengths = _unit_columns(B)
    return np.asarray(np.linalg.pinv(unit, rcond=SMALLEST_PIVOT) / lengths[:, None])


def _pivots(B: FloatArray) -> FloatArray:
    """Length of each column outside the span of those before it, relative to its own."""
    R = np.linalg.qr(_unit_columns(B)[0], mode="r")
    return np.asarray(np.abs(np.diagonal(R)))


def _unit_columns(B: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the columns made one long, and their lengths, 1 for a column of zeros."""
    lengths = np.linalg.norm(B, axis=0)
    lengths[lengths == 0.0] = 1.0
    return B / lengths, lengths


def _forms(theta: FloatArray, pairs: list[tuple[int, int]], rho: float, d: int) -> FloatArray:
    """Quadratic coefficients as symmetric matrices Q (p, d, d)."""
    Q = np.empty((theta.shape[1], d, d))
    for j, (a, b) in enumerate(pairs):
        Q[:, a, b] = Q[:, b, a] = theta[j - len(pairs)] / rho**2
    return Q


def _gauss_terms(t: FloatArray, Q: FloatArray) -> tuple[FloatArray, float]:
    """Return the terms beyond degree two that Q alone implies (N, p), and the reach  [eq. 11]."""
    Qt = np.einsum("bac,nc->nba", Q, t)
    values = np.einsum("nba,na->nb", Qt, t)  # Q_b(t, t)
    turned = np.einsum("nb,nba->na", values, Qt)
    x = (Qt**2).sum(axis=(1, 2))
    share = 4.0 / ((1.0 + np.sqrt(np.maximum(1.0 - x, 0.0))) ** 2 * np.maximum(x, 1.0))
    return np.einsum("nba,na->nb", Qt, turned) * (share / 8.0)[:, None], float(x.max())


def _gain(plain: FloatArray, Q: FloatArray) -> float:
    """Return how much of an error in the plain fit is left in Q: implied terms go with Q³."""
    before, size = float(np.linalg.norm(plain)), float(np.linalg.norm(Q))
    shrinkage = LARGEST_SHRINKAGE
    if before <= (1.0 + shrinkage) * size:  # not where Q vanishes and only rounding is left of it
        shrinkage = max(before / size - 1.0, 0.0) if size > 0.0 else 0.0
    return 1.0 / (1.0 + 3.0 * shrinkage)
