"""Tables written part by part; the file appears complete, or stays as it was."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pandas as pd

from mecuco_core.writing import check_output, replacing

Writer = Callable[[Iterable[pd.DataFrame], Path], None]


def table_writer(path: Path) -> Writer:
    """Return what writes a table to such a file; refuse one that cannot be written."""
    check_output(path)
    return _parquet if path.suffix.lower() == ".parquet" else _text


def _text(parts: Iterable[pd.DataFrame], path: Path) -> None:
    separator = "\t" if path.suffix.lower() == ".tsv" else ","
    with replacing(path) as unfinished, unfinished.open("w", encoding="utf-8", newline="") as out:
        for number, part in enumerate(parts):
            part.to_csv(out, index=False, header=number == 0, sep=separator)


def _parquet(parts: Iterable[pd.DataFrame], path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with replacing(path) as unfinished:
        writer = None
        try:
            for part in parts:
                table = pa.Table.from_pandas(part, preserve_index=False)
                writer = writer or pq.ParquetWriter(unfinished, table.schema)
                writer.write_table(table)
        finally:
            if writer is not None:
                writer.close()
