"""The address bar: it follows the view, and the view follows it when the visitor goes back."""

import time
from typing import Any

import streamlit as st

from mecuco_app import links, state
from mecuco_app.state import Session

LATE = 1.0
"""Seconds after which a browser has surely taken over an address that was written."""


def write(session: Session) -> None:
    """Let the address bar show the view."""
    wanted = links.encoded(session.view)
    shown = st.query_params.to_dict() == wanted
    if not shown:
        st.query_params.from_dict(wanted)
    if session.address != wanted:
        session.address, session.address_taken = wanted, shown
        session.address_since = time.monotonic()


def returned_to(session: Session) -> dict[str, str] | None:
    """Return the parameters of the address if the visitor went back or forth to them.

    A browser that has not yet taken over what was last written sends what stood there before.
    That is no return, and neither is it where the view was changed since.
    """
    found = st.query_params.to_dict()
    if found == session.address:
        session.address_taken = True
        return None
    late = time.monotonic() - session.address_since > LATE
    if not found or session.address != links.encoded(session.view):
        return None
    return found if session.address_taken or late else None


def link_to(page: str, label: str, **options: Any) -> None:
    """Draw a link to a page, with the address of the view: one step back leads here again."""
    st.page_link(page, label=label, query_params=links.encoded(state.view()), **options)


def go_to(page: str) -> None:
    """Show another page of the same view."""
    st.switch_page(page, query_params=links.encoded(state.view()))
