"""Which points are drawn where there are too many: a fair sample, never a silent one."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mecuco_app.classes import Classes
from mecuco_app.numerals import count
from mecuco_core._types import FloatArray, IntArray
from mecuco_core.datasets.sampling import sample_rows

MOST_FLAT = 70_000
MOST_DEEP = 10_000
"""Points drawn in two and in three dimensions."""

_STRATA = 50  # equal parts of the order of the scores, where there are no classes


@dataclass(frozen=True, eq=False)
class Drawn:
    """The drawn points, as positions among all, and what to say about the others."""

    positions: IntArray
    note: str = ""

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
    if classes is not None:
        strata, how = classes.codes, "each class with its share"
    elif values is not None:
        order = np.argsort(np.argsort(values, kind="stable"), kind="stable")
        strata, how = order * _STRATA // n_points, "high and low scores with their share"
    else:
        strata, how = np.zeros(n_points, dtype=np.int64), "at random"
    positions = sample_rows(everything, most, 0, pd.Series(strata))
    return Drawn(
        positions,
        f"{count(most)} of {count(n_points)} points are drawn ({how}, seed 0); "
        "scores are of all points.",
    )
