"""Files of several named arrays: which one is the table, and which one beside it the target."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from numpy.typing import NDArray

from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.labels import TARGET_NAMES
from mecuco_core.errors import DataError


@dataclass(frozen=True)
class Variable:
    """A named array that has not been read yet."""

    name: str
    shape: tuple[int, ...]
    numeric: bool

    @property
    def is_vector(self) -> bool:
        """Whether it has one entry per row and nothing else."""
        return len([n for n in self.shape if n != 1]) <= 1


def choose_variable(
    found: Sequence[Variable], options: ReadOptions, findings: Findings
) -> Variable:
    """Return the variable asked for, or the largest one that is numbers."""
    findings.variables = tuple(variable.name for variable in found)
    listed = ", ".join(f"{shown(v.name, 40)} {'×'.join(map(str, v.shape))}" for v in found[:8]) + (
        ", …" if len(found) > 8 else ""
    )
    if not found:
        raise DataError("There is no array in the file; choose another one.")
    if options.variable is not None:
        for variable in found:
            if variable.name == options.variable:
                return variable
        raise DataError(
            f"variable must be an array of the file ({listed}), got {shown(options.variable)!r}"
        )
    numeric = [variable for variable in found if variable.numeric]
    if not numeric:
        raise DataError(f"No array of the file is numbers; it holds {listed}.")
    best = max(numeric, key=lambda v: (len(v.shape) >= 2, math.prod(v.shape)))
    if len(found) > 1:
        findings.note(f"{shown(best.name)} is read, the largest of the arrays: {listed}.")
    return best


def table_of_variables(
    found: Sequence[Variable],
    load: Callable[[Variable], NDArray[Any]],
    tabulate: Callable[[NDArray[Any]], pd.DataFrame],
    options: ReadOptions,
    findings: Findings,
) -> pd.DataFrame:
    """Return the chosen array as a table, with a vector that is named like a target beside it.

    Parameters
    ----------
    found : sequence of Variable
    load : callable
        Reads one variable.
    tabulate : callable
        Turns an array of shape (n_rows, ...) into a table.
    """
    chosen = choose_variable(found, options, findings)
    table = tabulate(load(chosen))
    for variable in found:
        if (
            variable.name.lower() in TARGET_NAMES
            and variable is not chosen
            and variable.is_vector
            and math.prod(variable.shape) == len(table)
            and variable.name not in table.columns
        ):
            column = tabulate(load(variable).reshape(-1))
            table[variable.name] = column.iloc[:, 0]
            findings.suggested_target = variable.name
            findings.note(
                f"The vector {shown(variable.name)} has one value per row of {shown(chosen.name)} "
                "and was added as a column."
            )
            break
    return table
