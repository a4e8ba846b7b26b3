"""MATLAB files up to version 7: matrices of numbers, full or sparse, read by scipy."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

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
from mecuco_core.datasets.files.limits import check_bytes, check_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.errors import DataError

_TYPES = {
    "double": "f8", "single": "f4", "sparse": "f8", "logical": "?", "int8": "i1", "uint8": "u1",
    "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4", "int64": "i8", "uint64": "u8",
}  # fmt: skip
"""What each class of MATLAB's holds; what else there is makes no columns."""


@dataclass(frozen=True)
class _Matrix(Variable):
    """A matrix that was found, and the type of its values."""

    dtype: str


def settle_mat(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> ReadOptions:
    """Choose the matrix of a file that holds the table."""
    with unpacked.seekable() as stream:
        chosen = choose_variable(_matrices(stream), options, findings)
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
            n_bytes = math.prod(variable.shape) * np.dtype(variable.dtype).itemsize
            check_bytes(n_bytes, options.max_bytes, "The matrix")
            return _loaded(stream, variable)

        def tabulate(array: NDArray[Any]) -> pd.DataFrame:
            return table_of_array(array, options, findings)

        return table_of_variables(_matrices(stream), load, tabulate, options, findings)


def _matrices(stream: Any) -> list[_Matrix]:
    """List the matrices of numbers by what stands above them alone."""
    from scipy.io import whosmat

    stream.seek(0)
    with _damage():
        found = whosmat(stream)
    return [
        _Matrix(name, tuple(map(int, shape)), True, _TYPES[kind])
        for name, shape, kind in found
        if kind in _TYPES
    ]


def _loaded(stream: Any, matrix: _Matrix) -> NDArray[Any]:
    from scipy.io import loadmat
    from scipy.sparse import issparse

    stream.seek(0)
    with _damage():
        found: Any = loadmat(stream, variable_names=[matrix.name])[matrix.name]
        is_sparse = bool(issparse(found))
        values: NDArray[Any] = np.asarray(found.toarray() if is_sparse else found)
    if np.iscomplexobj(values):
        raise DataError("The matrix holds complex numbers, which make no columns.")
    # Whole numbers are stored in fewer bytes than they have in MATLAB.
    return values if values.dtype == bool else values.astype(matrix.dtype)


@contextmanager
def _damage() -> Iterator[None]:
    """Take whatever scipy raises, unbound names among it, for damaged content."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        raise ValueError(str(error)) from error
