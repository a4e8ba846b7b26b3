"""Distances: Euclidean, or cosine, which are the Euclidean ones of rows scaled to length one."""

import numpy as np

from mecuco_core.runtime.wording import named
from mecuco_core.types import METRICS, BoolArray, FloatArray, Metric


def check_metric(metric: object) -> Metric:
    """Return the metric, or raise."""
    for one in METRICS:
        if metric == one:
            return one
    raise ValueError(f"metric must be one of {', '.join(METRICS)}, got {metric!r}")


def in_metric(points: FloatArray, metric: Metric) -> FloatArray:
    """Return the points whose Euclidean distances are those of the metric.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    metric : {"euclidean", "cosine"}
        "cosine" scales every row to length one.
    """
    if metric == "euclidean":
        return points
    zero = zero_rows(points)
    if zero.any():
        rows = named([str(row) for row in np.flatnonzero(zero)])
        raise ValueError(
            "metric 'cosine' needs a value other than 0 in every row, and there is none in "
            f"{'row' if zero.sum() == 1 else 'rows'} {rows}"
        )
    # A power of two first: the square of no coordinate overflows.
    largest = np.maximum(points.max(axis=1), -points.min(axis=1))
    scaled: FloatArray = np.ldexp(points, -np.frexp(largest)[1][:, np.newaxis])
    scaled /= np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, np.newaxis]
    return scaled


def zero_rows(points: FloatArray) -> BoolArray:
    """Return whether each row is all zeros, and has no direction, (n_points,)."""
    return np.asarray(~points.any(axis=1))
