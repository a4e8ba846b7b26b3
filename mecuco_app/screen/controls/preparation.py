"""How the table becomes points."""

import streamlit as st

from mecuco_app.screen import state
from mecuco_app.screen.controls.layout import MOST_NAMES
from mecuco_app.text.escape import distinct
from mecuco_app.text.numbers import plural
from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.assembly import CATEGORIES, MISSING
from mecuco_core.preparation.scaling import SCALES
from mecuco_core.preparation.selection import MIN_ROWS
from mecuco_core.types import METRICS

_CATEGORIES = {
    "codes": "Integer codes",
    "one-hot": "One-hot",
    "drop": "Leave out",
    "levels": "One-hot, rare ones joined",
}
_MISSING = {
    "zero": "Zero",
    "median": "Median",
    "drop rows": "Drop the row",
    "indicator": "Median, marked where many",
}
_SCALES = {
    "standard": "Standardise",
    "robust": "Median and quartiles",
    "min-max": "From 0 to 1",
    "none": "Leave as it is",
    "suited": "By what each column is",
}

_METRICS = {"euclidean": "Euclidean", "cosine": "Cosine"}


def preparation_controls(dataset: Dataset) -> None:
    """Draw the choices of the preparation."""
    chosen = state.view().preparation
    st.selectbox(
        "Scale",
        SCALES,
        format_func=_SCALES.__getitem__,
        help="The paper standardises. Scaling changes neighbours and scores.",
        **state.bound("preparation.scale", chosen.scale, of_data=True),
    )
    st.selectbox(
        "Distances",
        METRICS,
        format_func=_METRICS.__getitem__,
        help="Cosine scales rows to length one: for embeddings.",
        **state.bound("preparation.metric", chosen.metric, of_data=True),
    )
    st.selectbox(
        "Missing values",
        MISSING,
        format_func=_MISSING.__getitem__,
        help="Infinite ones too. The paper takes zero.",
        **state.bound("preparation.missing", chosen.missing, of_data=True),
    )
    st.selectbox(
        "Categories",
        CATEGORIES,
        format_func=_CATEGORIES.__getitem__,
        help="The paper takes integer codes.",
        **state.bound("preparation.categories", chosen.categories, of_data=True),
    )
    names = dataset.feature_names
    if len(names) <= MOST_NAMES and len(set(names)) == len(names):
        left_out = [names.index(name) for name in chosen.exclude if name in names]
        st.multiselect(
            "Leave out columns",
            range(len(names)),
            format_func=distinct(names).__getitem__,
            **state.tied("preparation:exclude", left_out, _exclude, (names,), of_data=True),
        )
    _sample(dataset)


def _sample(dataset: Dataset) -> None:
    chosen = state.view().preparation
    st.number_input(
        "Rows to draw (0 for all)",
        0,
        dataset.n_rows,
        step=100,
        help=f"A random sample of {plural(dataset.n_rows, 'row')}.",
        **state.tied("preparation:n_rows", chosen.n_rows or 0, _draw_rows, of_data=True),
    )
    if chosen.n_rows is None:
        return
    st.number_input(
        "Seed of the sample",
        0,
        2**31 - 1,
        step=1,
        **state.bound("preparation.seed", chosen.seed, of_data=True),
    )
    if dataset.target is not None:
        st.toggle(
            "Each class with its share",
            help="Stratified by the target.",
            **state.bound("preparation.stratify", chosen.stratify, of_data=True),
        )


def _exclude(key: str, names: list[str]) -> None:
    picked = sorted(i for i in state.widget(key) if isinstance(i, int) and i < len(names))
    state.session().change("preparation.exclude", tuple(names[i] for i in picked))


def _draw_rows(key: str) -> None:
    wanted = int(state.widget(key))
    state.session().change("preparation.n_rows", max(MIN_ROWS, wanted) if wanted else None)
