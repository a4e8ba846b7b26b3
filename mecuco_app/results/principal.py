"""The principal directions of points: of all of them, or of a sample where that takes too long."""

import numpy as np

from mecuco_core.types import FloatArray

FITTED = 10_000
"""Points whose directions stand for those of all, where there is too much work in all."""

_MOST_WORK = 2e10  # products that take about a second


def is_sampled(n_points: int, n_features: int) -> bool:
    """Whether the directions are those of a sample."""
    work = float(n_points) * n_features * min(n_points, n_features)
    return n_points > FITTED and work > _MOST_WORK


def principal_coordinates(points: FloatArray, dimension: int) -> FloatArray:
    """Return points along their leading principal directions.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    dimension : int

    Returns
    -------
    ndarray of shape (n_points, at most dimension)
        Centred; the signs are those scikit-learn chooses.
    """
    from sklearn.decomposition import PCA

    fitted = points
    if is_sampled(*points.shape):
        fitted = points[np.random.default_rng(0).choice(len(points), FITTED, replace=False)]
    if not np.ptp(fitted, axis=0).any():
        return np.zeros((len(points), min(dimension, points.shape[1])))
    model = PCA(min(dimension, *points.shape), random_state=0).fit(fitted)
    coordinates: FloatArray = model.transform(points)
    return coordinates
