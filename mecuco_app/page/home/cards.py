"""The four cards: bundled sets, OpenML, a file, a manifold."""

from typing import Any

import streamlit as st

from mecuco_app.page.home.manifold import manifold_details
from mecuco_app.page.home.openml import openml_details
from mecuco_app.page.home.upload import KEY, arrived, upload_details
from mecuco_app.screen import loading, state
from mecuco_app.view.settings import DataChoice
from mecuco_app.work import uploads
from mecuco_app.work.limits import LIMITS
from mecuco_core.datasets.bundled import BUNDLED
from mecuco_core.datasets.manifolds import MANIFOLDS


def cards() -> None:
    """Draw the four cards, and under them what the one in use needs."""
    bundled, openml, file, manifold = st.columns(4)
    with bundled.container(border=True, height="stretch"):
        _bundled()
    with openml.container(border=True, height="stretch"):
        st.markdown("**OpenML**")
        st.text_input(
            "Words or number",
            placeholder="for example: iris, or 61",
            help="Enter starts.",
            **state.tied("openml:words", state.recalled("words", ""), _search),
        )
    uploads.get_ready()
    with file.container(border=True, height="stretch"):
        st.markdown("**Your file**")
        uploaded = st.file_uploader(
            "CSV, Excel, Parquet, ARFF, NumPy, MATLAB, JSON, …",
            key=KEY,
            max_upload_size=LIMITS.upload_megabytes,
            help="Stays on this computer.",
            on_change=arrived,
        )
    with manifold.container(border=True, height="stretch"):
        st.markdown("**Manifold**")
        st.selectbox(
            "Points of known curvature",
            ["", *MANIFOLDS],
            format_func=lambda name: name or "Choose a shape …",
            **state.tied("manifold:name", state.recalled("manifold", ""), _shape),
        )
    with st.container():
        _details(uploaded)


def _details(uploaded: Any) -> None:
    """Draw what the card in use needs."""
    card = state.recalled("card", "")
    if card == "openml" and state.recalled("words", ""):
        openml_details(state.recalled("words", ""))
    elif card == "file" and uploaded is not None:
        upload_details(uploaded)
    elif card == "manifold" and state.recalled("manifold", ""):
        manifold_details(state.recalled("manifold", ""))


def _bundled() -> None:
    st.markdown("**Bundled**")
    current = state.view().data
    shown = current.identifier if current.source == "bundled" else None
    st.pills(
        "No network needed",
        list(BUNDLED),
        **state.tied("bundled", shown, _load_bundled, of_data=True),
    )


def _load_bundled(key: str) -> None:
    name = state.widget(key)
    state.remember("card", "bundled")
    if name:
        loading.start(DataChoice("bundled", name))


def _search(key: str) -> None:
    state.remember("words", str(state.widget(key)).strip())
    state.remember("card", "openml")


def _shape(key: str) -> None:
    state.remember("manifold", state.widget(key))
    state.remember("card", "manifold")
