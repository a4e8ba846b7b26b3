"""The line above the map: what is looked at, and ways to take it away."""

from collections.abc import Callable
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from mecuco_app import links, state
from mecuco_app.escape import literal, markdown
from mecuco_app.explore.map_panel import map_figure
from mecuco_app.explore.takeaways import session_report
from mecuco_app.export import csv_bytes, parquet_bytes, score_table
from mecuco_app.numerals import plural
from mecuco_app.recipes import command_recipe, python_recipe
from mecuco_app.report import figure_html
from mecuco_app.scene import Scene
from mecuco_core.curvature import Curvature

_BINARY = "application/octet-stream"


def header(scene: Scene) -> None:
    """Draw the title and the ways out."""
    with st.container(horizontal=True, vertical_alignment="center"):
        line = f"score by {scene.score_line}" if scene.score_line else "the score is on its way"
        st.markdown(f"### {markdown(scene.dataset.name)} · {literal(line)}")
        with st.popover("Copy link", help="An address that opens this view."):
            _link(scene)
        if scene.result is None:
            return
        with st.popover("Export", help="Scores, selection, figure and report as files."):
            _export(scene, scene.result)
        with st.popover("Copy as code", help="The same numbers in Python or on the command line."):
            _code(scene, scene.result)


def link_of(scene: Scene) -> str:
    """Return the address that opens this view in another browser."""
    return f"{st.context.url or ''}?{urlencode(links.encoded(scene.view))}"


def _link(scene: Scene) -> None:
    st.code(link_of(scene), language=None, wrap_lines=True)
    if scene.view.data.source == "file":
        st.caption(
            "The file itself is not in the link: whoever opens it must upload the same file "
            f"(fingerprint {scene.dataset.fingerprint[:16]})."
        )
    if links.left_out(scene.view):
        st.caption(
            f"The selection of {plural(len(scene.view.rule.rows), 'row')} is too long for a link "
            "and is not in it: export it instead."
        )


def _export(scene: Scene, result: Curvature) -> None:
    def table(only: bool, write: Callable[[pd.DataFrame], bytes]) -> Callable[[], bytes]:
        return lambda: write(score_table(scene, result, only_selected=only))

    kinds: list[tuple[str, str, str, Callable[[], bytes | str]]] = [
        ("Scores as CSV", "scores.csv", "text/csv", table(False, csv_bytes)),
        ("Scores as Parquet", "scores.parquet", _BINARY, table(False, parquet_bytes)),
    ]
    if scene.selected is not None:
        kinds += [
            ("Selection as CSV", "selection.csv", "text/csv", table(True, csv_bytes)),
            ("Selection as Parquet", "selection.parquet", _BINARY, table(True, parquet_bytes)),
        ]
    link, session = link_of(scene), state.session()
    kinds += [
        (
            "Map as HTML",
            "map.html",
            "text/html",
            lambda: figure_html(map_figure(scene), scene.dataset.name, scene.caption),
        ),
        (
            "Report of the session",
            "report.html",
            "text/html",
            lambda: session_report(scene, result, link, session),
        ),
    ]
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in scene.dataset.name)[:40]
    for label, ending, mime, make in kinds:
        st.download_button(
            label,
            make,
            f"{name}-{ending}",
            mime,
            key=f"export:{ending}",
            on_click="ignore",
            width="stretch",
            help="Made when you click; needs no network to be opened.",
        )


def _code(scene: Scene, result: Curvature) -> None:
    st.markdown("**Copy as Python**")
    st.code(python_recipe(scene, result), language="python")
    st.markdown("**Copy as command**")
    st.code(command_recipe(scene, result), language="bash", wrap_lines=True)
    if result.neighbors.method == "approximate":
        st.caption(
            "The neighbours are approximate here: the script repeats them, the command searches "
            "anew and may differ in a few."
        )
