"""The figures of the paper's Tables 1, 2 and 3, as printed."""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from mecuco_core.score.cost import resolved_mode
from mecuco_core.types import Mode

Role = Literal["original", "mecuco"]
TABLES = (1, 2, 3)
RAW_TABLE = 1
"""The one table of raw scores; the others have scores scaled to [0, 1]."""


@dataclass(frozen=True)
class Published:
    """One side of one line of a table; None where the table has no such column.

    Attributes
    ----------
    role : {"original", "mecuco"}
        Whose score it is: the baseline's, or that of the paper's own method.
    mae, spearman, chatterjee : float or None
        Agreement with the original's scores.
    """

    mean: float
    std: float
    role: Role
    q25: float | None
    q50: float | None
    q75: float | None
    seconds: float | None
    mae: float | None
    spearman: float | None
    chatterjee: float | None


@cache
def _figures() -> dict[tuple[int, str, str], Published]:
    text = files("mecuco_core.reproduction").joinpath("published.csv").read_text("utf-8")
    figures: dict[tuple[int, str, str], Published] = {}
    for line in csv.DictReader(text.splitlines()):
        numbers = {
            name: float(line[name]) if line[name] else None
            for name in ("q25", "q50", "q75", "seconds", "mae", "spearman", "chatterjee")
        }
        role: Role = "original" if line["role"] == "original" else "mecuco"
        figures[int(line["table"]), line["dataset"], role] = Published(
            mean=float(line["mean"]), std=float(line["std"]), role=role, **numbers
        )
    return figures


def published(table: int, dataset: str, mode: Mode, n_features: int) -> Published | None:
    """Return what the paper prints for a mode, None where it prints nothing.

    The original's columns belong to `original`; the paper's method is the mode `auto` stands for.

    Parameters
    ----------
    table : {1, 2, 3}
    dataset : str
        As the paper writes it.
    mode : {"original", "exact", "fast", "haar"}
    n_features : int
    """
    role = "original" if mode == "original" else "mecuco"
    if role == "mecuco" and mode != resolved_mode("auto", n_features):
        return None
    return _figures().get((table, dataset, role))
