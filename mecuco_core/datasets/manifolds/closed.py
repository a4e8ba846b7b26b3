"""Closed surfaces, without an edge: sphere, ellipsoid and torus."""

from dataclasses import dataclass
from math import pi
from typing import ClassVar

import numpy as np

from mecuco_core.datasets.manifolds.shape import size
from mecuco_core.datasets.manifolds.surface import (
    ParametricSurface,
    constant,
    lengths,
    principal_from,
    unit,
    vectors,
)
from mecuco_core.errors import DataError
from mecuco_core.types import FloatArray


@dataclass(frozen=True)
class Ellipsoid(ParametricSurface):
    """(a sin u cos v, b sin u sin v, c cos u): u from the north pole, v the longitude."""

    periodic: ClassVar = (False, True)

    a: float = size(1.5, 0.01, 100.0, "half axis along x")
    b: float = size(1.0, 0.01, 100.0, "half axis along y")
    c: float = size(0.7, 0.01, 100.0, "half axis along z")

    @property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """From pole to pole, once around."""
        return (0.0, pi), (0.0, 2 * pi)

    def point(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the point, (..., 3)."""
        return self._axes * _direction(u, v)

    def tangents(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the partial derivatives of `point`."""
        return self._axes * _southward(u, v), self._axes * _eastward(u, v)

    def normal(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the outward unit normal: the gradient of x^2/a^2 + y^2/b^2 + z^2/c^2."""
        return unit(_direction(u, v) / self._axes)

    def signed_mean(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return (|p|^2 - a^2 - b^2 - c^2) / (2 (a b c)^2 g^3), g the length of the gradient."""
        g = lengths(_direction(u, v) / self._axes)
        excess = lengths(self.point(u, v)) ** 2 - lengths(self._axes) ** 2
        return excess / (2 * self._product**2 * g**3)

    def gaussian(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return 1 / ((a b c)^2 g^4), g the length of the gradient."""
        g = lengths(_direction(u, v) / self._axes)
        return 1 / (self._product**2 * g**4)

    def principal_curvatures(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return k1 >= k2."""
        return principal_from(self.signed_mean(u, v), self.gaussian(u, v))

    def area_element(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return a b c g sin u, g the length of the gradient."""
        g = lengths(_direction(u, v) / self._axes)
        return self._product * g * np.sin(u)

    @property
    def largest_area_element(self) -> float:
        """The gradient is at most one over the shortest half axis."""
        return self._product / min(self.a, self.b, self.c)

    @property
    def _axes(self) -> FloatArray:
        return np.array([self.a, self.b, self.c])

    @property
    def _product(self) -> float:
        return self.a * self.b * self.c


@dataclass(frozen=True)
class Sphere(ParametricSurface):
    """R (sin u cos v, sin u sin v, cos u): u from the north pole, v the longitude."""

    periodic: ClassVar = (False, True)

    R: float = size(1.0, 0.01, 100.0, "radius")

    @property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """From pole to pole, once around."""
        return (0.0, pi), (0.0, 2 * pi)

    def point(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the point, (..., 3)."""
        return self.R * _direction(u, v)

    def tangents(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the partial derivatives of `point`."""
        return self.R * _southward(u, v), self.R * _eastward(u, v)

    def normal(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the outward unit normal."""
        return _direction(u, v)

    def principal_curvatures(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return -1 / R twice."""
        return constant(-1 / self.R, u, v), constant(-1 / self.R, u, v)

    def area_element(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return R^2 sin u."""
        return self.R**2 * np.sin(u) + constant(0.0, u, v)

    @property
    def largest_area_element(self) -> float:
        """At the equator."""
        return self.R**2


@dataclass(frozen=True)
class Torus(ParametricSurface):
    """((R + r cos v) cos u, (R + r cos v) sin u, r sin v): u around the axis, v the tube."""

    periodic: ClassVar = (True, True)

    R: float = size(2.0, 0.02, 100.0, "radius of the circle inside the tube")
    r: float = size(0.75, 0.01, 99.0, "radius of the tube, less than R")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.r >= self.R:
            raise DataError(f"r must be less than R, got r={self.r} and R={self.R}")

    @property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """Once around each way."""
        return (0.0, 2 * pi), (0.0, 2 * pi)

    def point(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the point, (..., 3)."""
        reach = self.R + self.r * np.cos(v)
        return vectors(reach * np.cos(u), reach * np.sin(u), self.r * np.sin(v))

    def tangents(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the partial derivatives of `point`."""
        reach = self.R + self.r * np.cos(v)
        inward = -self.r * np.sin(v)
        return (
            vectors(-reach * np.sin(u), reach * np.cos(u), constant(0.0, u, v)),
            vectors(inward * np.cos(u), inward * np.sin(u), self.r * np.cos(v)),
        )

    def principal_curvatures(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return -cos v / (R + r cos v) and -1 / r: always in this order, since r < R."""
        around = -np.cos(v) / (self.R + self.r * np.cos(v)) + constant(0.0, u, v)
        return around, constant(-1 / self.r, u, v)

    def area_element(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return r (R + r cos v)."""
        return self.r * (self.R + self.r * np.cos(v)) + constant(0.0, u, v)

    @property
    def largest_area_element(self) -> float:
        """On the outer equator."""
        return self.r * (self.R + self.r)


def _direction(u: FloatArray, v: FloatArray) -> FloatArray:
    return vectors(np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u))


def _southward(u: FloatArray, v: FloatArray) -> FloatArray:
    return vectors(np.cos(u) * np.cos(v), np.cos(u) * np.sin(v), -np.sin(u))


def _eastward(u: FloatArray, v: FloatArray) -> FloatArray:
    return vectors(-np.sin(u) * np.sin(v), np.sin(u) * np.cos(v), constant(0.0, u, v))
