"""Ways to take a view along: its address, and the code that gives the same numbers."""

from urllib.parse import urlencode

import streamlit as st

from mecuco_app.screen.browser import clipboard
from mecuco_app.view import links
from mecuco_app.view.settings import View


def link_of(view: View) -> str:
    """Return the address that opens this page in another browser."""
    return f"{st.context.url or ''}?{urlencode(links.encoded(view))}"


def link_way(view: View) -> None:
    """Draw the button that copies the address, and shows it."""
    with st.popover("Copy link"):
        link = link_of(view)
        clipboard.copy(link)
        st.code(link, language=None, wrap_lines=True)
        if view.data.source == "file":
            st.caption(
                "Whoever opens the link must upload the same file "
                f"(fingerprint {view.data.fingerprint[:16]})."
            )
        if view.data.source == "memory":
            st.caption(
                "These data came from a Python program: the link opens them in this browser, while "
                "the program runs."
            )
        for what in links.left_out(view):
            st.caption(f"Too long for a link, and not in this one: {what}.")


def code_way(python: str, command: str, *, approximate: bool) -> None:
    """Draw the button that shows the code.

    Parameters
    ----------
    python, command : str
    approximate : bool
        Whether the neighbours are those of an approximate search.
    """
    with st.popover("Copy as code"):
        st.markdown("**Python**")
        st.code(python, language="python")
        st.markdown("**Command**")
        st.code(command, language="bash", wrap_lines=True)
        if approximate:
            st.caption(
                "The neighbours are approximate: the command searches anew and may differ in a few."
            )
