"""SHA-256 of tables: every value, missing mark, name and dtype, whatever the memory layout.

Two rules make the digest the same on every run and machine. A column is fed as a whole,
little-endian, in an order given by the dtypes, so that memory layout does not show. Nothing is fed
whose bytes are accidental: the payload of a NaN, the number under a missing mark, the order of a
set, the address of an object. Text is fed with its length: "ab" + "c" is not "a" + "bc".
"""

import numbers
import struct
from collections.abc import Iterable, Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd

from mecuco_core.datasets.blocks import block_width, column_block
from mecuco_core.runtime.wording import quoted

_CELLS = 1_000_000  # numbers fed at once
_TEXTS = 100_000  # texts and objects fed at once


class Digest(Protocol):
    """What `hashlib.sha256()` returns."""

    def update(self, data: bytes | memoryview, /) -> None:
        """Take in more bytes."""


class UnreadableValueError(TypeError):
    """A cell holds an object that shows no value, only where it lies in memory."""


def feed_table(digest: Digest, table: pd.DataFrame) -> None:
    """Feed names, dtypes and values of every column of `table` of shape (n_rows, n_columns)."""
    n_rows, n_columns = table.shape
    dtypes = table.dtypes.tolist()
    feed_tokens(digest, [b"table", str(n_rows).encode(), str(n_columns).encode()])
    feed_tokens(digest, (token(name) for name in table.columns))
    feed_tokens(digest, (_dtype_token(dtype) for dtype in dtypes))
    width = block_width(n_rows)
    for positions in _plain_positions(dtypes):
        for start in range(0, len(positions), width):
            feed_array(digest, column_block(table, positions[start : start + width]))
    for dtype, (_, column) in zip(dtypes, table.items(), strict=True):
        if _plain_dtype(dtype) is None:
            _feed_values(digest, column)


def feed_column(digest: Digest, column: "pd.Series") -> None:
    """Feed name, dtype and values of one column of shape (n_rows,)."""
    name, dtype = token(column.name), _dtype_token(column.dtype)
    feed_tokens(digest, [b"column", str(len(column)).encode(), name, dtype])
    _feed_values(digest, column)


def feed_array(digest: Digest, values: npt.NDArray[np.generic]) -> None:
    """Feed the bytes of an array of plain numbers or dates in C order, every NaN alike."""
    flat = np.ascontiguousarray(values).reshape(-1)
    for start in range(0, len(flat), _CELLS):
        part = flat[start : start + _CELLS]
        part = part.astype(part.dtype.newbyteorder("<"), copy=False)
        if part.dtype.kind in "fc":
            part = part.view(part.real.dtype)
            missing = np.isnan(part)
            if missing.any():
                part = np.where(missing, np.array(np.nan, part.dtype), part)
        digest.update(part.view(np.uint8).data)


def feed_tokens(digest: Digest, tokens: Iterable[bytes]) -> None:
    """Feed byte strings, their number and their lengths."""
    listed = list(tokens)
    digest.update(np.fromiter(map(len, listed), "<i8", len(listed)).tobytes())
    digest.update(struct.pack("<q", len(listed)))
    digest.update(b"".join(listed))


def token(value: object) -> bytes:
    """Bytes that are equal for equal values of equal type, and only for these."""
    if isinstance(value, str):
        return b"s" + value.encode("utf-8", "surrogatepass")
    if value is None or value is pd.NA or value is pd.NaT:
        return b"-" + str(value).encode()
    if isinstance(value, bool | np.bool):
        return b"b1" if value else b"b0"
    if isinstance(value, numbers.Integral):
        return b"i" + str(int(value)).encode()
    if isinstance(value, float | np.float32 | np.float16):
        return b"fnan" if value != value else b"f" + struct.pack("<d", float(value))
    if isinstance(value, bytes):
        return b"y" + value
    return _nested_token(value)


def _nested_token(value: object) -> bytes:
    parts: list[bytes]
    if isinstance(value, Mapping):
        parts = [token(part) for item in value.items() for part in item]
    elif isinstance(value, set | frozenset):
        parts = sorted(map(token, value))
    elif isinstance(value, np.ndarray):
        parts = [token(value.shape), str(value.dtype).encode(), *map(token, value.ravel().tolist())]
    elif isinstance(value, list | tuple):
        parts = [token(part) for part in value]
    else:
        shown = repr(value)
        if " at 0x" in shown:
            raise UnreadableValueError(type(value).__name__)
        parts = [shown.encode("utf-8", "surrogatepass")]
    lengths = b",".join(str(len(part)).encode() for part in parts)
    return b"".join([b"o", type(value).__name__.encode(), b"(", lengths, b")", *parts])


def _plain_dtype(dtype: object) -> str | None:
    """Name of a numpy dtype whose bytes are its values."""
    # A long double has padding of undefined content, so it goes the way of objects.
    if isinstance(dtype, np.dtype) and dtype.kind in "biufcmM" and dtype.char not in "gG":
        return dtype.str
    return None


def _plain_positions(dtypes: list[object]) -> list[list[int]]:
    """Positions of the plain columns, those of one dtype together, in order of appearance."""
    groups: dict[str, list[int]] = {}
    for position, dtype in enumerate(dtypes):
        name = _plain_dtype(dtype)
        if name is not None:
            groups.setdefault(name, []).append(position)
    return list(groups.values())


def _dtype_token(dtype: object) -> bytes:
    if isinstance(dtype, pd.CategoricalDtype):
        return b"category, ordered" if dtype.ordered else b"category"
    # Whether a string column is held by Arrow or by Python does not show in its name.
    return str(dtype).encode()


def _feed_values(digest: Digest, column: "pd.Series") -> None:
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        feed_column(digest, pd.Series(dtype.categories, name="categories"))
        feed_array(digest, np.asarray(column.array.codes))
    elif isinstance(dtype, pd.DatetimeTZDtype):
        feed_array(digest, column.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
    elif isinstance(dtype, pd.SparseDtype):
        _feed_values(digest, pd.Series(np.asarray(column.array)))
    elif _plain_dtype(dtype):
        feed_array(digest, column.to_numpy())
    elif getattr(dtype, "kind", "O") in "biuf" and hasattr(dtype, "numpy_dtype"):
        # Nullable numbers: what lies under a missing mark is accidental.
        feed_array(digest, column.isna().to_numpy(dtype=bool))
        feed_array(digest, column.to_numpy(dtype=dtype.numpy_dtype, na_value=0))
    else:
        _feed_objects(digest, column)


def _feed_objects(digest: Digest, column: "pd.Series") -> None:
    try:
        for start in range(0, len(column), _TEXTS):
            feed_tokens(digest, map(token, column.array[start : start + _TEXTS].tolist()))
    except UnreadableValueError as error:
        raise UnreadableValueError(
            f"column {quoted(str(column.name))} holds objects of type {error}, which show no "
            "value: turn them into numbers or text first"
        ) from error
