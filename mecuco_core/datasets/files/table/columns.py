"""Columns of Python values, of any origin, given one dtype each."""

import json
from collections.abc import Sequence

import numpy as np
import pandas as pd

from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.table.pictures import is_pictures
from mecuco_core.datasets.files.table.vectors import packed, size_of_column
from mecuco_core.errors import DataError

_BLOCK = 8192  # rows held as Python objects at a time


class TableBuilder:
    """Collects rows of Python values, and turns them into typed blocks as they come.

    Parameters
    ----------
    options : ReadOptions
        For its limits.
    """

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._rows: list[Sequence[object]] = []
        self._blocks: list[pd.DataFrame] = []
        self._n_rows = 0
        self._width = 0

    def add(self, row: Sequence[object]) -> None:
        """Add one row; short rows are filled with None."""
        self._rows.append(row)
        self._n_rows += 1
        self._width = max(self._width, len(row))
        check_size(self._n_rows, self._width, self._options)
        if len(self._rows) >= _BLOCK:
            self._close_block()

    @property
    def width(self) -> int:
        """Number of cells of the longest row."""
        return self._width

    def is_empty(self, position: int) -> bool:
        """Whether no row has a value at a position."""
        self._close_block()
        return all(
            position >= block.shape[1] or bool(block[position].isna().all())
            for block in self._blocks
        )

    def drop_first(self) -> None:
        """Take back the first row added."""
        self._close_block()
        if self._blocks:
            # Without the header the values below it may be all of one type.
            self._blocks[0] = self._blocks[0].iloc[1:].infer_objects()

    def table(self, names: Sequence[str], findings: Findings) -> pd.DataFrame:
        """Return everything added, as columns `names`, each with a dtype of its own.

        Returns
        -------
        DataFrame of shape (n_rows, len(names))
            Columns of vectors still hold lists.
        """
        self._close_block()
        if not any(len(block) for block in self._blocks):
            raise DataError("There are no rows in the file.")
        blocks = [block.reindex(columns=range(len(names))) for block in self._blocks]
        table = pd.concat(blocks, ignore_index=True) if len(blocks) > 1 else blocks[0]
        table.columns = pd.Index(names)
        return settled(table, findings, with_lists=True)

    def _close_block(self) -> None:
        if self._rows:
            block = pd.DataFrame(self._rows, columns=range(max(map(len, self._rows))))
            for position in [p for p in block if block[p].dtype == np.dtype(object)]:
                cells = packed(block[position].tolist())
                if cells is not None:
                    block[position] = pd.Series(cells, dtype=object)
            self._blocks.append(block)
            self._rows = []


def settled(table: pd.DataFrame, findings: Findings, *, with_lists: bool = False) -> pd.DataFrame:
    """Give every column of Python objects a dtype; the others stay as they are.

    Columns of pictures stay bytes; so do lists of numbers `with_lists`, which else become text.
    """
    loose = [
        position
        for position, dtype in enumerate(table.dtypes)
        if dtype == np.dtype(object)
        and not is_pictures(table.iloc[:, position])
        and not (with_lists and size_of_column(table.iloc[:, position]))
    ]
    if not loose:
        return table
    columns = {p: _settled(table.iloc[:, p], p, findings) for p in loose}
    parts = [columns.get(p, table.iloc[:, p]) for p in range(table.shape[1])]
    return pd.concat(parts, axis=1)


def _settled(column: pd.Series, position: int, findings: Findings) -> pd.Series:
    name = f"Column {position + 1}, {shown(column.name, 60)!r},"
    kind = pd.api.types.infer_dtype(column, skipna=True)
    if kind == "string":
        return column.astype("str").where(column.notna())
    if kind == "boolean":
        return column.astype("boolean" if column.isna().any() else "bool")
    if kind in ("empty", "floating", "mixed-integer-float", "decimal"):
        return column.astype("float64")
    if kind == "integer":
        try:
            return column.astype("float64" if column.isna().any() else "int64")
        except OverflowError:
            findings.note(
                f"{name} holds whole numbers beyond 64 bits, which were rounded to 16 digits."
            )
            return column.map(_rounded).astype("float64")
    if kind in ("datetime", "datetime64", "date"):
        try:
            return pd.to_datetime(column)
        except (ValueError, TypeError):
            pass  # mixed time zones, or years pandas has no room for: as text, below
    if column.dropna().map(_is_number_or_word).all():
        findings.note(
            f"{name} holds numbers and text. Where words are at most a tenth of it, it is used as "
            "numbers, and the words count as missing."
        )
    else:
        findings.note(f"{name} holds values of several or uncommon types, which are read as text.")
    return column.map(_in_words, na_action="ignore").astype("str").where(column.notna())


def _is_number_or_word(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _rounded(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")  # type: ignore[operator]


def _in_words(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)
