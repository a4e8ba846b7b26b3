"""NumPy's own files. What their headers promise is checked first; pickles are never read."""

import math
import zipfile
from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
from numpy.lib import format as npy
from numpy.typing import NDArray

from mecuco_core.datasets.files.archives import Unpacked, check_member, open_zip
from mecuco_core.datasets.files.binary.variables import (
    Variable,
    choose_variable,
    table_of_variables,
)
from mecuco_core.datasets.files.limits import check_bytes, check_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.table.names import unique_names, unnamed
from mecuco_core.errors import DataError

_KINDS = "biufmMUS"


def read_npy(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> pd.DataFrame:
    """Read one array as a table, one row per entry of its first axis.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    with unpacked.seekable() as stream:
        stream.seek(0, 2)
        n_bytes = stream.tell()
        stream.seek(0)
        return table_of_array(_array(stream, n_bytes, options), options, findings)


def settle_npz(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> ReadOptions:
    """Choose the array of an archive that holds the table."""
    with unpacked.seekable() as stream, open_zip(stream) as archive:
        chosen = choose_variable(_variables(archive), options, findings)
    return replace(options, variable=chosen.name)


def read_npz(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> pd.DataFrame:
    """Read the chosen array of an archive, and the target beside it where one is named so.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    with unpacked.seekable() as stream, open_zip(stream) as archive:

        def load(variable: Variable) -> NDArray[Any]:
            info = archive.getinfo(variable.name + ".npy")
            with archive.open(info) as member:
                return _array(member, info.file_size, options)  # type: ignore[arg-type]

        def tabulate(array: NDArray[Any]) -> pd.DataFrame:
            return table_of_array(array, options, findings)

        return table_of_variables(_variables(archive), load, tabulate, options, findings)


def table_of_array(array: NDArray[Any], options: ReadOptions, findings: Findings) -> pd.DataFrame:
    """Return an array as a table: its first axis the rows, all others the columns.

    Parameters
    ----------
    array : ndarray of shape (n_rows, ...), or structured of shape (n_rows,)

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    if array.ndim == 0:
        raise DataError("The array is a single value, not a table; choose another one.")
    fields = array.dtype.names
    n_rows = array.shape[0]
    n_columns = math.prod(array.shape[1:]) if fields is None else len(fields)
    check_size(n_rows, n_columns, options)
    if n_rows == 0 or n_columns == 0:
        raise DataError(f"The array has shape {array.shape}: there is nothing in it to read.")
    if fields is not None:
        if array.ndim > 1:
            raise DataError(f"An array of records must have one axis, got shape {array.shape}.")
        table = pd.DataFrame({name: plain_values(array[name]) for name in fields}, copy=False)
        table.columns = pd.Index(unique_names(fields, findings))
        return table
    if array.ndim > 2:
        findings.note(
            f"The array has shape {array.shape}; every entry of its first axis became a row."
        )
    matrix = plain_values(array).reshape(n_rows, n_columns)
    return pd.DataFrame(matrix, columns=[unnamed(p) for p in range(n_columns)], copy=False)


def _variables(archive: zipfile.ZipFile) -> list[Variable]:
    """List the arrays of an archive by their headers alone."""
    found = []
    for info in archive.infolist():
        check_member(info)
        with archive.open(info) as member:
            shape, dtype = _header(member)  # type: ignore[arg-type]
        kinds = {dtype.kind} if dtype.names is None else set("i")
        found.append(Variable(info.filename.removesuffix(".npy"), shape, kinds <= set("biuf")))
    return found


def _array(stream: BinaryIO, n_bytes: int, options: ReadOptions) -> NDArray[Any]:
    """Read one array from a stream of `n_bytes` bytes, its header included."""
    shape, dtype = _header(stream)
    _check_dtype(dtype)
    expected = math.prod(shape) * dtype.itemsize
    present = n_bytes - stream.tell()
    if expected > present:
        raise DataError(
            f"The header promises an array of shape {shape} ({expected} bytes), but {present} "
            "bytes follow it; the file is cut short, or its header is wrong."
        )
    check_bytes(expected, options.max_bytes, "The array")
    stream.seek(0)
    found: NDArray[Any] = np.load(stream, allow_pickle=False)
    return found


def _header(stream: BinaryIO) -> tuple[tuple[int, ...], "np.dtype[Any]"]:
    version = npy.read_magic(stream)
    # Version 3 differs from 2 only in the encoding of field names.
    read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, _, dtype = read_header(stream)
    if any(n < 0 for n in shape):
        raise DataError(f"The header of the array claims the impossible shape {shape}.")
    return shape, dtype


def _check_dtype(dtype: "np.dtype[Any]") -> None:
    if dtype.hasobject:
        raise DataError(
            "The array holds Python objects (a pickle), which can run programs when loaded and "
            "are never read; convert it in Python if you trust it: numpy.save('points.npy', "
            "numpy.load(FILE, allow_pickle=True).astype(float))."
        )
    parts = [dtype] if dtype.names is None else [dtype[name] for name in dtype.names]
    for part in parts:
        if part.kind not in _KINDS or part.shape:
            raise DataError(
                f"The array holds values of dtype {part}, which make no column; save real numbers, "
                "truth values, dates or text."
            )


def plain_values(array: NDArray[Any]) -> NDArray[Any]:
    """Return values in the machine's byte order and of a width pandas knows."""
    kind, width = array.dtype.kind, array.dtype.itemsize
    if kind == "b":
        return np.asarray(array.view(np.uint8) != 0)  # a byte of 2 is neither True nor False
    if kind == "f" and width not in (4, 8):
        return array.astype(np.float32 if width == 2 else np.float64)
    if kind == "S":
        return np.char.decode(array, "latin-1").astype(object)
    if kind == "U":
        return array.astype(object)
    # By way of its text form, since scipy's '<f8' is float64 under another name.
    native = np.dtype(array.dtype.newbyteorder("=").str)
    return array.view(native) if array.dtype.isnative else array.astype(native)
