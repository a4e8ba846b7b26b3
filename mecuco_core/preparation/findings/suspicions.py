"""Everything that is suspicious in a dataset, in the order of its columns, rows last."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.columns import Column, recognise, recognise_column
from mecuco_core.preparation.findings.numbers import (
    Odd,
    date_sentinels,
    far_values,
    number_sentinels,
)
from mecuco_core.preparation.findings.profiles import Profile, profiles
from mecuco_core.preparation.findings.rows import identifiers_of, repeated_rows, unit_length
from mecuco_core.preparation.findings.suspicion import MOST_ROWS, Suspicion, SuspicionKind
from mecuco_core.preparation.findings.texts import text_suspicions
from mecuco_core.preparation.mending.mends import Mend
from mecuco_core.preparation.mending.roles import CODE, naming
from mecuco_core.preparation.mending.table import matches
from mecuco_core.runtime.wording import counted, named, quoted

NEARLY = 0.98  # share of one value in a column that is nearly constant
_MIN_ROWS = 50  # in which nearly constant means something
MOST_ALIKE = 8  # columns of one fault that are named one by one


def suspicions(dataset: Dataset) -> tuple[Suspicion, ...]:
    r"""Find what would mislead in a table: nothing of it is changed.

    Looked for are numbers and dates that stand for missing values, percent and money texts, nearly
    constant columns, identifiers and codes that look like numbers, spellings that differ only by
    case or blanks, far outliers, repeated rows, and vectors of one length.

    Parameters
    ----------
    dataset : Dataset

    Returns
    -------
    tuple of Suspicion
        In the order of the columns, those of the label and of the rows last. Where more than eight
        columns have one fault, one suspicion names them all.

    See Also
    --------
    Preparation : Mends one of them.
    column_overview : Shows them beside the columns.

    Examples
    --------
    >>> import mecuco as mc
    >>> table = "discount,zip\n" + "\n".join(f"{i}.5%,{10115 + 37 * i}" for i in range(40))
    >>> dataset = mc.datasets.read_table(table.encode())
    >>> for one in mc.datasets.suspicions(dataset):
    ...     print(one.sentence)
    'discount' holds percent texts in 40 rows: they can be read as numbers, '0.5%' as 0.5.
    'zip' looks like a number, but names places, phones or goods (40 different values).
    """
    table, n_rows = dataset.table, dataset.n_rows
    columns = recognise(table)
    components = set(() if dataset.vectors is None else dataset.vectors.columns)
    own = [column for column in columns if column.name not in components]
    found: dict[int, list[Suspicion]] = {}
    known: list[Profile] = []
    for profile in profiles(table, own):
        series = table.iloc[:, profile.column.position]
        is_image = dataset.image_shape is not None
        some = list(_of_column(profile, series, table, columns, is_image))
        if some:
            found[profile.column.position] = some
        if not components:
            known.append(profile)
    ordered = [one for position in sorted(found) for one in found[position]]
    if dataset.target is not None:
        target = dataset.target.rename(dataset.target_name)
        ordered += text_suspicions(target, recognise_column(target))
    ordered = _gathered(ordered)
    rows = repeated_rows(dataset, columns, known) if n_rows and table.shape[1] else None
    length = unit_length(dataset, columns)
    return (*ordered, *(one for one in (rows, length) if one is not None))


def _of_column(
    profile: Profile,
    series: "pd.Series",
    table: pd.DataFrame,
    columns: list[Column],
    is_image: bool,
) -> Iterator[Suspicion]:
    column = profile.column
    if column.is_coded:
        yield from text_suspicions(series, column)
    elif column.kind == "date":
        for text, odd in date_sentinels(profile):
            rows = _rows_of(series, column, text)
            yield Suspicion(
                "sentinel",
                column.name,
                f"{quoted(column.name)} is {text} in {counted(odd.count, 'row')}, far from the "
                f"rest ({_day(odd.low)} to {_day(odd.high)}): it seems to mean a missing date.",
                odd.count,
                rows,
                identifiers_of(table, columns, rows),
                Mend("missing", column.name, text),
            )
    elif column.kind == "number" and not is_image:
        yield from _of_numbers(profile, series, table, columns)
    elif column.kind == "identifier" or is_image:
        return
    if not is_image:
        yield from _nearly_constant(profile)


def _of_numbers(
    profile: Profile, series: "pd.Series", table: pd.DataFrame, columns: list[Column]
) -> Iterator[Suspicion]:
    column, name = profile.column, quoted(profile.column.name)
    names_things = naming(series, column)
    if names_things:
        kind: SuspicionKind = "code" if names_things == CODE else "identifier"
        what = names_things.partition("numbers that name ")[2]
        yield Suspicion(
            kind,
            column.name,
            f"{name} looks like a number, but names {what} ({profile.n_distinct:,} different "
            "values).",
            len(profile.values),
            mend=Mend("role", column.name, "identifier"),
        )
        return
    sentinels = list(number_sentinels(profile))
    for odd in sentinels:
        rows = _rows_of(series, column, f"{odd.value:.12g}")
        yield Suspicion(
            "sentinel",
            column.name,
            f"{name} is {_plain(odd.value)} in {counted(odd.count, 'row')}, {_where(odd)}: it "
            "seems to mean a missing value.",
            odd.count,
            rows,
            identifiers_of(table, columns, rows),
            Mend("missing", column.name, _plain(odd.value)),
        )
    odd_values = [odd.value for odd in sentinels]
    rest = profile.values[~np.isin(profile.values, odd_values)] if odd_values else profile.values
    far = far_values(rest)
    if far is not None:
        values = pd.to_numeric(series, errors="coerce").to_numpy(np.float64, na_value=np.nan)
        beyond = values <= far.value if far.is_below else values >= far.value
        rows = tuple(np.flatnonzero(beyond & ~np.isin(values, odd_values))[:MOST_ROWS].tolist())
        yield Suspicion(
            "far",
            column.name,
            f"{name} has {counted(far.count, 'value')} {'below' if far.is_below else 'above'} all "
            f"others by more than their whole range: {_plain(far.value)}"
            f"{' and beyond' if far.count > 1 else ''}, the rest is from {_plain(far.low)} to "
            f"{_plain(far.high)}.",
            far.count,
            rows,
            identifiers_of(table, columns, rows),
        )


def _nearly_constant(profile: Profile) -> Iterator[Suspicion]:
    n_present = profile.n_rows - profile.n_missing - profile.n_infinite
    if profile.n_rows < _MIN_ROWS or n_present < 0.5 * profile.n_rows or profile.n_distinct < 2:
        return
    if profile.n_most_common >= NEARLY * n_present:
        name, value = profile.column.name, profile.most_common
        shown = _plain(value) if isinstance(value, float) else quoted(str(value))
        others = n_present - profile.n_most_common
        yield Suspicion(
            "nearly constant",
            name,
            f"{quoted(name)} is nearly constant: {shown} in all but {counted(others, 'row')}.",
            others,
            mend=Mend("role", name, "leave out"),
        )


def _gathered(found: list[Suspicion]) -> list[Suspicion]:
    """Return suspicions, with one for all columns of a fault that many of them have."""
    counts = Counter(one.kind for one in found)
    many = {kind for kind, count in counts.items() if count > MOST_ALIKE}
    kept = [one for one in found if one.kind not in many]
    for kind in dict.fromkeys(one.kind for one in found if one.kind in many):
        alike = [one for one in found if one.kind == kind]
        names = named([quoted(one.column) for one in alike])
        said = f"{_MANY[kind].format(n=f'{len(alike):,}')}: {names}. The first: {alike[0].sentence}"
        kept.append(Suspicion(kind, "", said, sum(one.n_values for one in alike)))
    return kept


_MANY: dict[SuspicionKind, str] = {
    "sentinel": "{n} values seem to mean missing ones",
    "percent": "{n} columns hold percent texts",
    "money": "{n} columns hold money texts",
    "nearly constant": "{n} columns are nearly constant",
    "identifier": "{n} columns look like numbers, but name things",
    "code": "{n} columns look like numbers, but name places, phones or goods",
    "spelling": "{n} columns have texts that differ only by case or blanks",
    "far": "{n} columns have far outliers",
}


def _rows_of(series: "pd.Series", column: Column, value: str) -> tuple[int, ...]:
    return tuple(np.flatnonzero(matches(series, column, value))[:MOST_ROWS].tolist())


def _where(odd: Odd) -> str:
    rest = f"({_plain(odd.low)} to {_plain(odd.high)})"
    if odd.value == -1.0:
        return f"and never negative else {rest}"
    return f"far {'below' if odd.is_below else 'above'} the rest {rest}"


def _plain(value: float) -> str:
    return f"{value:.12g}"


def _day(days: float) -> str:
    return str(np.datetime64(0, "D") + np.timedelta64(int(np.floor(days)), "D"))
