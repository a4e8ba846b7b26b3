"""Lists of Arrow: columns of vectors become matrices, short lists and records become text."""

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mecuco_core.datasets.files.table.pictures import is_picture
from mecuco_core.datasets.files.table.vectors import common_size

_LONGEST = 100
"""Values that a list has on average, when it is kept as text."""


def plain_type(kind: Any, pa: Any) -> Any:
    """Return a type without the extension or the dictionary around it."""
    if isinstance(kind, pa.BaseExtensionType):
        kind = kind.storage_type
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def is_list(kind: Any, types: Any) -> bool:
    """Whether a type is a list of any form."""
    return bool(
        types.is_list(kind)
        or types.is_large_list(kind)
        or types.is_fixed_size_list(kind)
        or types.is_list_view(kind)
        or types.is_large_list_view(kind)
    )


def is_vector(kind: Any, types: Any) -> bool:
    """Whether a type is a list of numbers, or a list of such lists."""
    while is_list(kind, types):
        kind = kind.value_type
        if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
            return True
    return False


def number_type(kind: Any, types: Any) -> "np.dtype[np.floating[Any]]":
    """Return the floating type that holds the numbers of a list as they are."""
    while is_list(kind, types):
        kind = kind.value_type
    narrow = types.is_float16(kind) or types.is_float32(kind)
    small = types.is_integer(kind) and kind.bit_width <= 16
    return np.dtype(np.float32 if narrow or small else np.float64)


def vector_size(column: Any, pa: Any) -> int:
    """Return how many numbers the vectors of a column have, 0 where it holds something else.

    Parameters
    ----------
    column : pyarrow.Array of lists of numbers
        The first rows.
    """
    column.validate(full=True)
    counts, lacking, _ = _unrolled(_plain(column, pa), pa)
    return common_size(np.where(lacking | (counts == 0), -1, counts).tolist())


def filled(
    chunks: Iterable[Any], n_rows: int, size: int, pa: Any
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return the vectors of a column as a matrix, and which rows have one.

    Parameters
    ----------
    chunks : iterable of pyarrow.Array
        The column, piece by piece; no more than one of them is held.
    n_rows, size : int

    Returns
    -------
    matrix : ndarray of float32 or float64 of shape (n_rows, size)
    complete : ndarray of bool of shape (n_rows,)
    """
    matrix: NDArray[Any] | None = None
    complete = np.zeros(n_rows, dtype=bool)
    start = 0
    for chunk in chunks:
        chunk.validate(full=True)
        array = _plain(chunk, pa)
        dtype = number_type(array.type, pa.types)
        if matrix is None:
            matrix = np.empty((n_rows, size), dtype)
        counts, lacking, values = _unrolled(array, pa)
        numbers = _numbers(values, dtype, pa)
        fits = ~lacking & (counts == size)
        stop = start + len(array)
        if stop > n_rows:
            raise ValueError("more rows than it says")
        if fits.all():
            matrix[start:stop] = numbers.reshape(-1, size)
        else:
            matrix[start:stop] = np.nan
            matrix[start:stop][fits] = numbers[np.repeat(fits, counts)].reshape(-1, size)
        complete[start:stop] = fits
        start = stop
    if matrix is None or start != n_rows:
        raise ValueError("fewer rows than it says")
    return matrix, complete


def in_text(column: Any) -> Any:
    """Return lists and records as JSON, None where they are too long for that or hold bytes.

    Parameters
    ----------
    column : pyarrow.ChunkedArray
    """
    import pyarrow as pa

    if "binary" in str(column.type):
        return None
    if is_list(column.type, pa.types):
        n_values = sum(len(chunk.flatten()) for chunk in column.chunks)
        if n_values > _LONGEST * max(1, len(column)):
            return None
    texts = [
        None if value is None else json.dumps(value, ensure_ascii=False, default=str)
        for chunk in column.chunks
        for value in chunk.to_pylist()
    ]
    return pa.array(texts, pa.large_string())


def pictures(column: Any, pa: Any) -> Any:
    """Return the pictures of records {bytes, path}, as `datasets` writes them; else None.

    Parameters
    ----------
    column : pyarrow.ChunkedArray of records
    """
    kind = column.type
    if not pa.types.is_struct(kind) or {field.name for field in kind} != {"bytes", "path"}:
        return None
    found = pa.chunked_array(
        [chunk.field("bytes") for chunk in column.chunks], type=kind["bytes"].type
    )
    if not (pa.types.is_binary(found.type) or pa.types.is_large_binary(found.type)):
        return None
    present = found.drop_null()
    if not len(present) or not is_picture(present[0].as_py()):
        return None
    return found


def _plain(array: Any, pa: Any) -> Any:
    """Return an array without the extension or the dictionary around it."""
    if isinstance(array.type, pa.BaseExtensionType):
        array = array.storage
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def _unrolled(array: Any, pa: Any) -> tuple[NDArray[np.int64], NDArray[np.bool_], Any]:
    """Return how many numbers each entry holds, whether it or a part is missing, and all numbers.

    Arrays in arrays are unrolled in order; their shape does not show.
    """
    import pyarrow.compute as pc

    found = pc.list_value_length(array).fill_null(0).to_numpy(zero_copy_only=False)
    lengths = found.astype(np.int64)
    missing = array.is_null().to_numpy(zero_copy_only=False)
    if not is_list(array.type.value_type, pa.types):
        return lengths, missing, array.flatten()
    ends = np.cumsum(lengths)
    starts = ends - lengths
    counts, lacking, values = _unrolled(array.flatten(), pa)
    if len(ends) and ends[-1] != len(counts):
        raise ValueError("lists whose lengths do not add up")
    before = np.concatenate([[0], np.cumsum(counts)])
    gaps = np.concatenate([[0], np.cumsum(lacking)])
    return before[ends] - before[starts], missing | (gaps[ends] > gaps[starts]), values


def _numbers(values: Any, dtype: "np.dtype[Any]", pa: Any) -> NDArray[Any]:
    if pa.types.is_decimal(values.type):
        values = values.cast(pa.float64())
    found: NDArray[Any] = values.to_numpy(zero_copy_only=False).astype(dtype, copy=False)
    return found
