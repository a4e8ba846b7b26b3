"""Points along their leading principal components, as a stated choice of the preparation."""

import numpy as np
import scipy.linalg

from mecuco_core.types import FloatArray


def principal_components(points: FloatArray, dimensions: int) -> tuple[FloatArray, float]:
    """Return the leading principal components of points, and their share of the variance.

    Exact: the eigenvectors of the covariance, or of the products of the rows where these are
    fewer. Of each direction the largest entry is positive, the first one where several are.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
        Centred in place.
    dimensions : int
        Less than n_features, at most n_points.

    Returns
    -------
    components : ndarray of shape (n_points, dimensions), C-contiguous
    share : float in [0, 1]
    """
    n_points, n_features = points.shape
    points -= points.mean(axis=0)
    total = _squares(points)
    if total == 0.0:
        return np.zeros((n_points, dimensions)), 1.0
    if n_features <= n_points:
        directions = _leading(points.T @ points, dimensions)[1]  # (m, r)
    else:
        sizes, left = _leading(points @ points.T, dimensions)
        lengths = np.sqrt(np.maximum(sizes, 0.0))
        lengths[lengths <= lengths[0] * 1e-7] = np.inf  # of no direction: its component is 0
        directions = points.T @ (left / lengths)
    largest = np.abs(directions).argmax(axis=0)
    directions *= np.where(directions[largest, np.arange(dimensions)] < 0.0, -1.0, 1.0)
    components = np.ascontiguousarray(points @ directions)
    return components, min(1.0, _squares(components) / total)


def _leading(products: FloatArray, n: int) -> tuple[FloatArray, FloatArray]:
    """Return the `n` largest eigenvalues of symmetric products, and their vectors as columns."""
    last = len(products) - 1
    values, vectors = scipy.linalg.eigh(products, subset_by_index=(last - n + 1, last))
    return values[::-1], vectors[:, ::-1].copy()


def _squares(values: FloatArray) -> float:
    return float(np.einsum("ij,ij->", values, values))
