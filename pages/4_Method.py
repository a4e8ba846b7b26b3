"""Method page: what the score is and is not, with this dataset's own numbers."""

import streamlit as st

from mecuco_app.page.method import panels, text
from mecuco_app.scene.caption import caption, data_line, score_line
from mecuco_app.screen import state
from mecuco_app.screen.controls.data import data_controls
from mecuco_app.screen.controls.score import score_controls
from mecuco_app.screen.scores import current_score
from mecuco_app.screen.shell import look, page

with page("Method", text.INTRO) as here:
    # Read.
    dataset, prepared = state.require_data()
    with st.sidebar:
        data_controls(dataset)
        score_controls(prepared)
    n_features = prepared.points.shape[1]

    # Compute.
    score = current_score(here.session, prepared)
    settings, result = score.view.score, score.result
    if result is None:
        st.stop()
    line = caption(data_line(dataset.name, prepared), score_line(settings, result))

    # Draw.
    with here.head:
        panels.code(score.view, dataset, prepared, result, line)
    st.subheader("The score: scatter and alignment")
    panels.score_part(line, prepared, result, look())
    st.subheader("The fast mode")
    panels.fast_part(data_line(dataset.name, prepared), prepared, result, look())
    st.subheader("Where exact is not one number")
    panels.null_part(result, n_features)
    st.subheader("What it measures, and what it does not")
    panels.meaning_part(dataset, prepared, settings, result, look())
