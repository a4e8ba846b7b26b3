"""Ground truth page: what follows a mean curvature that is known, and what does not."""

import streamlit as st

from mecuco_app.page.lessons.ground_truth import panels, words
from mecuco_app.results.lessons.ground_truth import convergence_task, effective, truth_task
from mecuco_app.screen import waiting
from mecuco_app.screen.guide import guide
from mecuco_app.screen.shell import look, page
from mecuco_app.text.escape import literal
from mecuco_core.datasets.manifolds import MANIFOLDS

with page("Ground truth", words.INTRO, needs_data=False) as here:
    # Read.
    settings = effective(here.session.view.truth)
    with st.sidebar:
        panels.sidebar(settings)

    # Compute.
    sample, found = waiting.needed("truth", truth_task(settings))
    line = words.line(settings, int(words.kept_of(found, settings).sum()))

    # Draw.
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.markdown(f"#### {literal(words.verdict(found, settings))}")
        panels.drawn_controls(settings, has_edge=MANIFOLDS[settings.manifold].has_edge)
    with right:
        guide("truth", words.STEPS)
    panels.maps(sample, found, settings, line, look())
    st.markdown(words.table(found, settings))
    st.caption(literal(f"{words.coverage(found, settings)} {words.same_modes(found, settings)}"))
    panels.scatters(sample, found, settings, line, look())
    st.subheader("Does it get better with more points?")
    converged = waiting.result("truth:convergence", convergence_task(settings), wait=0.2)
    if converged is not None:
        panels.convergence(converged, settings, line, look())
