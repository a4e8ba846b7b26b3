"""Frames of pandas, and of any library that speaks Arrow, as one table of columns with a dtype."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Vectors
from mecuco_core.datasets.files.binary.arrow_table import Parts, table_of_parts
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.table.columns import settled
from mecuco_core.datasets.files.table.vectors import with_vectors
from mecuco_core.errors import DataError, MissingPackageError

_ANY = 1 << 60
"""Files have limits; what is in memory is there already."""


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
    options = ReadOptions(vectors=vectors, max_cells=_ANY, max_columns=_ANY, max_bytes=_ANY)
    if isinstance(data, pd.DataFrame):
        _check_filled(data.shape)
        labels = _labels(data.index)
        frame = with_vectors(_of_pandas(data), options, findings)
    else:
        labels, frame = None, _of_arrow(data, options, findings)
    return Table(settled(frame, findings), findings.vectors, labels)


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


def _of_arrow(data: Any, options: ReadOptions, findings: Findings) -> pd.DataFrame:
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingPackageError(
            f"a {type(data).__name__} is read by the package pyarrow; install it with: "
            "pip install 'mecuco[data]'"
        ) from error
    try:
        whole = pa.table(data)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise DataError(f"this {type(data).__name__} is no table: {error}") from error
    _check_filled(whole.shape)

    def batches(names: list[str] | None, size: int) -> Iterator[Any]:
        some = whole if names is None else whole.select(names)
        yield from some.to_batches(max_chunksize=size)

    def columns(names: list[str] | None) -> Any:
        return whole if names is None else whole.select(names)

    parts = Parts(whole.schema, whole.num_rows, batches, columns)
    return table_of_parts(parts, options, findings, pa, None)


def _check_filled(shape: tuple[int, int]) -> None:
    if 0 in shape:
        raise DataError(f"the frame is empty: it has the shape {shape}")
