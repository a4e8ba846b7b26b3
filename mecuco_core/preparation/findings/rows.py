"""What is suspicious in the rows of a table: repeated ones, and rows of one length."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.columns import Column
from mecuco_core.preparation.duplicates import row_groups
from mecuco_core.preparation.encoding import number_blocks
from mecuco_core.preparation.findings.profiles import Profile
from mecuco_core.preparation.findings.suspicion import MOST_ROWS, Suspicion
from mecuco_core.preparation.mending.mends import Mend
from mecuco_core.preparation.mending.table import compared_columns
from mecuco_core.runtime.wording import counted, named
from mecuco_core.types import FloatArray

_ONE_LENGTH = 0.005  # deviation of the lengths of the rows, as a share of their mean
_MIN_FEATURES = 8


def identifiers_of(
    table: pd.DataFrame, columns: Sequence[Column], rows: Sequence[int]
) -> tuple[str, ...]:
    """Return what the first identifier of a table says of rows; empty where there is none."""
    for column in columns:
        if column.kind == "identifier":
            values = table.iloc[list(rows), column.position]
            return tuple(f"{column.name} {value}" for value in values.tolist())
    return ()


def repeated_rows(
    dataset: Dataset, columns: Sequence[Column], profiles: Sequence[Profile]
) -> Suspicion | None:
    """Return the rows that repeat an earlier one, unless coincidence explains them.

    Identifiers are not compared: a copy often has one of its own.
    """
    n_rows = dataset.n_rows
    groups = row_groups(compared_columns(dataset.table, columns, dataset.target), n_rows)
    rows = np.flatnonzero(groups != np.arange(n_rows))
    if not len(rows) or _expected_pairs(profiles, n_rows) > len(rows) / 3:
        return None
    first = groups[rows]
    shown = rows[:MOST_ROWS].tolist()
    pairs = [f"{row} (as {earlier})" for row, earlier in zip(shown, first.tolist(), strict=False)]
    verb = "repeats" if len(rows) == 1 else "repeat"
    names = identifiers_of(dataset.table, columns, shown)
    called = f", {named(names)}" if names else ""
    return Suspicion(
        "repeated rows",
        "",
        f"{counted(len(rows), 'row')} {verb} an earlier one in every column: {named(pairs)}"
        f"{called} (rows are counted from 0).",
        len(rows),
        tuple(shown),
        names,
        Mend("first"),
    )


def unit_length(dataset: Dataset, columns: Sequence[Column]) -> Suspicion | None:
    """Return a suspicion where all rows of vectors, or of numbers, have nearly one length."""
    vectors = dataset.vectors
    if vectors is not None:
        components = set(vectors.columns)
        columns = [column for column in columns if column.name in components]
    elif any(column.kind != "number" for column in columns):
        return None
    if len(columns) < _MIN_FEATURES or dataset.n_rows < _MIN_FEATURES:
        return None
    lengths = _lengths(dataset.table, columns, dataset.n_rows)
    lengths = lengths[np.isfinite(lengths) & (lengths > 0.0)]
    if len(lengths) < 0.9 * dataset.n_rows or lengths.std() > _ONE_LENGTH * lengths.mean():
        return None
    if vectors is None and abs(lengths.mean() - 1.0) > _ONE_LENGTH:
        return None  # many independent columns have rows of nearly one length, too
    what = "vectors" if vectors is not None else "rows"
    how = "" if vectors is not None else " Leave the scale as it is for that."
    return Suspicion(
        "unit length",
        "" if vectors is None else vectors.name,
        f"The {what} have nearly one length, {lengths.mean():.4g}, as embeddings do: their "
        f"directions can be compared (cosine).{how}",
        len(lengths),
        mend=Mend("cosine"),
    )


def _lengths(table: pd.DataFrame, columns: Sequence[Column], n_rows: int) -> FloatArray:
    squares = np.zeros(n_rows)
    with np.errstate(over="ignore"):
        for _, block in number_blocks(table, columns):
            squares += np.einsum("ij,ij->j", block, block)
    lengths: FloatArray = np.sqrt(squares)
    return lengths


def _expected_pairs(profiles: Sequence[Profile], n_rows: int) -> float:
    """Return how many pairs of equal rows there would be if the columns were independent."""
    share = 1.0
    for profile in profiles:
        if profile.column.kind != "identifier":
            share *= _share_of_equal_pairs(profile)
    return share * n_rows * (n_rows - 1) / 2


def _share_of_equal_pairs(profile: Profile) -> float:
    """Return in which share of all pairs of rows the values are equal; of texts roughly."""
    n_present = profile.n_rows - profile.n_missing
    if n_present < 2:
        return 1.0
    if len(profile.values):
        starts = np.flatnonzero(profile.values[1:] != profile.values[:-1]) + 1
        sizes = np.diff(np.concatenate([[0.0], starts, [len(profile.values)]]))
        return float((sizes * (sizes - 1.0)).sum()) / (n_present * (n_present - 1.0))
    even = 1.0 / max(1, profile.n_distinct) - 1.0 / n_present
    return max(0.0, even, (profile.n_most_common - 1.0) ** 2 / n_present**2)
