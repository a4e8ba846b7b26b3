"""Null space page: why `exact` is not one number where k ≤ m."""

import streamlit as st

from mecuco_app.page.lessons.null_space import panels, words
from mecuco_app.results.lessons.null_space import point_bases_task, series_task
from mecuco_app.screen import state, waiting
from mecuco_app.screen.guide import guide
from mecuco_app.screen.shell import look, page
from mecuco_app.text.escape import literal

with page("Null space", words.INTRO) as here:
    # Read.
    dataset, prepared = state.require_data()
    with st.sidebar:
        panels.sidebar(dataset, prepared)
    settings = here.session.view.null
    left, right = st.columns([3, 2], gap="medium")
    with right:
        formulas = st.container()
        guide("null", words.STEPS)

    # Compute.
    with left:
        subject = panels.subject_of(settings, dataset, prepared)
        if subject is None:
            st.stop()
        found, costs = waiting.needed("null:bases", point_bases_task(subject))
    on_data = settings.source == "data"
    row = int(prepared.rows[subject.position]) if on_data else subject.position
    line = words.line(subject, found.spread.n_bases, row)

    # Draw.
    with left:
        st.markdown(f"#### {literal(words.verdict(found, subject))}")
        panels.histogram(found, line, look())
    with formulas:
        for formula in words.formulas(found):
            st.latex(formula)
    if found.n_null >= 2:
        st.subheader("Why LAPACK's answers are not typical")
        panels.explanation(found, line, look())
        st.subheader("What each error in fast costs")
        panels.fast_errors(costs, line, look())
    st.subheader("How the freedom shrinks with m/k")
    series = waiting.result(
        "null:series", series_task(subject, over_features=not on_data), wait=0.2
    )
    if series is not None:
        panels.series(series, subject, look(), over_features=not on_data)
