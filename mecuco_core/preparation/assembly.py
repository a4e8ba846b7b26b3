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
from mecuco_core.preparation.features.levels import Levels, is_many, levels_of, missing_name
from mecuco_core.preparation.features.suited import LEVEL, MARK, scale_suited
from mecuco_core.preparation.report import Counted, Encoded, Filled, LeftOut
from mecuco_core.preparation.scaling import Scale, scale_features
from mecuco_core.preparation.selection import nothing_to_use
from mecuco_core.types import BoolArray, FloatArray, IntArray

Missing = Literal["zero", "median", "drop rows", "indicator"]
MISSING: tuple[Missing, ...] = get_args(Missing)

Categories = Literal["codes", "one-hot", "drop", "levels"]
CATEGORIES: tuple[Categories, ...] = get_args(Categories)

_FeatureKind = Literal["numbers", "levels", "mark"]


@dataclass(frozen=True)
class How:
    """The choices of a preparation that the assembly follows.

    `asked_for` are positions of columns that are used whatever is in them; of the others those
    without information are left out where `close` is true.
    """

    categories: Categories
    missing: Missing
    scale: Scale
    close: bool = False
    asked_for: frozenset[int] = frozenset()


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
    by_middle: list[str] = field(default_factory=list)
    by_ends: list[str] = field(default_factory=list)
    marked: list[str] = field(default_factory=list)
    duplicate_rows: int = 0


def assembled(table: pd.DataFrame, columns: Sequence[Column], rows: IntArray, how: How) -> Assembly:
    """Turn columns into the features of points.

    Parameters
    ----------
    table : DataFrame of shape (n_rows, n_columns)
    columns : sequence of Column, ascending by position
    rows : ndarray of shape (n_points,), ascending
        The rows that become points.
    how : How
        Under missing "drop rows" no value is missing in `rows`.
    """
    levels: dict[int, Levels] = {}
    left_out: list[LeftOut] = []
    gone: set[int] = set()
    for column in columns:
        if column.is_coded and how.categories in ("one-hot", "levels"):
            found = levels_of(
                table.iloc[:, column.position],
                column,
                rows,
                join=how.categories == "levels",
                mark_missing=how.missing == "indicator",
                asked_for=column.position in how.asked_for or not how.close,
            )
            if isinstance(found, str):
                left_out.append(LeftOut(column.name, found))
                gone.add(column.position)
            else:
                levels[column.position] = found
    all_rows = None if len(rows) == len(table) else rows
    columns = [column for column in columns if column.position not in gone]
    marked: set[int] = set()
    if how.missing == "indicator" or how.close:
        marked, without = _looked_at(table, columns, levels, all_rows, len(rows), how)
        columns = [column for column in columns if column.position not in without]
        left_out += without.values()
    if not columns:
        raise DataError(nothing_to_use(left_out))
    names, renamed = _unique(list(_feature_names(columns, levels, marked)))
    encoded = [_encoded(column, levels) for column in columns if column.is_coded]
    points = np.empty((len(rows), len(names)))
    work = Assembly(points, names, renamed, columns, left_out, encoded)
    hashes = RowHashes(len(rows))
    first = 0
    for part, values in number_blocks(table, columns, all_rows):
        marks = {i: ~np.isfinite(values[i]) for i, c in enumerate(part) if c.position in marked}
        _fill(work, table, part, values, how.missing, levels)
        for kind, features in _features(part, values, levels, marks):
            last = first + len(features)
            hashes.update(features)
            _scale(work, names[first:last], kind, features, how.scale)
            write_columns(work.points, first, features)
            first = last
    work.duplicate_rows = hashes.n_repeated()
    return work


def _looked_at(
    table: pd.DataFrame,
    columns: Sequence[Column],
    levels: dict[int, Levels],
    rows: IntArray | None,
    n_rows: int,
    how: How,
) -> tuple[set[int], dict[int, LeftOut]]:
    """Return the columns whose missing values are marked, and those that tell nothing."""
    marked: set[int] = set()
    without: dict[int, LeftOut] = {}
    single = [column for column in columns if column.position not in levels]
    for part, values in number_blocks(table, single, rows):
        values[~np.isfinite(values)] = np.nan
        n_missing = np.isnan(values).sum(axis=1)
        same = np.fmin.reduce(values, axis=1) == np.fmax.reduce(values, axis=1)
        for column, count, alike in zip(part, n_missing.tolist(), same.tolist(), strict=True):
            if count == n_rows and how.missing == "indicator":
                without[column.position] = LeftOut(column.name, "every value is missing")
            elif how.missing == "indicator" and is_many(count, n_rows):
                marked.add(column.position)
            elif alike and how.close and column.position not in how.asked_for:
                without[column.position] = LeftOut(column.name, "a single value")
    return marked, without


