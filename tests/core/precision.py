"""Scores to fifty digits, and neighbourhoods that are hard to score.

    python -m tests.core.precision [neighbourhoods of each kind]

prints the worst error of every kind and mode. The reference takes the very numbers the engine
gets, so that nothing is said about what the input itself has lost. Two things are not determined
by the data and are treated apart:

- the rank, where singular values fade out: the reference takes the one the engine found;
- the eigenvectors of equal eigenvalues: a neighbourhood counts as determined where the relative
  gaps between its eigenvalues exceed `LEAST_GAP`. Where they do not, only the bounds of the score
  are checked.
"""

import sys
from dataclasses import dataclass

import mpmath as mp
import numpy as np

import mecuco as mc

DIGITS = 90  # of the working: eigenvalues of a Gram matrix lose half of them
LEAST_GAP = 1e-3


def bound(condition):
    """Return the relative error that is promised: rounding, times what the data do to it.

    Up to a condition of 100 the engine works with products of neighbours, which squares it:
    2.2e-16 × 100² is 2e-12. Beyond, it decomposes the neighbours themselves. They are centred in
    double precision, which moves them by one part in 4.5e15; a direction along which they hardly
    spread turns by that times the condition.
    """
    return 1e-11 + 20 * np.finfo(float).eps * condition


K = 6


def reference(neighborhood, rank, mode):
    """Return the score of one neighbourhood (k, m) for a given rank, the smallest relative gap of
    its eigenvalues, and its condition: the largest singular value over the smallest kept one.
    """
    with mp.workdps(DIGITS):
        k, m = neighborhood.shape
        A = [[mp.mpf(float(value)) for value in row] for row in neighborhood]
        means = [mp.fsum(row[i] for row in A) / k for i in range(m)]
        A = [[row[i] - means[i] for i in range(m)] for row in A]
        gram = mp.matrix(k, k)
        for a in range(k):
            for b in range(a + 1):
                gram[a, b] = gram[b, a] = mp.fdot(A[a], A[b])
        largest = max(gram[a, a] for a in range(k))
        if largest == 0:
            return mp.mpf(0), 1.0, 1.0
        squares, U = mp.eigsy(gram / largest)
        order = sorted(range(k), key=lambda s: -squares[s])[:rank]
        squares = [squares[s] * largest for s in order]
        gaps = [1 - squares[s + 1] / squares[s] for s in range(rank - 1)]
        gap = float(min(gaps, default=mp.mpf(1)))
        V = [
            [mp.fsum(A[a][i] * U[a, s] for a in range(k)) / mp.sqrt(square) for i in range(m)]
            for s, square in zip(order, squares, strict=True)
        ]
        lam = [square / (k - 1) for square in squares]
        condition = float(mp.sqrt(squares[0] / squares[-1]))
        return _assembled(V, lam, m, mode), gap, condition


def _assembled(V, lam, m, mode):
    r, tau = len(lam), mp.fsum(lam)
    span, features = range(r), range(m)

    def T(s, l, j):
        return mp.fsum(V[s][i] * V[l][i] * V[j][i] for i in features)

    tensor = {}
    for s in span:
        for l in range(s + 1):
            for j in range(l + 1):
                tensor[s, l, j] = T(s, l, j)

    def t(*indices):
        return tensor[tuple(sorted(indices, reverse=True))]

    in_range = mp.fsum(lam[s] * t(s, l, l) ** 2 for s in span for l in span)
    if r == m:
        return (in_range + tau) / 2
    q = [mp.fsum(V[l][i] ** 2 for l in span) for i in features]
    a = mp.fsum(lam[s] * mp.fsum(V[s][i] * (1 - q[i]) for i in features) ** 2 for s in span)
    cubes = mp.fsum(lam[s] * t(s, l, j) ** 2 for s in span for l in span for j in span)
    if mode == "fast":  # as published: the middle term is the trace, the divisor m - p
        return abs((in_range + (a + 2 * (tau - 2 * tau + cubes)) / (m - r) + tau) / 2)
    leverage = mp.fsum(lam[s] * V[s][i] ** 2 * q[i] for s in span for i in features)
    return (in_range + (a + 2 * (tau - 2 * leverage + cubes)) / (m - r + 2) + tau) / 2


def _gaussian(rng, m):
    return rng.standard_normal((K, m))


def _spread(rng, m):
    return rng.standard_normal((K, m)) * 10.0 ** rng.uniform(-4, 4, size=m)


def _offset(rng, m):
    return 10.0 ** rng.uniform(4, 12) * rng.standard_normal(m) + rng.standard_normal((K, m))


def _scaled(low, high):
    def make(rng, m):
        return np.ldexp(rng.standard_normal((K, m)), int(rng.integers(low, high)))

    return make


def _near_duplicates(rng, m):
    near = rng.standard_normal((K, m))
    copies = rng.integers(1, 4)
    near[:copies] = near[-1] + 10.0 ** rng.uniform(-9, -3) * rng.standard_normal((copies, m))
    return near


