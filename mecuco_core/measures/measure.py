"""What an entry of the table of measures says."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from mecuco_core.errors import DataError
from mecuco_core.measures.points import NEEDS, Need, Points
from mecuco_core.types import FloatArray

Colours = Literal["sequential", "diverging", "percent"]
"""From low to high; from below zero to above; from 0 to 100, always."""

Scale = Literal["auto", "robust", "log", "rank", "full"]
"""How values are spread over the colours; "auto" looks at the values."""

Place = Literal["hover", "card", "table", "export"]


@dataclass(frozen=True)
class Measure:
    """One number that every point can be given.

    Parameters
    ----------
    name : str
        A Python identifier: the column of exports, the word of links and of the command line.
    title : str
        For people.
    explanation : str
        One plain sentence: what it sees and what it does not.
    needs : tuple of Need
        What it is computed from, fields of `Points`.
    compute : callable
        Called with what it needs, in that order; returns an array of shape (n_points,), NaN where
        a point has no value.
    unit : str
        "a.u." is that of the prepared features; "share" lies between 0 and 1; empty for none.
    whole : bool
        Whether its values are whole numbers.
    colours : {"sequential", "diverging", "percent"}
    scale : {"auto", "robust", "log", "rank", "full"}
        The colour scale it opens with.
    cost : str
        What it costs once there is what it needs.
    places : frozenset of {"hover", "card", "table", "export"}
        Where it stands without being asked for.
    parts : tuple of str
        Names of the measures whose sum it is.
    former : tuple of str
        Names it had in links of before.
    """

    name: str
    title: str
    explanation: str
    needs: tuple[Need, ...]
    compute: Callable[..., npt.NDArray[Any]]
    unit: str = ""
    whole: bool = False
    colours: Colours = "sequential"
    scale: Scale = "auto"
    cost: str = "next to nothing"
    places: frozenset[Place] = frozenset()
    parts: tuple[str, ...] = ()
    former: tuple[str, ...] = ()

    @property
    def inline(self) -> str:
        """The title inside a sentence: "Score κ" is "score κ", "LOF" stays."""
        word = self.title.split(" ", 1)[0]
        return self.title[:1].lower() + self.title[1:] if word[1:].islower() else self.title

    @property
    def needed(self) -> str:
        """What it is computed from, as a phrase."""
        return " and ".join(NEEDS[need] for need in self.needs)

    def values(self, points: Points) -> FloatArray:
        """Return the measure of every point, (n_points,); raises DataError where that cannot be."""
        given = [getattr(points, need) for need in self.needs]
        if any(value is None for value in given):
            raise DataError(f"{self.name} needs {self.needed}")
        return np.asarray(self.compute(*given), dtype=np.float64)

    def is_known(self, points: Points) -> bool:
        """Whether all it needs is there."""
        return all(getattr(points, need) is not None for need in self.needs)
