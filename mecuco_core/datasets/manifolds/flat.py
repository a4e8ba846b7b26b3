"""Surfaces that unroll into the plane, with no Gaussian curvature: sheets of one profile."""

from abc import abstractmethod
from dataclasses import dataclass
from math import pi
from typing import ClassVar

import numpy as np

from mecuco_core.datasets.manifolds.shape import Side, size
from mecuco_core.datasets.manifolds.surface import ParametricSurface, constant, vectors
from mecuco_core.types import FloatArray


@dataclass(frozen=True)
class Sheet(ParametricSurface):
    """A plane curve in x and z, moved along y: (x(u), v, z(u)) for v in [0, height]."""

    edges: ClassVar[tuple[Side, ...]] = ("u-low", "u-high", "v-low", "v-high")

    height: float = size(2.0, 0.01, 100.0, "length along the straight direction")

    @property
    @abstractmethod
    def _interval(self) -> tuple[float, float]:
        """Range of u."""

    @abstractmethod
    def _profile(self, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return x and z of the curve."""

    @abstractmethod
    def _velocity(self, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the derivatives of x and z."""

    @abstractmethod
    def _bend(self, u: FloatArray) -> FloatArray:
        """Return the curvature of the curve, positive where it turns from x towards z."""

    @property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """Along the profile, and across."""
        return self._interval, (0.0, self.height)

    def point(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the point, (..., 3)."""
        x, z = self._profile(u)
        return vectors(x, v, z)

    def tangents(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the partial derivatives of `point`."""
        x, z = self._velocity(u)
        zero = constant(0.0, u, v)
        return vectors(x, zero, z), vectors(zero, constant(1.0, u, v), zero)

    def principal_curvatures(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the curvature of the profile and 0, larger first."""
        bend = self._bend(u) + constant(0.0, u, v)
        return np.maximum(bend, 0.0), np.minimum(bend, 0.0)

    def gaussian(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return 0."""
        return constant(0.0, u, v)

    def area_element(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the speed of the profile."""
        return np.hypot(*self._velocity(u)) + constant(0.0, u, v)


@dataclass(frozen=True)
class Plane(Sheet):
    """(u, v, 0): a rectangle."""

    width: float = size(2.0, 0.01, 100.0, "length along x")

    @property
    def _interval(self) -> tuple[float, float]:
        return 0.0, self.width

    def _profile(self, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        return u, 0.0 * u

    def _velocity(self, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        return np.ones_like(u), np.zeros_like(u)

    def _bend(self, u: FloatArray) -> FloatArray:
        return np.zeros_like(u)

    @property
    def largest_area_element(self) -> float:
        """The same everywhere."""
        return 1.0


@dataclass(frozen=True)
class Cylinder(Sheet):
    """(R cos u, v, R sin u): a tube along y, open at both ends."""

    periodic: ClassVar = (True, False)
    edges: ClassVar = ("v-low", "v-high")

    R: float = size(1.0, 0.01, 100.0, "radius")

    @property
    def _interval(self) -> tuple[float, float]:
        return 0.0, 2 * pi

    def _profile(self, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self.R * np.cos(u), self.R * np.sin(u)

    def _velocity(self, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        return -self.R * np.sin(u), self.R * np.cos(u)

    def _bend(self, u: FloatArray) -> FloatArray:
        return np.full_like(u, 1 / self.R)

    @property
    def largest_area_element(self) -> float:
        """The same everywhere."""
        return self.R


@dataclass(frozen=True)
class SwissRoll(Sheet):
    """(a u cos u, v, a u sin u): a sheet rolled to a spiral, from three quarters of a turn on."""

    height: float = size(21.0, 0.01, 100.0, "width of the rolled sheet")
    a: float = size(1.0, 0.01, 10.0, "tightness: the layers are 2 pi a apart")
    turns: float = size(1.5, 0.1, 5.0, "number of turns")

    @property
    def _interval(self) -> tuple[float, float]:
        return 1.5 * pi, (1.5 + 2 * self.turns) * pi

    def _profile(self, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self.a * u * np.cos(u), self.a * u * np.sin(u)

    def _velocity(self, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        return (
            self.a * (np.cos(u) - u * np.sin(u)),
            self.a * (np.sin(u) + u * np.cos(u)),
        )

    def _bend(self, u: FloatArray) -> FloatArray:
        return (2 + u**2) / (self.a * (1 + u**2) ** 1.5)

    @property
    def largest_area_element(self) -> float:
        """At the outer end: the speed is a sqrt(1 + u^2)."""
        return float(self.a * np.hypot(1.0, self._interval[1]))


@dataclass(frozen=True)
class SCurve(Sheet):
    """(R sin u, v, R sign(u) (cos u - 1)): two three-quarter circles that bend opposite ways."""

    R: float = size(1.0, 0.01, 100.0, "radius of both arcs")

    @property
    def _interval(self) -> tuple[float, float]:
        return -1.5 * pi, 1.5 * pi

    def _profile(self, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self.R * np.sin(u), self.R * np.sign(u) * (np.cos(u) - 1)

    def _velocity(self, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self.R * np.cos(u), -self.R * np.sign(u) * np.sin(u)

    def _bend(self, u: FloatArray) -> FloatArray:
        # Where the arcs meet the sign is undecided; one side is taken, so that |H| has no hole.
        return np.where(u < 0, 1.0, -1.0) / self.R

    @property
    def largest_area_element(self) -> float:
        """The same everywhere."""
        return self.R