def _repeated(rng, m):
    near = rng.standard_normal((K, m))
    near[: rng.integers(1, 4)] = near[-1]
    return near


def _collinear(rng, m):
    steps = rng.permutation(12)[:K] - 5
    return steps[:, np.newaxis] * rng.integers(-9, 10, size=m) * 0.125 + rng.integers(-9, 10, m)


def _coplanar(rng, m):
    return rng.integers(-9, 10, size=(K, 2)) @ rng.integers(-9, 10, size=(2, m)) * 0.25


def _integers(rng, m):
    return rng.integers(-3, 4, size=(K, m)).astype(float)


def _one_hot(rng, m):
    return np.eye(m)[rng.integers(0, m, size=K)] * 1.0


def _constant_columns(rng, m):
    near = rng.standard_normal((K, m))
    near[:, rng.integers(0, m)] = rng.standard_normal() * 1e6
    return near


def _mixed_scales(rng, m):
    return rng.standard_normal((K, m)) * np.where(rng.random(m) < 0.5, 1.0, 1e-7)


KINDS = {
    "Gaussian": _gaussian,
    "columns of very different spread": _spread,
    "offset of 1e4 to 1e12": _offset,
    "scale near 1e150, the largest": _scaled(480, 496),
    "scale near 1e-150": _scaled(-505, -470),
    "scale near 1e-300, the score is 0": _scaled(-1010, -960),
    "denormal, the score is 0": _scaled(-1070, -1040),
    "near-duplicates": _near_duplicates,
    "repeated neighbours": _repeated,
    "collinear": _collinear,
    "coplanar": _coplanar,
    "small integers, ties": _integers,
    "one-hot": _one_hot,
    "a constant column": _constant_columns,
    "columns a 1e-7 of the others": _mixed_scales,
}
MODES = ("haar", "fast", "exact")


@dataclass
class Outcome:
    """What became of the neighbourhoods of one kind in one mode."""

    compared: int = 0
    undetermined: int = 0
    worst: float = 0.0  # relative error
    share: float = 0.0  # of what is promised, at most


def neighbourhoods(kind, count, seed=0):
    """Return points and, for each neighbourhood, its centre and its neighbours.

    They come in groups of one number of features: lists of (points (n, m), graph (n, K)), where
    the neighbours of the points i (K + 1) are the K that follow.
    """
    rng = np.random.default_rng([seed, sorted(KINDS).index(kind)])
    groups = []
    for m in (2, 3, 5, 9):
        n_groups = -(-count // 4)
        points = np.empty((n_groups * (K + 1), m))
        for i in range(n_groups):
            near = KINDS[kind](rng, m)
            points[i * (K + 1)] = near[0]
            points[i * (K + 1) + 1 : (i + 1) * (K + 1)] = near
        block = np.arange(len(points)) // (K + 1) * (K + 1)
        step = np.arange(len(points)) - block
        others = np.array([[j for j in range(K + 1) if j != own] for own in range(K + 1)])
        groups.append((points, block[:, np.newaxis] + others[step]))
    return groups


def compared(kind, count, seed=0, n_jobs=None):
    """Return an `Outcome` for each mode; raises AssertionError where a bound of the score fails."""
    outcomes = {mode: Outcome() for mode in MODES}
    for points, graph in neighbourhoods(kind, count, seed):
        m = points.shape[1]
        for mode, outcome in outcomes.items():
            found = mc.curvature(points, K, mode=mode, graph=graph, n_jobs=n_jobs)
            assert np.isfinite(found.values).all(), (kind, mode)
            for i in range(0, len(points), K + 1):
                rank, value = int(found.covariance_rank[i]), float(found.values[i])
                if mode != "fast":
                    least = float(found.scatter[i])
                    assert least * (1 - 1e-12) <= value <= 2 * least * (1 + 1e-12), (kind, mode)
                if rank == 0 or (mode == "exact" and rank < m):
                    outcome.undetermined += 1  # a null basis is LAPACK's own choice
                    continue
                truth, gap, condition = reference(points[graph[i]], rank, mode)
                if gap < LEAST_GAP:
                    outcome.undetermined += 1
                    continue
                outcome.compared += 1
                with mp.workdps(DIGITS):
                    # Results below the normal numbers have an absolute error of one of them.
                    smallest = mp.mpf(2) ** -1022
                    error = float(abs(mp.mpf(value) - truth) / max(truth, smallest))
                outcome.worst = max(outcome.worst, error)
                outcome.share = max(outcome.share, error / bound(condition))
    return outcomes


def main(count):
    """Print the worst error of every kind and mode."""
    print(f"{count} neighbourhoods of each kind, k = {K}; worst relative error (of so many)")
    for kind in KINDS:
        outcomes = compared(kind, count)
        parts = [
            f"{mode} {outcome.worst:.1e}, {outcome.share:.0%} of the bound ({outcome.compared})"
            for mode, outcome in outcomes.items()
        ]
        print(f"{kind:35s} {'  '.join(parts)}", flush=True)
        assert all(outcome.share <= 1 for outcome in outcomes.values()), kind


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
