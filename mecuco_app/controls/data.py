"""Which dataset is looked at, for pages other than Home."""

import streamlit as st

from mecuco_app import loading, state
from mecuco_app.escape import distinct, plain
from mecuco_app.settings import DataChoice
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.bundled import BUNDLED

_KEY = "data:picked"


def data_controls(dataset: Dataset) -> None:
    """Draw the list of datasets that are there at once; Home offers the others."""
    current = state.view().data
    here = current.source == "bundled" and current.target is None and current.identifier in BUNDLED
    names = list(BUNDLED) if here else ["", *BUNDLED]
    texts = distinct([name or f"{plain(dataset.name, 50)} (current)" for name in names])
    key = f"{_KEY}:{texts[0]}"
    st.selectbox(
        "Dataset",
        range(len(names)),
        format_func=texts.__getitem__,
        help="Bundled datasets. OpenML, your own files and manifolds are on Home.",
        **state.tied(key, names.index(current.identifier) if here else 0, _load, (key, names)),
    )


def _load(key: str, names: list[str]) -> None:
    name = state.picked(key, names)
    if name:
        loading.start(DataChoice("bundled", name))
