"""Tables and datasets as the bytes of Arrow, between processes: no pickles, and none is loaded."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pandas as pd
import pyarrow as pa

from mecuco_core.datasets.base import Dataset, Provenance, Truth, Vectors
from mecuco_core.runtime.wording import named, quoted


def packed(table: pd.DataFrame) -> tuple[list[str], memoryview]:
    """Return a table as an Arrow stream whose columns are numbered, and their names."""
    numbered = table.set_axis([str(position) for position in range(table.shape[1])], axis=1)
    arrow = pa.Table.from_pandas(numbered, preserve_index=False, nthreads=1)
    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, arrow.schema) as writer:
        writer.write_table(arrow)
    return [str(name) for name in table.columns], memoryview(out.getvalue())


def unpacked(names: list[str], body: bytes | bytearray) -> pd.DataFrame:
    """Return the table of an Arrow stream, after a look at every value of it."""
    arrow = pa.ipc.open_stream(pa.py_buffer(body)).read_all()
    arrow.validate(full=True)
    table: pd.DataFrame = arrow.to_pandas()
    for position, dtype in enumerate(table.dtypes):
        # Of no categories pandas does not remember the type.
        if isinstance(dtype, pd.CategoricalDtype) and dtype.categories.dtype == object:
            column: Any = table.iloc[:, position]
            words: Any = column.cat.rename_categories(dtype.categories.astype("str"))
            table.isetitem(position, words)
    return table.set_axis(pd.Index([str(name) for name in names]), axis=1)


def from_dataset(dataset: Dataset) -> tuple[dict[str, Any], memoryview, tuple[str, ...]]:
    """Return words and bytes that say all of a dataset, and notes on what became text."""
    more: list[Any] = [] if dataset.target is None else [dataset.target]
    if dataset.truth is not None:
        parts = (dataset.truth.mean, dataset.truth.gaussian)
        more += [pd.Series(part) for part in parts if part is not None]
    index = dataset.table.index
    table = pd.concat([dataset.table, *(one.set_axis(index) for one in more)], axis=1)
    table, foreign = _in_arrow(table)
    names, body = packed(table)
    words = {
        "name": dataset.name,
        "names": names,
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
    table, n_columns = unpacked(words["names"], body), int(words["n_columns"])
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
            texts = column.map(str, na_action="ignore").astype("str")
            table.isetitem(position, texts)
            foreign.append(quoted(str(table.columns[position])))
    return table, foreign
