"""The paper's tables as frames: ours, the published figure, and the difference; no Streamlit."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pandas as pd

from mecuco_app.text.numbers import percent
from mecuco_app.view.settings import PaperColumns
from mecuco_core.datasets.paper import PAPER_DATASETS, PaperDataset
from mecuco_core.reproduction import shipped_results
from mecuco_core.reproduction.published import published
from mecuco_core.reproduction.rows import EQUAL
from mecuco_core.score.cost import resolved_mode
from mecuco_core.types import Mode

NAMES = {"original": "original", "mecuco": "MeCuCo"}
"""Whose figures the paper prints."""

DIFFERENCE = "Δ "
"""Before the name of a figure: ours less the paper's."""


@dataclass(frozen=True)
class Figure:
    """One figure of the tables: its name on the screen and its column in results.csv."""

    label: str
    column: str


FIGURES: dict[PaperColumns, tuple[Figure, ...]] = {
    "scores": (Figure("mean", "mean"), Figure("s.d.", "std")),
    "quartiles": (Figure("25 %", "q25"), Figure("50 %", "q50"), Figure("75 %", "q75")),
    "agreement": (Figure("MAE", "mae"), Figure("ρ", "spearman"), Figure("ξ", "chatterjee")),
    "time": (Figure("seconds", "seconds"),),
}


@cache
def results() -> pd.DataFrame:
    """Return the shipped results, one row per dataset, table and mode; not to be changed."""
    frame = shipped_results()
    for column in ("agrees", "determined"):
        frame[column] = frame[column].map({"True": True, "False": False, True: True, False: False})
    return frame


def shown_columns(table: int) -> tuple[PaperColumns, ...]:
    """Return what can be shown of a table: the third has quartiles and no agreement."""
    absent = "agreement" if table == 3 else "quartiles"
    return tuple(name for name in FIGURES if name != absent)


def compared(table: int, columns: PaperColumns) -> pd.DataFrame:
    """Return a table of the paper: one row for each dataset and method that it prints.

    Parameters
    ----------
    table : {1, 2, 3}
    columns : {"scores", "quartiles", "agreement", "time"}

    Returns
    -------
    DataFrame
        Columns `dataset`, `method`, `mode`, then for each figure ours, the paper's and (but for
        times) the difference, then `why`. NaN where there is no number.
    """
    listed = []
    for line in PAPER_DATASETS:
        if table in line.tables:
            listed += [
                cells for role in NAMES if (cells := _row(line, table, role, columns)) is not None
            ]
    return pd.DataFrame(listed).dropna(axis=1, how="all")


def _row(line: PaperDataset, table: int, role: str, columns: PaperColumns) -> dict[str, Any] | None:
    mode: Mode = "original" if role == "original" else resolved_mode("auto", line.n_features)
    paper = published(table, line.name, mode, line.n_features)
    figures = FIGURES[columns]
    if paper is None or getattr(paper, figures[0].column) is None:
        return None
    ours = shipped_row(line.name, table, mode)
    cells: dict[str, Any] = {"dataset": line.name, "method": NAMES[role], "mode": mode}
    for figure in figures:
        own = float("nan") if ours is None else ours[figure.column]
        theirs = getattr(paper, figure.column)
        cells[figure.label] = own
        cells[f"{figure.label}, paper"] = theirs
        if columns != "time":  # two machines: a difference would say nothing
            cells[f"{DIFFERENCE}{figure.label}"] = own - theirs
    if columns == "time":
        cells["speed-up"] = float("nan") if ours is None else ours["speedup"]
        before = published(table, line.name, "original", line.n_features)
        if before is not None and before.seconds and paper.seconds:
            cells["speed-up, paper"] = before.seconds / paper.seconds
        done = ours is not None and ours["status"] == "done"
        return cells | {"why": "" if done else reason(line.name, ours)}
    return cells | {"why": reason(line.name, ours)}


@cache
def _rows() -> dict[tuple[str, int, str], dict[str, Any]]:
    frame = results()
    frame = frame[frame["table"].notna()]
    keys = zip(frame["dataset"], frame["table"].astype(int), frame["mode"], strict=True)
    return dict(zip(keys, (named(row) for _, row in frame.iterrows()), strict=True))


def shipped_row(dataset: str, table: int, mode: Mode) -> Mapping[str, Any] | None:
    """Return the row of the shipped results, None where the dataset was not at hand."""
    return _rows().get((dataset, table, mode))


def named(row: "pd.Series") -> dict[str, Any]:
    """Return a row by the names of its columns."""
    return {str(name): value for name, value in row.items()}


def reason(dataset: str, row: Mapping[str, Any] | None) -> str:
    """Say in a few words why a row agrees with the paper or does not."""
    if row is None:
        return "not at hand then: run it again here"
    if row["status"] == "skipped":
        return str(row["note"])
    if row["determined"]:
        if row["agrees"]:
            return "a function of the data, and equal"
        if dataset == "USPS":
            return "a function of the data; the copy used is a reconstruction"
        return "a function of the data; the data must differ"
    met = "; equal all the same" if row["agrees"] else ""
    if row["tied_share"] > 0.5:
        return f"ties decide who is a neighbour at {percent(row['tied_share'])} of points{met}"
    if row["mode"] == "fast":
        share = percent(row["repeated_share"])
        return f"neighbours repeat at {share} of points: published fast is arbitrary there{met}"
    return f"depends on the null-space basis at {percent(row['deficient_share'])} of points{met}"


def counts(table: int) -> tuple[int, int, int, int]:
    """Return how many figures of a table are met.

    Returns
    -------
    determined, determined_equal, other, other_equal : int
        Mean and deviation count as one figure.
    """
    frame = results()
    some = frame[(frame["table"] == table) & frame["agrees"].notna()]
    fixed = some[some["determined"].astype(bool)]
    rest = some[~some["determined"].astype(bool)]
    return (
        len(fixed), int(fixed["agrees"].astype(bool).sum()),
        len(rest), int(rest["agrees"].astype(bool).sum()),
    )  # fmt: skip


def is_equal(difference: float) -> bool:
    """Whether a difference is within what four printed decimals leave open."""
    return abs(difference) <= EQUAL
