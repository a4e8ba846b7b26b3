"""Right singular vectors of a neighbourhood, compiled: those of large singular values first.

The Gram matrix squares singular values, and the small ones drown in the rounding of the large.
Those that stand well above it are taken, their directions removed from the neighbourhood, and what
is left has a Gram matrix at a scale of its own. Two or three such levels take half the time of an
SVD.

    A     (k, w)     centred neighbourhood
    rest  (n, w)     what is left of it, in n orthonormal combinations of its rows
    Vt    (k - 1, w) right singular vectors found, largest singular value first
"""

from typing import Any

import numpy as np

from mecuco_core.kernels.compiled import compiled
from mecuco_core.kernels.linalg.least_squares import inner
from mecuco_core.kernels.linalg.small_eigen import descending_eigh
from mecuco_core.kernels.score.compiled_exact import EPS
from mecuco_core.kernels.score.patch import GAP, LEAST

# Of fewer neighbours an SVD takes no longer.
FEWEST = 16
MOST_LEVELS = 8  # each reaches two of the sixteen digits


@compiled()
def _n_resolved(squares: Any, floor: Any) -> Any:
    """Count the leading squares that are above the rounding, and above the next one by a gap."""
    top, n = squares[0], len(squares)
    found = 0
    for s in range(n):
        if squares[s] <= LEAST * top or squares[s] <= floor:
            break
        if s < n - 1 and squares[s] - squares[s + 1] <= GAP * top:
            break
        found = s + 1
    return found


@compiled()
def right_singular(A: Any, squares: Any, Ut: Any, m: Any) -> Any:
    """Return squared singular values (k - 1,), Vt and the numerical rank.

    The rank is -1 where singular values lie too close together for this way.

    Parameters
    ----------
    A : ndarray of shape (k, w)
    squares, Ut : ndarray of shape (k,), (k, k)
        Eigenvalues of its Gram matrix, largest first, and eigenvectors as rows.
    m : int
        Number of features, of which w differ.
    """
    k, w = A.shape
    found, Vt = np.zeros(k - 1), np.zeros((k - 1, w))
    floor = squares[0] * (max(k, m) * EPS) ** 2
    rank, rest = 0, A
    for _ in range(MOST_LEVELS):
        taken = min(_n_resolved(squares, floor), k - 1 - rank)
        if taken == 0:
            return found, Vt, -1
        rotated = np.dot(Ut, rest)
        for s in range(taken):
            row, v = rotated[s], Vt[rank + s]
            square = inner(row, row)
            found[rank + s] = square
            for i in range(w):
                v[i] = row[i] / np.sqrt(square)
        rank += taken
        if rank == k - 1:
            return found, Vt, rank
        rest = rotated[taken:]
        # A trace of the large ones, as large as the rounding, may outweigh what is left.
        V = Vt[:rank]
        along = np.dot(rest, V.T)
        rest = rest - np.dot(along, V)
        squares, Ut = descending_eigh(np.dot(rest, rest.T), True)
        if squares[0] <= floor:
            return found, Vt, rank
    return found, Vt, -1
