"""The classes of a target: a code for every point and a name for every code."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mecuco_app.text.escape import cell
from mecuco_core.preparation.classes import class_counts
from mecuco_core.types import IntArray

MISSING = "missing"
SHOWN = 20
"""Classes that have a colour and a shape of their own."""


@dataclass(frozen=True, eq=False)
class Classes:
    """Classes of points: the `SHOWN` largest first, each part in the order of the names.

    Attributes
    ----------
    codes : ndarray of shape (n_points,)
    names : tuple of str
        Untrusted.
    sizes : ndarray of shape (n_classes,)
    missing : int
        Code of the points that have no label, -1 where all have one.
    """

    codes: IntArray
    names: tuple[str, ...]
    sizes: IntArray
    missing: int = -1

    @property
    def n_labels(self) -> int:
        """How many classes there are, points without a label not counted as one."""
        return len(self.names) - (self.missing >= 0)

    @property
    def labels(self) -> "pd.Series":
        """Codes of the points, (n_points,), missing where there is no label."""
        return pd.Series(self.codes).where(self.codes != self.missing)

    def at(self, position: int) -> str:
        """Return the name of the class of one point."""
        return self.names[int(self.codes[position])]


def classes_of(values: "pd.Series | None") -> Classes | None:
    """Return the classes of a column of shape (n_points,), or None when it is a measurement."""
    if values is None or not class_counts(values):
        return None
    codes, labels = pd.factorize(values.array, use_na_sentinel=False)
    sizes = np.bincount(codes)
    names = [_name(label) for label in labels]
    by_size = np.argsort(-sizes, kind="stable").tolist()
    order = [
        code
        for part in (by_size[:SHOWN], by_size[SHOWN:])
        for code in sorted(part, key=lambda code: _natural(names[code]))
    ]
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    absent = np.flatnonzero(pd.isna(labels))
    missing = int(place[absent[0]]) if len(absent) else -1
    return Classes(place[codes], tuple(names[code] for code in order), sizes[order], missing)


def label_of(value: object) -> str:
    """Return a label for a table: short plain text, "missing" where there is none."""
    if isinstance(value, float) and not value.is_integer() and value == value:
        return f"{value:.4g}"
    return cell(_name(value))


def _natural(name: str) -> tuple[int, float, str]:
    """Order numbers by value and before words."""
    try:
        return (0, float(name), name)
    except ValueError:
        return (1, 0.0, name)


def _name(label: object) -> str:
    if label is None or label is pd.NA or label != label:
        return MISSING
    if isinstance(label, float | np.floating) and float(label).is_integer():
        return str(int(label))
    return str(label)
