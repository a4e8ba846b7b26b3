"""The controls beside the map."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mecuco_app.screen import state
from mecuco_app.screen.controls.colour import colour_controls
from mecuco_app.screen.controls.data import data_controls
from mecuco_app.screen.controls.folding import folded
from mecuco_app.screen.controls.layout import map_controls
from mecuco_app.screen.controls.preparation import preparation_controls
from mecuco_app.screen.controls.score import score_controls


def explore_controls() -> DeltaGenerator:
    """Draw the controls in the sidebar and return the place below those of the colours."""
    dataset, prepared = state.require_data()
    with st.sidebar:
        # In a box of their own, or a control more would close what is open below it.
        with st.container():
            data_controls(dataset)
            score_controls(prepared)
            below_colours = colour_controls(dataset, prepared)
        folded("Map", partial(map_controls, dataset), key="map")
        folded("Preparation", partial(preparation_controls, dataset), key="preparation")
    return below_colours
