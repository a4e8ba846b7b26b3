"""The line above the map: what is looked at, and ways to take it away."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from mecuco_app.page.explore.search import search_box
from mecuco_app.plots.of_scene import map_figure
from mecuco_app.scene.scene import Scene
from mecuco_app.scene.selection import spoken_rule
from mecuco_app.screen import state
from mecuco_app.screen.ways_out import code_way, link_of, link_way
from mecuco_app.takeaway.export import Contents, csv_bytes, parquet_bytes, score_table
from mecuco_app.takeaway.recipes import command_recipe, python_recipe
from mecuco_app.takeaway.report import figure_html
from mecuco_app.takeaway.session import session_report
from mecuco_app.text.escape import literal, markdown
from mecuco_core.measures import MEASURES, known_measures, measures_at
from mecuco_core.score.curvature import Curvature

_HELP = {
    "text/csv": "Text that looks like a formula gets an apostrophe in front.",
    "application/octet-stream": "Exact, with types.",
    "text/html": "Needs no network.",
}
_KEPT = "export:measures"
_BINARY = "application/octet-stream"


def header(scene: Scene) -> None:
    """Draw the title and the ways out."""
    line = f"score by {scene.score_line}" if scene.score_line else "no score yet"
    st.markdown(f"### {markdown(scene.dataset.name)} · {literal(line)}", width="stretch")
    search_box()
    link_way(state.view())
    if scene.result is None:
        return
    with st.popover("Export"):
        _export(scene, scene.result)
    code_way(
        python_recipe(scene, scene.result),
        command_recipe(scene.view, scene.prepared, scene.result.n_neighbors),
        approximate=scene.result.graph.method == "approximate",
    )


def _chosen(scene: Scene) -> list[str]:
    """Return what is selected, for a picture in which the rest is grey."""
    if scene.selected is None:
        return []
    return [f"selected: {spoken_rule(scene.view.rule)}, the others grey"]


def _contents(scene: Scene) -> Contents:
    """Draw what the tables shall hold."""
    choices = [
        ("columns", "Columns of your table", "As they came."),
        ("why", "Reasons", "Why each point has its score."),
        ("map", "Map, neighbours, selection", "For Embedding Atlas."),
    ]
    if len(scene.prepared.rows) < scene.dataset.n_rows:
        choices.append(("every_row", "Rows without a score", "As many lines as your table."))
    measures = _measures(scene)
    st.markdown("**and**")
    return Contents(
        measures=measures,
        **{
            name: st.checkbox(label, help=text, **state.remembered(f"export:with {name}", False))
            for name, label, text in choices
        },
    )


def _measures(scene: Scene) -> tuple[str, ...] | None:
    """Draw which measures the tables shall hold; return None for the usual ones."""
    offered = [one.name for one in known_measures(scene.known)]
    usual = [one.name for one in measures_at("export") if one.name in offered]
    kept = [name for name in state.recalled(_KEPT, usual) if name in offered]
    chosen: list[str] = st.multiselect(
        "The tables hold",
        offered,
        format_func=lambda name: MEASURES[name].title,
        help="Others are offered once they have coloured the map.",
        **state.tied(_KEPT, kept, _keep_measures, of_data=True),
    )
    return None if chosen == usual else tuple(chosen)


def _keep_measures(key: str) -> None:
    state.remember(_KEPT, state.widget(key))


def _export(scene: Scene, result: Curvature) -> None:
    contents = _contents(scene)

    def table(only: bool, write: Callable[[pd.DataFrame], bytes]) -> Callable[[], bytes]:
        return lambda: write(score_table(scene, result, contents, only_selected=only))

    kinds: list[tuple[str, str, str, Callable[[], bytes | str]]] = [
        ("Scores as CSV", "scores.csv", "text/csv", table(False, csv_bytes)),
        ("Scores as Parquet", "scores.parquet", _BINARY, table(False, parquet_bytes)),
    ]
    if scene.selected is not None:
        kinds += [
            ("Selection as CSV", "selection.csv", "text/csv", table(True, csv_bytes)),
            ("Selection as Parquet", "selection.parquet", _BINARY, table(True, parquet_bytes)),
        ]
    link, session = link_of(scene.view), state.session()
    kinds += [
        (
            "Map as HTML",
            "map.html",
            "text/html",
            lambda: figure_html(
                map_figure(scene),
                scene.dataset.name,
                " · ".join((scene.caption, *scene.notes, *_chosen(scene))),
            ),
        ),
        (
            "Report of the session",
            "report.html",
            "text/html",
            lambda: session_report(scene, result, link, session.shown.values()),
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
            help=_HELP[mime],
        )
