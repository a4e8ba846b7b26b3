"""Columns with a vector in every cell: found, chosen among several, and taken apart.

A column counts as one of vectors when nine tenths of the cells looked at, those without a vector
aside, hold equally many numbers, two at least. Whatever does not fit it then is said, not filled.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mecuco_core.datasets.base import Vectors
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_size
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.errors import DataError
from mecuco_core.runtime.wording import counted

LOOKED_AT = 1000
"""Rows by which it is decided whether a column holds vectors."""

_SHARE = 0.9
_TEXT = re.compile(r"\s*\[[\s\[\]0-9eE+\-.,naifNI]*\]\s*")
_BREAKS = re.compile(r"[\s,\[\]]+")


def common_size(sizes: Iterable[int]) -> int:
    """Return how many numbers the vectors of a column have, 0 where it is not one of vectors.

    Parameters
    ----------
    sizes : iterable of int
        Of every cell: how many numbers it holds, 0 where it holds something else, -1 where it holds
        nothing.
    """
    present: Counter[int] = Counter()
    for size in sizes:
        if size == 0:
            return 0
        if size > 0:
            present[size] += 1
    if not present:
        return 0
    size, n_cells = present.most_common(1)[0]
    return size if size > 1 and n_cells >= _SHARE * present.total() else 0


def chosen_vectors(
    found: Mapping[str, int], options: ReadOptions, findings: Findings
) -> str | None:
    """Return the column of vectors that becomes the points, None where there is none.

    Parameters
    ----------
    found : mapping of str to int
        Columns of vectors, and of how many numbers each.
    """
    ordered = sorted(found, key=lambda name: -found[name])
    findings.vector_columns = tuple(ordered)
    if options.vectors == "":
        return None
    listed = ", ".join(f"{shown(n, 40)!r} ({found[n]:,} numbers)" for n in ordered[:8])
    if options.vectors is not None and options.vectors not in found:
        there = f"vectors are in {listed}" if found else "no column holds vectors"
        raise DataError(
            f"vectors must name a column of vectors, got {shown(options.vectors, 60)!r}; {there}"
        )
    if not found:
        return None
    name = ordered[0] if options.vectors is None else options.vectors
    if len(found) == 1:
        findings.note(
            f"Column {shown(name, 60)!r} holds vectors of {found[name]:,} numbers: they are the "
            "points, and the other columns describe them."
        )
    else:
        why = ", the one with the most numbers" if options.vectors is None else ""
        findings.note(
            f"There are {len(found)} columns of vectors: {listed}. The points are "
            f"{shown(name, 60)!r}{why}; the others are left out. The option vectors chooses."
        )
    return name


def component_names(name: str, size: int, taken: Sequence[str]) -> list[str]:
    """Return NAME[0], NAME[1], …, with marks behind NAME where one of these is taken."""
    others = set(taken)
    while True:
        names = [f"{name}[{i}]" for i in range(size)]
        if others.isdisjoint(names):
            return names
        name += "'"


def joined(
    table: pd.DataFrame,
    position: int,
    name: str,
    matrix: NDArray[Any],
    complete: NDArray[np.bool_],
    options: ReadOptions,
    findings: Findings,
) -> pd.DataFrame:
    """Put the components of vectors among the other columns of a table.

    Parameters
    ----------
    table : DataFrame of shape (n_rows, n_others)
        All other columns.
    position : int
        How many of them stand before the vectors.
    matrix : ndarray of shape (n_rows, size)
        Rows without a vector hold anything.
    complete : ndarray of bool of shape (n_rows,)
        Whether a row has a vector of this size.

    Returns
    -------
    DataFrame of shape (n_rows, n_others + size)
        The components are one block of memory, that of `matrix`. Rows without a vector are left
        out where the options say so, and are an error where not.
    """
    n_rows, size = matrix.shape
    check_size(n_rows, size + table.shape[1], options)
    if not complete.all():
        _check_complete(name, size, complete, options, findings)
        table, matrix = table[complete].reset_index(drop=True), matrix[complete]
    names = component_names(name, size, list(map(str, table.columns)))
    findings.vectors = Vectors(name, tuple(names))
    components = pd.DataFrame(matrix, columns=names, copy=False)
    before, after = table.iloc[:, :position], table.iloc[:, position:]
    parts = [part for part in (before, components, after) if part.shape[1]]
    return pd.concat(parts, axis=1) if len(parts) > 1 else components


def with_vectors(table: pd.DataFrame, options: ReadOptions, findings: Findings) -> pd.DataFrame:
    """Take apart the column of vectors among columns of lists, and of text like "[0.1, 0.2]"."""
    if findings.vectors is not None:  # the format knew
        known = findings.vectors.name
        if options.vectors and not findings.vector_columns:
            raise DataError(
                f"The points of this file are {shown(known, 60)!r}; vectors chooses among columns "
                "of vectors, and here there is none."
            )
        return table
    sizes = {
        position: size
        for position in range(table.shape[1])
        if (size := size_of_column(table.iloc[:, position])) and _is_open(table, position, options)
    }
    found = {str(table.columns[position]): size for position, size in sizes.items()}
    name = chosen_vectors(found, options, findings)
    if name is None:
        return table
    position = next(p for p in sizes if table.columns[p] == name)
    cells = table.iloc[:, position]
    others = [p for p in range(table.shape[1]) if p not in sizes]
    before = sum(p < position for p in others)
    check_size(len(cells), sizes[position] + len(others), options)
    matrix, complete = _matrix(cells, sizes[position])
    return joined(table.iloc[:, others], before, name, matrix, complete, options, findings)


def size_of_column(column: pd.Series) -> int:
    """Return how many numbers the vectors of a column of lists or text have, 0 without any."""
    if column.dtype != np.dtype(object) and not isinstance(column.dtype, pd.StringDtype):
        return 0
    return common_size(map(size_of, column.iloc[:LOOKED_AT].tolist()))


def is_vector(cell: Any) -> bool:
    """Whether a cell holds several numbers, as a list or as text like "[0.1, 0.2]"."""
    return size_of(cell) > 0


def size_of(cell: Any) -> int:
    """Return how many numbers a cell holds as a vector; 0 where it is none, -1 where empty."""
    if isinstance(cell, str):
        if not _TEXT.fullmatch(cell):
            return 0 if cell.strip() else -1
        words = [word for word in _BREAKS.split(cell) if word.strip(".")]
        if not words:
            return -1
        return len(words) if len(words) > 1 and all(map(_is_number, words)) else 0
    if isinstance(cell, np.ndarray) and cell.dtype.kind in "iuf":
        return cell.size or -1
    if not isinstance(cell, list | tuple | np.ndarray):
        return -1 if cell is None or cell is pd.NA or cell != cell else 0
    array = np.array(cell, dtype=object).ravel()
    present = [one for one in array if one is not None]
    if not present:
        return -1
    return len(array) if all(map(_is_real, present)) else 0


def in_short(table: pd.DataFrame, vectors: Vectors) -> pd.DataFrame:
    """Return a table with its vectors as short text in one column, for people to look at."""
    components = list(vectors.columns)
    position = table.columns.get_loc(components[0])
    assert isinstance(position, int)
    texts = [_short(row) for row in table[components].to_numpy()]
    rest = table.drop(columns=components)
    rest.insert(position, vectors.name, pd.Series(texts, rest.index, dtype="str"))
    return rest


def _short(vector: NDArray[Any]) -> str:
    first = ", ".join(f"{value:.4g}" for value in vector[:3])
    return f"[{first}{', …' if len(vector) > 3 else ''}]"


def packed(cells: Sequence[object]) -> list[object] | None:
    """Return lists of equally many numbers as rows of one array, which takes a fourth of the room.

    None where the cells are something else.
    """
    lists = [cell for cell in cells if isinstance(cell, list)]
    if not lists or len({len(cell) for cell in lists}) > 1 or len(lists[0]) < 2:
        return None
    kinds = {type(one) for cell in lists for one in cell}
    if kinds not in ({float}, {float, int}):
        return None
    rows = iter(np.array(lists, dtype=np.float64))
    return [next(rows) if isinstance(cell, list) else cell for cell in cells]


def _is_open(table: pd.DataFrame, position: int, options: ReadOptions) -> bool:
    """Whether a column may be taken apart: it is wanted, and not kept as text."""
    name = table.columns[position]
    kept = options.columns is None or name in options.columns
    return kept and name not in (options.text or ()) and name != options.target


def _matrix(cells: pd.Series, size: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the numbers of every cell, and which cells hold so many."""
    matrix = np.full((len(cells), size), np.nan)
    complete = np.zeros(len(cells), dtype=bool)
    for row, cell in enumerate(cells.array):
        if isinstance(cell, str):
            if "..." in cell:
                raise _cut(str(cells.name), row)
            if not _TEXT.fullmatch(cell):
                continue
        try:
            values = _numbers(cell)
        except (TypeError, ValueError, OverflowError):
            continue
        if len(values) == size:
            matrix[row] = values
            complete[row] = True
    return matrix, complete


