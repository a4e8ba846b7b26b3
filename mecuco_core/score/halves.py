"""What the null space adds to the score, from sums over the features of a neighbourhood."""

import numpy as np

from mecuco_core.kernels.score.compiled_exact import LEVERAGE, NULL_A, RANGE, RANK, SQUARES, TRACE
from mecuco_core.types import FloatArray


def published_alignment(terms: FloatArray, m: int) -> FloatArray:
    """Alignment half of Algorithm 1, eq. 7; its absolute value is part of it."""
    trace, p = terms[:, TRACE], terms[:, RANK]
    # The algorithm's middle term ‖A V‖²/(k-1) is the trace itself, so t_B is this difference.
    t_b = terms[:, SQUARES] - trace
    dimension = np.where(m > p, m - p, np.inf)
    t_null = (terms[:, NULL_A] + 2.0 * t_b) / dimension
    score: FloatArray = np.abs(0.5 * (terms[:, RANGE] + t_null) + 0.5 * trace)
    return score - 0.5 * trace


def expected_null_share(terms: FloatArray, m: int) -> FloatArray:
    """Return the expectation of the null-space share over all its bases, eq. 6."""
    n0 = m - terms[:, RANK]
    b = terms[:, TRACE] - 2.0 * terms[:, LEVERAGE] + terms[:, SQUARES]
    share: FloatArray = (terms[:, NULL_A] + 2.0 * b) / (n0 + 2.0)
    return np.where(n0 > 0, share, 0.0)
