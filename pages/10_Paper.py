"""Paper page: the published tables beside ours, and any dataset of them scored anew."""

import streamlit as st

from mecuco_app.page.paper import panels, words
from mecuco_app.page.paper.dataset_panel import dataset_panel
from mecuco_app.screen.shell import look, page

with page("Paper", words.INTRO, needs_data=False) as here:
    # Read.
    table, columns = panels.pickers()

    # Draw; what is computed is computed where it is asked for.
    panels.table_panel(table, columns)
    panels.reasons_panel()
    st.subheader("One dataset")
    dataset_panel(here.session.dataset)
    st.subheader("Errors and times")
    panels.figures(look())