def _scale(
    work: Assembly, names: list[str], kind: _FeatureKind, features: FloatArray, scale: Scale
) -> None:
    """Scale features in place, and note what was done to which of them."""
    if scale != "suited":
        constant, by_deviation = scale_features(features, scale)
        work.by_deviation += _picked(names, by_deviation)
    elif kind == "numbers":
        constant, robust, ends = scale_suited(features)
        work.by_middle += _picked(names, robust)
        work.by_ends += _picked(names, ends)
    else:
        constant = features.min(axis=1) == features.max(axis=1)
        features *= LEVEL if kind == "levels" else MARK
    if kind == "mark":
        work.marked += names
    work.constant += _picked(names, constant)


def _fill(
    work: Assembly,
    table: pd.DataFrame,
    part: Sequence[Column],
    values: FloatArray,
    missing: Missing,
    levels: dict[int, Levels],
) -> None:
    """Put a number in the place of each missing value of `values` (n_part, n_points)."""
    gone = ~np.isfinite(values)
    n_gone = gone.sum(axis=1)
    n_infinite = n_gone - np.isnan(values).sum(axis=1)
    typical = missing in ("median", "indicator")
    for i in np.flatnonzero(n_gone).tolist():
        column, count, present = part[i], int(n_gone[i]), values[i][~gone[i]]
        spread = levels.get(column.position)
        value = 0.0
        if spread is not None and spread.marks_missing:
            value = -1.0
            work.filled.append(Filled(column.name, count, "own category", value))
        elif typical and len(present) and column.is_coded:
            code = int(np.argmax(np.bincount(present.astype(np.int64))))
            label = category_codes(table.iloc[:, column.position], column)[1][code]
            value = float(code)
            work.filled.append(Filled(column.name, count, "most frequent", label))
        elif missing == "indicator" and column.kind == "boolean":
            value = float(2 * present.sum() > len(present))
            work.filled.append(Filled(column.name, count, "most frequent", str(bool(value))))
        elif typical and len(present):
            value = float(np.median(present))
            work.filled.append(Filled(column.name, count, "median", value))
        elif column.is_coded:
            value = -1.0
            how: Literal["nothing", "code"] = "code" if spread is None else "nothing"
            work.filled.append(Filled(column.name, count, how, value))
        else:
            work.filled.append(Filled(column.name, count, "zero", value))
        values[i, gone[i]] = value
        if n_infinite[i]:
            work.infinite.append(Counted(column.name, int(n_infinite[i])))
        if not len(present):
            work.empty.append(column.name)


def _features(
    part: Sequence[Column],
    values: FloatArray,
    levels: dict[int, Levels],
    marks: dict[int, BoolArray],
) -> Iterator[tuple[_FeatureKind, FloatArray]]:
    """Yield filled columns as features, in order: runs of them as they are, categories spread."""
    width = block_width(values.shape[1])
    start = 0
    for i, column in enumerate(part):
        spread = levels.get(column.position)
        if spread is None and i not in marks:
            continue
        stop = i if spread is not None else i + 1
        if stop > start:
            yield "numbers", values[start:stop]
        start = i + 1
        if i in marks:
            yield "mark", marks[i][np.newaxis].astype(np.float64)
        if spread is None:
            continue
        features = spread.feature_of[values[i].astype(np.int64)]
        for first in range(0, len(spread.names), width):
            wanted = np.arange(first, min(first + width, len(spread.names)))
            yield "levels", (features == wanted[:, np.newaxis]).astype(np.float64)
    if start < len(part):
        yield "numbers", values[start:]


def _encoded(column: Column, levels: dict[int, Levels]) -> Encoded:
    spread = levels.get(column.position)
    if spread is None:
        return Encoded(column.name, "codes", column.n_categories)
    how: Literal["levels", "one-hot"] = "levels" if spread.n_joined else "one-hot"
    return Encoded(column.name, how, len(spread.names), spread.n_joined)


def _feature_names(
    columns: Sequence[Column], levels: dict[int, Levels], marked: set[int]
) -> Iterator[str]:
    for column in columns:
        if column.position in levels:
            yield from levels[column.position].names
        else:
            yield column.name
        if column.position in marked:
            yield missing_name(column.name)


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
