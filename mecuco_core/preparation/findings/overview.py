"""The table of columns: for each its role, kind, missing values, ends, and a small picture."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.columns import Column, Kind, recognise, recognise_column
from mecuco_core.preparation.findings.profiles import Profile, profiles
from mecuco_core.preparation.findings.suspicion import Suspicion
from mecuco_core.preparation.findings.suspicions import suspicions
from mecuco_core.preparation.mending.roles import beside_vectors, recognised_role, with_roles
from mecuco_core.preparation.mending.table import mended_table
from mecuco_core.preparation.protocol import Preparation, starting_preparation

ShownRole = Literal[
    "feature", "label", "identifier", "text", "image", "link", "vector", "leave out"
]


@dataclass(frozen=True)
class ColumnOverview:
    """One line of the table of columns.

    Parameters
    ----------
    name : str
    position : int
        In the table of the dataset; -1 for the label, and that of its first component for a
        column of vectors.
    role : str
        "feature", "label", "identifier", "text", "image", "link", "vector" or "leave out", with
        the choices of the preparation.
    kind : str
        What was recognised: "number", "boolean", "category", "date", "duration", "text",
        "identifier", "complex", "other"; "vector" for a column of vectors.
    reason : str
        Why it is no feature; empty where it is one.
    n_missing, n_distinct : int
        For vectors: 0, and the number of components.
    lowest, highest : str
        As text, empty where there is no order.
    counts : tuple of int
        A sketch of 16 bars: of the range, or of the most frequent categories.
    suspicions : tuple of Suspicion

    See Also
    --------
    column_overview : Makes them.

    Examples
    --------
    >>> import mecuco as mc
    >>> label, first, *_ = mc.datasets.column_overview(mc.datasets.load_bundled("iris"))
    >>> first.name, first.role, first.lowest, first.highest, sum(first.counts)
    ('sepal length (cm)', 'feature', '4.3', '7.9', 150)
    """

    name: str
    position: int
    role: ShownRole
    kind: Kind | Literal["vector"]
    reason: str
    n_missing: int
    n_distinct: int
    lowest: str
    highest: str
    counts: tuple[int, ...]
    suspicions: tuple[Suspicion, ...] = ()


def column_overview(
    dataset: Dataset,
    preparation: Preparation | None = None,
    found: tuple[Suspicion, ...] | None = None,
) -> tuple[ColumnOverview, ...]:
    r"""Return a line for every column of a dataset, and one for its label.

    Parameters
    ----------
    dataset : Dataset
    preparation : Preparation or None
        Whose roles and mends are shown; None for the one the dataset starts with.
    found : tuple of Suspicion or None
        What `suspicions` found, where it was asked already.

    Returns
    -------
    tuple of ColumnOverview
        In the order of the table, the label first; a column of vectors is one line.

    See Also
    --------
    suspicions : What is suspicious, and its mends.
    summarise : The table as a whole.

    Examples
    --------
    >>> import mecuco as mc
    >>> table = mc.datasets.read_table(b"id,size,kind\n1,2.5,a\n2,3.5,b\n3,,a\n4,1.5,b\n")
    >>> [(line.name, line.role, line.n_missing) for line in mc.datasets.column_overview(table)]
    [('id', 'identifier', 0), ('size', 'feature', 1), ('kind', 'feature', 0)]
    """
    preparation = starting_preparation(dataset) if preparation is None else preparation
    found = suspicions(dataset) if found is None else found
    closely = preparation.recognition == "close"
    mended = mended_table(dataset, preparation.mends, closely=closely)
    table, roles = mended.table, dict(preparation.roles)
    own = [] if dataset.target_name is None else [dataset.target_name]
    recognised = recognise(table)
    columns = with_roles(recognised, table, roles, closely=closely, others=own)
    if dataset.vectors is not None and preparation.include is None:
        columns = beside_vectors(columns, dataset.vectors, roles)
    by_column: dict[str, list[Suspicion]] = {}
    for one in found:
        by_column.setdefault(one.column, []).append(one)
    components = set(() if dataset.vectors is None else dataset.vectors.columns)
    looked_at = [column for column in columns if column.name not in components]
    lines = []
    for profile in profiles(table, looked_at):
        column = profile.column
        role, reason = _role(column, preparation)
        if role == "leave out" and not roles.get(column.name):
            as_seen = recognised_role(table.iloc[:, column.position], recognised[column.position])
            role = "leave out" if as_seen == "feature" else as_seen
        lines.append(_line(profile, role, reason, by_column))
    if dataset.vectors is not None:
        names = [str(name) for name in table.columns]
        lines.append(
            ColumnOverview(
                dataset.vectors.name, names.index(dataset.vectors.columns[0]), "vector", "vector",
                "", 0, len(dataset.vectors.columns), "", "", (),
                tuple(by_column.get(dataset.vectors.name, ())),
            )
        )  # fmt: skip
    lines.sort(key=lambda line: line.position)
    if mended.target is not None:
        name = dataset.target_name or ""
        column = recognise_column(mended.target, 0, name)
        (profile,) = profiles(mended.target.rename(name).to_frame(), [column])
        lines.insert(0, _line(profile, "label", "the label", by_column, position=-1))
    return tuple(lines)


def _role(column: Column, preparation: Preparation) -> tuple[ShownRole, str]:
    """Return role and reason of a column under a preparation."""
    said = dict(preparation.roles).get(column.name)
    if column.name in preparation.exclude:
        return "leave out", "excluded"
    if preparation.include is not None:
        within = column.name in preparation.include
        return ("feature", "") if within else ("leave out", "not among the included")
    if said is not None:
        return said, column.reason
    if column.reason:
        return "leave out", column.reason
    if preparation.categories == "drop" and column.is_coded:
        return "leave out", "categories are dropped"
    return "feature", ""


def _line(
    profile: Profile,
    role: ShownRole,
    reason: str,
    by_column: dict[str, list[Suspicion]],
    position: int | None = None,
) -> ColumnOverview:
    column, values = profile.column, profile.values
    ends = ("", "")
    if len(values):
        ends = (_shown(values[0], column), _shown(values[-1], column))
    return ColumnOverview(
        name=column.name,
        position=column.position if position is None else position,
        role=role,
        kind=column.kind,
        reason=reason,
        n_missing=profile.n_missing,
        n_distinct=profile.n_distinct,
        lowest=ends[0],
        highest=ends[1],
        counts=profile.counts,
        suspicions=tuple(by_column.get(column.name, ())),
    )


def _shown(value: float, column: Column) -> str:
    """Return an end of a column as people write it."""
    if column.kind == "date":
        return str(np.datetime64(0, "D") + np.timedelta64(int(np.floor(value)), "D"))
    if column.kind == "boolean":
        return "yes" if value else "no"
    return f"{value:.6g}"
