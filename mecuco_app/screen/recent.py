"""The datasets of this visit, to go back to or to forget."""

import streamlit as st

from mecuco_app.data.sources import content_print
from mecuco_app.data.visits import Recent, same_data, subject
from mecuco_app.screen import loading, state
from mecuco_app.text.escape import markdown
from mecuco_app.text.numbers import count
from mecuco_app.work.limits import LIMITS

_FEW, _TALL = 4, 190  # lines that are all shown; pixels of more of them


def recent_list(*, border: bool = True) -> None:
    """Draw the list, unless it would only repeat what is shown."""
    recent = state.session().visit.recent
    if all(_is_current(one) and one.view.data.source == "bundled" for one in recent):
        return
    hours = LIMITS.keep_minutes / 60
    tall = _TALL if len(recent) > _FEW else "content"
    with st.container(border=border, key="recent"):
        st.markdown(
            "**Recent**",
            help="Kept for this browser alone, until you forget them or "
            f"{hours:g} hours after you close the last tab.",
        )
        with st.container(height=tall, border=False, gap="xsmall"):
            for one in recent:
                _line(one, current=_is_current(one))


def _is_current(one: Recent) -> bool:
    session = state.session()
    return session.missing is None and same_data(one.view.data, session.view.data)


def _line(one: Recent, *, current: bool) -> None:
    # By the dataset, not by its place: a click means the line that the browser shows, also where
    # the order is another by now.
    line = content_print(repr(subject(one.view)[0]).encode())
    size = f"{count(one.n_rows)} × {count(one.n_features)}"
    label = "" if one.target is None else f" · label {markdown(one.target, 30)}"
    gone = " · no longer held, must be loaded again" if one.loaded is None else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{markdown(one.name, 60)} · {size}{label}{gone}", width="stretch")
        if current:
            st.markdown(":gray[shown now]", width="content")
        else:
            st.button("Open", key=f"recent:open:{line}", on_click=loading.reopen, args=(one,))
        st.button("Forget", key=f"recent:forget:{line}", on_click=loading.forget, args=(one,))
