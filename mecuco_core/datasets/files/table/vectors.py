"""Columns with a vector in every cell: refused, because points are not made of them yet."""

import re
from typing import Any

import numpy as np
import pandas as pd

from mecuco_core.datasets.files.damage import shown
from mecuco_core.errors import DataError

_LOOKED_AT = 20  # cells of a column
_TEXT = re.compile(r"\s*\[[\s\[\]0-9eE+\-.,naifNI]*\]\s*")


def vectors_refused(name: object, size: int | None = None) -> DataError:
    """Return the sentence on a column of vectors; without it other columns would stand for them."""
    return DataError(
        f"Column {shown(name, 60)!r} holds vectors, lists of {f'{size:,} ' if size else ''}numbers,"
        " which cannot be read yet: save every number as a column of its own, or remove the column."
    )


def check_no_vectors(table: pd.DataFrame) -> None:
    """Refuse a table with a column of vectors, as lists or as text like "[0.1, 0.2]"."""
    for position, dtype in enumerate(table.dtypes):
        if dtype == np.dtype(object) or isinstance(dtype, pd.StringDtype):
            cells = table.iloc[:1000, position].dropna().tolist()
            cells = [cell for cell in cells if not _is_empty(cell)][:_LOOKED_AT]
            sizes = {_size(cell) for cell in cells}
            if cells and 0 not in sizes:
                size = sizes.pop() if len(sizes) == 1 else None
                raise vectors_refused(table.columns[position], size)


def is_vector(cell: Any) -> bool:
    """Whether a cell holds several numbers, as a list or as text like "[0.1, 0.2]"."""
    return _size(cell) > 0


def _is_empty(cell: Any) -> bool:
    """Whether a cell is a list of nothing: a vector that is missing."""
    if isinstance(cell, str):
        return cell.strip() == "[]"
    return isinstance(cell, list | tuple | np.ndarray) and len(cell) == 0


def _size(cell: Any) -> int:
    """Return how many numbers a cell holds as a vector, 0 where it is none."""
    if isinstance(cell, str):
        if not _TEXT.fullmatch(cell[:100_000]):
            return 0
        words = [word for word in re.split(r"[\s,\[\]]+", cell) if word.strip(".")]
        return len(words) if len(words) > 1 and all(map(_is_number, words)) else 0
    if not isinstance(cell, list | tuple | np.ndarray):
        return 0
    array = np.array(cell, dtype=object).ravel()
    return len(array) if all(isinstance(one, int | float) for one in array) else 0


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
