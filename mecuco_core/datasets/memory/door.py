"""From a frame, an array, a tensor or cells to a dataset: the public function."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Dataset, Provenance, Vectors
from mecuco_core.datasets.files.options import Findings
from mecuco_core.datasets.labels import likely_label
from mecuco_core.datasets.memory.arrays import points_of
from mecuco_core.datasets.memory.frames import Table, is_frame, table_of
from mecuco_core.errors import DataError
from mecuco_core.runtime.cells import WHOLE, is_cells, representation, representation_name
from mecuco_core.runtime.wording import counted, named, quoted

POINTS = "x"
"""What the components of an array are called: x[0], x[1], …"""

_ID_NAMES = ("id", "row id", "row_id", "frame id")


@dataclass(frozen=True, eq=False)
class Brought:
    """A dataset from memory, what its rows were called there, and what there is to say.

    Parameters
    ----------
    dataset : Dataset
    labels : Index of length n_rows
    notes : tuple of str
    """

    dataset: Dataset
    labels: pd.Index
    notes: tuple[str, ...] = ()


def from_memory(
    data: Any,
    *,
    metadata: Any = None,
    target: Any = None,
    vectors: Any = None,
    ids: Any = None,
    use_rep: str | None = None,
    name: str | None = None,
) -> Dataset:
    """Make a dataset of what a program holds in memory.

    Parameters
    ----------
    data : frame, array, tensor, sparse matrix, AnnData or Dataset
        A frame of pandas, Polars or any library that speaks Arrow (`__arrow_c_stream__`); numbers
        of shape (n_rows, n_columns) in NumPy, SciPy or any library with `__array__` or
        `__dlpack__`, such as torch and JAX.
    metadata : frame or None
        Of an array: columns that describe its rows.
    target : column name, array-like of shape (n_rows,) or None
        Labels of the rows, no feature.
    vectors : str, array-like of shape (n_rows, n_columns) or None
        Of a frame: the column of vectors that is the points, "" for none, or the points
        themselves. None takes the column of vectors there is, of several the longest.
    ids : column name, array-like of shape (n_rows,) or None
        What the rows are called; None for the index of a frame, the names of the cells.
    use_rep : str or None
        Of an AnnData: the key of `obsm` that is the points, or "X". None for `X_pca` where there
        is one, else X.
    name : str or None
        Of the dataset; the type of `data` for None.

    Returns
    -------
    Dataset
        Arrays and columns of vectors are its `vectors`; all other columns describe the rows. What
        the rows are called is its column `id`.

    Raises
    ------
    DataError
        One sentence, when this is no table of rows.

    See Also
    --------
    show : Opens the same in the app.
    read_table : The same from a file.

    Examples
    --------
    >>> import mecuco as mc
    >>> import numpy as np
    >>> import pandas as pd
    >>> about = pd.DataFrame({"word": ["ape", "bee", "cat"], "kind": ["fur", "wing", "fur"]})
    >>> data = mc.datasets.from_memory(np.eye(3), metadata=about, target="kind")
    >>> data
    Dataset('ndarray', 3 rows, 4 features, target='kind')
    >>> data.vectors.columns
    ('x[0]', 'x[1]', 'x[2]')
    """
    return brought(
        data,
        metadata=metadata,
        target=target,
        vectors=vectors,
        ids=ids,
        use_rep=use_rep,
        name=name,
        copy=True,
    ).dataset


def brought(
    data: Any,
    *,
    metadata: Any = None,
    target: Any = None,
    vectors: Any = None,
    ids: Any = None,
    use_rep: str | None = None,
    name: str | None = None,
    find_target: bool = False,
    copy: bool = False,
) -> Brought:
    """Make a dataset as `from_memory` does, and say what else is known of it.

    With `find_target` a column called what targets are called is the target, where none is given;
    False for `target` takes none. With `copy` an array may be changed later.
    """
    if use_rep is not None and not is_cells(data):
        raise DataError(f"use_rep is for an AnnData, got {type(data).__name__}")
    if isinstance(data, Dataset):
        _check_absent(type(data).__name__, metadata=metadata, vectors=vectors)
        return _of_dataset(data, target, ids)
    findings = Findings()
    if is_cells(data):
        _check_absent("AnnData", metadata=metadata, vectors=vectors)
        table = _of_cells(data, use_rep, findings)
    elif is_frame(data) and (vectors is None or isinstance(vectors, str)):
        _check_absent("frame", metadata=metadata)
        table = table_of(data, vectors, findings)
    elif is_frame(data):
        _check_absent("frame", metadata=metadata)
        table = _of_array(vectors, data, "vectors", findings)
    else:
        _check_absent("array", vectors=vectors)
        table = _of_array(data, metadata, "data", findings)
    columns, wanted = _targeted(table, target, findings, find_target=find_target)
    labels = _labels(table, columns, ids)
    if ids is not None or table.labels is not None:
        columns = _identified(columns, labels)
    if copy and table.vectors is not None:
        columns = columns.copy()
    dataset = Dataset(
        name or type(data).__name__,
        columns,
        wanted,
        Provenance("memory"),
        vectors=table.vectors,
    )
    return Brought(dataset, labels, tuple(findings.notes))


def _check_absent(kind: str, **given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise DataError(f"{name}= does not go with data of type {kind}: leave it out")


def _of_dataset(dataset: Dataset, target: Any, ids: Any) -> Brought:
    if target is False:
        dataset = dataset.with_target(None)
    elif target is not None:
        dataset = dataset.with_target(str(target))
    table = Table(dataset.table, dataset.vectors)
    return Brought(dataset, _labels(table, dataset.table, ids))


def _of_array(data: Any, metadata: Any, name: str, findings: Findings) -> Table:
    """Return points as vectors, beside the columns that describe them."""
    points = points_of(data, name)
    about = None if metadata is None else table_of(_as_frame(metadata), "", findings)
    return _beside(points, POINTS, None, about)


def _as_frame(metadata: Any) -> Any:
    return pd.DataFrame(metadata) if isinstance(metadata, dict | list) else metadata


def _of_cells(cells: Any, use_rep: str | None, findings: Findings) -> Table:
    """Return a representation of cells as vectors, beside what `obs` says of them."""
    rep = representation_name(cells, use_rep)
    points = points_of(representation(cells, rep), f"use_rep {rep!r}")
    names = [str(gene) for gene in cells.var_names] if rep == WHOLE else None
    if names is not None and len(set(names)) < len(names):
        names = None
    about = Table(pd.DataFrame(index=range(len(points))), None, pd.Index(cells.obs_names))
    if cells.obs.shape[1]:
        about = Table(table_of(cells.obs, "", findings).columns, None, about.labels)
    return _beside(points, rep, names, about)


def _beside(points: Any, name: str, names: list[str] | None, about: Table | None) -> Table:
    """Return one table of points and of what describes them."""
    if about is not None and len(about.columns) != len(points):
        raise DataError(
            f"metadata must have one row for each point: {counted(len(about.columns), 'row')}, "
            f"{counted(len(points), 'point')}"
        )
    taken = set() if about is None else set(about.columns.columns)
    if names is None or taken.intersection(names):
        names = [f"{name}[{j}]" for j in range(points.shape[1])]
        while taken.intersection(names):
            names = [f"{one}'" for one in names]
    components = pd.DataFrame(points, columns=pd.Index(names, dtype=object), copy=False)
    vectors = Vectors(name, tuple(names))
    if about is None:
        return Table(components, vectors)
    columns = about.columns.set_axis(components.index, axis=0)
    return Table(pd.concat([columns, components], axis=1), vectors, about.labels)


def _targeted(
    table: Table, target: Any, findings: Findings, *, find_target: bool
) -> tuple[pd.DataFrame, "pd.Series | None"]:
    """Return the columns without the target, and the target."""
    columns = table.columns
    components = set() if table.vectors is None else set(table.vectors.columns)
    others = [name for name in columns.columns if name not in components]
    if target is False:
        return columns, None
    if target is None:
        several = find_target and columns.shape[1] > 1 and bool(others)
        target = likely_label(columns[others]) if several else None
        if target is None:
            return columns, None
        findings.note(
            f"Column {quoted(target)} is taken as the target, not as a feature: target=NAME names "
            "another, target=False none."
        )
    if isinstance(target, str) or np.isscalar(target):
        name = str(target)
        if others.count(name) != 1:
            raise DataError(
                f"target must be one of the columns {named(others)}, got {quoted(name)}"
            )
        columns = columns.copy(deep=False)
        return columns, columns.pop(name)
    values = pd.Series(_listed(target, "target", len(columns)), name="target")
    return columns, values


def _labels(table: Table, columns: pd.DataFrame, ids: Any) -> pd.Index:
    """Return what the rows are called."""
    n_rows = len(columns)
    if ids is None:
        return pd.RangeIndex(n_rows) if table.labels is None else table.labels
    if isinstance(ids, str):
        if list(columns.columns).count(ids) != 1:
            raise DataError(f"ids must be one of the columns, or a list, got {quoted(ids)}")
        own: pd.Index = pd.Index(columns[ids])
        return own
    listed: pd.Index = pd.Index(_listed(ids, "ids", n_rows))
    return listed


def _listed(values: Any, name: str, n_rows: int) -> Any:
    """Return one value for each row."""
    listed = values.reset_index(drop=True) if isinstance(values, pd.Series) else values
    if not isinstance(listed, pd.Series | pd.Index | pd.Categorical):
        listed = np.asarray(listed) if hasattr(listed, "__array__") else list(listed)
    if len(listed) != n_rows or np.ndim(listed) != 1:
        raise DataError(
            f"{name} must have one value for each row: {counted(len(listed), 'value')}, "
            f"{counted(n_rows, 'row')}"
        )
    return listed


def _identified(columns: pd.DataFrame, labels: pd.Index) -> pd.DataFrame:
    """Return a table whose first column is what the rows are called, unless a column says it."""
    if not labels.is_unique:
        return columns  # they name no row
    texts = labels.map(_spoken) if isinstance(labels, pd.MultiIndex) else labels
    for name in columns.columns[:50]:
        column = columns[name]
        if isinstance(column, pd.Series) and pd.Index(column).equals(texts):
            return columns
    free = next((name for name in _ID_NAMES if name not in columns.columns), None)
    if free is None:
        return columns
    own = pd.Series(texts.to_numpy(), columns.index, name=free)
    return pd.concat([own, columns], axis=1)


def _spoken(label: tuple[Any, ...]) -> str:
    return " · ".join(map(str, label))
