"""Parquet, Feather and streams of Arrow, opened by pyarrow."""

from collections.abc import Iterator
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
    return _read("parquet", unpacked, options, findings, n_rows)


def read_arrow(
    unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int | None = None
) -> pd.DataFrame:
    """Read a Feather file or a stream of Arrow, or its first rows.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    return _read("ipc", unpacked, options, findings, n_rows)


def parts_of(source: Any, pa: Any) -> Parts:
    """Open Parquet, a file of Arrow or a stream of it, whichever it is, part by part."""
    head = source.read(8)
    source.seek(0)
    if head[:4] == b"PAR1":
        return _parquet_parts(source)
    return _arrow_parts(source, pa, is_file=head[:6] == b"ARROW1")


def _read(
    module: str, unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int | None
) -> pd.DataFrame:
    pa, _ = pyarrow_with(module)
    with _source(unpacked, pa) as source:
        parts = parts_of(source, pa)
        if n_rows is None:
            check_bytes(parts.n_bytes, options.max_bytes, "The unpacked table")
        return table_of_parts(parts, options, findings, pa, n_rows)


def _parquet_parts(source: Any) -> Parts:
    _, pq = pyarrow_with("parquet")
    # With a buffer pages are read as they are needed, not whole columns of a group.
    file = pq.ParquetFile(source, pre_buffer=False, buffer_size=_BUFFER)
    groups = (file.metadata.row_group(i) for i in range(file.num_row_groups))
    claimed = sum(max(group.total_byte_size, 0) for group in groups)

    def batches(names: list[str] | None, size: int) -> Iterator[Any]:
        yield from file.iter_batches(batch_size=size, columns=names)

    def whole(names: list[str] | None) -> Any:
        return file.read(columns=names)

    return Parts(file.schema_arrow, file.metadata.num_rows, batches, whole, claimed)


def _arrow_parts(source: Any, pa: Any, *, is_file: bool) -> Parts:
    _, ipc = pyarrow_with("ipc")

    def opened(fields: list[int] | None) -> Any:
        source.seek(0)
        wanted = ipc.IpcReadOptions(included_fields=fields)
        return (ipc.open_file if is_file else ipc.open_stream)(source, options=wanted)

    schema = opened(None).schema

    def batches(names: list[str] | None, size: int = 0) -> Iterator[Any]:
        fields = [i for i, name in enumerate(schema.names) if names is None or name in names]
        reader = opened(fields)
        if is_file:
            return (reader.get_batch(i) for i in range(reader.num_record_batches))
        return iter(reader)

    def whole(names: list[str] | None) -> Any:
        found = list(batches(names))
        return pa.Table.from_batches(found) if found else schema.empty_table()

    return Parts(schema, None, batches, whole)


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
