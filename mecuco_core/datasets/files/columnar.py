"""Parquet and Feather, read by pyarrow piece by piece, with a count of what unpacks."""

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.arrow_sizes import check_arrow_sizes
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_bytes, check_size
from mecuco_core.datasets.files.names import unique_names
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.vectors import vectors_refused
from mecuco_core.errors import DataError, MissingPackageError

# Strings that share prefixes can unpack to many times the size of the file: few rows of them are
# unpacked before the next look at the size.
_BATCH_ROWS, _PREFIX_BATCH_ROWS = 65_536, 64


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
        metadata = pq.read_metadata(source)
        schema = metadata.schema.to_arrow_schema()
        kept = _flat(schema, pa, options, findings)
        check_size(metadata.num_rows if n_rows is None else 0, len(kept), options)
        # Not the metadata of single columns: pyarrow ends the process where that is damaged.
        groups = (metadata.row_group(i) for i in range(metadata.num_row_groups))
        claimed = sum(max(group.total_byte_size, 0) for group in groups)
        check_bytes(claimed, options.max_bytes, "The unpacked table")
        # A name may stand for several columns: none is given where all are read.
        names = [schema.field(i).name for i in kept] if len(kept) < len(schema) else None
        texts = [schema.field(i).name for i in kept if _is_text(schema.field(i).type, pa)]

        def table(repeated: Sequence[str], batch_rows: int) -> pd.DataFrame:
            source.seek(0)
            file = pq.ParquetFile(source, read_dictionary=repeated, metadata=metadata)
            batches = file.iter_batches(batch_size=n_rows or batch_rows, columns=names)
            return _table(batches, schema, kept, pa, options, findings, n_rows)

        try:
            # Repeated strings stay numbers into a list of them until their size is known.
            return table(texts, _BATCH_ROWS)
        except (NotImplementedError, OSError) as error:
            if "Not yet implemented" not in str(error):
                raise
            return table([], _PREFIX_BATCH_ROWS)


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
        buffer = source.read_buffer()  # bytes in memory are not copied
        # Behind its eight-byte mark the file is a stream of messages, which cannot point elsewhere.
        check_arrow_sizes(ipc.MessageReader.open_stream(buffer.slice(8)), options)
        reader = ipc.open_stream(buffer.slice(8))
        kept = _flat(reader.schema, pa, options, findings)
        batches = (batch.select(kept) for batch in reader)
        return _table(batches, reader.schema, kept, pa, options, findings, n_rows)


def _table(
    batches: Iterable[Any],
    schema: Any,
    kept: Sequence[int],
    pa: Any,
    options: ReadOptions,
    findings: Findings,
    n_rows: int | None,
) -> pd.DataFrame:
    """Collect batches until the file or a limit ends, and hand them to pandas."""
    collected: list[Any] = []
    total_rows = total_bytes = 0
    for batch in batches:
        batch.validate(full=True)
        total_rows += batch.num_rows
        check_size(total_rows if n_rows is None else 0, len(kept), options)
        if n_rows is not None:
            batch = batch.slice(0, n_rows)
        total_bytes += sum(_unpacked_bytes(column, pa) for column in batch.columns)
        check_bytes(total_bytes, options.max_bytes, "The unpacked table")
        types = [schema.field(i).type for i in kept]
        collected.append([_simple(c, t, pa) for c, t in zip(batch.columns, types, strict=True)])
        if n_rows is not None and total_rows >= n_rows:
            break
    if total_rows == 0:
        raise DataError("The file has columns but no rows.")
    names = unique_names([schema.field(i).name for i in kept], findings)
    columns = [pa.chunked_array(parts) for parts in zip(*collected, strict=True)]
    collected.clear()
    table = pa.table(columns, names=names)
    columns.clear()
    frame: pd.DataFrame = table.to_pandas(
        ignore_metadata=True, split_blocks=True, self_destruct=True, date_as_object=False
    )
    return frame


def _simple(column: Any, wanted: Any, pa: Any) -> Any:
    """Return a column in its own type, or in a simpler one pandas has."""
    if pa.types.is_dictionary(column.type) and not pa.types.is_dictionary(wanted):
        column = column.cast(column.type.value_type)
    if pa.types.is_decimal(column.type):
        return column.cast(pa.float64())
    if pa.types.is_time(column.type):
        return column.cast(pa.string())
    if pa.types.is_float16(column.type):
        return column.cast(pa.float32())
    return column


def _unpacked_bytes(column: Any, pa: Any) -> int:
    """Size of a column once every string of it stands on its own."""
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_dictionary(kind) and _is_text(kind.value_type, pa):
        lengths = pc.binary_length(column.dictionary)
        return int(pc.sum(lengths.take(column.indices)).as_py() or 0)
    if _is_text(kind, pa):
        return int(pc.sum(pc.binary_length(column)).as_py() or 0)
    return 8 * len(column)


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


def _is_text(kind: Any, pa: Any) -> bool:
    types = pa.types
    return bool(
        types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_string_view(kind)
        or types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_binary_view(kind)
        or types.is_fixed_size_binary(kind)
    )


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
