"""What every manifold can say about itself: its sizes, its points and how they bend."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal

import numpy as np

from mecuco_core.errors import DataError
from mecuco_core.types import FloatArray

Side = Literal["u-low", "u-high", "v-low", "v-high"]


@dataclass(frozen=True)
class ShapeParameter:
    """A size that may be chosen: its name, default, inclusive range and meaning."""

    name: str
    default: float
    low: float
    high: float
    description: str

    @property
    def integer(self) -> bool:
        """Whether only whole numbers make sense."""
        return isinstance(self.default, int)

    def check(self, value: object) -> float:
        """Return `value` as a plain number, or say what is wrong with it."""
        word = "a whole number" if self.integer else "a number"
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float | np.integer | np.floating)
            or (self.integer and not isinstance(value, int | np.integer))
            or not self.low <= value <= self.high
        ):
            raise DataError(
                f"{self.name} must be {word} in [{self.low}, {self.high}], got {value!r}"
            )
        return int(value) if self.integer else float(value)


def size(default: float, low: float, high: float, description: str) -> Any:
    """Declare a field of a `Shape` as a parameter with a range."""
    declaration = {"default": default, "low": low, "high": high, "description": description}
    return field(default=default, metadata=declaration)


@dataclass(frozen=True)
class Shape(ABC):
    """A manifold with all its sizes fixed.

    Every field of a subclass is a size, declared by `size`. A point is named by its intrinsic
    parameters, a row of an array of shape (n_points, n_parameters).
    """

    edges: ClassVar[tuple[Side, ...]] = ()  # sides of the domain that are an edge

    def __post_init__(self) -> None:
        for parameter in self.declared():
            value = parameter.check(getattr(self, parameter.name))
            object.__setattr__(self, parameter.name, value)

    @classmethod
    def declared(cls) -> tuple[ShapeParameter, ...]:
        """Return the sizes that may be chosen, in the order of the constructor."""
        return tuple(ShapeParameter(item.name, **item.metadata) for item in fields(cls))

    def sizes(self) -> dict[str, float]:
        """Return the chosen sizes by name."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Intrinsic dimension."""

    @property
    @abstractmethod
    def ambient_dimension(self) -> int:
        """Dimension of the space the formula lives in."""

    @property
    @abstractmethod
    def domain(self) -> tuple[tuple[float, float], ...]:
        """Lowest and highest value of every intrinsic parameter."""

    @property
    def periodic(self) -> tuple[bool, ...]:
        """Whether the two ends of each intrinsic parameter meet."""
        return (False,) * len(self.domain)

    @abstractmethod
    def points(self, parameters: FloatArray) -> FloatArray:
        """Return the points, (n_points, ambient_dimension)."""

    @abstractmethod
    def mean_curvature(self, parameters: FloatArray) -> FloatArray:
        """Return the norm of the mean curvature vector, (n_points,)."""

    @abstractmethod
    def gaussian_curvature(self, parameters: FloatArray) -> FloatArray | None:
        """Return the Gaussian curvature, (n_points,), or None if this is no surface."""

    @abstractmethod
    def edge_distance(self, parameters: FloatArray) -> FloatArray:
        """Return the straight-line distance to the nearest point of the edge, (n_points,).

        Infinite where there is no edge. A ball of smaller radius around the point contains no
        point of the edge.
        """

    @abstractmethod
    def proposals(
        self, generator: np.random.Generator, n_proposals: int
    ) -> tuple[FloatArray, FloatArray]:
        """Draw intrinsic parameters with the chance, in [0, 1], to keep each.

        What is kept is uniform by length, area or volume.

        Returns
        -------
        parameters : ndarray of shape (n_proposals, n_parameters)
        chances : ndarray of shape (n_proposals,)
        """

    def gradient(self, parameters: FloatArray) -> FloatArray:
        """Return the place along the first intrinsic direction, in [-1, 1], (n_points,).

        Linear in the first parameter from -1 at its lowest value to 1 at its highest; where the
        parameter is periodic, minus its cosine, so that the two ends meet.
        """
        low, high = self.domain[0]
        turn = (parameters[:, 0] - low) / (high - low)
        return -np.cos(2 * math.pi * turn) if self.periodic[0] else 2 * turn - 1
