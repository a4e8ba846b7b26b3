"""Saddle-shaped surfaces that turn about an axis: catenoid, helicoid and Möbius band."""

from dataclasses import dataclass
from math import pi
from typing import ClassVar

import numpy as np

from mecuco_core.datasets.manifolds.shape import size
from mecuco_core.datasets.manifolds.surface import (
    ParametricSurface,
    constant,
    principal_from,
    vectors,
)
from mecuco_core.errors import DataError
from mecuco_core.types import FloatArray


@dataclass(frozen=True)
class Catenoid(ParametricSurface):
    """c (cosh v cos u, cosh v sin u, v): the film of soap between two rings."""

    periodic: ClassVar = (True, False)
    edges: ClassVar = ("v-low", "v-high")

    c: float = size(1.0, 0.01, 100.0, "radius of the waist")
    w: float = size(1.0, 0.01, 3.0, "half the height, in waist radii")

    @property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """Once around, from ring to ring."""
        return (0.0, 2 * pi), (-self.w, self.w)

    def point(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the point, (..., 3)."""
        return self.c * vectors(np.cosh(v) * np.cos(u), np.cosh(v) * np.sin(u), v)

    def tangents(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the partial derivatives of `point`."""
        around = vectors(-np.cosh(v) * np.sin(u), np.cosh(v) * np.cos(u), constant(0.0, u, v))
        upward = vectors(np.sinh(v) * np.cos(u), np.sinh(v) * np.sin(u), constant(1.0, u, v))
        return self.c * around, self.c * upward

    def principal_curvatures(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return plus and minus 1 / (c cosh^2 v): equal and opposite, so that H = 0."""
        k = 1 / (self.c * np.cosh(v) ** 2) + constant(0.0, u, v)
        return k, -k

    def area_element(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return c^2 cosh^2 v."""
        return (self.c * np.cosh(v)) ** 2 + constant(0.0, u, v)

    @property
    def largest_area_element(self) -> float:
        """On the rings."""
        return float((self.c * np.cosh(self.w)) ** 2)


@dataclass(frozen=True)
class Helicoid(ParametricSurface):
    """(v cos u, v sin u, c u), c = pitch / 2 pi: a spiral ramp on both sides of its axis."""

    edges: ClassVar = ("u-low", "u-high", "v-low", "v-high")

    pitch: float = size(2.0, 0.01, 100.0, "rise of one turn")
    w: float = size(1.0, 0.01, 100.0, "reach on each side of the axis")
    turns: float = size(1.0, 0.1, 5.0, "number of turns")

    @property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """All turns, from side to side."""
        return (0.0, 2 * pi * self.turns), (-self.w, self.w)

    def point(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the point, (..., 3)."""
        return vectors(v * np.cos(u), v * np.sin(u), self._c * u)

    def tangents(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the partial derivatives of `point`."""
        return (
            vectors(-v * np.sin(u), v * np.cos(u), constant(self._c, u, v)),
            vectors(np.cos(u), np.sin(u), constant(0.0, u, v)),
        )

    def principal_curvatures(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return plus and minus c / (c^2 + v^2): equal and opposite, so that H = 0."""
        k = self._c / (self._c**2 + v**2) + constant(0.0, u, v)
        return k, -k

    def area_element(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return sqrt(c^2 + v^2)."""
        return np.hypot(self._c, v) + constant(0.0, u, v)

    @property
    def largest_area_element(self) -> float:
        """On the outer sides."""
        return float(np.hypot(self._c, self.w))

    @property
    def _c(self) -> float:
        return self.pitch / (2 * pi)


@dataclass(frozen=True)
class Moebius(ParametricSurface):
    """((R + v cos(u/2)) cos u, (R + v cos(u/2)) sin u, v sin(u/2)): a band with half a twist.

    After one turn of u the band meets itself with v reversed, so `normal` and the signs of the
    curvatures change side across u = 0.
    """

    periodic: ClassVar = (True, False)
    edges: ClassVar = ("v-low", "v-high")

    R: float = size(1.0, 0.02, 100.0, "radius of the circle along the middle")
    w: float = size(0.4, 0.01, 99.0, "half the width of the band, less than R")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.w >= self.R:
            raise DataError(f"w must be less than R, got w={self.w} and R={self.R}")

    @property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """Once around, from side to side."""
        return (0.0, 2 * pi), (-self.w, self.w)

    def point(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the point, (..., 3)."""
        reach = self._reach(u, v)
        return vectors(reach * np.cos(u), reach * np.sin(u), v * np.sin(u / 2))

    def tangents(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the partial derivatives of `point`."""
        reach = self._reach(u, v)
        c, s = np.cos(u / 2), np.sin(u / 2)
        return (
            vectors(
                -v / 2 * s * np.cos(u) - reach * np.sin(u),
                -v / 2 * s * np.sin(u) + reach * np.cos(u),
                v / 2 * c,
            ),
            vectors(c * np.cos(u), c * np.sin(u), s + constant(0.0, u, v)),
        )

    def signed_mean(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return -sin(u/2) (reach^2 + v^2 / 2) / (2 W^3), W the area element."""
        lift = np.sin(u / 2) * (self._reach(u, v) ** 2 + v**2 / 2)
        return -lift / (2 * self.area_element(u, v) ** 3)

    def gaussian(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return -R^2 / (4 W^4), W the area element."""
        return -(self.R**2) / (4 * self.area_element(u, v) ** 4)

    def principal_curvatures(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return k1 >= k2."""
        return principal_from(self.signed_mean(u, v), self.gaussian(u, v))

    def area_element(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return sqrt(reach^2 + v^2 / 4): the rulings cross the u-lines at right angles."""
        return np.hypot(self._reach(u, v), v / 2)

    @property
    def largest_area_element(self) -> float:
        """On the side, where the band lies flat."""
        return float(np.hypot(self.R + self.w, self.w / 2))

    def _reach(self, u: FloatArray, v: FloatArray) -> FloatArray:
        return self.R + v * np.cos(u / 2)
