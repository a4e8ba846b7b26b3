"""What the server and a process that reads files say to each other: JSON and `tables`.

Nothing here is a pickle: to load one is to run it, and the process has touched a file of anybody's.
"""

import json
import struct
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import IO, Any

import pandas as pd

from mecuco_app.work.tables import Body, packed, unpacked
from mecuco_core.datasets.base import Dataset, Provenance, Vectors
from mecuco_core.datasets.files import Reading, ReadOptions, Sniffed

_LENGTHS = struct.Struct("<QQ")  # of the JSON, and of the bytes behind it
_PIECE = 1 << 24
_MOST_WORDS = 1 << 28


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
    table, body = packed(sniffed.preview)
    return words | {"options": from_options(sniffed.options), "table": table}, body


def to_sniffed(words: Mapping[str, Any], body: bytes | bytearray) -> Sniffed:
    """Return what `from_sniffed` said."""
    table = unpacked(words["table"], body)
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
    packed_table, body = packed(table)
    words = {
        "name": dataset.name,
        "identifier": dataset.provenance.identifier,
        "image_shape": dataset.image_shape,
        "has_target": dataset.target is not None,
        "vectors": dataset.vectors and asdict(dataset.vectors),
        "table": packed_table,
        "options": from_options(reading.options),
        "notes": reading.notes,
    }
    return words, body


def to_reading(words: Mapping[str, Any], body: bytes | bytearray) -> Reading:
    """Return what `from_reading` said."""
    table, target = unpacked(words["table"], body), None
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
