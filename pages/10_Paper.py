"""Paper page: the published tables beside ours, and any dataset of them scored anew."""

import streamlit as st

from mecuco_app.page.paper import panels, words
from mecuco_app.page.paper.dataset_panel import dataset_panel
from mecuco_app.screen.shell import look, page_end, page_shell
from mecuco_app.screen.ways_out import link_way

session = page_shell("Paper", needs_data=False)

# Read.
with st.container(horizontal=True, vertical_alignment="center"):
    st.title("Paper")
    link_way(session.view)
st.markdown(words.INTRO)
table, columns = panels.pickers()

# Draw; what is computed is computed where it is asked for.
panels.table_panel(table, columns)
panels.reasons_panel()
st.subheader("One dataset")
dataset_panel(session.dataset)
st.subheader("What the tables have no room for")
panels.figures(look())
page_end()
