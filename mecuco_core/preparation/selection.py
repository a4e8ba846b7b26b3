"""Which columns and rows of a table are used, and why the others are not."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np
import pandas as pd

from mecuco_core.errors import DataError
from mecuco_core.preparation.columns import Column
from mecuco_core.preparation.encoding import number_blocks
from mecuco_core.preparation.report import Counted, LeftOut
from mecuco_core.runtime.wording import named, quoted
from mecuco_core.types import IntArray

MIN_ROWS = 3


@dataclass(frozen=True, eq=False)
class CompleteRows:
    """Rows without a missing value, and the columns that were looked at."""

    rows: IntArray  # (n_complete,)
    columns: list[Column]
    left_out: list[LeftOut]
    missing_in: list[Counted]


def chosen_columns(
    columns: Sequence[Column],
    include: tuple[str, ...] | None,
    exclude: tuple[str, ...],
    drop_categories: bool,
) -> tuple[list[Column], list[LeftOut]]:
    """Divide columns into those used and those left out, each with its reason."""
    names = [column.name for column in columns]
    check_known("include", include or (), names)
    check_known("exclude", exclude, names)
    included, excluded = set(include or ()), set(exclude)
    used, left_out = [], []
    for column in columns:
        if column.name in excluded:
            reason = "excluded"
        elif include is not None and column.name not in included:
            reason = "not among the included"
        elif include is not None and column.reading == "none":
            raise DataError(f"column {quoted(column.name)} cannot be included: {column.reason}")
        elif column.reason and include is None:
            reason = column.reason
        elif drop_categories and column.is_coded:
            reason = "categories are dropped"
        else:
            used.append(column)
            continue
        left_out.append(LeftOut(column.name, reason))
    if not used:
        raise DataError(nothing_to_use(left_out))
    return used, left_out


def complete_rows(table: pd.DataFrame, columns: Sequence[Column]) -> CompleteRows:
    """Find the rows of `table` (n_rows, n_columns) with no missing value in `columns`.

    A column that has nothing but missing values is left out instead of costing every row.
    """
    n_rows = len(table)
    complete = np.ones(n_rows, dtype=bool)
    kept: list[Column] = []
    left_out: list[LeftOut] = []
    missing_in: list[Counted] = []
    for part, values in number_blocks(table, columns):
        missing = ~np.isfinite(values)
        n_missing = missing.sum(axis=1)
        complete &= ~missing[n_missing < n_rows].any(axis=0)
        for column, count in zip(part, n_missing.tolist(), strict=True):
            if count == n_rows:
                left_out.append(LeftOut(column.name, "every value is missing"))
                continue
            kept.append(column)
            if count:
                missing_in.append(Counted(column.name, count))
    if not kept:
        raise DataError(nothing_to_use(left_out))
    rows = np.flatnonzero(complete)
    if len(rows) < MIN_ROWS:
        worst = max(missing_in, key=lambda item: item.n_values)
        raise DataError(
            f"only {len(rows)} of {n_rows} rows have no missing value and at least {MIN_ROWS} are "
            f"needed: fill missing values with 'zero' or 'median', or exclude columns such as "
            f"{quoted(worst.column)}, where {worst.n_values} are missing"
        )
    return CompleteRows(rows, kept, left_out, missing_in)


def check_known(argument: str, wanted: tuple[str, ...], names: list[str]) -> None:
    """Raise unless every name that is wanted is one of a column."""
    unknown = sorted(set(wanted).difference(names))
    if unknown:
        close = get_close_matches(unknown[0], names[:10_000], n=1)
        others = f"the columns are {named([quoted(name) for name in names])}"
        hint = f"did you mean {quoted(close[0])}?" if close else others
        raise DataError(f"{argument} names {quoted(unknown[0])}, which is no column: {hint}")


def nothing_to_use(left_out: Sequence[LeftOut]) -> str:
    """Say why no column is left."""
    reasons = Counter(item.reason for item in left_out)
    why = named([f"{count} × {reason}" for reason, count in reasons.most_common()], shown=3)
    return (
        f"no column can be used ({why or 'the table has none'}): give it a column of numbers or "
        "categories"
    )
