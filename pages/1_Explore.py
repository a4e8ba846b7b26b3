"""Explore page: every point on a map, its score, and why it has it."""

import streamlit as st

from mecuco_app.page.explore.distribution_panel import distribution_panel
from mecuco_app.page.explore.header import header
from mecuco_app.page.explore.map_panel import map_panel
from mecuco_app.page.explore.point_panel import point_panel
from mecuco_app.page.explore.search import select_found
from mecuco_app.page.explore.sidebar import explore_controls
from mecuco_app.page.explore.table_panel import table_panel
from mecuco_app.scene.scene import Scene
from mecuco_app.screen import nearby_scores, state
from mecuco_app.screen.browser.viewport import viewport_of
from mecuco_app.screen.controls.colour import say_scale
from mecuco_app.screen.maps import current_map
from mecuco_app.screen.scores import colour_is_there, current_score
from mecuco_app.screen.shell import look, page

with page("Explore", headed=False) as here:
    # Read.
    session = here.session
    below_colours = explore_controls()
    dataset, prepared = state.require_data()

    # Compute.
    with st.container():
        select_found(session, dataset, prepared)
    with st.container():
        score = current_score(session, prepared)
    shown = current_map(session, dataset, prepared)
    with st.container():
        coloured = colour_is_there(session, score, prepared, shown)
    made_from = (
        session.view,
        score.former,
        coloured,
        look(),
        score.result is None,
        state.recalled("drag", "pan"),
    )
    viewport = viewport_of(shown, made_from)
    scene = Scene(
        view=score.view,
        dataset=dataset,
        prepared=prepared,
        result=score.result,
        map=shown,
        look=look(),
        window=viewport.window,
        camera=viewport.camera,
        former=score.former,
    )

    # Draw.
    with here.head:
        header(scene)
    left, right = st.columns([2, 1], gap="medium")
    with right:
        distribution_panel(scene)
        point_panel(scene)
    table_panel(scene)
    with left:
        map_panel(scene)
    with below_colours:
        say_scale(scene.colouring)
    nearby_scores.begin(session, prepared)
