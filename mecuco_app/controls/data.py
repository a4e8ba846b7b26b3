"""Which dataset is looked at, for pages other than Home."""

import streamlit as st

from mecuco_app import loading, state
from mecuco_app.escape import plain
from mecuco_app.settings import DataChoice
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.bundled import BUNDLED

_KEY = "data:picked"


def data_controls(dataset: Dataset) -> None:
    """Draw the list of datasets that are there at once; Home offers the others."""
    current = state.view().data
    here = current.source == "bundled" and current.target is None and current.identifier in BUNDLED
    names = list(BUNDLED) if here else ["", *BUNDLED]
    st.selectbox(
        "Dataset",
        names,
        format_func=lambda name: name or plain(dataset.name),
        help="Bundled datasets. OpenML, your own files and manifolds are on Home.",
        **state.tied(_KEY, current.identifier if here else "", _load),
    )


def _load() -> None:
    name = state.widget(_KEY)
    if name:
        loading.start(DataChoice("bundled", name))
