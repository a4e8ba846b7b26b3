"""A first look at a dataset: what is in it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.classes import Class, class_counts
from mecuco_core.preparation.columns import Column, Kind, recognise, recognise_column
from mecuco_core.preparation.duplicates import RowHashes
from mecuco_core.preparation.encoding import number_blocks
from mecuco_core.preparation.report import Counted, with_counts
from mecuco_core.preparation.selection import MIN_ROWS
from mecuco_core.runtime.wording import counted, named, quoted, shortened, spoken_bytes
from mecuco_core.types import IntArray
from mecuco_core.validation import default_n_neighbors

_PLURALS: dict[Kind, str] = {
    "number": "numbers",
    "boolean": "yes or no",
    "category": "categories",
    "date": "dates",
    "duration": "durations",
    "text": "text",
    "identifier": "identifiers",
    "complex": "complex numbers",
    "other": "other objects",
}


@dataclass(frozen=True)
class Summary:
    """What a first look at a dataset tells.

    Parameters
    ----------
    name : str
    n_rows, n_features : int
        Of the table as it came.
    kinds : dict
        How many columns there are of each kind.
    n_usable : int
        Columns that the paper's preparation uses, m.
    n_missing, n_infinite : int
        Values of all columns.
    missing : tuple of Counted
        Columns with missing values.
    duplicate_rows : int
        Rows equal to an earlier one in all usable columns.
    constant : tuple of str
        Usable columns with one value, or none.
    target : str or None
    target_kind : str or None
    classes : tuple of Class
        Largest first; empty without a target, or when it is a measurement.
    balance : float or None
        Size of the smallest class over that of the largest.
    n_unlabelled : int
        Rows whose target is missing.
    table_bytes, points_bytes : int
        Memory of the table, and of the points it becomes.
    suggested_k : int or None
        Neighbours by the paper's rule; None for fewer than three rows.

    See Also
    --------
    summarise : Makes one of a dataset.

    Examples
    --------
    >>> import mecuco as mc
    >>> summary = mc.datasets.summarise(mc.datasets.load_bundled("iris"))
    >>> summary.n_usable, summary.suggested_k, summary.duplicate_rows
    (4, 7, 1)
    """

    name: str
    n_rows: int
    n_features: int
    kinds: dict[Kind, int]
    n_usable: int
    n_missing: int
    n_infinite: int
    missing: tuple[Counted, ...]
    duplicate_rows: int
    constant: tuple[str, ...]
    target: str | None
    target_kind: Kind | None
    classes: tuple[Class, ...]
    balance: float | None
    n_unlabelled: int
    table_bytes: int
    points_bytes: int
    suggested_k: int | None

    def as_dict(self) -> dict[str, Any]:
        """Return every fact as plain numbers, texts, lists and dictionaries."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }

    def sentences(self) -> list[str]:
        """Return the summary as sentences."""
        return [
            *self._contents(),
            *self._faults(),
            *self._target(),
            f"Memory: {spoken_bytes(self.table_bytes)} for the table, "
            f"{spoken_bytes(self.points_bytes)} for the points.",
            self._neighbors(),
        ]

    def _contents(self) -> Iterator[str]:
        kinds = [f"{_PLURALS[kind]} {count:,}" for kind, count in self.kinds.items()]
        yield (
            f"{shortened(self.name)}: {counted(self.n_rows, 'row')} and "
            f"{counted(self.n_features, 'column')}, of which {self.n_usable:,} can be used."
        )
        if kinds:
            yield f"Columns by kind: {', '.join(kinds)}."

    def _faults(self) -> Iterator[str]:
        if self.n_missing:
            share = self.n_missing / (self.n_rows * self.n_features)
            yield (
                f"{counted(self.n_missing, 'value')} missing ({100 * share:.3g} % of all), in "
                f"{named(with_counts(self.missing))}."
            )
        else:
            yield "No value is missing."
        if self.n_infinite:
            yield f"{counted(self.n_infinite, 'value')} infinite."
        if self.duplicate_rows:
            yield f"{counted(self.duplicate_rows, 'row')} equal to an earlier one."
        if self.constant:
            yield (
                f"{counted(len(self.constant), 'column')} with a single value: "
                f"{named([quoted(name) for name in self.constant])}."
            )

    def _target(self) -> Iterator[str]:
        if self.target is None:
            yield "There is no target."
        elif self.classes:
            sizes = [f"{quoted(one.label)} ({one.n_rows:,})" for one in self.classes]
            several = f"classes, the smallest {100 * (self.balance or 0):.3g} % of the largest"
            yield (
                f"Target {quoted(self.target)} has {len(sizes):,} "
                f"{'class' if len(sizes) == 1 else several}: {named(sizes)}."
            )
        else:
            yield f"Target {quoted(self.target)} is a {self.target_kind}, not a class."
        if self.n_unlabelled:
            yield f"The target is missing in {counted(self.n_unlabelled, 'row')}."

    def _neighbors(self) -> str:
        if self.suggested_k is None:
            return f"Too few rows to score: at least {MIN_ROWS} are needed."
        return f"Suggested number of neighbours: k = {self.suggested_k}, log2 of the rows."


