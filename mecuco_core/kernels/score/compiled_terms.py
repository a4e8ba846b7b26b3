"""The terms of `fast` and `haar`, compiled: both scores are sums of them  [eq. 8].

Notation as in `haar`. The caller runs blocks side by side and holds BLAS to one thread
meanwhile. No array here grows with the number of points and none is m × m.

    D      (R, w)      neighbours minus the first of them, features of one tile that differ;
                       zeros fill it up to whole vectors, and to R >= k - 1 rows BLAS likes
    K      (k, k)      Gram matrix of the centred neighbourhood, from D without centring it:
                       D Dᵀ padded with zeros, its row and column means taken away
    B      (R, R)      Vᵀ = B D; centring is in B, whose rows are orthogonal to the ones
    T      (r, r, r)   entries s <= l <= j only, by symmetry

Where neighbours are many and features few, `compiled_pairs` has a shorter way than T.
"""

from typing import Any, NamedTuple

import numpy as np

from mecuco_core.kernels.compiled import compiled
from mecuco_core.kernels.linalg.least_squares import inner
from mecuco_core.kernels.linalg.small_eigen import descending_eigh
from mecuco_core.kernels.score.compiled_exact import (
    LEVERAGE,
    NULL_A,
    RANGE,
    RANK,
    SQUARES,
    TRACE,
    eigenbasis,
    numerical_rank,
    resolved,
    scaled_patch,
    shape_sum,
    unscaled,
)
from mecuco_core.kernels.score.compiled_levels import FEWEST, right_singular
from mecuco_core.kernels.score.compiled_pairs import pairs, sum_range, sum_squares
from mecuco_core.kernels.score.compiled_triples import add_triples, contracted
from mecuco_core.kernels.score.patch import LEAST

# Measured: large enough that starting a tile costs little, small enough for the nearest caches.
TILE = 800
# Doubles of a cache line: rows of whole lines are read a fifth quicker than others.
LINE = 8
# Outside these the Gram matrix, whose entries the eigenvalue steps square, would lose digits to
# underflow or overflow.
SMALLEST, LARGEST = 1e-120, 1e120


class Work(NamedTuple):
    """Memory reused from point to point."""

    D: Any
    V: Any
    weights: Any
    columns: Any
    rows: Any
    T: Any


@compiled()
def _up(count: Any, multiple: Any) -> Any:
    return (count + multiple - 1) // multiple * multiple


@compiled()
def _work(k: Any, m: Any) -> Any:
    w, r = _up(min(m, TILE), LINE), min(k, m)
    return Work(
        np.empty(_up(k - 1, 4) * w),
        np.empty(_up(k - 1, 4) * w),
        np.empty(2 * w),
        np.empty(w, np.int64),
        np.empty(2 * w * r),
        np.empty((r, r, r)),
    )


@compiled()
def _differences(points: Any, row: Any, start: Any, stop: Any, work: Any) -> Any:
    """Return D over the features of one tile in which the neighbours differ.

    The others add nothing to any term: black borders of images, counts that are zero.
    """
    r, w = len(row) - 1, stop - start
    wide, size = _up(w, LINE), work.weights[:w]
    size[:] = 0.0
    reference = points[row[0], start:stop]
    for a in range(r):
        neighbor, out = points[row[a + 1], start:stop], work.D[a * wide : a * wide + w]
        for i in range(w):
            out[i] = neighbor[i] - reference[i]
            size[i] += abs(out[i])
    differing = 0
    for i in range(w):
        if size[i] > 0.0:
            work.columns[differing] = i
            differing += 1
    narrow = _up(differing, LINE)
    for a in range(r):
        if differing < w:
            # To the front of the same memory: no entry is overwritten before it has moved.
            for c in range(differing):
                work.D[a * narrow + c] = work.D[a * wide + work.columns[c]]
        work.D[a * narrow + differing : (a + 1) * narrow] = 0.0
    rows = _up(r, 4)
    work.D[r * narrow : rows * narrow] = 0.0
    return work.D[: rows * narrow].reshape(rows, narrow)


