"""What the server and a process that reads files say to each other: JSON, Arrow and plain numbers.

Columns that lie in memory as one matrix, such as the components of vectors, go over as its bytes,
behind an Arrow stream of all others: no column is taken out of it, and nothing is copied. Nothing
here is a pickle: to load one is to run it, and the process has touched a file of anybody's.
"""

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import IO, Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from mecuco_core.datasets.base import Dataset, Provenance, Vectors
from mecuco_core.datasets.files import Reading, ReadOptions, Sniffed

_LENGTHS = struct.Struct("<QQ")  # of the JSON, and of the bytes behind it
_PIECE = 1 << 24
_MOST_WORDS = 1 << 28
_MATRIX = 16  # columns, from which on they go over as one


Body = Sequence[bytes | memoryview]


def send(pipe: IO[bytes], words: Mapping[str, Any], body: Body = ()) -> None:
    """Write one message: words, and bytes that belong to them, in parts that are joined."""
    text = json.dumps(words).encode()
    pipe.write(_LENGTHS.pack(len(text), sum(map(len, body))))
    pipe.write(text)
    for part in body:
        pipe.write(part)
    pipe.flush()


def received(pipe: IO[bytes], most_bytes: int) -> tuple[dict[str, Any], bytearray]:
    """Read one message of at most `most_bytes` bytes.

    Raises
    ------
    EOFError
        When the other side ended.
    ValueError
        When what it said is no message.
    """
    n_words, n_body = _LENGTHS.unpack(_exactly(pipe, _LENGTHS.size))
    if n_words > _MOST_WORDS or n_body > most_bytes:
        raise ValueError(f"a message of {n_words + n_body} bytes")
    words = json.loads(_exactly(pipe, n_words))
    if not isinstance(words, dict):
        raise ValueError("a message without names")
    return words, _exactly(pipe, n_body)


def _exactly(pipe: IO[bytes], n_bytes: int) -> bytearray:
    found = bytearray()
    while len(found) < n_bytes:
        piece = pipe.read(min(_PIECE, n_bytes - len(found)))
        if not piece:
            raise EOFError("the other side ended")
        found += piece
    return found


def from_options(options: ReadOptions) -> dict[str, Any]:
    """Return options as JSON holds them."""
    return asdict(options)


def to_options(words: Mapping[str, Any]) -> ReadOptions:
    """Return options from JSON, which knows lists only."""
    given: dict[str, Any] = {n: tuple(v) if isinstance(v, list) else v for n, v in words.items()}
    return ReadOptions(**given)


def from_sniffed(sniffed: Sniffed) -> tuple[dict[str, Any], Body]:
    """Return words and bytes that say what was found by looking at a file."""
    words = {
        field.name: getattr(sniffed, field.name)
        for field in fields(sniffed)
        if field.name not in ("options", "preview")
    }
    table, body = _packed(sniffed.preview)
    return words | {"options": from_options(sniffed.options), "table": table}, body


def to_sniffed(words: Mapping[str, Any], body: bytes | bytearray) -> Sniffed:
    """Return what `from_sniffed` said."""
    table = _unpacked(words["table"], body)
    plain = {field.name for field in fields(Sniffed)} - {"options", "preview"}
    given: dict[str, Any] = {name: words[name] for name in plain}
    given = {name: tuple(v) if isinstance(v, list) else v for name, v in given.items()}
    return Sniffed(options=to_options(words["options"]), preview=table, **given)


def from_reading(reading: Reading) -> tuple[dict[str, Any], Body]:
    """Return words and bytes that say what was read; the target is the last column."""
    dataset = reading.dataset
    table = dataset.table
    if dataset.target is not None:
        table = pd.concat([table, dataset.target], axis=1)
    packed, body = _packed(table)
    words = {
        "name": dataset.name,
        "identifier": dataset.provenance.identifier,
        "image_shape": dataset.image_shape,
        "has_target": dataset.target is not None,
        "vectors": dataset.vectors and asdict(dataset.vectors),
        "table": packed,
        "options": from_options(reading.options),
        "notes": reading.notes,
    }
    return words, body


def to_reading(words: Mapping[str, Any], body: bytes | bytearray) -> Reading:
    """Return what `from_reading` said."""
    table, target = _unpacked(words["table"], body), None
    if words["has_target"]:
        table, target = table.iloc[:, :-1], table.iloc[:, -1]
    dataset = Dataset(
        name=str(words["name"]),
        table=table,
        target=target,
        provenance=Provenance("file", identifier=words["identifier"]),
        image_shape=words["image_shape"] and tuple(words["image_shape"]),
        vectors=_to_vectors(words["vectors"]),
    )
    return Reading(dataset, to_options(words["options"]), tuple(map(str, words["notes"])))


def _to_vectors(words: Mapping[str, Any] | None) -> Vectors | None:
    return words and Vectors(str(words["name"]), tuple(map(str, words["columns"])))  # type: ignore[return-value]


def _packed(table: pd.DataFrame) -> tuple[dict[str, Any], Body]:
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
    return words, [stream, *(memoryview(m.reshape(-1).view(np.uint8)) for _, m in matrices)]


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


def _unpacked(words: Mapping[str, Any], body: bytes | bytearray) -> pd.DataFrame:
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