def _numbers(cell: Any) -> NDArray[np.float64]:
    if isinstance(cell, str):
        words = [word for word in _BREAKS.split(cell) if word]
        return np.fromiter(map(float, words), np.float64, len(words))
    if not isinstance(cell, list | tuple | np.ndarray):
        return np.empty(0)
    return np.array(cell, dtype=np.float64).ravel()


def _cut(name: str, row: int) -> DataError:
    return DataError(
        f"Column {shown(name, 60)!r} holds vectors that were shortened with '...' when they were "
        f"written (row {row + 1}), and the numbers are lost; write them again as lists, for "
        "example with tolist()."
    )


def _check_complete(
    name: str, size: int, complete: NDArray[np.bool_], options: ReadOptions, findings: Findings
) -> None:
    """Say which rows have no vector, and refuse them unless they are to be left out."""
    rows = np.flatnonzero(~complete)
    first = ", ".join(f"{row + 1:,}" for row in rows[:5]) + (", …" if len(rows) > 5 else "")
    which = f"{counted(len(rows), 'row')} (row{'s' * (len(rows) > 1)} {first})"
    if not options.skip_missing_vectors or not complete.any():
        raise DataError(
            f"Column {shown(name, 60)!r} holds vectors of {size:,} numbers, but {which} "
            f"{'have' if len(rows) > 1 else 'has'} none of this length; correct them, or leave "
            "these rows out with the option skip_missing_vectors."
        )
    findings.note(f"Left out, because they have no vector of {size:,} numbers: {which}.")


def _is_real(one: object) -> bool:
    return isinstance(one, int | float) and not isinstance(one, bool)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