@compiled()
def _add_products(D: Any, K: Any) -> None:
    """Add D Dᵀ to K below its first row and column, which stay zero."""
    r = len(D)
    last = r - 1
    for a in range(0, r, 2):
        b = min(a + 1, last)
        for j in range(a, r, 4):
            of_a, of_b = pairs(
                D[a], D[b], D[j], D[min(j + 1, last)], D[min(j + 2, last)], D[min(j + 3, last)]
            )
            for column in range(j, min(j + 4, r)):
                K[a + 1, column + 1] += of_a[column - j]
                if a < b <= column:
                    K[b + 1, column + 1] += of_b[column - j]


@compiled()
def _gram(points: Any, row: Any, work: Any) -> Any:
    """Return K, and D of the last tile."""
    k, m = len(row), points.shape[1]
    K = np.zeros((k, k))
    for start in range(0, m, TILE):
        D = _differences(points, row, start, min(start + TILE, m), work)
        _add_products(D[: k - 1], K)
    for a in range(k):
        for b in range(a):
            K[a, b] = K[b, a]
    # Sums and slices by loops: NumPy's would take five seconds more to compile.
    means, mean = np.zeros(k), 0.0
    for a in range(k):
        for b in range(k):
            means[b] += K[a, b] / k
    for a in range(k):
        mean += means[a] / k
    for a in range(k):
        for b in range(k):
            K[a, b] += mean - means[a] - means[b]
    return K, D


@compiled()
def _add_sums(Vt: Any, lam: Any, weights: Any, sums: Any) -> None:
    """Add to sums (r + 1,) every V_s . 1, then sum_i (sum_l V_il²) (sum_s lam_s V_is²)."""
    r, w = Vt.shape
    q, diagonal, ones = weights[:w], weights[w : 2 * w], np.ones(w)
    q[:] = 0.0
    diagonal[:] = 0.0
    for s in range(r):
        V_s, lam_s = Vt[s], lam[s]
        for i in range(w):
            square = V_s[i] * V_s[i]
            q[i] += square
            diagonal[i] += lam_s * square
        sums[s] += inner(V_s, ones)
    sums[r] += inner(q, diagonal)


@compiled()
def _add_tile(Vt: Any, lam: Any, work: Any, sums: Any) -> None:
    """Add the features of one tile to T, and to sums (r + 1,): every V_s . 1, then leverage."""
    _add_sums(Vt, lam, work.weights, sums)
    add_triples(Vt, work.T)


@compiled()
def _pairs_are_fewer(r: Any, w: Any, m: Any) -> Any:
    """Whether sums over pairs of w features take less time than T; all must be in one tile."""
    return m <= TILE and 6 * (w + r) < r * r


@compiled()
def _contract(T: Any, lam: Any, sums: Any, terms: Any) -> None:
    """Fill the terms from T and the sums of all features."""
    in_range = np.zeros(len(lam))  # V_s . q
    t_range, squares = contracted(T, lam, in_range)
    _fill(lam, sums, in_range, t_range, squares, terms)


@compiled()
def _terms_by_pairs(Vt: Any, lam: Any, work: Any, terms: Any) -> None:
    """Fill the terms of a neighbourhood from V of all features, without T."""
    r = len(lam)
    sums, in_range = np.zeros(r + 1), np.zeros(r)
    _add_sums(Vt, lam, work.weights, sums)
    t_range = sum_range(Vt, lam, work.weights, in_range)
    _fill(lam, sums, in_range, t_range, sum_squares(Vt, lam, work.rows), terms)


@compiled()
def _terms_of_basis(Vt: Any, lam: Any, m: Any, work: Any, terms: Any) -> None:
    """Fill the terms of a neighbourhood from V (r, w), over all features that differ."""
    r, w = Vt.shape
    if _pairs_are_fewer(r, w, m):
        _terms_by_pairs(Vt, lam, work, terms)
        return
    work.T[:] = 0.0
    sums = np.zeros(r + 1)
    for start in range(0, w, TILE):
        _add_tile(np.ascontiguousarray(Vt[:, start : start + TILE]), lam, work, sums)
    _contract(work.T, lam, sums, terms)


@compiled()
def _fill(lam: Any, sums: Any, in_range: Any, t_range: Any, squares: Any, terms: Any) -> None:
    """Put the terms of a neighbourhood together."""
    r = len(lam)
    null_a = 0.0
    for s in range(r):
        null_a += lam[s] * (sums[s] - in_range[s]) ** 2
    terms[TRACE] = lam.sum()
    terms[RANGE] = t_range
    terms[NULL_A] = null_a
    terms[LEVERAGE] = sums[r]
    terms[SQUARES] = squares
    terms[RANK] = r


