"""Parquet and Feather, read by pyarrow."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_bytes, check_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.table.names import unique_names
from mecuco_core.datasets.files.table.vectors import vectors_refused
from mecuco_core.errors import DataError, MissingPackageError


def read_parquet(
    unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int | None = None
) -> pd.DataFrame:
    """Read the flat columns of a Parquet file; records are left out and said, vectors refused.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    pa, pq = _pyarrow("parquet")
    with _source(unpacked, pa) as source:
        file = pq.ParquetFile(source)
        schema = file.schema_arrow
        kept = _flat(schema, pa, options, findings)
        # A name may stand for several columns: none is given where all are read.
        names = [schema.field(i).name for i in kept] if len(kept) < len(schema) else None
        if n_rows is not None:
            batches = file.iter_batches(batch_size=n_rows, columns=names)
            return _frame(_first(batches, n_rows, pa), pa, options, findings)
        groups = (file.metadata.row_group(i) for i in range(file.num_row_groups))
        claimed = sum(max(group.total_byte_size, 0) for group in groups)
        check_bytes(claimed, options.max_bytes, "The unpacked table")
        check_size(file.metadata.num_rows, len(kept), options)
        return _frame(file.read(columns=names), pa, options, findings)


def read_feather(
    unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int | None = None
) -> pd.DataFrame:
    """Read the flat columns of a Feather file (Arrow IPC); as of Parquet.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    pa, ipc = _pyarrow("ipc")
    with _source(unpacked, pa) as source:
        reader = ipc.open_file(source)
        kept = _flat(reader.schema, pa, options, findings)
        batches = (reader.get_batch(i).select(kept) for i in range(reader.num_record_batches))
        return _frame(_first(batches, n_rows, pa), pa, options, findings)


def _first(batches: Iterable[Any], n_rows: int | None, pa: Any) -> Any:
    """Return the first rows of a file, or all of them, as a table."""
    collected: list[Any] = []
    total = 0
    for batch in batches:
        collected.append(batch)
        total += batch.num_rows
        if n_rows is not None and total >= n_rows:
            break
    if total == 0:
        raise DataError("The file has columns but no rows.")
    return pa.Table.from_batches(collected).slice(0, n_rows)


def _frame(table: Any, pa: Any, options: ReadOptions, findings: Findings) -> pd.DataFrame:
    """Check every value of a table, and hand it to pandas."""
    table.validate(full=True)
    if table.num_rows == 0:
        raise DataError("The file has columns but no rows.")
    check_size(table.num_rows, table.num_columns, options)
    check_bytes(table.nbytes, options.max_bytes, "The unpacked table")
    names = unique_names(table.column_names, findings)
    table = pa.table([_simple(column, pa) for column in table.columns], names=names)
    frame: pd.DataFrame = table.to_pandas(
        ignore_metadata=True, split_blocks=True, self_destruct=True, date_as_object=False
    )
    return frame


def _simple(column: Any, pa: Any) -> Any:
    """Return a column in its own type, or in a simpler one pandas has."""
    if pa.types.is_decimal(column.type):
        return column.cast(pa.float64())
    if pa.types.is_time(column.type):
        return column.cast(pa.string())
    if pa.types.is_float16(column.type):
        return column.cast(pa.float32())
    return column


def _flat(schema: Any, pa: Any, options: ReadOptions, findings: Findings) -> list[int]:
    """Return the positions of the columns to read."""
    nested, kept = [], []
    for position, field in enumerate(schema):
        name, kind = field.name, field.type
        value = kind.value_type if pa.types.is_dictionary(kind) else kind
        if name.startswith("__index_level_"):
            findings.note("The row labels pandas stored in the file are left out.")
        elif pa.types.is_nested(value) or pa.types.is_run_end_encoded(value):
            if is_vector(value, pa.types) and _wanted(name, options):
                raise vectors_refused(name, getattr(value, "list_size", None))
            nested.append(name)
        elif _wanted(name, options):
            kept.append(position)
    if nested:
        findings.note(
            f"{len(nested)} column{'s' * (len(nested) > 1)} of lists or records cannot be points "
            f"and {'are' if len(nested) > 1 else 'is'} left out: "
            f"{', '.join(shown(name, 40) for name in nested[:5])}."
        )
    if not kept:
        raise DataError("The file has no column of single values to read.")
    return kept


def is_vector(kind: Any, types: Any) -> bool:
    """Whether a type is a list of numbers, or a list of such lists."""
    while (
        types.is_list(kind)
        or types.is_large_list(kind)
        or types.is_fixed_size_list(kind)
        or types.is_list_view(kind)
        or types.is_large_list_view(kind)
    ):
        kind = kind.value_type
        if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
            return True
    return False


def _wanted(name: str, options: ReadOptions) -> bool:
    return options.columns is None or name in options.columns or name == options.target


def _source(unpacked: Unpacked, pa: Any) -> Any:
    """Open content as a file of pyarrow's own, which its threads read without Python's lock."""
    with unpacked.seekable() as stream:
        raw = unpacked.content.raw
        if unpacked.compression != "none":
            return pa.BufferReader(stream.read())
        return pa.BufferReader(raw) if isinstance(raw, bytes) else pa.OSFile(str(raw), "rb")


def _pyarrow(module: str) -> tuple[Any, Any]:
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
