"""Arrays, sparse matrices and tensors of any library, as arrays of NumPy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mecuco_core.errors import DataError
from mecuco_core.runtime.wording import counted
from mecuco_core.validation import as_array

_SHOWN = 5


def points_of(data: Any, name: str) -> NDArray[Any]:
    """Return real numbers of shape (n_rows, n_columns), of the dtype they came in.

    Parameters
    ----------
    data : array-like
        With `__array__` or `__dlpack__`, sparse, or lists of numbers.
    name : str
        What to call it in a sentence.
    """
    try:
        array = as_array(_in_numpy(data), name)
    except DataError:
        raise
    except (TypeError, ValueError) as error:
        raise DataError(str(error)) from error
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise DataError(
            f"{name} must have one row for each point, got {array.ndim} dimensions "
            f"{array.shape}: use reshape(len(data), -1)"
        )
    if 0 in array.shape:
        raise DataError(f"{name} is empty: its shape is {array.shape}")
    if array.dtype == np.float16:
        array = array.astype(np.float32)  # the same numbers, in a dtype that tables have
    _check_finite(array, name)
    return array


def _in_numpy(data: Any) -> Any:
    """Return what NumPy understands of an array of another library."""
    kind = f"{type(data).__module__.partition('.')[0]}.{type(data).__name__}"
    try:
        if hasattr(data, "__array__") or not hasattr(data, "__dlpack__"):
            return data if isinstance(data, np.ndarray) else _through_array(data)
        return np.from_dlpack(data)
    except (TypeError, RuntimeError, BufferError) as error:
        # A tensor that lies on a graphics card, or is part of a computation.
        raise DataError(
            f"{kind} cannot be read as an array ({error}): bring it to main memory first, as in "
            "data.detach().cpu()"
        ) from error


def _through_array(data: Any) -> Any:
    return np.asarray(data) if hasattr(data, "__array__") else data


def _check_finite(array: NDArray[Any], name: str) -> None:
    """Refuse rows with values that are missing or infinite."""
    if array.dtype.kind != "f":
        return
    step = max(1, 4_000_000 // array.shape[1])  # rows looked at together
    parts = [
        np.isfinite(array[start : start + step]).all(axis=1) for start in range(0, len(array), step)
    ]
    bad = np.flatnonzero(~np.concatenate(parts))
    if len(bad):
        which = ", ".join(map(str, bad[:_SHOWN])) + (", …" if len(bad) > _SHOWN else "")
        raise DataError(
            f"{counted(len(bad), 'row')} of {name} ({which}, counted from 0) "
            f"{'hold' if len(bad) > 1 else 'holds'} values that are missing or infinite: "
            "leave them out or fill them first"
        )