@compiled()
def _differing(points: Any, row: Any, A: Any) -> Any:
    """Return the columns of A (k, m) whose features differ among the neighbours."""
    k, m = A.shape
    columns, w = np.empty(m, np.int64), 0
    for i in range(m):
        for a in range(1, k):
            if points[row[a], i] != points[row[0], i]:
                columns[w] = i
                w += 1
                break
    if w == m:
        return A
    found = np.empty((k, w))
    for a in range(k):
        for c in range(w):
            found[a, c] = A[a, columns[c]]
    return found


@compiled()
def _terms_by_svd(points: Any, row: Any, work: Any, terms: Any) -> None:
    """Terms of one neighbourhood with m < k, or whose Gram matrix cannot be trusted."""
    k, m = len(row), points.shape[1]
    A, exponent = scaled_patch(points, row)
    A = _differing(points, row, A)
    w = A.shape[1]
    terms[:] = 0.0
    if w == 0:
        return
    if m < k:
        lam, W, rank = eigenbasis(A)
        if rank == m:  # no null space: every leverage is one, and the score is `exact`
            trace = unscaled(lam.sum(), exponent)
            terms[TRACE], terms[LEVERAGE], terms[SQUARES] = trace, trace, trace
            terms[RANGE] = unscaled(shape_sum(lam, W, rank), exponent)
            terms[RANK] = rank
            return
        Vt = np.ascontiguousarray(W.T)
    else:
        _, s, Vt = np.linalg.svd(A, False)
        rank = numerical_rank(s, k, m)
        lam = s * s / (k - 1)
    if rank == 0:
        return
    _terms_of_basis(np.ascontiguousarray(Vt[:rank]), lam[:rank], m, work, terms)
    for column in range(RANK):
        terms[column] = unscaled(terms[column], exponent)


@compiled()
def _terms_by_levels(D: Any, squares: Any, Ut: Any, m: Any, work: Any, terms: Any) -> Any:
    """Terms of one neighbourhood with small singular values; False where it needs an SVD."""
    k, w = len(squares), D.shape[1]
    A = np.zeros((k, w))  # centred
    for i in range(w):
        mean = 0.0
        for a in range(1, k):
            A[a, i] = D[a - 1, i]
            mean += A[a, i] / k
        for a in range(k):
            A[a, i] -= mean
    found, Vt, rank = right_singular(A, squares, Ut, m)
    if rank > 0:
        _terms_of_basis(Vt[:rank], found[:rank] / (k - 1), m, work, terms)
    return rank > 0


@compiled()
def terms_block(points: Any, neighbors: Any, terms: Any) -> None:
    """Fill terms (n, N_TERMS), one row per row of neighbors (n, k)."""
    k, m = neighbors.shape[1], points.shape[1]
    r = k - 1
    work = _work(k, m)
    B = np.zeros((_up(r, 4), _up(r, 4)))
    lam = np.empty(r)
    for i in range(len(neighbors)):
        row = neighbors[i]
        if m < k:
            _terms_by_svd(points, row, work, terms[i])
            continue
        K, D = _gram(points, row, work)
        if not SMALLEST < np.trace(K) < LARGEST:
            _terms_by_svd(points, row, work, terms[i])
            continue
        squares, Ut = descending_eigh(K, True)
        if not resolved(squares, r, LEAST):
            if r < FEWEST or m > TILE or not _terms_by_levels(D, squares, Ut, m, work, terms[i]):
                _terms_by_svd(points, row, work, terms[i])
            continue
        for s in range(r):
            lam[s] = squares[s] / (k - 1)
            for a in range(r):
                B[s, a] = Ut[s, a + 1] / np.sqrt(squares[s])
        by_pairs = _pairs_are_fewer(r, D.shape[1], m)
        sums = np.zeros(k)
        if not by_pairs:
            work.T[:] = 0.0
        for start in range(0, m, TILE):
            if m > TILE:  # else D still holds the only tile
                D = _differences(points, row, start, min(start + TILE, m), work)
            Vt = work.V[: D.size].reshape(D.shape)
            np.dot(B, D, Vt)
            if by_pairs:
                _terms_by_pairs(Vt[:r], lam, work, terms[i])
            else:
                _add_tile(Vt[:r], lam, work, sums)
        if not by_pairs:
            _contract(work.T, lam, sums, terms[i])
