"""Explore page: every point on a map, its score, and why it has it."""

import streamlit as st

from mecuco_app import compute, state, work
from mecuco_app.explore.distribution_panel import distribution_panel
from mecuco_app.explore.header import header
from mecuco_app.explore.map_panel import map_panel
from mecuco_app.explore.point_panel import point_panel
from mecuco_app.explore.sidebar import explore_controls
from mecuco_app.explore.sight import sight_of
from mecuco_app.explore.table_panel import table_panel
from mecuco_app.maps import current_map
from mecuco_app.scene import Scene
from mecuco_app.shell import look, page_end, page_shell

# Read.
session = page_shell("Explore")
explore_controls()
dataset, prepared = state.require_data()

# Compute.
title = st.container()
with st.container():
    result = work.result("score", compute.score_task(prepared, session.view.score))
shown = current_map(session, dataset, prepared)
figure_of = (session.view, look(), result is None, state.recalled("drag", "pan"))
sight = sight_of(shown, figure_of)
scene = Scene(
    view=session.view,
    dataset=dataset,
    prepared=prepared,
    result=result,
    map=shown,
    look=look(),
    window=sight.window,
    camera=sight.camera,
)

# Draw.
with title:
    header(scene)
left, right = st.columns([2, 1], gap="medium")
with right:
    distribution_panel(scene)
    point_panel(scene)
table_panel(scene)
with left:
    map_panel(scene)
page_end()
