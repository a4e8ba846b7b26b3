"""The address bar: it follows the view, and the view follows it when the visitor goes back.

A link inside the app changes the page and nothing else; only a step of Back or Forward, of which
the browser tells, takes the view from the address. Opened in a new tab it leads to what the page it
stands on shows, whatever other tabs show: a script gives it the address of the page.

Streamlit makes an entry of the history for every page and address it draws. A script lets only what
the visitor did make one, and one thing done makes one. The dataset a visit opens on by itself is no
step: what is chosen first takes its entry.

For Streamlit 1.67, which writes the address with `history.pushState` and knows of a step of Back as
`is_history_navigation`, a name that is not promised. It goes when Streamlit lets an app replace an
address instead of adding one. tests/browser/test_history.py sees whether it still holds,
tests/browser/test_own_data.py opens links in new tabs.
"""

from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from mecuco_app.screen.state import Session
from mecuco_app.view import links

# Keys with Alt or Meta, and the outer buttons of a mouse, go back and forth themselves. For a
# visitor who goes back several steps at once Streamlit also draws the pages on the way, late, and
# would end the way forward.
_SCRIPT = """
export default function ({ data }) {
  if (window.mecucoHistory || !data) return;
  const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
  const text = (parameters) => new URLSearchParams(parameters).toString();
  const named = (parameters) => new URLSearchParams(parameters).get('data');
  let acted = false, returned = false;
  window.mecucoHistory = true;
  window.addEventListener('popstate', () => { acted = false; returned = true; }, true);
  for (const name of ['pointerdown', 'keydown']) document.addEventListener(name, (event) => {
    if (!event.altKey && !event.metaKey && !(event.button > 2)) acted = true;
  }, { capture: true, passive: true });
  // Before a link is opened in a new tab, or copied: it then leads to what stands on this page. A
  // click inside the app does not read it.
  for (const name of ['pointerdown', 'contextmenu']) document.addEventListener(name, (event) => {
    const link = event.target.closest?.('[data-testid=stPageLink-NavLink]');
    if (link) link.search = location.search;
  }, { capture: true, passive: true });
  history.pushState = (state, title, address) => {
    const to = new URL(address, location.href), here = location.search;
    const elsewhere = to.pathname !== location.pathname;
    const onSample = data.sample && text(here) === text(data.wanted);
    const leavesSample = onSample && named(to.search) !== named(here);
    if (acted && (elsewhere || (here && !leavesSample))) {
      acted = false;
      return push(state, title, address);
    }
    if (!(returned && elsewhere)) replace(state, title, address);
  };
  const arrived = location.pathname === data.path && text(location.search) === text(data.found);
  if (arrived) replace(history.state, '', '?' + text(data.wanted));
}
"""

_script = st.components.v2.component("mecuco_history", js=_SCRIPT)


def went_back() -> bool:
    """Whether this run answers a step of Back or Forward."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def found() -> dict[str, str]:
    """Return the parameters of the address."""
    return st.query_params.to_dict()


def write(session: Session) -> None:
    """Let the address bar show the view.

    The first time a script writes, in place of the address the visitor came by: one step back
    leads to where the visitor came from.
    """
    wanted, there = links.encoded(session.view), found()
    first = session.arrival is None
    if session.arrival is None:
        path = urlsplit(st.context.url or "").path or "/"
        session.arrival = {
            "found": there, "wanted": wanted, "path": path, "sample": session.opened_on_sample
        }  # fmt: skip
    _script(key="history", data=session.arrival)
    if there == wanted and not session.turning:
        session.visit.arrived(session.view)
    session.turning = False
    # After a step back also where nothing differs: an earlier writing may still be on its way.
    if (there != wanted and not first) or went_back():
        st.query_params.from_dict(wanted)


def show(session: Session) -> None:
    """Let the address bar show the view at once, before its data are there."""
    st.query_params.from_dict(links.encoded(session.view))


def way_to(page: str, label: str, key: str, **options: Any) -> None:
    """Draw a link in the middle of a page, which looks like one."""
    with st.container(key=f"way-{key}"):
        st.page_link(page, label=label, **options)
