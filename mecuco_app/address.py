"""The address bar: it follows the view, and the view follows it when the visitor goes back.

A request with another address than the one last written comes from a visitor who went back or
forth, or from a browser that had not yet got the writing. The first must change the view, the
second must not undo a change. So an address counts only once the browser was seen with the last one
written; until then it is asked, by a fragment that reaches it after the writing.

Streamlit makes a new entry of the history for every page and address it draws. For a visitor who
goes back several steps at once it also draws the pages on the way, late, and so buries the steps
ahead. A script lets only what the visitor did make an entry. It also writes the first address, in
place of the one the visitor came by: else one step back would lead to that, and no further.
"""

from functools import partial
from itertools import count
from typing import Any

import streamlit as st

from mecuco_app import links, state
from mecuco_app.settings import View
from mecuco_app.state import Session

_ASK = 1.5
"""Seconds between two questions, and at most from a quick step back to its view."""

_SCRIPT_LATE = 8
"""Questions until the first address is written without the script, which has not come."""

# Keys with Alt or Meta, and the outer buttons of a mouse, go back and forth themselves.
_SCRIPT = """
export default function ({ data }) {
  if (window.mecucoHistory) return;
  const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
  let acted = false, returned = false;
  window.mecucoHistory = true;
  window.addEventListener('popstate', () => { acted = false; returned = true; }, true);
  for (const name of ['pointerdown', 'keydown']) document.addEventListener(name, (event) => {
    if (!event.altKey && !event.metaKey && !(event.button > 2)) acted = true;
  }, { capture: true, passive: true });
  history.pushState = (state, title, address) => {
    if (acted) return push(state, title, address);
    const elsewhere = new URL(address, location.href).pathname !== location.pathname;
    if (!(returned && elsewhere)) replace(state, title, address);
  };
  const text = (parameters) => new URLSearchParams(parameters).toString();
  const unchanged = data && text(location.search) === text(data.found);
  if (unchanged) replace(history.state, '', '?' + text(data.wanted));
}
"""

_script = st.components.v2.component("mecuco_history", js=_SCRIPT)


def write(session: Session) -> None:
    """Let the address bar show the view."""
    wanted, found = links.encoded(session.view), st.query_params.to_dict()
    stands_in = session.awaited is not None and session.view == View()
    first = session.address is None and not stands_in and not session.stood_in
    if first:
        session.arrival = {"found": found, "wanted": wanted}
    _script(key="history", data=session.arrival)
    if stands_in:
        # Digits stands in for a file: the address stays, to be opened again. What the script finds
        # when it first runs is all it ever writes.
        session.stood_in = True
        return
    changed = session.address != wanted
    # What differs though nothing changed is late, or a return that is not yet sure.
    if found != wanted and not first and (changed or session.address_seen or not found):
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


def settle(session: Session) -> None:
    """Note that the view is the one of the address the visitor went to.

    At once: the next step back may end this run of the page before anything is written.
    """
    session.address, session.address_seen = links.encoded(session.view), True


def _ask(session: Session, calls: "count[int]") -> None:
    """Note that the browser shows what was written, or take the page to where it went since."""
    times, found = next(calls), st.query_params.to_dict()
    if times == 0 or session.address_seen:  # the page itself is being drawn, or all is known
        return
    arrived = session.arrival is not None and found == session.arrival["found"]
    if arrived and session.addresses == 1 and times < _SCRIPT_LATE:
        return
    session.address_seen = True
    if found != session.address:
        st.rerun()


def way_to(page: str, label: str, key: str, **options: Any) -> None:
    """Draw a link in the middle of a page, which looks like one."""
    with st.container(key=f"way-{key}"):
        link_to(page, label, **options)


def link_to(page: str, label: str, **options: Any) -> None:
    """Draw a link to a page, with the address of the view: one step back leads here again."""
    st.page_link(page, label=label, query_params=links.encoded(state.view()), **options)


def go_to(page: str) -> None:
    """Show another page of the same view."""
    st.switch_page(page, query_params=links.encoded(state.view()))
