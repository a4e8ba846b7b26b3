"""Home page: choose a dataset, see what it is. `streamlit run app.py` serves the app."""

import streamlit as st

from mecuco_app.page.home.cards import cards
from mecuco_app.page.home.quick_look import quick_look
from mecuco_app.screen.connection import open_tabs
from mecuco_app.screen.connection.cookie import MIDDLEWARE
from mecuco_app.screen.loading import say_what_is_missing
from mecuco_app.screen.shell import page

if open_tabs.is_served():
    with page("Home", needs_data=False, headed=False) as here:
        here.head.markdown("## MeCuCo Explorer")
        st.markdown("Find the rows that do not fit, and see why.")
        cards()
        say_what_is_missing(here.session)
        if here.session.loaded is not None:
            quick_look()
else:  # Streamlit looks here for the server it shall run
    app = st.App(__file__, middleware=MIDDLEWARE)
