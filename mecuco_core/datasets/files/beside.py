"""What lies beside a table: pictures its paths lead to, and a table that describes its rows."""

from dataclasses import replace

import pandas as pd

from mecuco_core.datasets.base import Dataset, Vectors
from mecuco_core.datasets.files.content import Content
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.options import Findings, Reading
from mecuco_core.datasets.files.table.names import unique_names
from mecuco_core.datasets.files.table.pictures import MOST_BYTES, has_picture_name, is_picture
from mecuco_core.datasets.files.trees import Tree, inside, opened_tree
from mecuco_core.errors import DataError
from mecuco_core.runtime.wording import spoken_bytes

_MOST_PICTURES = 256_000_000
"""Bytes of all pictures of a table."""

_LOOKED_AT = 20


def with_pictures(
    table: pd.DataFrame, content: Content, member: str, findings: Findings
) -> pd.DataFrame:
    """Put the pictures that paths of a column lead to into a column behind it.

    Parameters
    ----------
    table : DataFrame of shape (n_rows, n_columns)
    content : Content
        The folder or zip archive, out of which nothing is read.
    member : str
        Where the table is in it; paths count from there, or from the top.
    """
    named = [position for position in range(table.shape[1]) if _leads(table.iloc[:, position])]
    if not named:
        return table
    with opened_tree(content) as tree:
        for position in reversed(named):
            column = table.iloc[:, position]
            name = unique_names([*table.columns, f"{column.name} (picture)"], Findings())[-1]
            found = _found(column, tree, member.rpartition("/")[0], findings)
            if found is not None:
                table = table.copy(deep=False)
                table.insert(position + 1, name, found)
    return table


def described(points: Reading, metadata: Reading, target: str | None) -> Reading:
    """Return the rows of one file as points, with those of another beside them.

    Parameters
    ----------
    points : Reading
        Its vectors are the points, or all its numbers where it has none.
    metadata : Reading
        As many rows, in the same order.
    target : str or None
        Column of either that becomes the target.
    """
    one, other = points.dataset, metadata.dataset
    if one.n_rows != other.n_rows:
        raise DataError(
            f"{shown(one.name, 60)} has {one.n_rows:,} rows and the metadata {other.n_rows:,}; "
            "they must be the same rows in the same order."
        )
    vectors = one.vectors
    if vectors is None:
        numeric = [
            str(name)
            for name, dtype in zip(one.table.columns, one.table.dtypes, strict=True)
            if pd.api.types.is_numeric_dtype(dtype)
        ]
        if not numeric:
            raise DataError(f"{shown(one.name, 60)} has no column of numbers to be the points.")
        vectors = Vectors(one.name, tuple(numeric))
    findings = Findings(notes=[*points.notes, *metadata.notes])
    names = unique_names([*one.feature_names, *other.feature_names], findings)
    table = pd.concat([one.table, other.table], axis=1).set_axis(names, axis=1)
    findings.note(
        f"The numbers of {shown(one.name, 60)} are the points; the columns of the metadata "
        "describe them."
    )
    dataset = Dataset(one.name, table, provenance=one.provenance, vectors=vectors)
    if target is not None:
        dataset = dataset.with_target(target)
    return Reading(dataset, replace(points.options, target=target), tuple(findings.notes))


def _leads(column: pd.Series) -> bool:
    """Whether a column holds paths of pictures."""
    if not isinstance(column.dtype, pd.StringDtype):
        return False
    first = column.dropna().iloc[:_LOOKED_AT].tolist()
    return bool(first) and all(has_picture_name(path) and "://" not in path for path in first)


def _found(column: pd.Series, tree: Tree, folder: str, findings: Findings) -> "pd.Series | None":
    """Return the pictures, None for those that are not there; or None where there is none."""
    what = f"column {shown(column.name, 60)!r}"
    places = {
        path: next((p for p in (inside(folder, path), inside("", path)) if p in tree.sizes), None)
        for path in column.dropna().unique()
    }
    there = {path: place for path, place in places.items() if place is not None}
    if not there:
        return None
    if sum(tree.sizes[place] for place in set(there.values())) > _MOST_PICTURES:
        findings.note(
            f"The pictures of {what} are left out: together they are larger than "
            f"{spoken_bytes(_MOST_PICTURES)}."
        )
        return None
    pictures: dict[str, bytes] = {}
    for path, place in there.items():
        if tree.sizes[place] <= MOST_BYTES:
            content = tree.read(place, MOST_BYTES)
            if is_picture(content):
                pictures[path] = content
    rows = [pictures.get(path) if isinstance(path, str) else None for path in column.tolist()]
    n_found = sum(row is not None for row in rows)
    if n_found == 0:
        return None
    missing = f"; the other {len(rows) - n_found:,} rows have none" * (n_found < len(rows))
    findings.note(f"The pictures that {what} names were read for {n_found:,} rows{missing}.")
    return pd.Series(rows, column.index, dtype=object)
