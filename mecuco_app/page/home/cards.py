"""The ways to data: a file, samples, OpenML, a manifold."""

from typing import Any

import streamlit as st

from mecuco_app.page.home.manifold import manifold_details
from mecuco_app.page.home.openml import openml_details
from mecuco_app.page.home.upload import KEY, arrived, kept, upload_details
from mecuco_app.screen import loading, state
from mecuco_app.screen.recent import recent_list
from mecuco_app.view.settings import DataChoice
from mecuco_app.work import uploads
from mecuco_app.work.limits import LIMITS
from mecuco_core.datasets.bundled import BUNDLED
from mecuco_core.datasets.manifolds import MANIFOLDS


def cards() -> None:
    """Draw the ways to data, and under them what the one in use needs."""
    uploads.get_ready()
    own, others = st.columns([3, 2])
    with own.container(border=True, height="stretch"):
        st.markdown("**Your data**")
        uploaded = st.file_uploader(
            "A table, embeddings, or an archive: CSV, Excel, Parquet, NumPy, ARFF, MATLAB, JSON, …",
            key=KEY,
            max_upload_size=LIMITS.upload_megabytes,
            help="Stays on this computer.",
            on_change=arrived,
        )
        recent_list(border=False)
    with others.container(border=True, height="stretch"):
        _samples()
        left, right = st.columns(2)
        right.text_input(
            "OpenML",
            placeholder="words or a number",
            help="Public datasets by name or number. Enter starts.",
            **state.tied("openml:words", state.recalled("words", ""), _search),
        )
        left.selectbox(
            "Known curvature",
            ["", *MANIFOLDS],
            format_func=lambda name: name or "Torus, sphere, …",
            help="Points drawn from a surface whose curvature is known.",
            **state.tied("manifold:name", state.recalled("manifold", ""), _shape),
        )
    with st.container():
        _details(kept(uploaded))


def _details(uploaded: Any) -> None:
    """Draw what the card in use needs."""
    card = state.recalled("card", "")
    if card == "openml" and state.recalled("words", ""):
        openml_details(state.recalled("words", ""))
    elif card == "file" and uploaded is not None:
        upload_details(uploaded)
    elif card == "manifold" and state.recalled("manifold", ""):
        manifold_details(state.recalled("manifold", ""))


def _samples() -> None:
    current = state.view().data
    shown = current.identifier if current.source == "bundled" else None
    st.pills(
        "Try",
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
