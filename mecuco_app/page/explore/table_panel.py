"""The table of the highest points, with reasons, and selection by rows."""

import numpy as np
import streamlit as st

from mecuco_app.page.explore.own_columns import column_choice, with_columns
from mecuco_app.scene.listing import SHOWN, top_points
from mecuco_app.scene.scene import Scene
from mecuco_app.scene.selection import rows_rule, selected
from mecuco_app.screen import state
from mecuco_app.screen.tables import draw_table, own_key, point_columns
from mecuco_app.text.numbers import count, plural
from mecuco_app.view.settings import SelectionRule
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.score.ranks import descending
from mecuco_core.types import IntArray

_TURN = "table:turn"


def table_panel(scene: Scene) -> None:
    """Draw the highest points, of the selection where there is one."""
    if scene.result is None:
        return
    rule = state.session().table_rule
    among = selected(rule, scene.prepared, scene.result.values)
    order = descending(scene.result.values)
    if among is not None:
        order = order[np.isin(order, among)]
    listed = order[:SHOWN]
    former = rule != scene.view.rule  # rows of it are ticked: it goes on listing what it listed
    where = "" if among is None else " of the selection before" if former else " of the selection"
    with st.container(horizontal=True, vertical_alignment="center"):
        title = f"**Top {count(len(listed))} of {plural(len(order), 'point')}{where}**"
        st.markdown(title, width="stretch")
        columns = column_choice(scene)
    if len(order) == 0:
        st.info("No point is selected by this rule: widen it, or clear the selection.")
        return
    frame, drawn = with_columns(
        top_points(scene, listed), scene, columns, scene.prepared.rows[listed]
    )
    key = _key(scene, rule)
    draw_table(
        frame,
        key,
        hide_index=True,
        height=min(330, 38 + 35 * len(frame)),
        on_select=lambda: _tick(key, listed, scene.prepared),
        selection_mode="multi-row",
        column_config={**point_columns(frame, 460), **drawn},
    )
    st.caption("Tick a row to ring its point, several to select them.")


def _key(scene: Scene, rule: SelectionRule) -> str:
    """Return the key of the table: the same while the list changes, so that it is drawn in place.

    A list whose rows are ticked is left behind with its ticks where they would mark other points,
    or points that are no longer chosen.
    """
    points = scene.prepared.fingerprint[:8]
    listed, (former, turn) = (points, scene.view.score, rule), state.recalled(_TURN, (None, 0))
    stale = listed != former or scene.view.focus is None
    if stale and _ticked(f"table:{points}:{turn}"):
        turn += 1
    state.remember(_TURN, (listed, turn))
    return f"table:{points}:{turn}"


def _ticked(key: str) -> list[int]:
    rows: list[int] = (state.widget(own_key(key)) or {}).get("selection", {}).get("rows", [])
    return rows


def _tick(key: str, listed: IntArray, prepared: Prepared) -> None:
    rows = [row for row in _ticked(key) if row < len(listed)]
    session = state.session()
    # The table keeps what it lists, so that more rows can be ticked.
    rule = rows_rule(listed[np.array(rows, dtype=np.int64)], prepared)
    session.change("rule", rule if len(rows) > 1 else session.table_rule)  # one point is ringed
    session.change("focus", int(prepared.rows[listed[rows[-1]]]) if rows else None)
