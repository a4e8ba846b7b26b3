"""The local quadric, compiled: a block of points at a time, without the interpreter lock.

Notation as in `quadric`, its readable twin, and `compiled_patch`. Lengths within a patch are in
units of its largest coordinate; inside the fit t is in units of rho and Q in units of 1 / rho².

    z      (p, q)      coordinates of y along the orthonormal rows of A
    terms  (p, N)      what Q implies beyond degree two, and after the fit what is left of y
"""

from typing import Any, NamedTuple

import numpy as np

from mecuco_core.kernels.compiled import compiled
from mecuco_core.kernels.linalg.least_squares import (
    inner,
    multiply,
    orthonormalise,
    solve_transposed,
    solve_upper,
    subtract,
)
from mecuco_core.kernels.linalg.small_eigen import descending_eigh
from mecuco_core.kernels.surface.compiled_patch import (
    design,
    local_patch,
    principal_frame,
    remove_slope,
    scaled_tangents,
    unselected,
)
from mecuco_core.kernels.surface.quadric import LARGEST_SHRINKAGE, NEWTON_STEPS

ALONG, ACROSS, RESIDUAL, REACH, RADIUS, DOF, DETERMINED = range(7)
N_SUMMARY = 7


class Shapes(NamedTuple):
    """Where a block writes; fields without rows are left out, `normals` and on if d < m - 1."""

    summary: Any  # (n, N_SUMMARY)  columns above
    weights: Any  # (n, k)
    mean: Any  # (n, m)
    tangents: Any  # (n, d, m)
    normals: Any  # (n, m)
    principal: Any  # (n, d)
    directions: Any  # (n, d, m)


@compiled(error_model="numpy")
def _gauss_terms(t: Any, Q: Any, rho: Any, Qt: Any, terms: Any) -> Any:
    """Fill terms (p, N) with what Q alone implies beyond degree two; return the reach.

    Every loop over the points stands innermost and does little, so that it becomes vector code.
    Qt (p d, N) is a place to work in.
    """
    d, N = t.shape
    p = len(Q)
    x, turned = np.zeros(N), np.zeros((d, N))
    for b in range(p):
        value = np.zeros(N)
        for a in range(d):
            row = Qt[b * d + a]
            for n in range(N):
                row[n] = 0.0
            for c in range(d):
                for n in range(N):
                    row[n] += Q[b, a, c] * t[c, n]
            for n in range(N):
                value[n] += row[n] * t[a, n]
                x[n] += row[n] * row[n]
        for a in range(d):
            for n in range(N):
                turned[a, n] += value[n] * Qt[b * d + a, n]
    unit = 1.0 / (rho * rho)
    reach = 0.0
    for n in range(N):
        x[n] *= unit
        reach = max(reach, x[n])
        root = np.sqrt(max(1.0 - x[n], 0.0))
        x[n] = 0.5 * unit / ((1.0 + root) * (1.0 + root) * max(x[n], 1.0))
    for b in range(p):
        for n in range(N):
            terms[b, n] = 0.0
        for a in range(d):
            for n in range(N):
                terms[b, n] += Qt[b * d + a, n] * turned[a, n]
        for n in range(N):
            terms[b, n] *= x[n]
    return reach


@compiled(error_model="numpy")
def _approach(theta: Any, first: Any, gain: Any, Q: Any) -> None:
    """Move Q (d, d) by `gain` towards the quadratic coefficients, which begin at `first`."""
    j = first
    for a in range(len(Q)):
        for b in range(a, len(Q)):
            Q[a, b] += gain * (theta[j] - Q[a, b])
            Q[b, a] = Q[a, b]
            j += 1


@compiled(error_model="numpy")
def _size(Q: Any) -> Any:
    """Return the length of Q (p, d, d)."""
    total = 0.0
    for b in range(len(Q)):
        for a in range(Q.shape[1]):
            total += inner(Q[b, a], Q[b, a])
    return np.sqrt(total)


@compiled(error_model="numpy")
def _gain(plain: Any, size: Any) -> Any:
    """Return how much of an error in the plain fit is left in Q: implied terms go with Q³."""
    shrinkage = LARGEST_SHRINKAGE
    if plain <= (1.0 + shrinkage) * size:
        shrinkage = max(plain / size - 1.0, 0.0) if size > 0.0 else 0.0
    return 1.0 / (1.0 + 3.0 * shrinkage)


@compiled(error_model="numpy")
def _fit(t: Any, Z: Any, A: Any, R: Any, rho: Any, summary: Any) -> Any:
    """Return g (d, p) and Q (p, d, d) in units of the patch, what is left of y, and the gain."""
    (d, N), q = t.shape, len(A)
    p = len(Z) - d
    first = q - d * (d + 1) // 2
    g, Q = np.empty((d, p)), np.zeros((p, d, d))
    terms, Qt = np.zeros((p, N)), np.empty((p * d, N))
    theta, left = np.empty(q), np.empty(N)
    plain, gain = 0.0, 1.0
    for turn in range(NEWTON_STEPS + 2):  # the plain fit first, the whole fit last
        last = turn == NEWTON_STEPS + 1
        start = 0 if last else first
        step = 1.0 if last else gain
        for b in range(p):
            for n in range(N):
                left[n] = Z[d + b, n] - terms[b, n]
            for j in range(start, q):
                theta[j] = inner(A[j], left)
            if last:
                for j in range(q):
                    subtract(left, theta[j], A[j])
                for n in range(N):
                    terms[b, n] = left[n]
            solve_upper(R, start, q, theta)
            _approach(theta, first, step, Q[b])
            if last:
                for a in range(d):
                    g[a, b] = theta[1 + a] / rho
        if turn == 0:
            plain = _size(Q)
        gain = _gain(plain, _size(Q))
        if not last:
            summary[REACH] = _gauss_terms(t, Q, rho, Qt, terms)
    for b in range(p):
        for a in range(d):
            for c in range(d):
                Q[b, a, c] /= rho * rho
    return g, Q, terms, gain


