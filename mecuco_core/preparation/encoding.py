"""Columns of any kind as numbers, one block at a time; NaN where a value is missing."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from mecuco_core.datasets.blocks import block_width, column_block, columns_at
from mecuco_core.preparation.columns import Column, parsed_numbers
from mecuco_core.types import FloatArray, IntArray


def number_blocks(
    table: pd.DataFrame, columns: Sequence[Column], rows: IntArray | None = None
) -> Iterator[tuple[Sequence[Column], FloatArray]]:
    """Yield the columns as numbers, some at a time.

    Parameters
    ----------
    table : DataFrame of shape (n_rows, n_columns)
    columns : sequence of Column, ascending by position
        Those wanted; none of them with the reading "none".
    rows : ndarray of shape (n_kept,) or None
        Positions of the rows wanted; None for all.

    Yields
    ------
    part : sequence of Column
    values : ndarray of shape (n_part, n_rows) or (n_part, n_kept)
        One column a row, C-contiguous, free to be changed. Categories are codes from 0.
    """
    n_kept = len(table) if rows is None else len(rows)
    width = block_width(n_kept)
    for start in range(0, len(columns), width):
        part = columns[start : start + width]
        plain = [i for i, column in enumerate(part) if column.reading == "plain"]
        others = [i for i, column in enumerate(part) if column.reading != "plain"]
        values = np.empty((len(part), n_kept))
        if plain:
            values[plain] = column_block(
                table, [part[i].position for i in plain], rows, dtype=np.float64
            )
        series = columns_at(table, [part[i].position for i in others]).items()
        for i, (_, column) in zip(others, series, strict=True):
            numbers = as_numbers(column, part[i])
            values[i] = numbers if rows is None else numbers[rows]
        values += 0.0  # no -0.0: rows that are equal have equal bytes
        yield part, values


def as_numbers(series: "pd.Series", column: Column) -> FloatArray:
    """Return one column as numbers of shape (n_rows,), NaN where a value is missing."""
    if column.reading == "plain" or column.reading == "nullable":
        return series.to_numpy(dtype=np.float64, na_value=np.nan)
    if column.reading == "parsed":
        return parsed_numbers(series.to_numpy(dtype=object))
    if column.is_coded:
        codes = category_codes(series, column)[0].astype(np.float64)
        codes[codes < 0] = np.nan
        return codes
    if column.reading == "dates":
        return _days_since_1970(series, column.date_format)
    if column.reading == "durations":
        spans = pd.to_timedelta(pd.Series(series.array)).to_numpy()
        return np.asarray(spans / np.timedelta64(1, "D"), dtype=np.float64)
    if column.reading == "empty":
        return np.full(len(series), np.nan)
    raise AssertionError(f"a column of {column.kind} values cannot be read as numbers")


def category_codes(series: "pd.Series", column: Column) -> tuple[IntArray, list[str]]:
    """Return the codes of a column of categories, and what they stand for.

    Returns
    -------
    codes : ndarray of shape (n_rows,)
        -1 where the value is missing.
    labels : list of str
        Of code 0, 1, …: a pandas category's own order, else the lexical one.
    """
    if column.reading == "codes":
        codes = np.asarray(series.cat.codes, dtype=np.int64)
        return codes, [str(label) for label in series.cat.categories]
    values = series.to_numpy(dtype=object)
    missing = pd.isna(values)
    texts = np.array(
        [None if gone else str(value) for value, gone in zip(values, missing, strict=True)],
        dtype=object,
    )
    codes, labels = pd.factorize(texts, sort=True)
    return codes.astype(np.int64), [str(label) for label in labels]


def _days_since_1970(series: "pd.Series", date_format: str | None) -> FloatArray:
    if isinstance(series.dtype, pd.PeriodDtype):
        series = series.dt.to_timestamp()
    dates = pd.to_datetime(pd.Series(series.array), format=date_format, errors="coerce", utc=True)
    instants = dates.dt.tz_localize(None).to_numpy()
    spans = (instants - np.array(0, dtype=instants.dtype)).astype("timedelta64")
    return np.asarray(spans / np.timedelta64(1, "D"), dtype=np.float64)
