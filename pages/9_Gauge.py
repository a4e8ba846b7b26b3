"""Change of coordinates page: which top points stay on top; links know it as Gauge."""

import streamlit as st

from mecuco_app.page.lessons.coordinate_change import panels, words
from mecuco_app.results import analyses, scores
from mecuco_app.results.lessons.coordinate_change import coordinate_stability_task
from mecuco_app.scene.caption import caption, data_line, score_line
from mecuco_app.screen import state, waiting
from mecuco_app.screen.controls.data import data_controls
from mecuco_app.screen.controls.score import score_controls
from mecuco_app.screen.guide import guide
from mecuco_app.screen.shell import look, page
from mecuco_app.text.escape import literal
from mecuco_app.text.sentences import change_sentence

with page("Change of coordinates", words.INTRO) as here:
    # Read.
    dataset, prepared = state.require_data()
    with st.sidebar:
        data_controls(dataset)
        score_controls(prepared)
    score = here.session.view.score
    settings = panels.controls()
    q, kind = settings.top, settings.kind

    # Compute.
    result = waiting.needed("score", scores.score_task(prepared, score))
    change = waiting.needed(
        "change", analyses.coordinate_change_task(prepared, score, kind, settings.seed)
    )
    line = caption(
        data_line(dataset.name, prepared),
        score_line(score, result),
        kind if kind == "whitening" else f"{kind}, seed {settings.seed}",
    )

    # Draw.
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.markdown(f"#### {literal(words.verdict(change, q))}")
        for formula in words.formulas(change):
            st.latex(formula)
        row = prepared.rows[change.before.values.argmax()]
        st.markdown(f"Above: row {row}, the highest score before. {change_sentence(change)}")
    with right:
        guide("change", words.STEPS)
    panels.maps(prepared, change, q, line, look())
    panels.ranks(prepared, change, q, line, look())
    st.subheader("The points one by one")
    stability = None
    if kind != "whitening":
        stability = waiting.result(
            "change:stability", coordinate_stability_task(prepared, score, kind), wait=0.2
        )
    panels.each_point(prepared, change, stability, q, line, look())
