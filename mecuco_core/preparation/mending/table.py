"""The table as it is after the mends that were asked for, and what each of them did."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Dataset
from mecuco_core.errors import DataError
from mecuco_core.preparation.columns import Column, recognise, recognise_column
from mecuco_core.preparation.duplicates import row_groups
from mecuco_core.preparation.mending.mends import Mend
from mecuco_core.preparation.mending.spellings import joined, spellings
from mecuco_core.preparation.mending.units import Units, units_of
from mecuco_core.preparation.report import Mended, Note
from mecuco_core.preparation.selection import check_known
from mecuco_core.runtime.wording import counted, named, quoted
from mecuco_core.types import BoolArray, IntArray

_Acted = tuple["pd.Series", tuple[int, str]]

_ORDER = ("numbers", "join", "missing")


@dataclass(frozen=True, eq=False)
class MendedTable:
    """A table after its mends.

    Parameters
    ----------
    table : DataFrame of shape (n_rows, n_columns)
        Columns that were not changed are shared with the dataset.
    target : Series of shape (n_rows,) or None
    rows : ndarray of shape (n_kept,), ascending
        Rows that do not repeat an earlier one, all of them where that was not asked for.
    done : tuple of Mended
    notes : tuple of Note
        On columns that were read as numbers by themselves.
    """

    table: pd.DataFrame
    target: "pd.Series | None"
    rows: IntArray
    done: tuple[Mended, ...]
    notes: tuple[Note, ...]


def mended_table(dataset: Dataset, mends: Sequence[Mend], *, closely: bool) -> MendedTable:
    """Return the table of a dataset after mends.

    Parameters
    ----------
    dataset : Dataset
    mends : sequence of Mend
        Of any kind but "role" and "cosine".
    closely : bool
        Whether percent and money texts are read as numbers also where that is not asked for.
    """
    names = dataset.feature_names
    others = [] if dataset.target_name is None else [dataset.target_name]
    wanted = tuple(mend.column for mend in mends if mend.column)
    check_known("a mend", wanted, [*names, *others])
    changed: dict[int, pd.Series] = {}
    target = dataset.target
    effects: dict[Mend, list[tuple[int, str]]] = {}
    for mend in sorted((m for m in mends if m.column), key=lambda m: _ORDER.index(m.kind)):
        for position in (i for i, name in enumerate(names) if name == mend.column):
            series = changed.get(position, dataset.table.iloc[:, position])
            changed[position], effect = _ACTS[mend.kind](series, mend)
            effects.setdefault(mend, []).append(effect)
        if mend.column == dataset.target_name and mend.column not in names and target is not None:
            target, effect = _ACTS[mend.kind](target, mend)
            effects.setdefault(mend, []).append(effect)
    notes = []
    for position in range(len(names)) if closely else ():
        found = _certain_units(changed.get(position, dataset.table.iloc[:, position]))
        if found is not None:
            changed[position] = _as_series(found, dataset.table.iloc[:, position])
            notes.append(Note(names[position], found.note))
    table = _with_columns(dataset.table, changed)
    rows = np.arange(dataset.n_rows)
    done = [
        Mended(mend.words, sum(n for n, _ in found), "; ".join(said for _, said in found))
        for mend, found in effects.items()
    ]
    if any(mend.kind == "first" for mend in mends):
        groups = row_groups(compared_columns(table, recognise(table), target), dataset.n_rows)
        rows = np.flatnonzero(groups == np.arange(dataset.n_rows))
        n_repeated = dataset.n_rows - len(rows)
        said = f"{counted(n_repeated, 'row')} that repeat an earlier one left out"
        done.append(Mended(Mend("first").words, n_repeated, said))
    done.sort(key=lambda one: one.mend)
    return MendedTable(table, target, rows, tuple(done), tuple(notes))


def compared_columns(
    table: pd.DataFrame, columns: Sequence[Column], target: "pd.Series | None"
) -> list["pd.Series"]:
    """Return the columns in which rows are compared: all but those that name the rows."""
    compared = [table.iloc[:, c.position] for c in columns if c.kind != "identifier"]
    return compared if target is None else [*compared, target]


def matches(series: "pd.Series", column: Column, value: str) -> BoolArray:
    """Return which values of a column of shape (n_rows,) are `value`, as a person writes it."""
    dtype = series.dtype
    if getattr(dtype, "kind", "O") == "M" or isinstance(dtype, pd.PeriodDtype):
        return np.asarray(_dates(series) == value.strip()[:10])
    if getattr(dtype, "kind", "O") in "iuf" or isinstance(dtype, pd.SparseDtype):
        number = _number(value)
        if number is None:
            raise DataError(
                f"{quoted(value)} cannot stand for a missing value in {quoted(column.name)}, "
                "which holds numbers"
            )
        values = series.to_numpy(dtype=np.float64, na_value=np.nan)
        return np.asarray(values == number)
    return _texts_matching(series, value.strip())


def _texts_matching(series: "pd.Series", value: str) -> BoolArray:
    number = _number(value)
    codes, distinct = pd.factorize(series.to_numpy(dtype=object))
    found = np.zeros(len(distinct) + 1, dtype=bool)
    for i, one in enumerate(distinct.tolist()):
        text = str(one).strip()
        same = text == value or text.startswith((f"{value} ", f"{value}T"))
        found[i] = (same and (text == value or number is None)) or (
            number is not None and _number(text) == number
        )
    return found[codes]


def _dates(series: "pd.Series") -> "np.ndarray[tuple[int, ...], np.dtype[np.object_]]":
    if isinstance(series.dtype, pd.PeriodDtype):
        series = series.dt.to_timestamp()
    return pd.Series(series.array).dt.strftime("%Y-%m-%d").to_numpy(dtype=object)


def _number(text: str) -> float | None:
    try:
        return float(text.replace("−", "-"))
    except ValueError:
        return None


def _missing(series: "pd.Series", mend: Mend) -> _Acted:
    where = matches(series, recognise_column(series, 0, mend.column), mend.value)
    n = int(where.sum())
    if not n:
        return series, (0, f"no value is {mend.value}")
    if getattr(series.dtype, "kind", "O") in "iu" and isinstance(series.dtype, np.dtype):
        series = series.astype(np.float64)
    elif isinstance(series.dtype, pd.SparseDtype):
        series = pd.Series(series.to_numpy(np.float64), series.index, name=series.name)
    return series.mask(where), (n, f"{counted(n, 'value')} taken as missing")


def _numbers(series: "pd.Series", mend: Mend) -> _Acted:
    found = units_of(series)
    if found is None:
        return series, (0, "no percent or money text is in it")
    return _as_series(found, series), (found.n_read, found.note)


def _join(series: "pd.Series", mend: Mend) -> _Acted:
    found = spellings(series)
    if not found:
        return series, (0, "no text has several spellings")
    n = int(series.isin([text for texts in found.values() for text in texts[1:]]).sum())
    pairs = [f"{', '.join(map(repr, t[:4]))} to {quoted(chosen)}" for chosen, t in found.items()]
    return joined(series, found), (n, f"{counted(n, 'value')} joined, {named(pairs, 3)}")


_ACTS: dict[str, Callable[["pd.Series", Mend], _Acted]] = {
    "missing": _missing,
    "numbers": _numbers,
    "join": _join,
}


def _certain_units(series: "pd.Series") -> Units | None:
    found = units_of(series)
    return found if found is not None and found.certain else None


def _as_series(found: Units, series: "pd.Series") -> "pd.Series":
    return pd.Series(found.values, index=series.index, name=series.name)


def _with_columns(table: pd.DataFrame, changed: dict[int, "pd.Series"]) -> pd.DataFrame:
    if not changed:
        return table
    parts = [changed.get(i, table.iloc[:, i]) for i in range(table.shape[1])]
    names = table.columns
    return pd.concat(parts, axis=1, ignore_index=True).set_axis(names, axis=1)
