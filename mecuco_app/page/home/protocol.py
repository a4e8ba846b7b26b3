"""How the columns become numbers: the two named protocols."""

import streamlit as st

from mecuco_app.screen import state
from mecuco_app.text.escape import literal
from mecuco_core.preparation.protocol import Protocol

_NAMES: dict[Protocol, str] = {"sensible": "sensible", "paper": "as in the paper"}


def protocol_choice() -> None:
    """Draw the choice between the protocols, and what the one in use does."""
    preparation = state.view().preparation
    current = preparation.protocol
    st.radio(
        "Preparation",
        list(_NAMES),
        format_func=_NAMES.__getitem__,
        horizontal=True,
        **state.tied(
            "preparation:protocol",
            current if current in _NAMES else None,
            _choose,
            of_data=True,
        ),
    )
    st.caption(literal(preparation.protocol_sentence))


def _choose(key: str) -> None:
    chosen = state.widget(key)
    if chosen is not None:
        session = state.session()
        session.change("preparation", session.view.preparation.in_protocol(chosen))
