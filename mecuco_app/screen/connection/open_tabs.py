"""Notice who has closed the page: their work stops, after a while their data go.

Streamlit tells of a page that is gone at once, when nobody knows yet whether it comes back, or
when the session is forgotten, which may be never.

For Streamlit 1.67: `get_script_run_ctx` and the runtime are its own, and not promised. They go when
Streamlit tells an app which session asks and which sessions have a browser.
tests/app/test_jobs.py and tests/browser/test_own_data.py see tabs closed.
"""

import threading
import time
from collections.abc import Callable

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from mecuco_app.data.visits import VISITS, Visit
from mecuco_app.work.jobs import Desk

GRACE = 20.0
"""Seconds without a browser: a reload, or a network that comes back, is quicker."""

_LOOK = 2.0
_desks: dict[Desk, str] = {}  # with the session each belongs to
_once = threading.Lock()
_thread: threading.Thread | None = None


def is_served() -> bool:
    """Whether a server runs the script: without one, Streamlit only looks for the server to run."""
    return runtime.exists()


def tab() -> str:
    """Return what Streamlit calls the tab that is being answered."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def is_open(tab: str) -> bool:
    """Whether a tab has a browser."""
    return runtime.exists() and runtime.get_instance().is_active_session(tab)


def watch(desk: Desk, visit: Visit) -> None:
    """Note that a tab of this visit is there; its jobs are stopped once it is gone."""
    global _thread
    context = get_script_run_ctx()
    if context is None or not runtime.exists():  # no browser, no server: nobody can leave
        return
    with _once:
        visit.tabs.add(context.session_id)
        _desks[desk] = context.session_id
        if _thread is None:
            _thread = threading.Thread(target=_watch_all, name="open_tabs", daemon=True)
            _thread.start()


def _watch_all() -> None:
    gone: dict[str, float] = {}
    while True:
        time.sleep(_LOOK)
        try:
            is_there = runtime.get_instance().is_active_session
        except RuntimeError:  # the server is not up, or no longer
            continue
        with _once:
            gone = close_abandoned(_desks, is_there, gone, time.monotonic())
            VISITS.look(is_there, time.monotonic())


def close_abandoned(
    desks: dict[Desk, str],
    is_there: Callable[[str], bool],
    gone: dict[str, float],
    now: float,
) -> dict[str, float]:
    """Close and forget the desks whose visitors left long ago.

    Parameters
    ----------
    desks : dict of Desk to str
        With the session each belongs to.
    is_there : callable
        Whether a session has a browser.
    gone : dict of str to float
        When a session was first seen without a browser.
    now : float

    Returns
    -------
    dict of str to float
        `gone` as of now.
    """
    away = {session for session in desks.values() if not is_there(session)}
    since = {session: gone.get(session, now) for session in away}
    for desk, session in list(desks.items()):
        if session in since and now - since[session] >= GRACE:
            desk.close()
            del desks[desk]
    return since
