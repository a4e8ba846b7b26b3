"""Method page: what the score is and is not, with this dataset's own numbers."""

import streamlit as st

from mecuco_app.page.method import panels
from mecuco_app.scene.caption import caption, data_line, score_line
from mecuco_app.screen import state
from mecuco_app.screen.controls.data import data_controls
from mecuco_app.screen.controls.score import score_controls
from mecuco_app.screen.scores import current_score
from mecuco_app.screen.shell import look, page_end, page_shell

session = page_shell("Method")

# Read.
dataset, prepared = state.require_data()
with st.sidebar:
    data_controls(dataset)
    score_controls(prepared)
n_features = prepared.points.shape[1]
title = st.container(horizontal=True, vertical_alignment="center")
title.title("Method")
st.markdown("What the score is, what it is not, and what it is on the data you are looking at.")

# Compute.
score = current_score(session, prepared)
settings, result = score.view.score, score.result
if result is None:
    page_end()
    st.stop()
line = caption(data_line(dataset.name, prepared), score_line(settings, result))

# Draw.
with title:
    panels.ways_out(score.view, dataset, prepared, result, line)
st.subheader("The score: scatter and alignment")
panels.score_part(line, prepared, result, look())
st.subheader("The fast mode, as published and put right")
panels.fast_part(data_line(dataset.name, prepared), prepared, result, look())
st.subheader("Exact is not one number where neighbours do not span the space")
panels.null_part(result, n_features)
st.subheader("What it measures, and what it does not")
panels.meaning_part(dataset, prepared, settings, result, look())
page_end()
