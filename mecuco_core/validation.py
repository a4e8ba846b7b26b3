"""Checks of what users pass in: each returns a clean value or raises one clear sentence."""

import math
import operator
import os
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import sparse

from mecuco_core.types import MODES, FloatArray, IntArray, Mode

LARGEST_DENSE_BYTES = 4 * 2**30
LARGEST_SEED = 2**32 - 1
PROCESSORS = 2
"""What choices reckon with, whatever this machine has: the same data, the same choice."""

LARGEST_ABSOLUTE_VALUE = 1e150
"""Scores are sums of squares: larger coordinates would overflow."""


def check_points(points: ArrayLike, *, name: str = "points", min_points: int = 3) -> FloatArray:
    """Return points as a read-only, C-ordered float64 array of shape (n_points, n_features).

    Nothing is copied when the input is such an array already.
    """
    array = as_array(points, name)
    if array.ndim != 2:
        raise ValueError(
            f"{name} must be a 2-D array of shape (n_points, n_features), got {array.ndim}-D"
        )
    n_points, n_features = array.shape
    if n_features == 0:
        raise ValueError(f"{name} must have at least 1 feature, got shape {array.shape}")
    if n_points < min_points:
        raise ValueError(f"{name} must have at least {min_points} rows, got {n_points}")
    clean = np.ascontiguousarray(array, dtype=np.float64).view()
    low, high = clean.min(), clean.max()  # both are NaN if any entry is
    if not np.isfinite(low) or not np.isfinite(high):
        row, column = first_bad(clean, np.isfinite)
        raise ValueError(
            f"{name} must be finite (no NaN, no infinity), "
            f"got {float(clean[row, column])} in row {row}, column {column}"
        )
    if max(-low, high) > LARGEST_ABSOLUTE_VALUE:
        raise ValueError(
            f"{name} must lie within ±{LARGEST_ABSOLUTE_VALUE:g}, because scores are squares; "
            f"got {float(max(low, high, key=abs)):g}: rescale the data"
        )
    clean.flags.writeable = False
    return clean


def as_array(points: ArrayLike, name: str) -> "np.ndarray[Any, np.dtype[Any]]":
    """Return points as a dense array of numbers, of any shape and not yet looked through."""
    if sparse.issparse(points):
        n_bytes = 8 * math.prod(points.shape)
        if n_bytes > LARGEST_DENSE_BYTES:
            raise ValueError(
                f"{name} is sparse and would need {n_bytes / 2**30:.1f} GiB as a dense array, "
                f"more than the {LARGEST_DENSE_BYTES / 2**30:g} GiB allowed: "
                "reduce its columns first, for example with TruncatedSVD"
            )
        points = points.toarray()
    array = unmasked_array(points, name, "a 2-D array")
    if array.dtype.kind == "c":
        raise TypeError(f"{name} must be real numbers, got complex dtype {array.dtype}")
    if array.dtype.kind == "O":
        for place, value in np.ndenumerate(array):
            if isinstance(value, (str, bytes)) or value is pd.NA:
                kind = TypeError if value is not pd.NA else ValueError
                where = f"row {place[0]}, column {place[1]}" if len(place) == 2 else f"{place}"
                raise kind(f"{name} must be real numbers, got {value!r} in {where}")
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise TypeError(f"{name} must be real numbers, got objects: {error}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be real numbers, got dtype {array.dtype}")
    return array


def unmasked_array(
    values: ArrayLike, name: str, what: str = "an array"
) -> "np.ndarray[Any, np.dtype[Any]]":
    """Return values as an array; masked entries and rows of different lengths are refused."""
    if np.ma.isMaskedArray(values) and np.ma.getmaskarray(values).any():
        raise ValueError(f"{name} must be finite (no NaN, no infinity), got masked entries")
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} must be {what} of numbers: {error}") from None


def first_bad(array: FloatArray, good: Any) -> tuple[int, int]:
    """Return row and column of the first entry that is not good."""
    for row, values in enumerate(array):
        fine = good(values)
        if not fine.all():
            return row, int(np.argmin(fine))
    raise AssertionError("every entry is good")


def default_n_neighbors(n_points: int) -> int:
    """Return the paper's default, round(log2 n), and never less than 2."""
    return max(2, round(float(np.log2(n_points))))


def check_n_neighbors(n_neighbors: object, n_points: int) -> int:
    """Return the number of neighbours as an int in [2, n_points - 1]."""
    if n_neighbors is None or (isinstance(n_neighbors, str) and n_neighbors == "log2"):
        return default_n_neighbors(n_points)
    try:
        if isinstance(n_neighbors, (bool, np.bool_)):
            raise TypeError
        count = operator.index(n_neighbors)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(
            f"n_neighbors must be an integer, 'log2' or None, got {n_neighbors!r}"
        ) from None
    if not 2 <= count < n_points:
        raise ValueError(
            f"n_neighbors must be in [2, {n_points - 1}] for {n_points} points, got {count}"
        )
    return count


def check_mode(mode: object) -> Mode:
    """Return the mode if it is one."""
    if not isinstance(mode, str) or mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, got {mode!r}")
    return mode


def check_neighbor_indices(indices: ArrayLike, n_points: int) -> IntArray:
    """Return neighbour indices (n_points, k) as int64, each a row of points, none its own."""
    array = unmasked_array(indices, "graph")
    if array.ndim != 2 or len(array) != n_points:
        raise ValueError(
            f"graph must have shape ({n_points}, n_neighbors), one row per point, got {array.shape}"
        )
    if array.dtype.kind not in "iu":
        raise TypeError(f"graph must be integer indices, got dtype {array.dtype}")
    if not 2 <= array.shape[1] < n_points:
        raise ValueError(
            f"graph must have between 2 and {n_points - 1} columns, got {array.shape[1]}"
        )
    low, high = int(array.min()), int(array.max())
    if low < 0 or high >= n_points:
        raise ValueError(
            f"graph must be indices in [0, {n_points - 1}], got {low if low < 0 else high}"
        )
    own = (array == np.arange(n_points)[:, None]).any(axis=1)
    if own.any():
        raise ValueError(f"graph must not contain the point itself, row {int(np.argmax(own))} does")
    return np.ascontiguousarray(array, dtype=np.int64)


def check_integer(value: object, name: str, low: int, high: int | None = None) -> int:
    """Return an integer of at least `low`, and at most `high` where that is given."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        count = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {value!r}") from None
    if count < low or (high is not None and count > high):
        rule = f"at least {low}" if high is None else f"in [{low}, {high}]"
        raise ValueError(f"{name} must be {rule}, got {count}")
    return count


def check_number(value: object, name: str) -> float:
    """Return a real number."""
    if not isinstance(value, Real) or isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be a number, got {value!r}")
    return float(value)


def check_progress(progress: object) -> None:
    """Raise unless progress is callable or None."""
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be callable or None, got {progress!r}")


def check_n_jobs(n_jobs: object) -> int:
    """Return the number of threads: every processor we may use for None or -1."""
    if n_jobs is None or n_jobs == -1:
        return available_processors()
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)) or n_jobs < 1:
        raise ValueError(f"n_jobs must be None, -1 or a positive integer, got {n_jobs!r}")
    return int(n_jobs)


def available_processors() -> int:
    """Processors this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