def summarise(dataset: Dataset) -> Summary:
    """Look at a dataset without building its points.

    Parameters
    ----------
    dataset : Dataset

    Returns
    -------
    Summary

    See Also
    --------
    prepare : Makes the points.

    Examples
    --------
    >>> import mecuco as mc
    >>> for sentence in mc.datasets.summarise(mc.datasets.load_bundled("iris")).sentences()[:2]:
    ...     print(sentence)
    iris: 150 rows and 4 columns, of which 4 can be used.
    Columns by kind: numbers 4.
    """
    table, n = dataset.table, dataset.n_rows
    columns = recognise(table)
    usable = [column for column in columns if not column.reason]
    m = len(usable)
    look = _look(table, columns, usable)
    target = dataset.target
    kind = None if target is None else recognise_column(target).kind
    classes = () if target is None else class_counts(target)
    k = min(default_n_neighbors(n), n - 1) if n >= MIN_ROWS else None
    return Summary(
        name=dataset.name,
        n_rows=n,
        n_features=dataset.n_features,
        kinds=dict(Counter(column.kind for column in columns).most_common()),
        n_usable=m,
        n_missing=int(look.n_missing.sum()),
        n_infinite=look.n_infinite,
        missing=tuple(
            Counted(columns[j].name, int(look.n_missing[j])) for j in np.flatnonzero(look.n_missing)
        ),
        duplicate_rows=look.duplicate_rows,
        constant=tuple(look.constant),
        target=dataset.target_name,
        target_kind=kind,
        classes=classes,
        balance=classes[-1].n_rows / classes[0].n_rows if classes else None,
        n_unlabelled=0 if target is None else int(target.isna().sum()),
        table_bytes=int(table.memory_usage(index=False, deep=True).sum()),
        points_bytes=8 * n * m,
        suggested_k=k,
    )


@dataclass(frozen=True, eq=False)
class _Look:
    n_missing: IntArray  # (n_columns,)
    n_infinite: int
    constant: list[str]
    duplicate_rows: int


def _look(table: pd.DataFrame, columns: Sequence[Column], usable: Sequence[Column]) -> _Look:
    """Walk once over a table to find what is missing, infinite, constant or repeated."""
    n_missing = np.zeros(len(columns), dtype=np.int64)
    n_infinite = 0
    constant: list[str] = []
    hashes = RowHashes(len(table))
    for part, values in number_blocks(table, usable):
        n_missing[[column.position for column in part]] = np.isnan(values).sum(axis=1)
        gone = ~np.isfinite(values)
        if gone.any():
            n_infinite += int(np.isinf(values).sum())
            values[gone] = np.nan  # of one bit pattern
        hashes.update(values)
        if len(table):
            # Where some are missing and the rest is one value, filling makes two of it.
            low, high = np.fmin.reduce(values, axis=1), values.max(axis=1)
            single = (low == high) | np.isnan(low)
            constant += [part[i].name for i in np.flatnonzero(single).tolist()]
    for column in columns:
        if column.reason:
            n_missing[column.position] = table.iloc[:, column.position].isna().sum()
    return _Look(n_missing, n_infinite, constant, hashes.n_repeated() if usable else 0)
