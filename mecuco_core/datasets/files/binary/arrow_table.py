"""From parts of Arrow to a table: which columns are read, and as what."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from mecuco_core.datasets.files.binary.lists import (
    filled,
    in_text,
    is_vector,
    pictures,
    plain_type,
    vector_size,
)
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_bytes, check_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.table.names import unique_names
from mecuco_core.datasets.files.table.vectors import LOOKED_AT, chosen_vectors, joined
from mecuco_core.errors import DataError

_BATCH_BYTES = 32_000_000  # of vectors read at a time


@dataclass(frozen=True)
class Parts:
    """A table of Arrow that is read part by part.

    Parameters
    ----------
    schema : pyarrow.Schema
    n_rows : int or None
        None where only reading tells.
    batches : callable
        Returns the record batches of some columns, all for None, of so many rows at the most
        where the format leaves a choice.
    whole : callable
        Returns some columns, all for None, as one table.
    n_bytes : int
        What the file says it unpacks to, 0 where it does not.
    """

    schema: Any
    n_rows: int | None
    batches: Callable[[list[str] | None, int], Iterator[Any]]
    whole: Callable[[list[str] | None], Any]
    n_bytes: int = 0


@dataclass
class _Columns:
    """The columns of a file by what they hold, by name, in order."""

    flat: list[str] = field(default_factory=list)
    vectors: dict[str, int] = field(default_factory=dict)  # and how many numbers
    lists: list[str] = field(default_factory=list)  # of numbers, of many lengths
    nested: list[str] = field(default_factory=list)  # other lists and records

    @property
    def n_columns(self) -> int:
        """How many there are, components of vectors not counted."""
        return len(self.flat) + len(self.vectors) + len(self.lists) + len(self.nested)


def table_of_parts(
    parts: Parts, options: ReadOptions, findings: Findings, pa: Any, n_rows: int | None
) -> pd.DataFrame:
    """Read the flat columns, the vectors, and beside them pictures and short lists.

    Parameters
    ----------
    n_rows : int or None
        Only the first ones.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    columns = _columns(parts, options, findings, pa)
    chosen = None
    if columns.vectors:
        chosen = chosen_vectors(columns.vectors, options, findings)
    if options.vectors == "":
        columns.lists += columns.vectors
    if chosen is None and not columns.n_columns:
        raise DataError("The file has no column of single values to read.")
    wanted = {*columns.flat, *columns.lists, *columns.nested}
    names = [name for name in parts.schema.names if name in wanted]
    n_kept = len(names) + (0 if chosen is None else columns.vectors[chosen])
    if n_rows is None and parts.n_rows is not None:
        check_size(parts.n_rows, n_kept, options)
    # A name may stand for several columns: none is given where all are read.
    asked = names if len(names) < len(parts.schema) else None
    rest = _kept(_read(parts, asked, n_rows, pa), columns, chosen is not None, findings, pa)
    table = _frame(rest, options, findings, pa)
    if chosen is None:
        return table
    place = parts.schema.names.index(chosen)
    before = sum(parts.schema.names.index(name) < place for name in rest.column_names)
    size = columns.vectors[chosen]
    known = len(table) if rest.num_columns else _n_rows(parts, chosen, n_rows)
    check_size(known, size + table.shape[1], options)
    chunks = _chunks(parts, chosen, size, n_rows)
    matrix, complete = filled(chunks, known, size, pa)
    table = table if rest.num_columns else pd.DataFrame(index=range(known))
    return joined(table, before, chosen, matrix, complete, options, findings)


