"""Shape operator page: how a surface bends at a point, exactly and estimated."""

import streamlit as st

from mecuco_app.page.lessons.shape_operator import panels, words
from mecuco_app.results.lessons.surface import estimate_task
from mecuco_app.results.lessons.surface_geometry import forms_of, walk
from mecuco_app.screen import waiting
from mecuco_app.screen.guide import guide
from mecuco_app.screen.shell import look, page

with page("Shape operator", words.INTRO, needs_data=False) as here:
    # Read.
    with st.sidebar:
        panels.sidebar()
    settings = here.session.view.surface

    # Compute.
    surface, forms = forms_of(settings)
    walked = walk(surface, forms, settings)
    progress = st.container()
    with progress:
        found = waiting.result("surface", estimate_task(settings))
    line = words.sample_line(settings, found)

    # Draw.
    left, right = st.columns([3, 2], gap="medium")
    with left:
        panels.scene(surface, forms, walked, found, line, look())
        panels.sliders(forms)
        panels.parameters(surface, f"{settings.name} · exact", look())
    with right:
        guide("surface", words.STEPS)
        panels.formulas(forms, walked)
    left, right = st.columns(2, gap="medium")
    with left:
        panels.euler(forms, walked, found, line, look())
    with right:
        if found is not None:
            panels.comparison(surface, forms, found, line)
