"""Boundary points page: the highest scores, why they are high, and what leaving them out does."""

from functools import partial

import streamlit as st

from mecuco_app.page.boundary.controls import clustering_controls, percentile_control
from mecuco_app.page.boundary.panels import (
    Split,
    clustering_panel,
    code,
    list_panel,
    split_panel,
    stability_panel,
)
from mecuco_app.screen import state
from mecuco_app.screen.controls.data import data_controls
from mecuco_app.screen.controls.folding import folded
from mecuco_app.screen.controls.layout import map_controls
from mecuco_app.screen.controls.score import score_controls
from mecuco_app.screen.maps import flat_scene
from mecuco_app.screen.shell import page

with page("Boundary points") as here:
    # Read.
    dataset, prepared = state.require_data()
    with st.sidebar:
        data_controls(dataset)
        score_controls(prepared)
        folded("Map", partial(map_controls, dataset), key="map")
    settings = percentile_control()

    # Compute.
    scene = flat_scene(here.session, dataset, prepared)
    if scene.result is None:
        st.stop()
    split = Split(scene, scene.result, settings)

    # Draw.
    with here.head:
        code(split)
    left, right = st.columns(2, gap="medium")
    with left:
        split_panel(split)
    with right:
        list_panel(split)
    st.subheader("Does leaving them out help a clustering?")
    clustering_controls(scene.classes, len(prepared.points))
    clustering_panel(split)
    st.subheader("Would another k list the same points?")
    stability_panel(split)
