"""One neighbourhood made ready: centred, brought to unit scale, and its rank.

A        (k, m)  centred neighbourhood, one neighbour per row, largest entry in [1/2, 1)
exponent         the neighbourhood is A * 2**exponent; scores scale with 4**exponent
"""

from typing import NamedTuple

import numpy as np

from mecuco_core.types import FloatArray

GAP = 1e-5
"""Least relative distance between squared singular values for which the Gram route keeps ten
digits of the singular vectors; below it the neighbourhood is decomposed otherwise."""
LEAST = 1e-4
"""Least share of the largest squared singular value that the smallest may have on the Gram route:
the length of its vector is found only to some hundred roundings over that share."""


class Split(NamedTuple):
    """The two halves of one score, and the rank of the neighbourhood (eq. 4)."""

    scatter: float
    shape: float
    rank: int


def centred(neighborhood: FloatArray) -> tuple[FloatArray, int]:
    """Return A and its exponent.

    The first neighbour is subtracted before the mean is taken: a common offset then costs no
    digit that the input still has. Scaling by a power of two is exact.
    """
    A = neighborhood - neighborhood[0]
    A -= A.mean(axis=0)
    exponent = int(np.frexp(np.abs(A).max())[1])
    return np.ldexp(A, -exponent), exponent


def numerical_rank(singular_values: FloatArray, k: int, m: int) -> int:
    """Count the singular values above rounding; centring takes one dimension of k."""
    largest = singular_values[0]
    if largest == 0.0:
        return 0
    above = singular_values > largest * max(k, m) * np.finfo(np.float64).eps
    return min(int(above.sum()), k - 1)


def split(range_and_null: float, trace: float, rank: int, exponent: int) -> Split:
    """Put the halves of eq. 4 together and undo the scaling."""
    return Split(
        scatter=float(np.ldexp(0.5 * trace, 2 * exponent)),
        shape=float(np.ldexp(0.5 * range_and_null, 2 * exponent)),
        rank=rank,
    )
