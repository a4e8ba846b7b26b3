"""Parquet, Feather and streams of Arrow, opened by pyarrow."""

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.binary.arrow_table import Parts, table_of_parts
from mecuco_core.datasets.files.limits import check_bytes
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.errors import MissingPackageError

_BUFFER = 1 << 22


def read_parquet(
    unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int | None = None
) -> pd.DataFrame:
    """Read a Parquet file, or its first rows.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    pa, pq = pyarrow_with("parquet")
    with _source(unpacked, pa) as source:
        # A buffer: pages are read as they are needed, not whole columns of a group.
        file = pq.ParquetFile(source, pre_buffer=False, buffer_size=_BUFFER)
        if n_rows is None:
            groups = (file.metadata.row_group(i) for i in range(file.num_row_groups))
            claimed = sum(max(group.total_byte_size, 0) for group in groups)
            check_bytes(claimed, options.max_bytes, "The unpacked table")

        def batches(names: list[str] | None, size: int) -> Iterator[Any]:
            yield from file.iter_batches(batch_size=size, columns=names)

        def whole(names: list[str] | None) -> Any:
            return file.read(columns=names)

        parts = Parts(file.schema_arrow, file.metadata.num_rows, batches, whole)
        return table_of_parts(parts, options, findings, pa, n_rows)


def read_feather(
    unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int | None = None
) -> pd.DataFrame:
    """Read a Feather file (Arrow IPC), or its first rows.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    pa, ipc = pyarrow_with("ipc")
    with _source(unpacked, pa) as source:

        def batches(fields: list[int]) -> Iterator[Any]:
            wanted = ipc.IpcReadOptions(included_fields=fields)
            reader = ipc.open_file(source, options=wanted)
            return (reader.get_batch(i) for i in range(reader.num_record_batches))

        parts = _arrow_parts(ipc.open_file(source).schema, batches, pa)
        return table_of_parts(parts, options, findings, pa, n_rows)


def read_arrow(
    unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int | None = None
) -> pd.DataFrame:
    """Read a stream of Arrow, or its first rows.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    pa, ipc = pyarrow_with("ipc")
    with _source(unpacked, pa) as source:

        def batches(fields: list[int]) -> Iterator[Any]:
            source.seek(0)
            return iter(ipc.open_stream(source, options=ipc.IpcReadOptions(included_fields=fields)))

        parts = _arrow_parts(ipc.open_stream(source).schema, batches, pa)
        return table_of_parts(parts, options, findings, pa, n_rows)


def _arrow_parts(schema: Any, batches: Callable[[list[int]], Iterator[Any]], pa: Any) -> Parts:
    def named(names: list[str] | None, size: int = 0) -> Iterator[Any]:
        return batches([i for i, name in enumerate(schema.names) if names is None or name in names])

    def whole(names: list[str] | None) -> Any:
        found = list(named(names))
        return pa.Table.from_batches(found) if found else schema.empty_table()

    return Parts(schema, None, named, whole)


def _source(unpacked: Unpacked, pa: Any) -> Any:
    """Open content as a file of pyarrow's own, which its threads read without Python's lock."""
    with unpacked.seekable() as stream:
        raw = unpacked.content.raw
        if unpacked.compression != "none":
            return pa.BufferReader(stream.read())
        return pa.BufferReader(raw) if isinstance(raw, bytes) else pa.OSFile(str(raw), "rb")


def pyarrow_with(module: str) -> tuple[Any, Any]:
    """Return pyarrow and one of its modules."""
    try:
        import pyarrow as pa
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError as error:
        raise MissingPackageError(
            "Parquet and Feather files need the package pyarrow; "
            "install it with: pip install 'mecuco[data]'"
        ) from error
    return pa, getattr(pyarrow, module)
