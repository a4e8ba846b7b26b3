"""A figure on a page: heading, chart, what it was computed from, and a way to take it away."""

import plotly.graph_objects as go
import streamlit as st

from mecuco_app.escape import literal
from mecuco_app.report import figure_html

_CONFIG = {"displaylogo": False}


def figure_card(figure: go.Figure, *, title: str, caption: str, key: str) -> None:
    """Draw a figure with its heading and caption, and offer it as a file.

    Parameters
    ----------
    figure : go.Figure
    title : str
        What it shows, plain and trusted; read out in place of the figure too.
    caption : str
        What was computed from what; plain text, untrusted.
    key : str
        Of the chart on its page.
    """
    with st.container(horizontal=True, gap="small"):
        st.markdown(f"**{title}**", width="stretch")
        st.download_button(
            "Save",
            lambda: figure_html(figure, title, caption),
            f"{key}.html",
            "text/html",
            key=f"{key}:save",
            on_click="ignore",
            type="tertiary",
            help="This figure as one HTML file that needs no network.",
        )
    st.plotly_chart(figure, key=key, theme=None, config=_CONFIG, alt=f"{title}. {caption}")
    st.caption(literal(caption))
