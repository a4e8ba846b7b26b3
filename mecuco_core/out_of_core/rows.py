"""Tables that are read a block of rows at a time: arrays on disk, Parquet files and folders."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pandas as pd

from mecuco_core.datasets.files.binary.lists import filled, is_vector, plain_type, vector_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.table.vectors import (
    LOOKED_AT,
    chosen_vectors,
    component_names,
)
from mecuco_core.errors import DataError, MissingPackageError
from mecuco_core.runtime.wording import shortened
from mecuco_core.types import FloatArray

BLOCK_BYTES = 32 * 2**20
"""Numbers read at once, in bytes."""


class Rows(Protocol):
    """A table of numbers on disk."""

    @property
    def columns(self) -> list[str]:
        """Names of its columns."""

    @property
    def names(self) -> list[str]:
        """Names of those that are features."""

    @property
    def n_rows(self) -> int:
        """How many rows it has."""

    @property
    def left_out(self) -> list[str]:
        """Columns that hold no numbers."""

    @property
    def vectors(self) -> str | None:
        """The column of vectors whose numbers are the features; None where there is none."""

    @property
    def key(self) -> list[Any]:
        """What tells it from another table, or from itself before it was changed."""

    def blocks(self) -> Iterator[FloatArray]:
        """Yield the rows in order, (block, n_columns) each."""

    def tables(self, n_rows: int, names: Sequence[str] | None) -> Iterator[pd.DataFrame]:
        """Yield columns as they came, `n_rows` rows or fewer at a time; all columns for None."""


def rows_of(path: str | Path, without: Sequence[str] = (), vectors: str | None = None) -> Rows:
    """Open a .npy file, a .parquet file or a folder of them.

    Parameters
    ----------
    path : str or Path
    without : sequence of str
        Columns of a Parquet table that are no features.
    vectors : str or None
        Column of vectors that are the points, "" for none; that with the most numbers for None.
    """
    found = Path(path)
    if found.is_dir():
        files = sorted(found.rglob("*.parquet"))
        if not files:
            raise DataError(f"there is no .parquet file in the folder {str(path)!r}")
        return _ParquetRows(files, without, vectors)
    if not found.exists():
        raise DataError(f"there is no file {str(path)!r}")
    if found.suffix.lower() == ".parquet":
        return _ParquetRows([found], without, vectors)
    if found.suffix.lower() == ".npy":
        return _ArrayRows(found)
    raise DataError(f"blocks of rows are read from .npy and .parquet, got {found.name!r}")


def _identity(path: Path) -> list[Any]:
    found = path.stat()
    return [str(path.resolve()), found.st_size, found.st_mtime_ns]


@dataclass
class _ArrayRows:
    path: Path

    def __post_init__(self) -> None:
        try:
            self.array = np.load(self.path, mmap_mode="r", allow_pickle=False)
        except (ValueError, OSError, EOFError) as error:
            raise DataError(f"{self.path.name!r} cannot be read as an array: {error}") from error
        if self.array.ndim != 2 or self.array.dtype.kind not in "fiub":
            raise DataError(
                f"{self.path.name!r} must hold a 2-D array of real numbers, got "
                f"{self.array.ndim}-D of {self.array.dtype}"
            )
        self.names = [f"x{i}" for i in range(self.array.shape[1])]
        self.columns = self.names
        self.n_rows = len(self.array)
        self.left_out: list[str] = []
        self.vectors = None
        self.key = _identity(self.path)

    def blocks(self) -> Iterator[FloatArray]:
        step = max(1, BLOCK_BYTES // (8 * max(1, len(self.names))))
        for start in range(0, self.n_rows, step):
            yield np.asarray(self.array[start : start + step], dtype=np.float64)

    def tables(self, n_rows: int, names: Sequence[str] | None) -> Iterator[pd.DataFrame]:
        for start in range(0, self.n_rows, n_rows):
            yield pd.DataFrame(np.array(self.array[start : start + n_rows]), columns=self.names)


class _ParquetRows:
    def __init__(self, files: list[Path], without: Sequence[str], vectors: str | None) -> None:
        try:
            import pyarrow.parquet as pq
        except ImportError:
            raise MissingPackageError(
                "Parquet needs the package pyarrow: pip install 'mecuco[data]'"
            ) from None
        self.files = files
        schemas = []
        self.n_rows = 0
        for file in files:
            try:
                with pq.ParquetFile(file) as opened:
                    schemas.append(opened.schema_arrow)
                    self.n_rows += opened.metadata.num_rows
            except (OSError, ValueError) as error:
                raise DataError(f"{file.name!r} is no Parquet file that can be read") from error
        first = schemas[0]
        unknown = [name for name in without if name not in first.names]
        if unknown:
            raise DataError(f"there is no column {shortened(unknown[0], 60)!r}")
        # pandas stores the labels of its rows under such names: they are no columns of the table.
        self.columns = [name for name in first.names if not name.startswith("__index_level_")]
        open_ = [name for name in self.columns if name not in without]
        self.vectors, self.size = self._chosen(first, open_, vectors)
        needed = [n for n in open_ if _is_number(first.field(n).type)]
        self.names = needed
        self.left_out = [name for name in open_ if name not in needed]
        if self.vectors is not None:
            needed = [self.vectors]
            self.names = component_names(self.vectors, self.size, self.columns)
            self.columns = [n for n in self.columns if not _is_nested(first.field(n).type)]
            self.left_out = []
        if not self.names:
            raise DataError("there is no column of numbers")
        for file, schema in zip(files, schemas, strict=True):
            lacking = [name for name in needed if name not in schema.names]
            if lacking:
                raise DataError(f"{file.name!r} has no column {shortened(lacking[0], 60)!r}")
        self.key = [*map(_identity, files), self.names]

    def _chosen(
        self, schema: Any, names: Sequence[str], asked: str | None
    ) -> tuple[str | None, int]:
        """Return the column of vectors, and how many numbers each of them has."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        lists = [n for n in names if is_vector(plain_type(schema.field(n).type, pa), pa.types)]
        sizes = {}
        if lists and asked != "":
            with pq.ParquetFile(self.files[0], pre_buffer=False, buffer_size=1 << 22) as opened:
                head = next(opened.iter_batches(LOOKED_AT, columns=lists))
            sizes = {name: vector_size(head.column(name), pa) for name in lists}
        found = {name: size for name, size in sizes.items() if size}
        name = chosen_vectors(found, ReadOptions(vectors=asked), Findings())
        return name, 0 if name is None else found[name]

    def blocks(self) -> Iterator[FloatArray]:
        import pyarrow.parquet as pq

        step = max(1, BLOCK_BYTES // (8 * len(self.names)))
        if self.vectors is not None:
            yield from self._vector_blocks(step)
            return
        for file in self.files:
            with pq.ParquetFile(file) as opened:
                for batch in opened.iter_batches(step, columns=self.names):
                    block = np.empty((batch.num_rows, len(self.names)))
                    for place, name in enumerate(self.names):
                        column = batch.column(batch.schema.get_field_index(name))
                        block[:, place] = _numbers(column, name, file)
                    yield block

    def _vector_blocks(self, step: int) -> Iterator[FloatArray]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        start = 0
        for file in self.files:
            with pq.ParquetFile(file, pre_buffer=False, buffer_size=1 << 22) as opened:
                for batch in opened.iter_batches(step, columns=[self.vectors]):
                    column = [batch.column(self.vectors)]
                    block, complete = filled(column, batch.num_rows, self.size, pa)
                    if not complete.all():
                        raise DataError(
                            f"row {start + int(complete.argmin()) + 1:,} has no vector of "
                            f"{self.size:,} numbers in column {shortened(self.vectors or '', 60)!r}"
                            ": leave out such rows first, blocks are taken as they are"
                        )
                    start += batch.num_rows
                    yield block.astype(np.float64)

    def tables(self, n_rows: int, names: Sequence[str] | None) -> Iterator[pd.DataFrame]:
        import pyarrow.parquet as pq

        wanted = self.columns if names is None else list(names)
        for file in self.files:
            with pq.ParquetFile(file) as opened:
                for batch in opened.iter_batches(n_rows, columns=wanted):
                    yield batch.to_pandas(date_as_object=False)[wanted]


def _is_number(kind: Any) -> bool:
    import pyarrow.types as types

    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind))


def _is_nested(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_nested(plain_type(kind, pa)))


def _numbers(column: Any, name: str, file: Path) -> FloatArray:
    if column.null_count:
        raise DataError(
            f"column {shortened(name, 60)!r} of {file.name!r} has missing values: fill or leave "
            "out such rows first, blocks are taken as they are"
        )
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)
