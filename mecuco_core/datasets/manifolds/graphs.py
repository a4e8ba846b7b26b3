"""Surfaces that lie over the plane: saddle, monkey saddle and paraboloid."""

from dataclasses import dataclass
from math import pi
from typing import ClassVar

import numpy as np

from mecuco_core.datasets.manifolds.shape import size
from mecuco_core.datasets.manifolds.surface import (
    ParametricSurface,
    constant,
    principal_from,
    unit,
    vectors,
)
from mecuco_core.types import FloatArray


@dataclass(frozen=True)
class _OverSquare(ParametricSurface):
    """(u, v, height) over the square [-w, w]^2."""

    edges: ClassVar = ("u-low", "u-high", "v-low", "v-high")

    a: float = size(1.0, 0.01, 10.0, "steepness")
    w: float = size(1.0, 0.01, 10.0, "half the side of the square below")

    @property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """The square below."""
        return (-self.w, self.w), (-self.w, self.w)

    def principal_curvatures(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return k1 >= k2."""
        return principal_from(self.signed_mean(u, v), self.gaussian(u, v))


@dataclass(frozen=True)
class Saddle(_OverSquare):
    """(u, v, a (u^2 - v^2)) over the square [-w, w]^2."""

    def point(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the point, (..., 3)."""
        return vectors(u, v, self.a * (u**2 - v**2))

    def tangents(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the partial derivatives of `point`."""
        return _graph_tangents(u, v, 2 * self.a * u, -2 * self.a * v)

    def signed_mean(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return 4 a^3 (v^2 - u^2) / W^3, W the area element."""
        return 4 * self.a**3 * (v**2 - u**2) / self.area_element(u, v) ** 3

    def gaussian(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return -4 a^2 / W^4, W the area element."""
        return -4 * self.a**2 / self.area_element(u, v) ** 4

    def area_element(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return sqrt(1 + 4 a^2 (u^2 + v^2))."""
        return np.sqrt(1 + 4 * self.a**2 * (u**2 + v**2))

    @property
    def largest_area_element(self) -> float:
        """At the corners."""
        return float(np.sqrt(1 + 8 * self.a**2 * self.w**2))


@dataclass(frozen=True)
class MonkeySaddle(_OverSquare):
    """(u, v, a (u^3 - 3 u v^2)) over the square [-w, w]^2: two legs and a tail."""

    def point(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the point, (..., 3)."""
        return vectors(u, v, self.a * (u**3 - 3 * u * v**2))

    def tangents(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the partial derivatives of `point`."""
        return _graph_tangents(u, v, 3 * self.a * (u**2 - v**2), -6 * self.a * u * v)

    def signed_mean(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return 27 a^3 u (3 v^4 + 2 u^2 v^2 - u^4) / W^3, W the area element."""
        legs = u * (3 * v**4 + 2 * u**2 * v**2 - u**4)
        return 27 * self.a**3 * legs / self.area_element(u, v) ** 3

    def gaussian(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return -36 a^2 (u^2 + v^2) / W^4, W the area element."""
        return -36 * self.a**2 * (u**2 + v**2) / self.area_element(u, v) ** 4

    def area_element(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return sqrt(1 + 9 a^2 (u^2 + v^2)^2)."""
        return np.sqrt(1 + 9 * self.a**2 * (u**2 + v**2) ** 2)

    @property
    def largest_area_element(self) -> float:
        """At the corners."""
        return float(np.sqrt(1 + 36 * self.a**2 * self.w**4))


@dataclass(frozen=True)
class Paraboloid(ParametricSurface):
    """(u cos v, u sin v, a u^2) over the disc u <= w: a bowl."""

    periodic: ClassVar = (False, True)
    edges: ClassVar = ("u-high",)

    a: float = size(1.0, 0.01, 10.0, "steepness")
    w: float = size(1.0, 0.01, 10.0, "radius of the disc below")

    @property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """From the bottom to the rim, once around."""
        return (0.0, self.w), (0.0, 2 * pi)

    def point(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the point, (..., 3)."""
        return vectors(u * np.cos(v), u * np.sin(v), self.a * u**2)

    def tangents(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the partial derivatives of `point`."""
        return (
            vectors(np.cos(v), np.sin(v), 2 * self.a * u),
            vectors(-u * np.sin(v), u * np.cos(v), constant(0.0, u, v)),
        )

    def normal(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the upward unit normal."""
        slope = 2 * self.a * u
        return unit(vectors(-slope * np.cos(v), -slope * np.sin(v), constant(1.0, u, v)))

    def principal_curvatures(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return 2 a / W around and 2 a / W^3 up the wall, W = sqrt(1 + 4 a^2 u^2)."""
        stretch = np.hypot(1.0, 2 * self.a * u) + constant(0.0, u, v)
        return 2 * self.a / stretch, 2 * self.a / stretch**3

    def area_element(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return u sqrt(1 + 4 a^2 u^2)."""
        return u * np.hypot(1.0, 2 * self.a * u) + constant(0.0, u, v)

    @property
    def largest_area_element(self) -> float:
        """On the rim."""
        return float(self.w * np.hypot(1.0, 2 * self.a * self.w))


def _graph_tangents(
    u: FloatArray, v: FloatArray, slope_u: FloatArray, slope_v: FloatArray
) -> tuple[FloatArray, FloatArray]:
    zero, one = constant(0.0, u, v), constant(1.0, u, v)
    return vectors(one, zero, slope_u), vectors(zero, one, slope_v)
