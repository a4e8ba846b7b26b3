"""The box that finds rows, and the selection of what was found."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from mecuco_app.data.search import Found
from mecuco_app.page.explore.map_panel import choose
from mecuco_app.results.finding import finding_task
from mecuco_app.scene.selection import rows_rule
from mecuco_app.screen import state, waiting
from mecuco_app.screen.state import Session
from mecuco_app.text.escape import markdown
from mecuco_app.text.numbers import count, plural
from mecuco_app.view.settings import SelectionRule
from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.prepare import Prepared

MOST_SELECTED = 10_000
"""Rows that become a selection; the others are counted."""

_LONGEST = 200  # letters that are looked for
_WORDS, _SHOWN = "search:words", "search:shown"


@dataclass(frozen=True)
class _Shown:
    """What the last search made of the page, and what it says of itself."""

    of: tuple[str, str]  # points and words
    rule: SelectionRule
    focus: int | None
    text: str

    def is_current(self, session: Session) -> bool:
        """Whether the page still shows it."""
        if self.rule.kind == "rows":
            return session.view.rule == self.rule
        return self.focus is None or session.view.focus == self.focus


def search_box() -> None:
    """Draw the box; the page then begins anew and looks for what was asked."""
    st.text_input(
        "Find rows",
        placeholder="Find a row, name or text",
        label_visibility="collapsed",
        width=230,
        **state.tied(_WORDS, state.recalled(_WORDS, ""), _ask, of_data=True),
    )


def select_found(session: Session, dataset: Dataset, prepared: Prepared) -> None:
    """Select what the box asks for, once, and say how many rows there are."""
    words = state.recalled(_WORDS, "")
    if not words:
        return
    asked = prepared.fingerprint, words
    shown: _Shown | None = state.recalled(_SHOWN, None)
    if shown is not None and shown.of == asked:
        if shown.is_current(session):
            st.caption(shown.text)
        else:  # something else was selected since
            state.remember(_WORDS, "")
        return
    found = waiting.result("search", finding_task(dataset, words))
    if found is not None:
        state.remember(_SHOWN, _selected(session, prepared, found, asked))
        st.caption(state.recalled(_SHOWN, None).text)


def _ask(key: str) -> None:
    state.remember(_WORDS, str(state.widget(key) or "").strip()[:_LONGEST])
    state.remember(_SHOWN, None)


def _selected(session: Session, prepared: Prepared, found: Found, asked: tuple[str, str]) -> _Shown:
    positions = np.flatnonzero(np.isin(prepared.rows, found.rows))[:MOST_SELECTED]
    n_points = int(np.isin(found.rows, prepared.rows).sum())
    words = f"“{markdown(asked[1])}”"
    if len(found.rows) == 0:
        return _Shown(asked, session.view.rule, session.view.focus, f"No row holds {words}.")
    says = [f"{plural(len(found.rows), 'row')} with {words}"]
    if n_points < len(found.rows):
        gone = plural(len(found.rows) - n_points, "row")
        says.append(f"{gone} left out by the preparation")
    if n_points > len(positions):
        says.append(f"the first {count(len(positions))} are selected")
    exact = found.exact if found.exact in prepared.rows else None
    focus = exact
    if n_points == 1:
        focus = int(prepared.rows[positions[0]])
    if n_points > 1:
        choose(rows_rule(positions, prepared))
        says[0] += ", selected"
    if focus is not None:
        session.change("focus", focus)
        says.append(f"row {count(focus)} is ringed")
    rule = session.view.rule if n_points > 1 else SelectionRule()
    return _Shown(asked, rule, focus, " · ".join(says))
