"""Frames of pandas, and of any library that speaks Arrow, as one table of columns with a dtype."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Vectors
from mecuco_core.datasets.files.options import Findings
from mecuco_core.errors import DataError, MissingPackageError
from mecuco_core.runtime.wording import named, quoted


@dataclass(frozen=True, eq=False)
class Table:
    """A table whose rows are known by position, its vectors, and what its rows were called.

    Parameters
    ----------
    columns : DataFrame of shape (n_rows, n_columns)
    vectors : Vectors or None
    labels : Index of length n_rows or None
        None where the rows had no names.
    """

    columns: pd.DataFrame
    vectors: Vectors | None = None
    labels: "pd.Index | None" = None


def is_frame(data: object) -> bool:
    """Whether an object is a frame, or says so in the language of Arrow."""
    return isinstance(data, pd.DataFrame | pd.Series) or hasattr(data, "__arrow_c_stream__")


def table_of(data: Any, vectors: str | None, findings: Findings) -> Table:
    """Return the table of a frame.

    Parameters
    ----------
    data : frame
    vectors : str or None
        Column of vectors that becomes the points, "" for none, None to find it out.
    findings : Findings
        Takes the notes.
    """
    if isinstance(data, pd.Series):
        data = data.to_frame(data.name if data.name is not None else "value")
    if isinstance(data, pd.DataFrame):
        frame, labels = _of_pandas(data), _labels(data.index)
    else:
        frame, labels = _of_arrow(data), None
    if 0 in frame.shape:
        raise DataError(f"the frame is empty: it has the shape {frame.shape}")
    frame, found = _with_vectors(frame, vectors)
    return Table(_settled(frame), found, labels)


def _of_pandas(data: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with rows numbered and columns named by text; the cells are not copied."""
    frame = data.reset_index(drop=True)
    names = [_named(name) for name in data.columns]
    return frame.set_axis(pd.Index(names, dtype=object), axis=1)


def _named(name: object) -> str:
    return " ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _labels(index: "pd.Index") -> "pd.Index | None":
    """Return what the rows are called, None where they are only numbered."""
    if index.dtype.kind == "i" and np.array_equal(index, np.arange(len(index))):
        return None
    return index


def _of_arrow(data: Any) -> pd.DataFrame:
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingPackageError(
            f"a {type(data).__name__} is read by the package pyarrow; install it with: "
            "pip install 'mecuco[data]'"
        ) from error
    try:
        arrow = pa.table(data)
    except (pa.ArrowInvalid, TypeError, ValueError) as error:
        raise DataError(f"this {type(data).__name__} is no table: {error}") from error
    frame: pd.DataFrame = arrow.to_pandas(ignore_metadata=True, date_as_object=False)
    return frame


def _with_vectors(frame: pd.DataFrame, wanted: str | None) -> tuple[pd.DataFrame, Vectors | None]:
    sizes = {name: _size(frame[name]) for name in frame.columns if frame[name].dtype == object}
    found = {name: size for name, size in sizes.items() if size > 1}
    if wanted == "" or not found:
        return frame, None
    if wanted is not None and wanted not in found:
        raise DataError(f"vectors must be one of {named(list(found))}, got {quoted(wanted)}")
    name = wanted or max(found, key=lambda one: found[one])
    matrix = np.array([np.asarray(cell) for cell in frame[name]])
    names = tuple(f"{name}[{j}]" for j in range(matrix.shape[1]))
    others = frame.drop(columns=list(found))
    columns = pd.DataFrame(matrix, columns=pd.Index(names, dtype=object), copy=False)
    return pd.concat([others, columns], axis=1), Vectors(name, names)


def _size(column: "pd.Series") -> int:
    sizes = {len(cell) if isinstance(cell, list | np.ndarray) else 0 for cell in column}
    return sizes.pop() if len(sizes) == 1 else 0


def _settled(frame: pd.DataFrame) -> pd.DataFrame:
    return frame
