"""The address bar: it follows the view, and the view follows it when the visitor goes back.

A request with another address than the one last written comes from a visitor who went back or
forth, or from a browser that had not yet got the writing. The first must change the view, the
second must not undo a change. So an address counts only once the browser was seen with the last one
written; until then it is asked, by a fragment that reaches it after the writing.
"""

from functools import partial
from itertools import count
from typing import Any

import streamlit as st

from mecuco_app import links, state
from mecuco_app.state import Session

_ASK = 1.5
"""Seconds between two questions, and at most from a quick step back to its view."""


def write(session: Session) -> None:
    """Let the address bar show the view."""
    wanted, found = links.encoded(session.view), st.query_params.to_dict()
    changed = session.address != wanted
    # What differs though nothing changed is late, or a return that is not yet sure.
    if found != wanted and (changed or session.address_seen or not found):
        st.query_params.from_dict(wanted)
    if changed:
        session.address, session.address_seen = wanted, found == wanted
        session.addresses += 1
    if not session.address_seen:
        ask = partial(_ask, session, count())
        # A name of its own, by which Streamlit knows it: what a browser still asks of the fragment
        # of a former writing must not be taken for an answer to this one.
        ask.__qualname__ = f"ask-{session.addresses}"  # type: ignore[attr-defined]
        st.fragment(ask, run_every=_ASK)()


def returned_to(session: Session) -> dict[str, str] | None:
    """Return the parameters of the address if the visitor went back or forth to them."""
    found = st.query_params.to_dict()
    if found == session.address:
        session.address_seen = True
    elif found and session.address_seen and session.address == links.encoded(session.view):
        return found
    return None


def _ask(session: Session, calls: "count[int]") -> None:
    """Note that the browser shows what was written, or take the page to where it went since."""
    if next(calls) == 0 or session.address_seen:  # the page itself is being drawn, or all is known
        return
    session.address_seen = True
    if st.query_params.to_dict() != session.address:
        st.rerun()


def link_to(page: str, label: str, **options: Any) -> None:
    """Draw a link to a page, with the address of the view: one step back leads here again."""
    st.page_link(page, label=label, query_params=links.encoded(state.view()), **options)


def go_to(page: str) -> None:
    """Show another page of the same view."""
    st.switch_page(page, query_params=links.encoded(state.view()))
