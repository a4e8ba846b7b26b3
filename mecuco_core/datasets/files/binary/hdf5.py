"""HDF5: arrays by name; nothing outside the file is ever opened.

A file of HDF5 may point to others: by links, external storage and virtual arrays. None is followed.
"""

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
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_bytes
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.errors import DataError, MissingPackageError

_MOST_OBJECTS = 2000
_DEEPEST = 12


def settle_hdf5(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> ReadOptions:
    """Choose the array of a file that holds the table."""
    with opened_hdf5(unpacked) as store:
        chosen = choose_variable(_arrays(store), options, findings)
    return replace(options, variable=chosen.name)


def read_hdf5(
    unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int | None = None
) -> pd.DataFrame:
    """Read the chosen array, or its first rows, with the target beside it.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    with opened_hdf5(unpacked) as store:

        def load(variable: Variable) -> NDArray[Any]:
            array = store.array(variable.name)
            check_bytes(array.size * array.dtype.itemsize, options.max_bytes, "The array")
            found: NDArray[Any] = array[:n_rows]
            return found

        def tabulate(array: NDArray[Any]) -> pd.DataFrame:
            return table_of_array(array, options, findings)

        found = _arrays(store)
        if n_rows is not None:  # so that a target beside the first rows has as many
            found = [replace(v, shape=(min(n_rows, v.shape[0]), *v.shape[1:])) for v in found]
        return table_of_variables(found, load, tabulate, options, findings)


class Store:
    """An open file of HDF5, of which only arrays and groups of its own are given out."""

    def __init__(self, file: Any) -> None:
        self._file = file

    @property
    def attributes(self) -> Any:
        """Those of the file itself."""
        return self._file.attrs

    def names(self, group: str = "/") -> list[str]:
        """Return what a group holds itself, no links to elsewhere."""
        import h5py

        found = self.group(group)
        return [n for n in found if isinstance(found.get(n, getlink=True), h5py.HardLink)]

    def has(self, path: str) -> bool:
        """Whether there is an array or group of the file's own."""
        parent, _, name = path.strip("/").rpartition("/")
        return (not parent or self.is_group(parent)) and name in self.names(parent or "/")

    def is_group(self, path: str) -> bool:
        """Whether there is a group of the file's own."""
        import h5py

        return self.has(path) and self._file.get(path, getclass=True) is h5py.Group

    def group(self, path: str) -> Any:
        """Return a group."""
        import h5py

        found = self._file if path == "/" else self._file[path]
        if not isinstance(found, h5py.Group):
            raise DataError(f"{shown(path, 60)} is no group of the file; it is damaged.")
        return found

    def array(self, path: str) -> Any:
        """Return an array that lies in the file, to be read."""
        import h5py

        found = self._file[path] if self.has(path) else None
        if not isinstance(found, h5py.Dataset) or found.shape is None:
            raise DataError(f"{shown(path, 60)} is no array of the file; it is damaged.")
        if found.external or found.is_virtual:
            raise DataError(
                f"The array {shown(path, 60)} lies in another file, which is not opened; save it "
                "whole."
            )
        return found


@contextmanager
def opened_hdf5(unpacked: Unpacked) -> Iterator[Store]:
    """Open a file of HDF5 without being led out of it."""
    try:
        import h5py
    except ImportError as error:
        raise MissingPackageError(
            "HDF5 and h5ad files need the package h5py; install it with: pip install 'mecuco[data]'"
        ) from error
    try:
        with unpacked.seekable() as stream, h5py.File(stream, "r") as file:
            yield Store(file)
    except RuntimeError as error:  # what HDF5 says of damage
        raise ValueError(str(error)) from error


@dataclass(frozen=True)
class _Place:
    path: str
    depth: int


def _arrays(store: Store) -> list[Variable]:
    """List the arrays of a file, those of its groups too."""
    found: list[Variable] = []
    places, n_objects = [_Place("", 0)], 0
    while places:
        place = places.pop(0)
        for name in store.names(place.path or "/"):
            n_objects += 1
            path = f"{place.path}/{name}".lstrip("/")
            if n_objects > _MOST_OBJECTS:
                raise DataError(
                    f"The file holds more than {_MOST_OBJECTS:,} arrays and groups; save the one "
                    "array alone."
                )
            if store.is_group(path):
                if place.depth < _DEEPEST:
                    places.append(_Place(path, place.depth + 1))
                continue
            try:
                array = store.array(path)
            except DataError:  # a named type, or an array that lies elsewhere
                continue
            if array.shape:
                dtype: np.dtype[Any] = array.dtype
                kinds = {dtype.kind} if dtype.names is None else set("i")
                found.append(Variable(path, tuple(array.shape), kinds <= set("biuf")))
    return found
