"""Tables written part by part; the file appears complete, or stays as it was."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from mecuco_core.errors import DataError
from mecuco_core.measures.exports import (
    beside,
    class_labels,
    measure_columns,
    reasons_at,
    rows_of_top,
)
from mecuco_core.measures.points import NEEDS, Need, Points, graph_of
from mecuco_core.measures.reasons import point_facts
from mecuco_core.measures.table import measure_of
from mecuco_core.out_of_core.rows import Rows
from mecuco_core.runtime.files import replacing
from mecuco_core.runtime.writing import as_parquet, as_text, check_output
from mecuco_core.score.curvature import Curvature
from mecuco_core.score.ranks import descending

Writer = Callable[[Iterable[pd.DataFrame], Path], None]


@dataclass(frozen=True)
class Extra:
    """What the output holds beside the scores, as `score_rows` describes it."""

    columns: bool
    why: bool
    top: str | None
    measures: tuple[str, ...] | None


def check_streamed(extra: Extra, target: str | None) -> None:
    """Refuse measures that a table read in blocks cannot have, before anything is computed."""
    there: set[Need] = {"score", "graph"} if target is None else {"score", "graph", "labels"}
    for measure in map(measure_of, extra.measures or ()):
        absent = [NEEDS[need] for need in measure.needs if need not in there]
        if absent:
            raise DataError(f"{measure.name} needs {absent[0]}, which --stream does not have")


def table_writer(path: Path) -> Writer:
    """Return what writes a table to such a file; refuse one that cannot be written."""
    check_output(path)
    return _parquet if path.suffix.lower() == ".parquet" else _text


def _text(parts: Iterable[pd.DataFrame], path: Path) -> None:
    separator = "\t" if path.suffix.lower() == ".tsv" else ","
    with replacing(path) as unfinished, unfinished.open("w", encoding="utf-8", newline="") as out:
        for number, part in enumerate(parts):
            as_text(part).to_csv(out, index=False, header=number == 0, sep=separator)


def _parquet(parts: Iterable[pd.DataFrame], path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with replacing(path) as unfinished:
        writer = None
        try:
            for part in parts:
                table = pa.Table.from_pandas(as_parquet(part), preserve_index=False)
                writer = writer or pq.ParquetWriter(unfinished, table.schema)
                writer.write_table(table)
        finally:
            if writer is not None:
                writer.close()


def parts(
    rows: Rows, result: Curvature, target: str | None, extra: Extra, n_rows: int
) -> Iterator[pd.DataFrame]:
    """Yield the output, `n_rows` rows of the table or fewer at a time."""
    labels = None
    if target is not None and (extra.why or extra.measures is not None):
        values = pd.concat(part[target] for part in rows.tables(n_rows, [target]))
        labels = class_labels(values)
    known = Points(graph=graph_of(result), score=result, labels=labels)
    columns = measure_columns(known, extra.measures)
    facts = point_facts(result, labels) if extra.why else None
    wanted = np.ones(len(result), dtype=bool)
    if extra.top is not None:
        wanted[descending(result.values)[rows_of_top(extra.top, len(result)) :]] = False
    start = 0
    for own in _tables(rows, target, extra, n_rows):
        at = np.arange(start, start + len(own))
        start += len(own)
        kept = wanted[at]
        at, own = at[kept], own[kept]
        part = pd.DataFrame({"row": at} | {name: values[at] for name, values in columns.items()})
        if facts is not None:
            part["why"] = reasons_at(facts, at)
        label = None
        if target is not None and (extra.measures is None or extra.columns):
            label = own[target]
        features = own.drop(columns=[] if target is None else target)
        yield beside(part, label=label, own=features if extra.columns else None)


def _tables(rows: Rows, target: str | None, extra: Extra, n_rows: int) -> Iterator[pd.DataFrame]:
    """Yield what the output takes from the table, part by part."""
    if extra.columns:
        return rows.tables(n_rows, None)
    if target is not None:
        return rows.tables(n_rows, [target])
    starts = range(0, rows.n_rows, n_rows)
    return (pd.DataFrame(index=range(min(n_rows, rows.n_rows - start))) for start in starts)