@compiled(error_model="numpy")
def _spread(inverse: Any, u: Any, R: Any, left: Any, rho: Any, unit: Any, summary: Any) -> None:
    """Fill ALONG, ACROSS and RESIDUAL; u is the direction of H, unit that of its errors."""
    d, q = len(inverse), len(R)
    first = q - d * (d + 1) // 2
    a = np.zeros(q)  # each component of H is a . theta
    j = first
    for b in range(d):
        for c in range(b, d):
            a[j] = inverse[b, c] * (1.0 if b == c else 2.0) / (d * rho * rho)
            j += 1
    solve_transposed(R, first, q, a)
    leverage = inner(a, a)  # zero before `first`
    total, along = 0.0, 0.0
    for b in range(len(u)):
        sigma2 = inner(left[b], left[b]) / summary[DOF]
        total += sigma2
        along += u[b] * u[b] * sigma2
    summary[ALONG] = unit * np.sqrt(leverage * along)
    summary[ACROSS] = unit * np.sqrt(leverage * max(total - along, 0.0))
    summary[RESIDUAL] = total * d / (rho * rho)


@compiled(error_model="numpy")
def _plane_weights(A: Any, R: Any, d: Any, places: Any, weights: Any) -> None:
    """Fill the weights (k,) of the neighbours in a plane through their values at the point."""
    r = np.zeros(d + 1)
    r[0] = 1.0
    solve_transposed(R, 0, d + 1, r)
    for n in range(len(weights)):
        weights[n] = 0.0
    for n in range(len(places)):
        if places[n] > 0:  # 0 is the point itself
            for j in range(d + 1):
                weights[places[n] - 1] += r[j] * A[j, n]


@compiled(error_model="numpy")
def _tangents(g: Any) -> Any:
    """Return orthonormal tangents J (d, r) of the graph, and the inverse of its metric G.

    J[:, :d] is the inverse of the triangular factor of G.
    """
    d, p = g.shape
    J = np.zeros((d, d + p))
    for a in range(d):
        J[a, a] = 1.0
        for b in range(p):
            J[a, d + b] = g[a, b]
    orthonormalise(J, np.zeros((d, d)))
    inverse = np.zeros((d, d))
    for a in range(d):
        for b in range(d):
            for c in range(d):
                inverse[b, c] += J[a, b] * J[a, c]
    return J, inverse


@compiled(error_model="numpy")
def _mean_curvature(Q: Any, inverse: Any) -> Any:
    """Return H (1, r), still along the axes of y, and its direction u (p,)."""
    p, d = len(Q), len(inverse)
    H, u = np.zeros((1, d + p)), np.empty(p)
    for b in range(p):
        total = 0.0
        for a in range(d):
            total += inner(inverse[a], Q[b, a])
        u[b] = total / d
    length = np.sqrt(inner(u, u))
    for b in range(p):
        H[0, d + b] = u[b]
        u[b] = u[b] / length if length > 0.0 else 1.0 / np.sqrt(p)
    return H, u


@compiled(error_model="numpy")
def _hypersurface(Q: Any, g: Any, J: Any, E: Any, scale: Any, i: Any, out: Any) -> None:
    """Fill row i of `normals`, `principal` and `directions`; the only normal is the last axis."""
    d = len(J)
    slope = 1.0
    for a in range(d):
        slope += g[a, 0] * g[a, 0]
    slope = np.sqrt(slope)
    normal, S, turns = np.empty((1, d + 1)), np.zeros((d, d)), np.empty((d, d + 1))
    for a in range(d):
        normal[0, a] = -g[a, 0] / slope
        for b in range(d):
            for c in range(d):
                for e in range(d):
                    S[a, b] += J[a, c] * Q[0, c, e] * J[b, e]
    normal[0, d] = 1.0 / slope
    multiply(normal, E, out.normals[i : i + 1])
    kappa, vectors = descending_eigh(S, True)
    for a in range(d):
        out.principal[i, a] = kappa[a] / (slope * scale)
    multiply(vectors, J, turns)
    multiply(turns, E, out.directions[i])


@compiled(error_model="numpy")
def quadric_block(
    points: Any, queries: Any, neighbors: Any, d: Any, cubic: Any, q: Any, least: Any, out: Any
) -> None:
    """Fill the rows of out, one per query (n, m) with its neighbours (n, k) among points."""
    for i in range(len(neighbors)):
        X, scale = local_patch(points, queries[i], neighbors[i])
        Z, E = principal_frame(X)
        remove_slope(Z, E, d)
        Z, places = unselected(Z, d, least)
        t, rho = scaled_tangents(Z, d)
        A, R = design(t, cubic, q), np.zeros((q, q))
        summary = out.summary[i]
        summary[DETERMINED] = orthonormalise(A, R)
        summary[DOF] = len(places) - q
        summary[RADIUS] = rho * scale
        _plane_weights(A, R, d, places, out.weights[i])
        g, Q, left, gain = _fit(t, Z, A, R, rho, summary)
        J, inverse = _tangents(g)
        H, u = _mean_curvature(Q, inverse)
        _spread(inverse, u, R, left, rho, gain / scale, summary)
        for a in range(d):
            subtract(H[0], inner(H[0], J[a]), J[a])
        for j in range(H.shape[1]):
            H[0, j] /= scale
        multiply(H, E, out.mean[i : i + 1])
        if len(out.tangents):
            multiply(J, E, out.tangents[i])
        if len(out.normals):
            _hypersurface(Q, g, J, E, scale, i, out)
