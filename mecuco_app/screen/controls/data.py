"""Which dataset is looked at, for pages other than Home."""

import streamlit as st

from mecuco_app.data.visits import same_data
from mecuco_app.screen import loading, state
from mecuco_app.text.escape import distinct, plain
from mecuco_app.view.settings import DataChoice
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.bundled import BUNDLED

_KEY = "data:picked"


def data_controls(dataset: Dataset) -> None:
    """Draw the list of datasets: the current one, those of this visit, those that are bundled."""
    session = state.session()
    current = session.view.data
    others = [
        one.view.data for one in session.visit.recent if not same_data(one.view.data, current)
    ]
    bundled = [DataChoice("bundled", name) for name in BUNDLED]
    choices = [current, *others, *(one for one in bundled if one not in (current, *others))]
    texts = distinct([plain(dataset.name, 50), *(plain(one.identifier, 50) for one in choices[1:])])
    # The list grows with the visit: an option is known by its place.
    key = f"{_KEY}:{len(choices)}"
    st.selectbox(
        "Dataset",
        range(len(choices)),
        format_func=texts.__getitem__,
        help="OpenML, files and manifolds are on Home.",
        **state.tied(key, 0, _load, (choices,), of_data=True),
    )


def _load(key: str, choices: list[DataChoice]) -> None:
    choice = state.picked(key, choices)
    if choice is not None and choice is not choices[0]:
        loading.start(choice)
