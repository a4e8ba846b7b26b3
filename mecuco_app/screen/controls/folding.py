"""What is folded away, and drawn only once it is unfolded.

A closed box of controls costs the browser as much as an open one, every time anything on the page
moves: those of Explore took a tenth of the time from a new k to its map.
"""

from collections.abc import Callable

import streamlit as st


def folded(label: str, draw: Callable[[], object], *, key: str, unfolded: bool = False) -> None:
    """Draw a box with a title to click on, and in it what `draw` draws, while it is open.

    Parameters
    ----------
    label : str
        The title, trusted text.
    draw : callable
    key : str
        Tells this box from others of the same page.
    unfolded : bool
        Whether it is open before anyone clicks.
    """
    box = st.expander(label, expanded=unfolded, key=f"folded-{key}", on_change="rerun")
    if box.open:
        with box:
            draw()
