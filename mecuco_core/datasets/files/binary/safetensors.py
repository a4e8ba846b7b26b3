"""Safetensors: a header of JSON, and behind it the numbers of every tensor as they are."""

import json
import math
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.binary.arrays import table_of_array
from mecuco_core.datasets.files.binary.variables import (
    Variable,
    choose_variable,
    table_of_variables,
)
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_bytes, check_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.errors import DataError

_MOST_HEADER = 25_000_000  # bytes; the library itself takes no more than 100 MB
_DTYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1", "BOOL": "?", "BF16": "<u2",
}  # fmt: skip


@dataclass(frozen=True)
class _Tensor(Variable):
    """A tensor that was found: its type, and where its bytes are."""

    dtype: str
    start: int
    n_bytes: int


def is_safetensors(head: bytes) -> bool:
    """Whether a file begins with the length of a header of JSON, and with that."""
    length = int.from_bytes(head[:8], "little")
    return 2 <= length <= _MOST_HEADER and head[8:10] in (b'{"', b"{}")


def settle_safetensors(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> ReadOptions:
    """Choose the tensor that holds the table."""
    with unpacked.seekable() as stream:
        chosen = choose_variable(_tensors(stream), options, findings)
    return replace(options, variable=chosen.name)


def read_safetensors(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> pd.DataFrame:
    """Read the chosen tensor, and the target beside it where one is named so.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    with unpacked.seekable() as stream:

        def load(variable: Variable) -> NDArray[Any]:
            assert isinstance(variable, _Tensor)
            check_bytes(variable.n_bytes, options.max_bytes, "The tensor")
            check_size(variable.shape[0], math.prod(variable.shape[1:]), options)
            return _loaded(stream, variable)

        def tabulate(array: NDArray[Any]) -> pd.DataFrame:
            return table_of_array(array, options, findings)

        return table_of_variables(_tensors(stream), load, tabulate, options, findings)


def _tensors(stream: BinaryIO) -> list[_Tensor]:
    """List the tensors by the header, after a look at whether they fit the file."""
    stream.seek(0, 2)
    n_bytes = stream.tell()
    stream.seek(0)
    length = int.from_bytes(stream.read(8), "little")
    if length > min(_MOST_HEADER, n_bytes - 8):
        raise ValueError("its header is longer than the file")
    header = json.loads(stream.read(length))
    found = []
    for name, told in header.items():
        if name == "__metadata__":
            continue
        start, end = (int(place) for place in told["data_offsets"])
        shape = tuple(int(n) for n in told["shape"])
        dtype = _DTYPES.get(str(told["dtype"]), "")
        if not 0 <= start <= end <= n_bytes - 8 - length or any(n < 0 for n in shape):
            raise ValueError(f"tensor {shown(name, 40)} lies outside the file")
        if dtype and math.prod(shape) * np.dtype(dtype).itemsize != end - start:
            raise ValueError(f"tensor {shown(name, 40)} has another size than its shape")
        if shape:
            kind = "bf16" if told["dtype"] == "BF16" else dtype
            found.append(_Tensor(name, shape, bool(dtype), kind, 8 + length + start, end - start))
    return found


def _loaded(stream: BinaryIO, tensor: _Tensor) -> NDArray[Any]:
    if not tensor.dtype:
        raise DataError(
            f"The tensor {shown(tensor.name, 60)} holds numbers of a type that is not read here; "
            "save it as float32."
        )
    stream.seek(tensor.start)
    raw = stream.read(tensor.n_bytes)
    if tensor.dtype == "bf16":  # the upper half of a float32
        upper = np.frombuffer(raw, "<u2").astype(np.uint32) << 16
        return upper.view(np.float32).reshape(tensor.shape)
    found: NDArray[Any] = np.frombuffer(raw, tensor.dtype).reshape(tensor.shape)
    return found