def _columns(parts: Parts, options: ReadOptions, findings: Findings, pa: Any) -> _Columns:
    """Sort the columns to read by what they hold."""
    found, lists = _Columns(), []
    for one in parts.schema:
        value = plain_type(one.type, pa)
        if one.name.startswith("__index_level_"):
            findings.note("The row labels pandas stored in the file are left out.")
        elif options.columns is not None and one.name not in (*options.columns, options.target):
            continue
        elif not pa.types.is_nested(value) and not pa.types.is_run_end_encoded(value):
            found.flat.append(one.name)
        elif is_vector(value, pa.types):
            lists.append(one.name)
        else:
            found.nested.append(one.name)
    if lists:
        head = next(parts.batches(lists, LOOKED_AT), None)
        for name in lists:
            if parts.schema.names.count(name) > 1:
                raise DataError(
                    f"Several columns are called {shown(name, 60)!r}; give each a name of its own."
                )
            column = None if head is None else head.slice(0, LOOKED_AT).column(name)
            size = 0 if column is None else vector_size(column, pa)
            if size and name != options.target and name not in (options.text or ()):
                found.vectors[name] = size
            else:
                found.lists.append(name)
    return found


def _read(parts: Parts, names: list[str] | None, n_rows: int | None, pa: Any) -> Any:
    """Return some columns as a table of Arrow, all rows or the first ones."""
    if names == []:
        return pa.table({})
    if n_rows is None:
        return parts.whole(names)
    collected: list[Any] = []
    total = 0
    for batch in parts.batches(names, n_rows):
        collected.append(batch)
        total += batch.num_rows
        if total >= n_rows:
            break
    if total == 0:
        raise DataError("The file has columns but no rows.")
    return pa.Table.from_batches(collected).slice(0, n_rows)


def _kept(table: Any, columns: _Columns, beside_vectors: bool, findings: Findings, pa: Any) -> Any:
    """Return the columns in forms pandas knows; what has none is left out, and said.

    Lists of numbers become text. Other lists and records do beside vectors, where they are no
    points in any case; pictures always become their bytes.
    """
    table.validate(full=True)
    if table.num_columns and table.num_rows == 0:
        raise DataError("The file has columns but no rows.")
    kept, names, left_out, texts = [], [], [], []
    for name, column in zip(table.column_names, table.columns, strict=True):
        if name.startswith("__index_level_"):
            continue
        if name in columns.nested:
            simple = pictures(column, pa)
            if simple is None and beside_vectors:
                simple = in_text(column)
        elif name in columns.lists:
            simple = in_text(column)
            texts.append(name)
        else:
            simple = _simple(column, pa)
        if simple is None:
            left_out.append(name)
        else:
            kept.append(simple)
            names.append(name)
    _note_lists([name for name in texts if name in names], left_out, findings)
    if not kept and not beside_vectors:
        raise DataError("The file has no column of single values to read.")
    return pa.table(kept, names=names)


def _note_lists(texts: Sequence[str], left_out: Sequence[str], findings: Findings) -> None:
    if texts:
        findings.note(
            f"Lists of numbers that are not of one length are kept as text: {_listed(texts)}."
        )
    if left_out:
        several = len(left_out) > 1
        findings.note(
            f"{len(left_out)} column{'s' * several} of lists or records cannot be points "
            f"and {'are' if several else 'is'} left out: {_listed(left_out)}."
        )


def _frame(table: Any, options: ReadOptions, findings: Findings, pa: Any) -> pd.DataFrame:
    """Hand a table of simple columns to pandas."""
    check_size(table.num_rows, table.num_columns, options)
    check_bytes(table.nbytes, options.max_bytes, "The unpacked table")
    table = pa.table(table.columns, names=unique_names(table.column_names, findings))
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


def _chunks(parts: Parts, name: str, size: int, n_rows: int | None) -> Iterator[Any]:
    """Yield a column of vectors piece by piece."""
    step = max(1, _BATCH_BYTES // (8 * size))
    left = n_rows
    for batch in parts.batches([name], step if n_rows is None else min(n_rows, step)):
        yield batch.column(name) if left is None else batch.slice(0, left).column(name)
        if left is not None:
            left -= batch.num_rows
            if left <= 0:
                return


def _n_rows(parts: Parts, name: str, n_rows: int | None) -> int:
    """Count the rows of a file of vectors alone."""
    found = parts.n_rows
    if found is None:
        found = sum(batch.num_rows for batch in parts.batches([name], LOOKED_AT))
    if found == 0:
        raise DataError("The file has columns but no rows.")
    return found if n_rows is None else min(n_rows, found)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(shown(name, 40) for name in names[:5])
