"""Rows of a table by what stands in them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from mecuco_app.data.metadata import kind_of
from mecuco_app.work.jobs import Report
from mecuco_core.datasets.base import Dataset
from mecuco_core.types import IntArray

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Found:
    """Rows that were found.

    Attributes
    ----------
    rows : ndarray of shape (n_found,), ascending
    exact : int or None
        The row of that number, or the only one of which a value is just the words.
    """

    rows: IntArray
    exact: int | None


def found_rows(dataset: Dataset, words: str, *, report: Report) -> Found:
    """Return the rows that hold the words, whatever their case, and the row of that number.

    Texts are looked through from end to end, and identifiers; numbers that measure are not.

    Parameters
    ----------
    dataset : Dataset
    words : str
        Found as they are, also within a word: no pattern.
    report : callable
    """
    holds = np.zeros(dataset.n_rows, dtype=bool)
    equal = np.zeros(dataset.n_rows, dtype=bool)
    columns = [series for _, series in dataset.table.items()]
    if dataset.target is not None:
        columns.append(dataset.target)
    for position, series in enumerate(columns):
        report(position / len(columns), "Searching")
        found = _matches(series, words)
        if found is not None:
            holds |= found[0]
            equal |= found[1]
    number = int(words) if words.isascii() and words.isdigit() and len(words) < 19 else -1
    exact = number if 0 <= number < dataset.n_rows else None
    if exact is None and equal.sum() == 1:
        exact = int(np.argmax(equal))
    if exact is not None:
        holds[exact] = True
    return Found(np.flatnonzero(holds), exact)


def _matches(series: "pd.Series", words: str) -> tuple[Mask, Mask] | None:
    """Return where a column holds the words, and where it is just them; None for numbers."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        found = _matches(pd.Series(series.cat.categories), words)
        if found is None:
            return None
        codes = series.cat.codes.to_numpy()
        there = codes >= 0
        return found[0][codes] & there, found[1][codes] & there
    if isinstance(series.dtype, pd.StringDtype):
        texts = series
    elif series.dtype.kind == "O":
        texts = series.where([isinstance(value, str) for value in series.array]).astype("str")
    elif series.dtype.kind in "iu" and kind_of(series) == "identifier":
        texts = series.astype("str")
    else:
        return None
    holds = texts.str.contains(words, case=False, regex=False).fillna(False).to_numpy(dtype=bool)
    same_length = (texts.str.len() == len(words)).fillna(False).to_numpy(dtype=bool)
    return holds, holds & same_length
