"""One walk over a table: what is missing in each column, its ends, distinct values, a sketch."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mecuco_core.preparation.columns import Column
from mecuco_core.preparation.encoding import number_blocks
from mecuco_core.types import FloatArray, IntArray

BINS = 16  # of a sketch


@dataclass(frozen=True, eq=False)
class Profile:
    """What the values of one column are like.

    Parameters
    ----------
    column : Column
    n_rows, n_missing, n_infinite : int
    n_distinct : int
        Without missing values.
    values : ndarray of shape (n_finite,)
        Finite numbers, ascending: numbers, days of dates, 0 and 1; empty for texts.
    labels : tuple of str
        Of categories and texts: the most frequent values, at most 16.
    counts : tuple of int
        Values in each of 16 equal parts of the range, or of each of the labels.
    n_most_common : int
        Rows with the most frequent value.
    most_common : float or str or None
    """

    column: Column
    n_rows: int
    n_missing: int
    n_infinite: int
    n_distinct: int
    values: FloatArray
    labels: tuple[str, ...]
    counts: tuple[int, ...]
    n_most_common: int
    most_common: float | str | None


def profiles(table: pd.DataFrame, columns: Sequence[Column]) -> Iterator[Profile]:
    """Yield the profile of each column, those of numbers first.

    Parameters
    ----------
    table : DataFrame of shape (n_rows, n_columns)
    columns : sequence of Column, ascending by position
    """
    numeric = [c for c in columns if not c.is_coded and c.reading != "none"]
    for part, block in number_blocks(table, numeric):
        n_infinite = np.isinf(block).sum(axis=1).tolist()
        block[np.isinf(block)] = np.nan
        block.sort(axis=1)
        n_finite = (~np.isnan(block)).sum(axis=1).tolist()
        for column, values, n, infinite in zip(part, block, n_finite, n_infinite, strict=True):
            yield _of_numbers(column, values[:n], len(table), infinite)
    for column in columns:
        if column.is_coded or column.reading == "none":
            yield _of_texts(column, table.iloc[:, column.position])


def sketch(values: FloatArray) -> tuple[int, ...]:
    """Return how many of ascending values are in each of `BINS` equal parts of their range."""
    if not len(values) or values[0] == values[-1]:
        return (len(values),) if len(values) else ()
    edges = np.linspace(values[0], values[-1], BINS + 1)
    places = np.searchsorted(values, edges[1:-1], side="left")
    return tuple(np.diff(np.concatenate([[0], places, [len(values)]])).tolist())


def _of_numbers(column: Column, values: FloatArray, n_rows: int, n_infinite: int) -> Profile:
    n_distinct, n_most_common, most_common = 0, 0, None
    if len(values):
        starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
        lengths = np.diff(np.append(starts, len(values)))
        longest = int(lengths.argmax())
        n_distinct, n_most_common = len(starts), int(lengths[longest])
        most_common = float(values[starts[longest]])
    n_missing = n_rows - len(values) - n_infinite
    return Profile(
        column, n_rows, n_missing, n_infinite, n_distinct, values, (), sketch(values),
        n_most_common, most_common,
    )  # fmt: skip


def _of_texts(column: Column, series: "pd.Series") -> Profile:
    nothing = np.empty(0)
    if column.reading == "none":
        n_missing = int(series.isna().sum())
        return Profile(column, len(series), n_missing, 0, 0, nothing, (), (), 0, None)
    codes, distinct = _factorized(series)
    counts = np.bincount(codes[codes >= 0], minlength=len(distinct))
    n_missing = int((codes < 0).sum())
    present = np.flatnonzero(counts)
    order = present[np.argsort(-counts[present], kind="stable")][:BINS]
    labels = tuple(str(distinct[i]) for i in order.tolist())
    first = int(counts[order[0]]) if len(order) else 0
    return Profile(
        column, len(series), n_missing, 0, len(present), nothing, labels,
        tuple(counts[order].tolist()), first, labels[0] if labels else None,
    )  # fmt: skip


def _factorized(series: "pd.Series") -> tuple[IntArray, "pd.Index"]:
    if isinstance(series.dtype, pd.CategoricalDtype):
        return np.asarray(series.cat.codes, dtype=np.int64), series.cat.categories
    codes, distinct = pd.factorize(series, use_na_sentinel=True)
    return codes.astype(np.int64), pd.Index(distinct)
