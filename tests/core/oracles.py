"""Slow versions of every score, written from the paper's text and not from our kernels."""

import numpy as np


def covariance(neighborhood):
    return np.cov(neighborhood, rowvar=False).reshape(neighborhood.shape[1], -1)


def score_with_loops(neighborhood):
    """tr(H Hᵀ Σ), every column of H made by hand; for neighbourhoods that span the space."""
    sigma = covariance(neighborhood)
    _, W = np.linalg.eigh(sigma)
    m = len(sigma)
    columns = [W[:, l] * W[:, l] for l in range(m)]
    columns += [W[:, j] * W[:, l] for l in range(m) for j in range(l)]
    H = np.array(columns).T
    return float(np.trace(H @ H.T @ sigma))


def algorithm_1(neighborhood):
    """The fast branch of the paper's Algorithm 1, line by line."""
    k, m = neighborhood.shape
    Xc = neighborhood - neighborhood.mean(axis=0)
    _, s, Vt = np.linalg.svd(Xc, full_matrices=False)
    p = min(k - 1, m)
    V = Vt[:p].T
    lam = s[:p] ** 2 / (k - 1)
    tau = lam.sum()
    t_range = np.linalg.norm(Xc @ V**2) ** 2 / (k - 1)
    d = np.ones(m) - (V**2) @ np.ones(p)
    t_A = np.linalg.norm(Xc @ d) ** 2 / (k - 1)
    t_B2 = np.linalg.norm(Xc @ V) ** 2 / (k - 1)
    G = np.einsum("ai,il,ij->alj", Xc, V, V)
    t_B = tau - 2 * t_B2 + np.linalg.norm(G) ** 2 / (k - 1)
    t_null = (t_A + 2 * t_B) / (m - p) if m > p else 0.0
    return abs(0.5 * (t_range + t_null) + 0.5 * tau)


def range_and_null(neighborhood):
    """Eigenvalues and bases of range and null space, rank by NumPy's own rule."""
    Xc = neighborhood - neighborhood.mean(axis=0)
    r = int(np.linalg.matrix_rank(Xc))
    _, s, Vt = np.linalg.svd(Xc, full_matrices=True)
    return s[:r] ** 2 / (len(Xc) - 1), Vt[:r].T, Vt[r:].T


def score_in_null_basis(lam, V, N):
    """Score with a chosen orthonormal basis N of the null space."""
    W = np.hstack([V, N])
    return 0.5 * (lam @ ((V.T @ W**2) ** 2).sum(axis=1) + lam.sum())


def haar_with_projector(neighborhood):
    """The Haar expectation with the m × m projector P written out."""
    lam, V, N = range_and_null(neighborhood)
    P = N @ N.T
    sigma = (V * lam) @ V.T
    diagonal = np.diag(P)
    null = (diagonal @ sigma @ diagonal + 2 * (sigma * P**2).sum()) / (N.shape[1] + 2)
    in_range = lam @ ((V.T @ V**2) ** 2).sum(axis=1)
    return 0.5 * (in_range + (null if N.shape[1] else 0.0) + lam.sum())


def random_orthogonal(rng, size):
    Q, R = np.linalg.qr(rng.standard_normal((size, size)))
    return Q * np.sign(np.diag(R))


def brute_force_neighbors(points, k):
    """Neighbours by distance, then index; distances summed in extended precision."""
    wide = np.asarray(points, dtype=np.longdouble)
    indices = np.empty((len(wide), k), dtype=np.int64)
    for i, x in enumerate(wide):
        squares = ((wide - x) ** 2).sum(axis=1)
        order = [j for j in np.lexsort((np.arange(len(wide)), squares)) if j != i]
        indices[i] = order[:k]
    return indices
