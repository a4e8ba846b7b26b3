"""Tables and datasets as bytes: Arrow, and plain numbers where columns lie in memory as a matrix.

Components of vectors go over as the bytes of their matrix, behind an Arrow stream of all other
columns: no column is taken out of it, and nothing is copied. Nothing here is a pickle.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from mecuco_core.datasets.base import Dataset, Provenance, Truth, Vectors
from mecuco_core.runtime.wording import named, quoted

Body = Sequence[bytes | memoryview]
"""Bytes in parts that are joined."""

_MATRIX = 16  # columns, from which on they go over as one


def from_dataset(dataset: Dataset) -> tuple[dict[str, Any], Body, tuple[str, ...]]:
    """Return words and bytes that say all of a dataset, and notes on what became text."""
    more: list[Any] = [] if dataset.target is None else [dataset.target]
    if dataset.truth is not None:
        parts = (dataset.truth.mean, dataset.truth.gaussian)
        more += [pd.Series(part) for part in parts if part is not None]
    index = dataset.table.index
    table = pd.concat([dataset.table, *(one.set_axis(index) for one in more)], axis=1)
    table, foreign = _in_arrow(table)
    packed_table, body = packed(table)
    words = {
        "name": dataset.name,
        "table": packed_table,
        "n_columns": dataset.n_features,
        "target": None if dataset.target is None else dataset.target_name,
        "n_truths": 0 if dataset.truth is None else 1 + (dataset.truth.gaussian is not None),
        "image_shape": dataset.image_shape,
        "vectors": None if dataset.vectors is None else asdict(dataset.vectors),
        "provenance": asdict(dataset.provenance),
    }
    notes = (f"Shown as text, because no table has such values: {named(foreign)}.",)
    return words, body, notes if foreign else ()


def to_dataset(words: Mapping[str, Any], body: bytes | bytearray) -> Dataset:
    """Return the dataset that `from_dataset` was given."""
    table, n_columns = unpacked(words["table"], body), int(words["n_columns"])
    more = [table.iloc[:, position] for position in range(n_columns, table.shape[1])]
    target = None
    if words["target"] is not None:
        target = more.pop(0).rename(str(words["target"]))
    truth = Truth(*(one.to_numpy() for one in more)) if words["n_truths"] else None
    vectors = words["vectors"]
    return Dataset(
        name=str(words["name"]),
        table=table.iloc[:, :n_columns],
        target=target,
        provenance=Provenance(**words["provenance"]),
        image_shape=words["image_shape"] and tuple(words["image_shape"]),
        truth=truth,
        vectors=vectors and Vectors(str(vectors["name"]), tuple(vectors["columns"])),
    )


def packed(table: pd.DataFrame) -> tuple[dict[str, Any], Body]:
    """Return a table as words and bytes: an Arrow stream of numbered columns, and matrices."""
    matrices = list(_matrices(table))
    inside = {p for first, matrix in matrices for p in range(first, first + matrix.shape[1])}
    others = [position for position in range(table.shape[1]) if position not in inside]
    numbered = table.iloc[:, others].set_axis([str(position) for position in others], axis=1)
    arrow = pa.Table.from_pandas(numbered, preserve_index=False, nthreads=1)
    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, arrow.schema) as writer:
        writer.write_table(arrow)
    stream = memoryview(out.getvalue())
    words = {
        "names": [str(name) for name in table.columns],
        "n_rows": len(table),
        "n_bytes": len(stream),
        "matrices": [(first, m.shape[1], m.dtype.str) for first, m in matrices],
    }
    return words, [stream, *(m.reshape(-1).view(np.uint8).data for _, m in matrices)]


def unpacked(words: Mapping[str, Any], body: bytes | bytearray) -> pd.DataFrame:
    """Return the table of words and bytes, after a look at every value of it.

    Raises
    ------
    ValueError
        When they do not fit each other.
    """
    rest = memoryview(body)[words["n_bytes"] :]
    table = _arrow_table(memoryview(body)[: words["n_bytes"]])
    names, n_rows = [str(name) for name in words["names"]], int(words["n_rows"])
    parts, position = [], 0
    for first, width, dtype in words["matrices"]:
        if dtype not in ("<f4", "<f8"):
            raise ValueError(f"a matrix of {dtype!r}")
        n_bytes = n_rows * width * int(dtype[-1])
        matrix = np.frombuffer(rest[:n_bytes], dtype).reshape(n_rows, width)
        rest = rest[n_bytes:]
        before = sum(int(name) < first for name in table.columns)
        parts += [table.iloc[:, position:before], pd.DataFrame(matrix, copy=False)]
        position = before
    parts = [part for part in (*parts, table.iloc[:, position:]) if part.shape[1]]
    whole = pd.concat(parts, axis=1) if len(parts) > 1 else parts[0]
    if len(rest) or whole.shape != (n_rows, len(names)):
        raise ValueError("a table of another size than it says")
    return whole.set_axis(pd.Index(names), axis=1)


def _in_arrow(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return a table with every column of a type that Arrow has, and which became text for it."""
    foreign: list[str] = []
    numbers = {"b", "i", "u", "f"}
    for position, dtype in enumerate(table.dtypes):
        if getattr(dtype, "kind", "O") in numbers and not isinstance(dtype, pd.SparseDtype):
            continue
        column = table.iloc[:, position]
        try:
            pa.array(column, from_pandas=True)
        except (pa.ArrowException, TypeError, ValueError):
            if not foreign:
                table = table.copy(deep=False)
            texts: Any = column.map(str, na_action="ignore").astype("str")
            table.isetitem(position, texts)
            foreign.append(quoted(str(table.columns[position])))
    return table, foreign


def _matrices(table: pd.DataFrame) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield neighbouring columns that lie in memory as a matrix, and where the first one is."""
    dtypes = table.dtypes.tolist()
    first = 0
    while first < len(dtypes):
        last = first + 1
        while last < len(dtypes) and dtypes[last] == dtypes[first]:
            last += 1
        wide = last - first >= _MATRIX and dtypes[first] in (np.float32, np.float64)
        if wide and _side_by_side(table, first, last):
            matrix = table.iloc[:, first:last].to_numpy()
            if matrix.flags.c_contiguous:
                yield first, matrix
        first = last


def _side_by_side(table: pd.DataFrame, first: int, last: int) -> bool:
    """Whether the first row of some columns lies in one piece, as that of a matrix does."""
    ends = [table.iloc[:, position].to_numpy() for position in (first, last - 1)]
    start, end = (column.__array_interface__["data"][0] for column in ends)
    return bool(end - start == (last - 1 - first) * ends[0].itemsize)


def _arrow_table(stream: memoryview) -> pd.DataFrame:
    arrow = pa.ipc.open_stream(pa.py_buffer(stream)).read_all()
    arrow.validate(full=True)
    table: pd.DataFrame = arrow.to_pandas()
    for position, dtype in enumerate(table.dtypes):
        # Of no categories pandas does not remember the type.
        if isinstance(dtype, pd.CategoricalDtype) and dtype.categories.dtype == object:
            column: Any = table.iloc[:, position]
            words: Any = column.cat.rename_categories(dtype.categories.astype("str"))
            table.isetitem(position, words)
    return table
