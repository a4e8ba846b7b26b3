"""The histogram of the score, with a brush."""

import numpy as np
import streamlit as st

from mecuco_app.page.explore.map_panel import choose
from mecuco_app.plots.distributions import brushed, heavy_tailed
from mecuco_app.plots.of_scene import score_histogram
from mecuco_app.scene.scene import Scene
from mecuco_app.scene.selection import spoken_rule
from mecuco_app.screen import state
from mecuco_app.screen.browser.chart import chart
from mecuco_app.text.escape import literal, plain
from mecuco_app.text.numbers import number, plural
from mecuco_app.view.settings import SelectionRule
from mecuco_core.types import FloatArray

KEY = "histogram"


def distribution_panel(scene: Scene) -> None:
    """Draw the histogram and what the selection is."""
    if scene.result is None:
        return
    values = scene.result.values
    figure = score_histogram(scene, scene.result, scene.look)
    chart(
        figure,
        KEY,
        alt=f"Histogram of the scores of {plain(scene.dataset.name)}.",
        on_select=lambda: _brush(values),
        selection_mode="box",
        displayModeBar=False,
    )
    st.caption(f"{literal(scene.score_caption)} · drag to select, double click to clear")
    st.markdown(selection_sentence(scene))


def selection_sentence(scene: Scene) -> str:
    """Return what is selected and how it differs from the rest, in Markdown."""
    if scene.result is None:
        return ""
    values, chosen = scene.result.values, scene.selected
    everything = f"median of all {number(float(np.median(values)))}"
    if chosen is None and scene.focus is not None:
        return f"One point chosen, ringed on the map · {everything}"
    if chosen is None:
        return f"Nothing selected · {everything}"
    rule = scene.view.rule
    how = "" if rule.kind == "rows" else f" ({spoken_rule(rule)})"
    size = f"**{plural(len(chosen), 'point')}** selected{how}"
    if len(chosen) == 0:
        return f"{size} · {everything}"
    median = float(np.median(values[chosen]))
    return f"{size} · median {number(median)} ({everything})"


def _brush(values: FloatArray) -> None:
    event = state.widget(KEY) or {}
    boxes = event.get("selection", {}).get("box", [])
    if not boxes:
        choose(SelectionRule())
        return
    ends = [float(place) for place in boxes[0]["x"][:2]]
    low, high = brushed(values, ends, heavy_tailed(values))
    choose(SelectionRule("range", low=low, high=high))
