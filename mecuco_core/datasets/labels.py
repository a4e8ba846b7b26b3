"""The column that is probably the label, by its name and by what it is; when in doubt, none."""

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

TARGET_NAMES = frozenset(
    {"target", "targets", "class", "classes", "label", "labels", "y", "species", "gnd"}
)
"""Names that decide alone, at either end of a table."""

_CLASS_NAMES = frozenset(
    {"segment", "diagnosis", "churn", "churned", "outcome", "survived", "variety", "cultivar"}
) | (TARGET_NAMES - {"y", "gnd"})
"""Names of classes wherever the column is, if it has few values."""

_NAMES_AT_ENDS = _CLASS_NAMES | {"type", "category", "group", "result", "status", "kind", "quality"}
_NO_LABELS = re.compile(
    r"sex|gender|smok|country|region|state|city|month|day|week|currency|unit|language|marital"
)
_MOST_CLASSES = 20
_CELLS, _ROWS = 200_000, (20, 1000)


def rows_for_label(n_columns: int) -> int:
    """Return how many of the first rows the label is guessed from, whoever guesses it."""
    least, most = _ROWS
    return max(least, min(most, _CELLS // max(1, n_columns)))


def likely_target(columns: Sequence[str]) -> str | None:
    """Return the last or the first column if it is called what targets are called, else None.

    A y beside an x is a coordinate.
    """
    ends = (str(columns[-1]), str(columns[0])) if len(columns) else ()
    known = TARGET_NAMES
    if any(str(name).strip().lower() == "x" for name in columns):
        known = known - {"y"}
    return next((name for name in ends if name.strip().lower() in known), None)


def likely_label(table: pd.DataFrame) -> str | None:
    """Return the column that is probably the label of a table, None where none stands out.

    The names of `likely_target` decide alone. Else it is the one column of few classes with the
    name of classes, or the one column of few words beside numbers, at either end. Real numbers are
    never guessed.

    Parameters
    ----------
    table : DataFrame of shape (n_rows, n_columns)
        Of more than `rows_for_label` rows the first are looked at.
    """
    table = table.iloc[: rows_for_label(table.shape[1])]
    names = [str(name) for name in table.columns]
    if len(names) < 2 or len(table) < 4:
        return likely_target(names)
    by_name = likely_target(names)
    if by_name is not None:
        return by_name
    named = [i for i, name in enumerate(names) if _has_name(name, _CLASS_NAMES)]
    named = [i for i in named if _is_class(table.iloc[:, i], whole=True)]
    if len(named) == 1:
        return _unique(names, named[0])
    ends = [i for i in (len(names) - 1, 0) if _has_name(names[i], _NAMES_AT_ENDS)]
    ends = [i for i in ends if _is_class(table.iloc[:, i], whole=True)]
    if named or len(ends) > 1:
        return None
    if ends:
        return _unique(names, ends[0])
    words = [i for i in range(len(names)) if not _is_number(table.iloc[:, i])]
    alone = words[0] if len(words) == 1 and len(names) > 2 else None
    if alone not in (0, len(names) - 1) or _NO_LABELS.search(names[alone].lower()):
        return None
    return _unique(names, alone) if _is_class(table.iloc[:, alone], whole=False) else None


def _has_name(name: str, known: frozenset[str]) -> bool:
    words = re.split(r"[\W_\d]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name[:100]).lower())
    return name.strip().lower() in known or (bool(words) and words[-1] in known)


def _unique(names: list[str], position: int) -> str | None:
    """Return a name if no other column has it."""
    return names[position] if names.count(names[position]) == 1 else None


def _is_number(series: "pd.Series") -> bool:
    return getattr(series.dtype, "kind", "O") in "iuf"


def _is_class(series: "pd.Series", *, whole: bool) -> bool:
    """Whether a column has few values that occur again: words, yes or no, or whole numbers."""
    if _is_number(series):
        return whole and _n_few(series, 10) > 0 and _is_whole(series)
    kind = getattr(series.dtype, "kind", "O")
    return kind in "bOU" and _n_few(series, _MOST_CLASSES) > 0


def _n_few(series: "pd.Series", most: int) -> int:
    """Return how many values there are, 0 where they are one, or many for the rows there are."""
    present = series[series.notna().to_numpy()]
    try:
        n = int(present.nunique())
    except TypeError:  # lists, and other values without a hash
        return 0
    return n if 1 < n <= most and 3 * n <= len(present) else 0


def _is_whole(series: "pd.Series") -> bool:
    values = series.to_numpy(dtype=np.float64, na_value=np.nan)
    values = values[np.isfinite(values)]
    return bool((values == np.rint(values)).all())
