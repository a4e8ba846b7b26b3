"""Gauge page: the same data in other coordinates, and which top points survive."""

import streamlit as st

from mecuco_app.page.lessons.gauge import panels, words
from mecuco_app.results import analyses, scores
from mecuco_app.results.lessons.gauge import survival_task
from mecuco_app.scene.caption import caption, data_line, score_line
from mecuco_app.screen import state, waiting
from mecuco_app.screen.controls.data import data_controls
from mecuco_app.screen.controls.score import score_controls
from mecuco_app.screen.guide import guide
from mecuco_app.screen.shell import look, page
from mecuco_app.text.escape import literal

with page("Gauge", words.INTRO) as here:
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
    change = waiting.needed("gauge", analyses.gauge_task(prepared, score, kind, settings.seed))
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
        st.markdown(
            words.change_sentence(change, int(prepared.rows[change.before.values.argmax()]))
        )
    with right:
        guide("gauge", words.STEPS)
    panels.maps(prepared, change, q, line, look())
    panels.ranks(prepared, change, q, line, look())
    st.subheader("The points one by one")
    survived = None
    if kind != "whitening":
        survived = waiting.result("gauge:survival", survival_task(prepared, score, kind), wait=0.2)
    panels.survivors(prepared, change, survived, q, line, look())
