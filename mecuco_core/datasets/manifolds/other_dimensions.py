"""Manifolds that are not surfaces: a sphere of any dimension, and a curve."""

from dataclasses import dataclass
from math import pi
from typing import ClassVar

import numpy as np

from mecuco_core.datasets.manifolds.shape import Shape, size
from mecuco_core.types import FloatArray


@dataclass(frozen=True)
class DSphere(Shape):
    """All points at distance R from the origin of R^(dimension + 1).

    The intrinsic parameters are the dimension + 1 coordinates of the direction, of length one.
    """

    dimension: int = size(3, 1, 1000, "intrinsic dimension")
    R: float = size(1.0, 0.01, 100.0, "radius")

    @property
    def ambient_dimension(self) -> int:
        """One more than the intrinsic dimension."""
        return self.dimension + 1

    @property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """Range of every coordinate of the direction."""
        return ((-1.0, 1.0),) * self.ambient_dimension

    def points(self, parameters: FloatArray) -> FloatArray:
        """Return the points, (n_points, dimension + 1)."""
        return self.R * parameters

    def mean_curvature(self, parameters: FloatArray) -> FloatArray:
        """Return 1 / R."""
        return np.full(len(parameters), 1 / self.R)

    def gaussian_curvature(self, parameters: FloatArray) -> FloatArray | None:
        """Return 1 / R^2 for the ordinary sphere, else None."""
        return np.full(len(parameters), self.R**-2) if self.dimension == 2 else None

    def edge_distance(self, parameters: FloatArray) -> FloatArray:
        """Return infinity: there is no edge."""
        return np.full(len(parameters), np.inf)

    def proposals(
        self, generator: np.random.Generator, n_proposals: int
    ) -> tuple[FloatArray, FloatArray]:
        """Draw directions of Gaussian vectors, already uniform."""
        vectors = generator.standard_normal((n_proposals, self.ambient_dimension))
        directions = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return directions, np.ones(n_proposals)


@dataclass(frozen=True)
class Helix(Shape):
    """(r cos u, r sin u, c u), c = pitch / 2 pi: a coil, of dimension one."""

    edges: ClassVar = ("u-low", "u-high")

    r: float = size(1.0, 0.01, 100.0, "radius of the coil")
    pitch: float = size(1.0, 0.01, 100.0, "rise of one turn")
    turns: float = size(3.0, 0.1, 100.0, "number of turns")

    @property
    def dimension(self) -> int:
        """Intrinsic dimension."""
        return 1

    @property
    def ambient_dimension(self) -> int:
        """Dimension of the space the formula lives in."""
        return 3

    @property
    def domain(self) -> tuple[tuple[float, float], ...]:
        """All turns."""
        return ((0.0, 2 * pi * self.turns),)

    def points(self, parameters: FloatArray) -> FloatArray:
        """Return the points, (n_points, 3)."""
        u = parameters[:, 0]
        return np.column_stack([self.r * np.cos(u), self.r * np.sin(u), self._c * u])

    def mean_curvature(self, parameters: FloatArray) -> FloatArray:
        """Return r / (r^2 + c^2), the curvature of the curve."""
        return np.full(len(parameters), self.r / (self.r**2 + self._c**2))

    def gaussian_curvature(self, parameters: FloatArray) -> None:
        """Return None: a curve has none."""
        return None

    def edge_distance(self, parameters: FloatArray) -> FloatArray:
        """Return the straight-line distance to the nearer end, (n_points,)."""
        ends = self.points(np.array(self.domain).T)  # (2, 3)
        gaps = self.points(parameters)[:, None, :] - ends
        distance: FloatArray = np.linalg.norm(gaps, axis=2).min(axis=1)
        return distance

    def proposals(
        self, generator: np.random.Generator, n_proposals: int
    ) -> tuple[FloatArray, FloatArray]:
        """Draw u uniformly: the speed is constant, so the arc length is uniform too."""
        parameters = generator.uniform(*self.domain[0], size=(n_proposals, 1))
        return parameters, np.ones(n_proposals)

    @property
    def _c(self) -> float:
        return self.pitch / (2 * pi)
