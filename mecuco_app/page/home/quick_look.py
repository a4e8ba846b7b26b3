"""The current dataset: what it is, what was done to it, and a first picture."""

from functools import partial

import pandas as pd
import streamlit as st

from mecuco_app.page.home.column_table import column_table
from mecuco_app.page.home.faults import faults
from mecuco_app.page.home.protocol import protocol_choice
from mecuco_app.plots.of_scene import map_figure
from mecuco_app.results.columns import overview_task, suspicions_task
from mecuco_app.results.summary import summary_task
from mecuco_app.screen import state, waiting
from mecuco_app.screen.browser.chart import chart
from mecuco_app.screen.controls.folding import folded
from mecuco_app.screen.controls.preparation import preparation_controls
from mecuco_app.screen.maps import flat_scene, follow
from mecuco_app.screen.tables import draw_table
from mecuco_app.text.escape import cell, literal, markdown, plain
from mecuco_app.text.numbers import count, percent, plural, seconds, spaced
from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.preparation.summary import Summary
from mecuco_core.score.cost import scoring_cost

_MOST_CLASSES = 12
_MAP_HEIGHT = 340


def quick_look() -> None:
    """Draw what is there: faults and columns, and beside them a small map and the protocol."""
    dataset, prepared = state.require_data()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(f"Quick look: {markdown(dataset.name)}", width="stretch")
        explore = st.button("Explore →", key="explore", type="primary")
    about, beside = st.columns([3, 2], gap="medium")
    with about:
        summary = waiting.result("summary", summary_task(dataset))
        if summary is not None:
            _figures(summary)
        _columns(dataset)
    with beside:
        _picture(dataset, prepared)
        protocol_choice()
        folded("More choices", partial(preparation_controls, dataset), key="preparation")
        with st.expander("What the preparation did"):
            st.markdown(_listed(prepared.report.sentences()))
        if summary is not None:
            _about(dataset, summary)
    if explore:
        st.switch_page("pages/1_Explore.py")


def _columns(dataset: Dataset) -> None:
    """Draw what is suspicious and the table of columns."""
    found = waiting.result("suspicions", suspicions_task(dataset))
    if found is None:
        return
    with st.container():
        faults(found)
    lines = waiting.result("overview", overview_task(dataset, state.view().preparation))
    if lines is not None:
        column_table(lines)


def _about(dataset: Dataset, summary: Summary) -> None:
    with st.expander("About this dataset"):
        st.markdown(_listed(summary.sentences()))
        _classes(summary)
        _cost(summary)
    _origin(dataset)


def _listed(sentences: list[str]) -> str:
    return "\n".join(f"- {markdown(spaced(sentence), 400)}" for sentence in sentences)


def _figures(summary: Summary) -> None:
    numbers = {
        "Rows": count(summary.n_rows),
        "Columns": count(summary.n_features),
        "Missing values": count(summary.n_missing),
        "Repeated rows": count(summary.duplicate_rows),
        "Label": "–" if summary.target is None else markdown(summary.target, 30),
        "Classes": count(len(summary.classes)) if summary.classes else "–",
        "Suggested k": "–" if summary.suggested_k is None else str(summary.suggested_k),
    }
    with st.container(horizontal=True):
        for name, value in numbers.items():
            st.markdown(f":gray[{name}]  \n**{value}**", width="content")


def _origin(dataset: Dataset) -> None:
    origin = dataset.provenance
    parts = [
        f"{label}: {markdown(value, 200)}"
        for label, value in (
            ("Source", origin.source),
            ("Licence", origin.licence),
            ("Please cite", origin.citation),
        )
        if value
    ]
    st.caption(f"{' · '.join(parts)} · fingerprint {dataset.fingerprint[:16]}")


def _classes(summary: Summary) -> None:
    if not summary.classes:
        return
    balance = ""
    if summary.balance is not None and len(summary.classes) > 1:
        balance = f", smallest {percent(summary.balance)} of largest"
    if summary.n_unlabelled:
        balance += f"; {plural(summary.n_unlabelled, 'row')} without a label"
    st.markdown(f"**{plural(len(summary.classes), 'class', 'classes')}**{balance}")
    largest = summary.classes[:_MOST_CLASSES]
    frame = pd.DataFrame(
        {
            "class": [cell(one.label) for one in largest],
            "rows": [one.n_rows for one in largest],
            "share": [one.n_rows / max(1, summary.n_rows) for one in largest],
        }
    )
    draw_table(
        frame,
        "classes",
        hide_index=True,
        height=min(180, 38 + 35 * len(frame)),
        column_config={"share": st.column_config.ProgressColumn(format="percent", max_value=1.0)},
    )


def _cost(summary: Summary) -> None:
    cost = scoring_cost(summary.n_rows, summary.n_usable)
    if cost is None:
        return
    times = " · ".join(f"{mode} {seconds(value)}" for mode, value in cost.seconds.items())
    st.caption(f"Estimated time: {seconds(cost.search_seconds)} to find neighbours, then {times}.")


def _picture(dataset: Dataset, prepared: Prepared) -> None:
    session = state.session()
    scene = flat_scene(session, dataset, prepared)
    figure = map_figure(scene, scene.look)
    figure.update_layout(height=_MAP_HEIGHT)
    alt = f"Map of {plain(dataset.name)}; the caption says how it was made."
    chart(figure, "home-map", alt=alt)
    st.caption("  \n".join(literal(line) for line in (scene.caption, *scene.notes)))
    follow(session, scene)
