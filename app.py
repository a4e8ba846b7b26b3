"""Home page: choose a dataset, see what it is."""

import streamlit as st

from mecuco_app.home.cards import cards
from mecuco_app.home.quick_look import quick_look
from mecuco_app.shell import page_end, page_shell

page_shell("Home")
st.markdown("## MeCuCo Explorer")
st.caption(
    "A local curvature score for every point of a dataset: what is sparse, what is at a boundary, "
    "and why. Choose data; everything else follows."
)
cards()
quick_look()
page_end()
