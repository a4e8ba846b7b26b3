"""What each of the two errors of published `fast` changes, one at a time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mecuco_core.kernels.score.compiled_exact import (
    LEVERAGE,
    N_TERMS,
    NULL_A,
    RANGE,
    RANK,
    SQUARES,
    TRACE,
)
from mecuco_core.kernels.score.compiled_terms import terms_block
from mecuco_core.neighbors.graph import KnnGraph, as_graph
from mecuco_core.types import FloatArray
from mecuco_core.validation import check_n_jobs, check_points


@dataclass(frozen=True, eq=False)
class FastErrors:
    """Scores of every point with none, one or both of the errors, each (n_points,).

    Attributes
    ----------
    haar : ndarray
        The expectation itself: no error.
    divisor : ndarray
        Divided by n0 where the paper's own equation has n0 + 2.
    middle : ndarray
        With the scatter τ in place of the leverage-weighted trace.
    both : ndarray
        The published algorithm, before its absolute value.
    """

    haar: FloatArray
    divisor: FloatArray
    middle: FloatArray
    both: FloatArray

    def bias(self, scores: FloatArray) -> float:
        """Return the mean difference to `haar`, relative to the mean of `haar`."""
        return float((scores - self.haar).mean() / (self.haar.mean() or 1.0))


def fast_errors(points: ArrayLike, *, graph: KnnGraph | ArrayLike) -> FastErrors:
    """Score every point with each of the errors.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
    graph : KnnGraph or array-like of shape (n_points, n_neighbors)
    """
    clean = check_points(points)
    found = as_graph(graph, clean, None, check_n_jobs(None))
    terms = np.empty((len(found), N_TERMS))
    indices = found.indices.view()
    indices.flags.writeable = False  # as everywhere, so that the kernel compiles once
    terms_block(clean, indices, terms)
    trace, n0 = terms[:, TRACE], clean.shape[1] - terms[:, RANK]

    def score(middle: FloatArray, divisor: FloatArray) -> FloatArray:
        b = trace - 2.0 * middle + terms[:, SQUARES]
        null = np.where(n0 > 0, (terms[:, NULL_A] + 2.0 * b) / np.maximum(divisor, 1.0), 0.0)
        return np.asarray(0.5 * (terms[:, RANGE] + null + trace))

    return FastErrors(
        haar=score(terms[:, LEVERAGE], n0 + 2.0),
        divisor=score(terms[:, LEVERAGE], n0),
        middle=score(trace, n0 + 2.0),
        both=score(trace, n0),
    )
