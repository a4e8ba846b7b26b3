"""Point clouds: PLY and LAS. Where the points are becomes the vectors, all else describes them."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Vectors
from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.binary.arrays import plain_values
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.table.names import unique_names
from mecuco_core.errors import DataError, MissingPackageError

_AXES = ("x", "y", "z")
_MOST_HEADER = 1 << 16
_MOST_RECORDS = 1000
_ELEMENT = re.compile(rb"^element\s+(\S+)\s+(\S+)", re.MULTILINE)


def read_ply(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> pd.DataFrame:
    """Read the vertices of a PLY file; its faces are left out.

    Returns
    -------
    DataFrame of shape (n_points, n_columns)
    """
    try:
        from plyfile import PlyData
    except ImportError as error:
        raise _missing("PLY", "plyfile") from error
    with unpacked.seekable() as stream:
        _check_elements(stream.read(_MOST_HEADER), unpacked)
        stream.seek(0)
        with _damage():
            found = PlyData.read(io.BytesIO(stream.read()))
    if "vertex" not in found:
        raise DataError("The PLY file has no vertices; there are no points in it.")
    vertices = found["vertex"].data
    columns = {
        name: plain_values(np.ascontiguousarray(vertices[name]))
        for name in vertices.dtype.names or ()
        if vertices.dtype[name].kind in "biuf"
    }
    others = [element.name for element in found.elements if element.name != "vertex"]
    if others:
        findings.note(f"Only the vertices are read; left out: {shown(', '.join(others), 80)}.")
    return _cloud(columns, options, findings)


def read_las(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> pd.DataFrame:
    """Read the points of a LAS file, in the units of its coordinates.

    Returns
    -------
    DataFrame of shape (n_points, n_columns)
    """
    try:
        import laspy
    except ImportError as error:
        raise _missing("LAS", "laspy") from error
    with unpacked.seekable() as stream:
        raw = stream.read()
    with _damage():
        # Where a header of LAS says how many records follow it.
        if max(_whole(raw, 100), _whole(raw, 243) if raw[25:26] >= b"\4" else 0) > _MOST_RECORDS:
            raise ValueError("more records than such files have")
        with laspy.open(io.BytesIO(raw), closefd=False) as reader:
            header = reader.header
            if header.are_points_compressed:
                raise DataError(
                    "The point cloud is compressed (LAZ); save it as LAS, for example with laszip."
                )
            n_points = int(header.point_count)
            check_size(n_points, 3 + len(list(header.point_format.dimension_names)), options)
            if n_points * int(header.point_format.size) > len(raw):
                raise ValueError("more points than the file has room for")
            las = reader.read()
        columns = {name: np.array(getattr(las, name), dtype=np.float64) for name in _AXES}
        for name in las.point_format.dimension_names:
            if name not in ("X", "Y", "Z"):
                values = np.array(las[name])
                if values.ndim == 1 and values.dtype.kind in "biuf":
                    columns[str(name)] = plain_values(values)
    if "classification" in columns:
        findings.suggested_target = "classification"
    return _cloud(columns, options, findings)


def _cloud(columns: dict[str, Any], options: ReadOptions, findings: Findings) -> pd.DataFrame:
    """Return the points with everything that is known of each."""
    n_points = len(next(iter(columns.values()), ()))
    if n_points == 0:
        raise DataError("The point cloud has no points.")
    check_size(n_points, len(columns), options)
    table = pd.DataFrame(dict(zip(unique_names(columns, findings), columns.values(), strict=True)))
    axes = tuple(axis for axis in _AXES if axis in table.columns)
    if len(axes) < 2:
        raise DataError("The vertices have no coordinates x and y; there are no points in it.")
    findings.vectors = Vectors("".join(axes), axes)
    findings.note(
        f"The points are the coordinates {', '.join(axes)}; the other columns describe them."
    )
    return table


def _check_elements(head: bytes, unpacked: Unpacked) -> None:
    """Refuse a header that claims more elements than there are bytes."""
    header = head.partition(b"end_header")[0]
    for name, count in _ELEMENT.findall(header):
        if not count.isdigit() or int(count) > unpacked.max_bytes:
            raise ValueError(f"{shown(name.decode('latin-1'), 40)} are {shown(count, 40)}")


def _whole(raw: bytes, place: int) -> int:
    return int.from_bytes(raw[place : place + 4], "little")


@contextmanager
def _damage() -> Iterator[None]:
    """Take whatever a library raises for damaged content."""
    try:
        yield
    except (DataError, MemoryError):
        raise
    except Exception as error:
        raise ValueError(str(error)) from error


def _missing(what: str, package: str) -> MissingPackageError:
    return MissingPackageError(
        f"{what} files need the package {package}; install it with: pip install 'mecuco[data]'"
    )
