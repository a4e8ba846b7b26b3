"""One dataset of the paper: every mode of it, a way to Explore, and a new run."""

from typing import Any

import pandas as pd
import streamlit as st

from mecuco_app.page.paper import words
from mecuco_app.page.paper.comparison import DIFFERENCE, named, reason, shipped_row
from mecuco_app.page.paper.styling import styled
from mecuco_app.results.paper.again import Again, again_task, choice_of, is_present
from mecuco_app.screen import loading, state, waiting
from mecuco_app.screen.tables import draw_table
from mecuco_app.text.escape import literal, markdown
from mecuco_app.text.numbers import seconds
from mecuco_app.work.tasks import Task
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.paper import PAPER_DATASETS, PaperDataset, paper_dataset
from mecuco_core.reproduction.protocol import SCORED_MODES, modes_named
from mecuco_core.reproduction.published import published
from mecuco_core.types import Mode

_ASKED = "paper:asked"


def dataset_panel(dataset: Dataset | None) -> None:
    """Draw the dataset that is looked at.

    Parameters
    ----------
    dataset : Dataset or None
        The one loaded in the app, which may be another.
    """
    settings = state.view().paper
    controls = st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
    with controls:
        st.selectbox(
            "Dataset of the paper",
            [line.name for line in PAPER_DATASETS],
            width=300,
            **state.bound("paper.dataset", settings.dataset),
        )
        line = paper_dataset(settings.dataset)
        _open_button(line, dataset)
        modes = _modes()
    found = None
    task = again_task(line, modes, dataset, state.view().data) if modes else None
    asked = task is not None and state.recalled(_ASKED, None) == task.key
    with controls:
        _run_button(task, asked)
    if task is not None:
        found = waiting.result("paper again", task) if asked else task.ready()
    table = settings.table if settings.table in line.tables else line.tables[-1]
    _figures(line, table, found)


def _open_button(line: PaperDataset, dataset: Dataset | None) -> None:
    choice = choice_of(line)
    here = is_present(line, dataset, state.view().data)
    network = choice.source == "openml" and not here
    opened = st.button(
        "Open in Explore",
        key="paper:open",
        help="From OpenML, unless it was loaded before." if network else None,
    )
    if opened:
        if not here:
            loading.start(choice)
        st.switch_page("pages/1_Explore.py")


def _modes() -> tuple[Mode, ...]:
    picked = st.pills(
        "Modes to run again",
        SCORED_MODES,
        selection_mode="multi",
        help="What would take more than a minute is skipped, and timed on a sample.",
        **state.remembered("paper:modes", list(SCORED_MODES)),
    )
    return modes_named(picked)


def _run_button(task: Task[Again] | None, asked: bool) -> None:
    st.button(
        "Run again" if task is None else f"Run again, about {seconds(task.seconds)}",
        key="paper:again",
        disabled=task is None or asked or task.ready() is not None,
        on_click=_ask,
        args=(None if task is None else task.key,),
    )


def _ask(key: tuple[Any, ...] | None) -> None:
    state.remember(_ASKED, key)
    # The button said how long it takes: no second question.
    state.remember("agreed:paper again", key)


def _figures(line: PaperDataset, table: int, again: Again | None) -> None:
    st.markdown(f"**{markdown(line.name)}** · {literal(words.size(line))} · {words.title(table)}")
    draw_table(
        styled(figures_of(line, table, again)), "paper:dataset", hide_index=True, placeholder="–"
    )
    own = {mode: shipped_row(line.name, table, mode) for mode in SCORED_MODES}
    parts = [
        f"{mode}: {reason(line.name, row)}"
        for mode, row in own.items()
        if published(table, line.name, mode, line.n_features) is not None
    ]
    st.caption(literal("; ".join(parts) + "."))
    if again is not None:
        st.caption(
            literal(f"New: scored here, data from {again.origin}. " + " ".join(again.notes)).strip()
        )
        for sentence in _skipped(again, table):
            st.caption(literal(sentence))


def figures_of(line: PaperDataset, table: int, again: Again | None = None) -> pd.DataFrame:
    """Return every mode of a dataset: shipped, published and, where there are any, new figures.

    Parameters
    ----------
    line : PaperDataset
    table : {1, 2, 3}
    again : Again or None

    Returns
    -------
    DataFrame
        One row for each mode; differences are against the paper.
    """
    listed = []
    for mode in SCORED_MODES:
        paper = published(table, line.name, mode, line.n_features)
        rows = {"": shipped_row(line.name, table, mode)}
        if again is not None:
            rows["new "] = _new_row(again, table, mode)
        cells: dict[str, Any] = {"mode": mode}
        for label, column in (("mean", "mean"), ("s.d.", "std")):
            cells[f"{label}, paper"] = float("nan") if paper is None else getattr(paper, column)
            for prefix, row in rows.items():
                cells[f"{prefix}{label}"] = float("nan") if row is None else row[column]
        listed.append(cells)
    frame = pd.DataFrame(listed)
    shown = {"mode": frame["mode"]}
    for label in ("mean", "s.d."):
        shown[f"{label}, paper"] = frame[f"{label}, paper"]
        for prefix in ("", "new "):
            if f"{prefix}{label}" in frame:
                shown[f"{prefix}{label}"] = frame[f"{prefix}{label}"].astype(float)
                shown[f"{DIFFERENCE}{prefix}{label}"] = (
                    shown[f"{prefix}{label}"] - frame[f"{label}, paper"]
                )
    return pd.DataFrame(shown)


def _new_row(again: Again, table: int, mode: Mode) -> dict[str, Any] | None:
    some = again.rows[(again.rows["table"] == table) & (again.rows["mode"] == mode)]
    return None if some.empty else named(some.iloc[0])


def _skipped(again: Again, table: int) -> list[str]:
    some = again.rows[(again.rows["table"] == table) & (again.rows["status"] == "skipped")]
    return [f"{row['mode']} {row['note']}." for row in some.to_dict("records")]
