"""Agreement page: any two modes on the same neighbours, and what `exact` can be."""

import streamlit as st

from mecuco_app.page.agreement import panels, words
from mecuco_app.page.agreement.controls import mode_pickers, sample_control
from mecuco_app.scene.caption import data_line
from mecuco_app.screen import state
from mecuco_app.screen.controls.data import data_controls
from mecuco_app.screen.controls.score import neighbors_control
from mecuco_app.screen.shell import look, page

with page("Agreement", words.INTRO) as here:
    # Read.
    dataset, prepared = state.require_data()
    with st.sidebar:
        data_controls(dataset)
        k = neighbors_control(prepared)
    settings = mode_pickers(prepared.points.shape[1])
    n_rows = sample_control(prepared, settings, k)

    # Compute. The null-space bases wait for the times of the modes: they would slow them.
    pair = panels.pair_of(prepared, settings, k, n_rows)
    n_features = prepared.points.shape[1]

    # Draw.
    if pair is not None:
        with here.head:
            panels.code(here.session.view, dataset, prepared, pair, k, n_rows)
        panels.summary(pair)
        above = st.container()
        st.subheader("What exact can be")
        spread = None
        deficient = panels.some_deficient(prepared, k)
        if deficient:
            spread = panels.null_part(prepared, k)
        elif deficient is not None:
            st.markdown(words.spanning(k, n_features))
        line = panels.line_of(dataset.name, prepared, pair)
        with above:
            panels.figures(pair, spread, settings.normalised, line, look())
        if spread is not None:
            panels.null_figures(spread, data_line(dataset.name, prepared) + f" · k = {k}", look())
