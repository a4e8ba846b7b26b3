"""The table of columns: what each is, and what it is there for."""

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from mecuco_app.screen import state
from mecuco_app.screen.controls.label import relabel
from mecuco_app.screen.tables import own_key
from mecuco_app.text.escape import cell, distinct, plain
from mecuco_app.text.numbers import count
from mecuco_core.preparation.findings.overview import ColumnOverview
from mecuco_core.preparation.protocol import Preparation

MOST_LINES = 2000

_ROLES = ["feature", "label", "identifier", "text", "image", "link", "leave out"]
_TURN = "columns:turn"
_HEIGHT = 420


def column_table(lines: tuple[ColumnOverview, ...]) -> None:
    """Draw a line for each column; its role can be changed there."""
    shown = lines[:MOST_LINES]
    roles = [*_ROLES, "vector"] if any(one.role == "vector" for one in shown) else _ROLES
    turn = state.recalled(_TURN, 0)
    # Another table after each change: the browser would send what was changed in the former one.
    key = own_key(f"columns:{state.session().n_turns}:{turn}")
    st.data_editor(
        _frame(shown),
        key=key,
        hide_index=True,
        height=min(_HEIGHT, 38 + 35 * len(shown)),
        disabled=[name for name in _COLUMNS if name != "role"],
        column_config={
            **_COLUMNS,
            "role": st.column_config.SelectboxColumn(
                "role ▾", options=roles, required=True, width=100,
                help="What the column is there for. Double click changes it.",
            ),
        },
        on_change=_changed,
        args=(key, shown),
    )  # fmt: skip
    if len(lines) > len(shown):
        st.caption(f"The first {count(len(shown))} of {count(len(lines))} columns.")


_COLUMNS: dict[str, Any] = {
    "column": st.column_config.TextColumn(pinned=True, width=116),
    "role": None,
    "kind": st.column_config.TextColumn(width=104, help="And how many different values."),
    "missing": st.column_config.NumberColumn(width=64),
    "range": st.column_config.TextColumn(width=132, help="Smallest and largest value."),
    "values": st.column_config.BarChartColumn(
        width=96, y_min=0, help="How its values spread: equal parts of its range, or categories."
    ),
    "look at": st.column_config.TextColumn(width="large"),
}


def _frame(lines: tuple[ColumnOverview, ...]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "column": distinct([one.name for one in lines], 40),
            "role": [one.role for one in lines],
            "kind": [f"{one.kind} ({count(one.n_distinct)})" for one in lines],
            "missing": [one.n_missing for one in lines],
            "range": [_ends(one) for one in lines],
            "values": [list(one.counts) for one in lines],
            "look at": [cell(_remark(one), 200) for one in lines],
        }
    )


def _ends(line: ColumnOverview) -> str:
    if line.lowest == line.highest:
        return plain(line.lowest, 20)
    return f"{plain(line.lowest, 20)} … {plain(line.highest, 20)}"


def _remark(line: ColumnOverview) -> str:
    """Return what is suspicious in a column, else why it is no feature."""
    if line.suspicions:
        return " ".join(one.sentence for one in line.suspicions)
    return "" if line.role == "label" else line.reason


def _changed(key: str, lines: tuple[ColumnOverview, ...]) -> None:
    edits = (state.widget(key) or {}).get("edited_rows", {})
    state.remember(_TURN, state.recalled(_TURN, 0) + 1)
    for place, edit in edits.items():
        role, line = edit.get("role"), lines[int(place)]
        if role is not None and role != line.role:
            change_role(line, role)


def change_role(line: ColumnOverview, role: str) -> None:
    """Let a column be something else."""
    session = state.session()
    if "vector" in (line.role, role):
        session.tell("info", "A column of vectors stays what it is.", passing=True)
    elif role == "label":
        relabel(line.name)
    elif line.role == "label":
        relabel(None, _with_role(session.view.preparation, line.name, role))
    else:
        session.change("preparation", _with_role(session.view.preparation, line.name, role))


def _with_role(preparation: Preparation, name: str, role: str) -> Preparation:
    """Return a preparation in which a column has a role, whatever it said of it before."""
    exclude = tuple(one for one in preparation.exclude if one != name)
    include = preparation.include
    if include is not None:
        include = tuple(one for one in include if one != name)
        include = (*include, name) if role == "feature" else include
    return replace(preparation, exclude=exclude, include=include).with_role(name, role)
