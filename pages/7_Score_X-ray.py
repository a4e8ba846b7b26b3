"""Score X-ray page: one neighbourhood from its points to its score, step by step."""

import streamlit as st

from mecuco_app.page.lessons.xray import panels, words
from mecuco_app.results import scores
from mecuco_app.results.lessons.xray import xray_task
from mecuco_app.scene.caption import caption, data_line
from mecuco_app.screen import state, waiting
from mecuco_app.screen.controls.data import data_controls
from mecuco_app.screen.controls.score import score_controls
from mecuco_app.screen.guide import guide
from mecuco_app.screen.shell import look, page

with page("Score X-ray", words.INTRO) as here:
    # Read.
    dataset, prepared = state.require_data()
    with st.sidebar:
        data_controls(dataset)
        chooser = st.container()
        score_controls(prepared)
    settings = here.session.view.score

    # Compute.
    result = waiting.needed("score", scores.score_task(prepared, settings))
    position = panels.position_of(result, prepared)
    with chooser:
        panels.row_control(prepared, position)
    found = waiting.needed("xray", xray_task(prepared, settings, position))
    line = caption(
        data_line(dataset.name, prepared),
        f"row {prepared.rows[position]}, k = {len(found.neighbors)}",
        f"by {result.mode}",
    )

    # Draw.
    st.markdown(f"#### {words.verdict(found, int(prepared.rows[position]), result)}")
    step = panels.navigator()
    left, right = st.columns([3, 2], gap="medium")
    with left:
        panels.picture(found, step, prepared, result, line, look())
    with right:
        st.subheader(f"{step} · {words.NAMES[step]}")
        panels.explained(found, step, result)
        guide("xray", words.STEPS)
