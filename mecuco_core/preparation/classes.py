"""The classes of a target, where it has any."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mecuco_core.preparation.columns import Column, recognise_column
from mecuco_core.preparation.encoding import as_numbers, category_codes

MAX_CLASSES = 100  # of a target of whole numbers; beyond, it is a measurement


@dataclass(frozen=True)
class Class:
    """One class of the target and its size."""

    label: str
    n_rows: int


def class_counts(target: "pd.Series") -> tuple[Class, ...]:
    """Return the classes of a target of shape (n_rows,), largest first.

    Categories, booleans, texts with few values, and whole numbers with few values are classes;
    for anything else the answer is empty.
    """
    column = recognise_column(target)
    if column.kind == "category":
        codes, labels = category_codes(target, column)
        counts = np.bincount(codes[codes >= 0], minlength=len(labels)).tolist()
    elif column.kind in ("boolean", "number"):
        values = as_numbers(target, column)
        present = values[np.isfinite(values)]
        distinct, sizes = np.unique(present, return_counts=True)
        few = len(distinct) <= MAX_CLASSES and 3 * len(distinct) <= len(present)
        if not few or (distinct != np.rint(distinct)).any():
            return ()
        labels = [_label(value, column) for value in distinct.tolist()]
        counts = sizes.tolist()
    else:
        return ()
    found = [Class(label, count) for label, count in zip(labels, counts, strict=True) if count]
    return tuple(sorted(found, key=lambda one: -one.n_rows))


def _label(value: float, column: Column) -> str:
    return str(bool(value)) if column.kind == "boolean" else f"{value:.0f}"
