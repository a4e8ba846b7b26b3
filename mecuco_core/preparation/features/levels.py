"""Categories as features: one for each level that occurs, rare levels joined where asked for."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mecuco_core.errors import DataError
from mecuco_core.preparation.columns import Column
from mecuco_core.preparation.encoding import category_codes
from mecuco_core.runtime.wording import quoted
from mecuco_core.types import IntArray

MAX_ONE_HOT = 1000  # categories of one column
MAX_LEVELS = 20  # features of one column where rare levels are joined
FEW_ROWS, SMALL_SHARE = 5, 0.01  # a level of fewer rows, or of a smaller share of them, is rare
MANY_ROWS, LARGE_SHARE = 5, 0.05  # missing values that are as many are marked


@dataclass(frozen=True, eq=False)
class Levels:
    """The features of one column of categories.

    Parameters
    ----------
    names : list of str
        Of the features.
    feature_of : ndarray of shape (n_codes + 1,)
        The feature of each code; -1 where it has none. The last entry is that of the code -1, a
        missing value.
    n_joined : int
        Levels in the feature "other".
    """

    names: list[str]
    feature_of: IntArray
    n_joined: int = 0

    @property
    def marks_missing(self) -> bool:
        """Whether missing values have a feature."""
        return bool(self.feature_of[-1] >= 0)


def levels_of(
    series: "pd.Series",
    column: Column,
    rows: IntArray,
    *,
    join: bool,
    mark_missing: bool,
    asked_for: bool,
) -> Levels | str:
    """Return the levels of a column, or why it is left out.

    Parameters
    ----------
    series : Series of shape (n_rows,)
    column : Column
    rows : ndarray of shape (n_points,)
        The rows that become points.
    join : bool
        Whether rare levels are one.
    mark_missing : bool
        Whether missing values have a feature where they are many.
    asked_for : bool
        Whether the column is used also with many levels.
    """
    codes, labels = category_codes(series, column)
    counts = np.bincount(codes[rows] + 1, minlength=len(labels) + 1)
    n_missing, sizes = int(counts[0]), counts[1:]
    used = np.flatnonzero(sizes)
    if not len(used):
        return "every value is missing"
    feature_of = np.full(len(labels) + 1, -1, dtype=np.int64)
    rare = np.array([], dtype=np.int64)
    if join:
        is_rare = (sizes[used] < FEW_ROWS) | (sizes[used] < SMALL_SHARE * len(rows))
        if is_rare.sum() > 1:
            rare, used = used[is_rare], used[~is_rare]
        if len(used) > MAX_LEVELS:
            if not asked_for:
                return f"more than {MAX_LEVELS} categories"
            by_size = used[np.argsort(-sizes[used], kind="stable")]
            rare = np.concatenate([rare, by_size[MAX_LEVELS:]])
            used = np.sort(by_size[:MAX_LEVELS])
    elif len(used) > MAX_ONE_HOT:
        raise DataError(
            f"column {quoted(column.name)} has {len(used):,} categories, and one-hot takes at most "
            f"{MAX_ONE_HOT:,}: use codes, or exclude the column"
        )
    names = [f"{column.name}={labels[code]}" for code in used]
    feature_of[used] = np.arange(len(used))
    if len(rare):
        feature_of[rare] = len(names)
        names.append(f"{column.name}=other")
    if mark_missing and is_many(n_missing, len(rows)):
        feature_of[-1] = len(names)
        names.append(missing_name(column.name))
    if join and len(names) == 1 and not asked_for:
        return "a single value" if not len(rare) else f"{len(rare):,} categories, all of them rare"
    return Levels(names, feature_of, len(rare))


def is_many(n_missing: int, n_rows: int) -> bool:
    """Whether so many values are missing that the points say where."""
    return n_missing >= MANY_ROWS and n_missing >= LARGE_SHARE * n_rows


def missing_name(column: str) -> str:
    """Return what the feature is called that is 1 where a value of the column is missing."""
    return f"{column} is missing"
