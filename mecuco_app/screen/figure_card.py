"""What a page finds: figures and sentences, drawn, and kept for the report of the session."""

from collections.abc import Hashable

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from mecuco_app.screen import state
from mecuco_app.screen.browser.chart import chart
from mecuco_app.screen.browser.kept_view import as_seen
from mecuco_app.takeaway.report import Section, figure_html
from mecuco_app.text.escape import literal, unmarked


def figure_card(
    figure: go.Figure,
    *,
    title: str,
    caption: str,
    key: str,
    made_from: Hashable | None = None,
) -> None:
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
    made_from : hashable or None
        All that the figure depends on. Given, it stays turned, and what was hidden stays hidden,
        when it is drawn anew.
    """
    if made_from is not None:
        as_seen(figure, key, made_from)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
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
    chart(figure, key, alt=f"{title}. {caption}")
    st.caption(literal(caption))
    state.session().show(key, Section(title, (), figure, caption))


def finding(
    sentence: str, *, title: str, heading: bool = False, table: pd.DataFrame | None = None
) -> None:
    """Draw what was found, as a sentence.

    Parameters
    ----------
    sentence : str
        Trusted Markdown.
    title : str
        What it is about, for the report; plain and trusted.
    heading : bool
        Whether it leads the page.
    table : DataFrame or None
        The figures behind it, for the report; the page draws them where they belong.
    """
    st.markdown(f"#### {sentence}" if heading else sentence)
    state.session().show(title, Section(title, (unmarked(sentence),), table=table))
