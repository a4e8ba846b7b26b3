"""Distance from points to the edge of a manifold, given as polylines."""

from collections.abc import Sequence

import numpy as np
from scipy.spatial import cKDTree

from mecuco_core.types import FloatArray


def distance_to_polylines(points: FloatArray, polylines: Sequence[FloatArray]) -> FloatArray:
    """Return the distance from every point to the nearest of the polylines.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    polylines : sequence of ndarray of shape (n_vertices, n_features)

    Returns
    -------
    ndarray of shape (n_points,)
        Infinite when there is no polyline. Only the two segments at the nearest vertex of each
        polyline are looked at, which is enough for finely cut smooth curves.
    """
    nearest = np.full(len(points), np.inf)
    for polyline in polylines:
        _, vertex = cKDTree(polyline).query(points)
        for shift in (-1, 0):
            start = np.clip(vertex + shift, 0, len(polyline) - 2)
            distance = _distance_to_segments(points, polyline[start], polyline[start + 1])
            nearest = np.minimum(nearest, distance)
    return nearest


def _distance_to_segments(points: FloatArray, start: FloatArray, end: FloatArray) -> FloatArray:
    step = end - start
    length = np.einsum("ij,ij->i", step, step)
    share = np.einsum("ij,ij->i", points - start, step) / length
    foot = start + np.clip(share, 0.0, 1.0)[:, None] * step
    distance: FloatArray = np.linalg.norm(points - foot, axis=1)
    return distance
