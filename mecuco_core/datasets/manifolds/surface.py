"""A surface in space given by a parametrisation, with its curvature in closed form."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from mecuco_core.datasets.manifolds.shape import Shape
from mecuco_core.types import FloatArray


@dataclass(frozen=True)
class ParametricSurface(Shape):
    """A surface (u, v) -> R^3.

    The methods that take `u` and `v` accept arrays of any one shape, or shapes that broadcast
    (meshes included), and return arrays of that shape, vectors along one further axis at the end.

    Signs are relative to `normal`: a direction in which the surface bends towards the normal has
    a positive curvature. The outward normal thus gives a sphere negative principal curvatures.
    """

    @abstractmethod
    def point(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the point, (..., 3)."""

    @abstractmethod
    def tangents(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the partial derivatives of `point` by u and by v, each (..., 3)."""

    @abstractmethod
    def principal_curvatures(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the principal curvatures k1 >= k2, each (...)."""

    @abstractmethod
    def area_element(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the area per unit of parameter area, (...): the length of the cross product."""

    @property
    @abstractmethod
    def largest_area_element(self) -> float:
        """No value of `area_element` in the domain is above this."""

    @property
    def dimension(self) -> int:
        """Intrinsic dimension."""
        return 2

    @property
    def ambient_dimension(self) -> int:
        """Dimension of the space the formula lives in."""
        return 3

    def normal(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the unit normal along the cross product of the tangents, (..., 3)."""
        return unit(np.cross(*self.tangents(u, v)))

    def signed_mean(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the mean curvature (k1 + k2) / 2 with its sign, (...)."""
        k1, k2 = self.principal_curvatures(u, v)
        return (k1 + k2) / 2

    def gaussian(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the Gaussian curvature k1 k2, (...)."""
        k1, k2 = self.principal_curvatures(u, v)
        return k1 * k2

    def edge_curves(self, n_vertices: int = 4097) -> list[FloatArray]:
        """Return the edge as polylines, each (n_vertices, 3), one for every side that is one."""
        curves = []
        for side in self.edges:
            axis, end = "uv".index(side[0]), side.endswith("high")
            along = np.linspace(*self.domain[1 - axis], n_vertices)
            fixed = np.full(n_vertices, self.domain[axis][end])
            curves.append(self.point(*((fixed, along) if axis == 0 else (along, fixed))))
        return curves

    def points(self, parameters: FloatArray) -> FloatArray:
        """Return the points, (n_points, 3)."""
        return self.point(*parameters.T)

    def mean_curvature(self, parameters: FloatArray) -> FloatArray:
        """Return the norm of the mean curvature vector, (n_points,)."""
        return np.abs(self.signed_mean(*parameters.T))

    def gaussian_curvature(self, parameters: FloatArray) -> FloatArray:
        """Return the Gaussian curvature, (n_points,)."""
        return self.gaussian(*parameters.T)

    def edge_distance(self, parameters: FloatArray) -> FloatArray:
        """Return the straight-line distance to the nearest point of the edge, (n_points,).

        Infinite where there is no edge. Measured to `edge_curves`, of 4096 segments a side.
        """
        return distance_to_polylines(self.points(parameters), self.edge_curves())

    def proposals(
        self, generator: np.random.Generator, n_proposals: int
    ) -> tuple[FloatArray, FloatArray]:
        """Draw parameters uniform in the domain; the chance to keep follows the area element."""
        low, high = np.array(self.domain).T
        parameters = generator.uniform(low, high, size=(n_proposals, 2))
        return parameters, self.area_element(*parameters.T) / self.largest_area_element


def vectors(x: FloatArray, y: FloatArray, z: FloatArray) -> FloatArray:
    """Stack coordinates that broadcast into vectors, (..., 3)."""
    return np.stack(np.broadcast_arrays(x, y, z), axis=-1)


def lengths(arrows: FloatArray) -> FloatArray:
    """Return the lengths of vectors (..., 3)."""
    result: FloatArray = np.linalg.norm(arrows, axis=-1)
    return result


def unit(arrows: FloatArray) -> FloatArray:
    """Return vectors (..., 3) at length one."""
    return arrows / lengths(arrows)[..., None]


def constant(value: float, u: FloatArray, v: FloatArray) -> FloatArray:
    """Return `value` at every (u, v)."""
    return np.full(np.broadcast(u, v).shape, value)


def principal_from(mean: FloatArray, gaussian: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the roots of k^2 - 2 H k + K, larger first."""
    # At umbilics rounding can take the discriminant below zero.
    half_gap = np.sqrt(np.maximum(mean**2 - gaussian, 0.0))
    return mean + half_gap, mean - half_gap


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
