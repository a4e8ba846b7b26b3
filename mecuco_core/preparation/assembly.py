"""Build the points: encode, fill and scale the chosen columns block by block."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
import pandas as pd

from mecuco_core.datasets.blocks import block_width, write_columns
from mecuco_core.errors import DataError
from mecuco_core.preparation.columns import Column
from mecuco_core.preparation.duplicates import RowHashes
from mecuco_core.preparation.encoding import category_codes, number_blocks
from mecuco_core.preparation.report import Counted, Encoded, Filled, LeftOut
from mecuco_core.preparation.scaling import Scale, scale_features
from mecuco_core.runtime.wording import quoted
from mecuco_core.types import BoolArray, FloatArray, IntArray

Missing = Literal["zero", "median", "drop rows"]
MISSING: tuple[Missing, ...] = get_args(Missing)

MAX_ONE_HOT = 1000  # categories of one column


@dataclass(eq=False)
class Assembly:
    """Points under construction, and what was done to their columns so far."""

    points: FloatArray  # (n_points, n_features)
    feature_names: list[str]
    renamed: list[str]
    columns: list[Column]
    left_out: list[LeftOut]
    encoded: list[Encoded]
    filled: list[Filled] = field(default_factory=list)
    infinite: list[Counted] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    constant: list[str] = field(default_factory=list)
    by_deviation: list[str] = field(default_factory=list)
    duplicate_rows: int = 0


@dataclass(frozen=True, eq=False)
class _Levels:
    """The categories of one column that occur, each of them a feature."""

    codes: FloatArray  # (n_levels,)
    labels: list[str]


def assembled(
    table: pd.DataFrame,
    columns: Sequence[Column],
    rows: IntArray,
    *,
    one_hot: bool,
    missing: Missing,
    scale: Scale,
) -> Assembly:
    """Turn columns into the features of points.

    Parameters
    ----------
    table : DataFrame of shape (n_rows, n_columns)
    columns : sequence of Column, ascending by position
    rows : ndarray of shape (n_points,), ascending
        The rows that become points.
    one_hot : bool
        Whether categories become one feature each instead of codes.
    missing : {"zero", "median", "drop rows"}
        Under "drop rows" no value is missing in `rows`.
    scale : {"standard", "robust", "min-max", "none"}
    """
    levels = {
        column.position: _levels(table.iloc[:, column.position], column, rows)
        for column in columns
        if one_hot and column.is_coded
    }
    empty = {position for position, found in levels.items() if not found.labels}
    left_out = [LeftOut(c.name, "every value is missing") for c in columns if c.position in empty]
    columns = [column for column in columns if column.position not in empty]
    if not columns:
        raise DataError("no column can be used: none of the categories has a value")
    names, renamed = _unique(list(_feature_names(columns, levels)))
    encoded = [_encoded(column, levels) for column in columns if column.is_coded]
    points = np.empty((len(rows), len(names)))
    work = Assembly(points, names, renamed, columns, left_out, encoded)
    all_rows = None if len(rows) == len(table) else rows
    hashes = RowHashes(len(rows))
    first = 0
    for part, values in number_blocks(table, columns, all_rows):
        _fill(work, table, part, values, missing, levels)
        for features in _features(part, values, levels):
            last = first + len(features)
            hashes.update(features)
            constant, by_deviation = scale_features(features, scale)
            work.constant += _picked(names[first:last], constant)
            work.by_deviation += _picked(names[first:last], by_deviation)
            write_columns(work.points, first, features)
            first = last
    work.duplicate_rows = hashes.n_repeated()
    return work


def _fill(
    work: Assembly,
    table: pd.DataFrame,
    part: Sequence[Column],
    values: FloatArray,
    missing: Missing,
    levels: "dict[int, _Levels]",
) -> None:
    """Put a number in the place of each missing value of `values` (n_part, n_points)."""
    gone = ~np.isfinite(values)
    n_gone = gone.sum(axis=1)
    n_infinite = n_gone - np.isnan(values).sum(axis=1)
    for i in np.flatnonzero(n_gone).tolist():
        column, count, present = part[i], int(n_gone[i]), values[i][~gone[i]]
        value = 0.0
        if missing == "median" and len(present) and column.is_coded:
            code = int(np.argmax(np.bincount(present.astype(np.int64))))
            label = category_codes(table.iloc[:, column.position], column)[1][code]
            value = float(code)
            work.filled.append(Filled(column.name, count, "most frequent", label))
        elif missing == "median" and len(present):
            value = float(np.median(present))
            work.filled.append(Filled(column.name, count, "median", value))
        elif column.is_coded:
            value = -1.0
            spread = column.position in levels
            work.filled.append(Filled(column.name, count, "nothing" if spread else "code", value))
        else:
            work.filled.append(Filled(column.name, count, "zero", value))
        values[i, gone[i]] = value
        if n_infinite[i]:
            work.infinite.append(Counted(column.name, int(n_infinite[i])))
        if not len(present):
            work.empty.append(column.name)


def _features(
    part: Sequence[Column], values: FloatArray, levels: dict[int, _Levels]
) -> Iterator[FloatArray]:
    """Yield filled columns as features, in order: runs of them as they are, categories spread."""
    width = block_width(values.shape[1])
    start = 0
    for i, column in enumerate(part):
        if column.position not in levels:
            continue
        if i > start:
            yield values[start:i]
        start = i + 1
        codes = levels[column.position].codes
        for first in range(0, len(codes), width):
            yield (values[i] == codes[first : first + width, np.newaxis]).astype(np.float64)
    if start < len(part):
        yield values[start:]


def _levels(series: "pd.Series", column: Column, rows: IntArray) -> _Levels:
    codes, labels = category_codes(series, column)
    used = np.unique(codes[rows])
    used = used[used >= 0]
    if len(used) > MAX_ONE_HOT:
        raise DataError(
            f"column {quoted(column.name)} has {len(used):,} categories, and one-hot takes at most "
            f"{MAX_ONE_HOT:,}: use codes, or exclude the column"
        )
    return _Levels(used.astype(np.float64), [labels[code] for code in used])


def _encoded(column: Column, levels: dict[int, _Levels]) -> Encoded:
    if column.position in levels:
        return Encoded(column.name, "one-hot", len(levels[column.position].labels))
    return Encoded(column.name, "codes", column.n_categories)


def _feature_names(columns: Sequence[Column], levels: dict[int, _Levels]) -> Iterator[str]:
    for column in columns:
        if column.position in levels:
            yield from (f"{column.name}={label}" for label in levels[column.position].labels)
        else:
            yield column.name


def _unique(names: list[str]) -> tuple[list[str], list[str]]:
    """Return the names with a number after those that occur again, and these alone."""
    taken, unique, renamed = set(names), list(names), []
    seen: dict[str, int] = {}
    for position, name in enumerate(names):
        seen[name] = seen.get(name, 0) + 1
        if seen[name] == 1:
            continue
        while f"{name} ({seen[name]})" in taken:
            seen[name] += 1
        unique[position] = f"{name} ({seen[name]})"
        taken.add(unique[position])
        renamed.append(unique[position])
    return unique, renamed


def _picked(names: list[str], mask: BoolArray) -> list[str]:
    return [names[i] for i in np.flatnonzero(mask)]
