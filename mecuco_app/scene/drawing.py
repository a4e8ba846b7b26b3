"""Which points are drawn where there are too many: a fair sample, never a silent one."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mecuco_app.data.classes import Classes
from mecuco_app.results.embedding import Coordinates
from mecuco_app.scene.raster import Window, inside
from mecuco_app.text.numbers import count
from mecuco_core.preparation.sampling import sample_rows
from mecuco_core.types import FloatArray, IntArray

MOST_FLAT = 70_000
MOST_DEEP = 10_000
"""Points drawn in two and in three dimensions."""

DENSE = 100_000
"""Points of a flat map beyond which it is drawn as a density."""

MOST_OVER = 20_000
"""Points that can be pointed at over a density."""

_STRATA = 50  # equal parts of the order of the scores, where there are no classes


@dataclass(frozen=True, eq=False)
class Drawn:
    """The drawn points, as positions among all, and what to say about the others."""

    positions: IntArray
    note: str = ""
    dense: bool = False  # whether all points are drawn as a density, and these only pointed at

    def local(self, positions: IntArray) -> IntArray:
        """Return where positions among all points are among the drawn ones; others are dropped."""
        at = np.searchsorted(self.positions, positions)
        at = np.minimum(at, len(self.positions) - 1)
        return np.asarray(at[self.positions[at] == positions])


def drawn_points(
    n_points: int, dimension: int, classes: Classes | None, values: FloatArray | None
) -> Drawn:
    """Return the points to draw: all, or a sample in which every part keeps its share.

    Parameters
    ----------
    n_points, dimension : int
    classes : Classes or None
        The parts of the sample.
    values : ndarray of shape (n_points,) or None
        Scores: without classes, the parts are stretches of their order.
    """
    most = MOST_DEEP if dimension == 3 else MOST_FLAT
    everything = np.arange(n_points)
    if n_points <= most:
        return Drawn(everything)
    positions, how = _fair(everything, most, classes, values)
    return Drawn(
        positions,
        f"{count(most)} of {count(n_points)} points are drawn ({how}, seed 0); "
        "scores are of all points.",
    )


def mapped_points(
    coordinates: Coordinates,
    window: Window | None,
    classes: Classes | None,
    values: FloatArray | None,
    wanted: IntArray,
) -> Drawn:
    """Return the points to draw on a map, of which a part may be shown.

    Parameters
    ----------
    coordinates : ndarray of shape (n_points, 2) or (n_points, 3)
    window : ((x, x), (y, y)) or None
        The part of a flat map that is shown; None for all of it.
    classes, values
        As for `drawn_points`.
    wanted : ndarray of int
        Points that are drawn whatever the sample is: selected ones, or one looked at.
    """
    n_points, dimension = coordinates.shape
    if dimension == 3 or n_points <= MOST_FLAT:
        return drawn_points(n_points, dimension, classes, values)
    seen = np.arange(n_points) if window is None else inside(coordinates, window)
    dense = len(seen) > DENSE
    most = MOST_OVER if dense else MOST_FLAT
    positions, how = _fair(seen, most, classes, values)
    wanted = wanted[np.isin(wanted, seen)]
    if len(wanted) > MOST_OVER:
        wanted = sample_rows(wanted, MOST_OVER, 0)
    shown = np.union1d(positions, wanted)
    if dense:
        note = (
            f"{count(len(seen))} points as a density of mean colour. The pointer finds "
            f"{count(len(shown))} of them ({how}, seed 0); a lasso or a box takes all within."
        )
    elif len(shown) < len(seen):
        note = f"{count(len(shown))} of {count(len(seen))} points are drawn ({how}, seed 0)."
    else:
        note = f"{count(len(seen))} of {count(n_points)} points lie here, and all are drawn."
    return Drawn(shown, note, dense)


def _fair(
    among: IntArray, most: int, classes: Classes | None, values: FloatArray | None
) -> tuple[IntArray, str]:
    """Return at most so many of the points, and in which way they were taken."""
    if len(among) <= most:
        return among, "all"
    if classes is not None:
        strata, how = classes.codes[among], "each class with its share"
    elif values is not None:
        order = np.argsort(np.argsort(values[among], kind="stable"), kind="stable")
        strata, how = order * _STRATA // len(among), "high and low scores with their share"
    else:
        strata, how = np.zeros(len(among), dtype=np.int64), "at random"
    return sample_rows(among, most, 0, pd.Series(strata)), how
