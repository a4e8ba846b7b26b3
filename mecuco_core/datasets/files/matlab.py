"""MATLAB files of version 5: matrices of numbers, full or sparse.

Read here and not by scipy, whose reader ends the process on some damaged files. The format is
MathWorks' "MAT-File Format": elements of a type, a length and data padded to eight bytes; a
matrix is an element of elements (flags, dimensions, name, values).
"""

import io
import math
import struct
import zlib
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.arrays import table_of_array
from mecuco_core.datasets.files.limits import check_bytes, check_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.variables import Variable, choose_variable, table_of_variables
from mecuco_core.errors import DataError

# Types of elements, and classes of matrices, by their numbers in the format.
_STORED = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8",
           13: "u8"}  # fmt: skip
_CLASSES = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8",
            15: "u8"}  # fmt: skip
_MATRIX, _COMPRESSED, _SPARSE = 14, 15, 5
_COMPLEX, _LOGICAL = 0x08, 0x02
_HEAD = 4096  # bytes that hold flags, dimensions and name
_PIECE = 1 << 20


@dataclass(frozen=True)
class _Matrix(Variable):
    """A matrix that was found, and where."""

    start: int
    n_bytes: int
    compressed: bool


def settle_mat(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> ReadOptions:
    """Choose the matrix of a file that holds the table."""
    with unpacked.seekable() as stream:
        chosen = choose_variable(_matrices(stream, options), options, findings)
    return replace(options, variable=chosen.name)


def read_mat(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> pd.DataFrame:
    """Read the chosen matrix of a file, and the target beside it where one is named so.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    with unpacked.seekable() as stream:

        def load(variable: Variable) -> NDArray[Any]:
            assert isinstance(variable, _Matrix)
            check_size(variable.shape[0], math.prod(variable.shape[1:]), options)
            return _loaded(variable, _payload(stream, variable, options), _order(stream))

        def tabulate(array: NDArray[Any]) -> pd.DataFrame:
            return table_of_array(array, options, findings)

        matrices = _matrices(stream, options)
        return table_of_variables(matrices, load, tabulate, options, findings)


def _matrices(stream: BinaryIO, options: ReadOptions) -> list[_Matrix]:
    """List the matrices of numbers by the beginnings of the elements alone."""
    order = _order(stream)
    end = stream.seek(0, io.SEEK_END)
    position = 128
    found = []
    while position + 8 <= end:
        stream.seek(position)
        kind, n_bytes = struct.unpack(order + "II", stream.read(8))
        position += 8 + n_bytes
        if position > end:
            raise EOFError("its last variable is not all there")
        if kind in (_MATRIX, _COMPRESSED):
            place = _Matrix("", (), True, position - n_bytes, n_bytes, kind == _COMPRESSED)
            head = _Elements(_payload(stream, place, options, _HEAD), order)
            flags, shape, name = _described(head)
            if flags & 0xFF in _CLASSES or flags & 0xFF == _SPARSE:
                found.append(replace(place, name=name, shape=shape))
    return found


def _order(stream: BinaryIO) -> str:
    stream.seek(126)
    return "<" if stream.read(2) == b"IM" else ">"


def _payload(
    stream: BinaryIO, place: _Matrix, options: ReadOptions, limit: int | None = None
) -> bytes:
    """Return what is inside a matrix element, or its first `limit` bytes."""
    stream.seek(place.start)
    if not place.compressed:
        return stream.read(place.n_bytes if limit is None else min(limit, place.n_bytes))
    decoder = zlib.decompressobj()
    out = bytearray()
    left = place.n_bytes
    while left > 0 and not decoder.eof and (limit is None or len(out) < limit):
        piece = stream.read(min(_PIECE if limit is None else limit, left))
        left -= len(piece)
        while piece and not decoder.eof and (limit is None or len(out) < limit):
            out += decoder.decompress(piece, _PIECE if limit is None else limit)
            piece = decoder.unconsumed_tail
            check_bytes(len(out), options.max_bytes, "The decompressed matrix")
    return bytes(memoryview(out)[8:])  # behind the tag of the matrix


class _Elements:
    """The elements inside a matrix, one after the other."""

    def __init__(self, data: bytes, order: str) -> None:
        self._data = data
        self._order = order
        self._position = 0

    def next(self) -> tuple[int, memoryview]:
        """Return the type and the data of the next element."""
        kind, n_bytes = struct.unpack_from(self._order + "II", self._data, self._position)
        start = self._position + 8
        if kind >> 16:  # up to four bytes of data stand in the tag itself
            kind, n_bytes, start = kind & 0xFFFF, kind >> 16, self._position + 4
            if n_bytes > 4:
                raise ValueError("a short element is too long")
            self._position += 8
        else:
            self._position = start + n_bytes + -n_bytes % 8
        if start + n_bytes > len(self._data):
            raise EOFError("a part of the matrix is not all there")
        return kind, memoryview(self._data)[start : start + n_bytes]

    def numbers(self) -> NDArray[Any]:
        """Return the next element as the numbers it stores."""
        kind, data = self.next()
        return np.frombuffer(data, dtype=np.dtype(self._order + _STORED[kind]))


def _described(elements: _Elements) -> tuple[int, tuple[int, ...], str]:
    """Return flags, shape and name of a matrix."""
    flags = int(elements.numbers()[0])
    shape = tuple(int(n) for n in elements.numbers())
    if len(shape) < 2 or any(n < 0 for n in shape):
        raise ValueError(f"a matrix of shape {shape}")
    return flags, shape, bytes(elements.next()[1]).decode("latin-1")


def _loaded(matrix: _Matrix, payload: bytes, order: str) -> NDArray[Any]:
    elements = _Elements(payload, order)
    flags, shape, _ = _described(elements)
    bits = flags >> 8
    if bits & _COMPLEX:
        raise DataError("The matrix holds complex numbers, which make no columns.")
    if flags & 0xFF == _SPARSE:
        values = _dense(elements, shape)
    else:
        stored = elements.numbers()
        if stored.size != math.prod(shape):
            raise ValueError(f"{stored.size} values for shape {shape}")
        values = stored.astype(_CLASSES[flags & 0xFF]).reshape(shape, order="F")
    return values != 0 if bits & _LOGICAL else values


def _dense(elements: _Elements, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return a matrix stored by columns as (row numbers, column ends, values)."""
    rows, ends = elements.numbers().astype(np.int64), elements.numbers().astype(np.int64)
    stored = elements.numbers()
    counts = np.diff(ends)
    n_values = int(ends[-1])
    if len(shape) != 2 or ends.size != shape[1] + 1 or ends[0] != 0 or (counts < 0).any():
        raise ValueError("the column ends of a sparse matrix are wrong")
    rows, stored = rows[:n_values], stored[:n_values]
    if rows.size != n_values or stored.size != n_values:
        raise EOFError("a sparse matrix is not all there")
    if n_values and not (rows.min() >= 0 and rows.max() < shape[0]):
        raise ValueError("a row number of a sparse matrix is wrong")
    dense = np.zeros(shape)
    dense[rows, np.repeat(np.arange(shape[1]), counts)] = stored
    return dense
