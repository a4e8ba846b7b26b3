"""How points are laid out."""

import streamlit as st

from mecuco_app.scene.maps import axes_of
from mecuco_app.screen import state
from mecuco_app.text.escape import distinct
from mecuco_app.view.settings import MAP_KINDS, MapSettings
from mecuco_core.datasets.base import Dataset

_KINDS = {"umap": "UMAP", "pca": "PCA", "columns": "Columns as they came"}
MOST_NAMES = 2000
"""Columns a list offers."""


def map_controls(dataset: Dataset) -> MapSettings:
    """Draw the controls of the map and return what they say."""
    settings = state.view().map
    st.selectbox(
        "Layout",
        MAP_KINDS,
        format_func=_KINDS.__getitem__,
        help="UMAP keeps neighbours together, PCA the directions of largest spread.",
        **state.bound("map.kind", settings.kind),
    )
    st.segmented_control(
        "Dimensions",
        (2, 3),
        format_func=lambda dimension: f"{dimension}-D",
        required=True,
        help="Select in 2-D, on the histogram or in the table.",
        **state.bound("map.dimension", settings.dimension),
    )
    if settings.kind == "columns":
        _axes(settings, dataset)
    if settings.kind == "umap":
        _umap(settings)
    return settings


def _umap(settings: MapSettings) -> None:
    st.slider(
        "UMAP neighbours",
        2,
        60,
        help="Few for detail, many for the whole.",
        **state.bound("map.n_neighbors", settings.n_neighbors),
    )
    st.slider(
        "Smallest distance",
        0.0,
        1.0,
        step=0.05,
        help="min_dist of UMAP.",
        **state.bound("map.min_dist", settings.min_dist),
    )
    st.number_input(
        "Seed",
        0,
        2**31 - 1,
        step=1,
        help="Islands that move with the seed mean little.",
        **state.bound("map.seed", settings.seed),
    )


def _axes(settings: MapSettings, dataset: Dataset) -> None:
    columns = axes_of(settings, dataset)
    names = dataset.feature_names
    for letter, place, column in zip("xyz", range(settings.dimension), columns, strict=False):
        key, of_axis = f"axis:{letter}", (place, columns, names)
        st.selectbox(
            f"Column along {letter}",
            range(min(MOST_NAMES, len(names))),
            format_func=distinct(names).__getitem__,
            help="Before preparation.",
            **state.tied(key, names.index(column), _choose_axis, of_axis, of_data=True),
        )


def _choose_axis(key: str, place: int, columns: tuple[str, ...], names: list[str]) -> None:
    column = state.picked(key, names)
    if column is not None:
        chosen = (*columns[:place], column, *columns[place + 1 :])
        state.session().change("map.columns", chosen)
