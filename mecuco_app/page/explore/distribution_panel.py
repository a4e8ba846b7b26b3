"""The histogram of the score, or of the measure that colours the map, with a brush."""

import math

import numpy as np
import streamlit as st

from mecuco_app.page.explore.map_panel import choose
from mecuco_app.plots.distributions import brushed, heavy_tailed
from mecuco_app.plots.of_scene import SCORE, measure_histogram
from mecuco_app.scene.scene import Scene
from mecuco_app.scene.selection import rows_rule, spoken_rule
from mecuco_app.screen import state
from mecuco_app.screen.browser.chart import chart
from mecuco_app.text.escape import literal, plain
from mecuco_app.text.numbers import number, plural
from mecuco_app.view.settings import SelectionRule
from mecuco_core.measures import MEASURES
from mecuco_core.types import FloatArray

KEY = "histogram"
_OF = "histogram:of"


def distribution_panel(scene: Scene) -> None:
    """Draw the histogram and what the selection is."""
    if scene.result is None:
        return
    name = _shown(scene)
    chart(
        measure_histogram(scene, name, scene.look),
        KEY,
        alt=f"Histogram of {plain(scene.dataset.name)}: {MEASURES[name].inline}.",
        on_select=lambda: _brush(scene, name),
        selection_mode="box",
        displayModeBar=False,
    )
    absent = int((~np.isfinite(scene.measured(name))).sum())
    without = f" · {plural(absent, 'point')} without a value left out" if absent else ""
    said = f"{scene.score_caption}{without}"
    st.caption(f"{literal(said)} · drag to select, double click to clear")
    st.markdown(selection_sentence(scene, name))


def _shown(scene: Scene) -> str:
    """Draw the choice between the score and the measure of the map; return the name of it."""
    own = scene.colouring.by
    if own == SCORE or own not in MEASURES or scene.colouring.colour is None:
        return SCORE
    if not np.isfinite(scene.measured(own)).any():
        return SCORE
    shown = st.segmented_control(
        "Histogram of",
        (SCORE, own),
        format_func=lambda name: MEASURES[name].title,
        required=True,
        label_visibility="collapsed",
        **state.tied(
            _OF, own if state.recalled(_OF, SCORE) == own else SCORE, _keep_shown, of_data=True
        ),
    )
    return shown or SCORE


def _keep_shown(key: str) -> None:
    state.remember(_OF, state.widget(key))


def selection_sentence(scene: Scene, name: str = SCORE) -> str:
    """Return what is selected and how it differs from the rest, in Markdown."""
    if scene.result is None:
        return ""
    values, chosen = scene.measured(name), scene.selected
    everything = f"median of all {number(_median(values))}"
    if chosen is None and scene.focus is not None:
        return f"One point chosen, ringed on the map · {everything}"
    if chosen is None:
        return f"Nothing selected · {everything}"
    rule = scene.view.rule
    how = "" if rule.kind == "rows" else f" ({spoken_rule(rule)})"
    size = f"**{plural(len(chosen), 'point')}** selected{how}"
    if len(chosen) == 0:
        return f"{size} · {everything}"
    median = _median(values[chosen])
    return f"{size} · median {number(median)} ({everything})"


def _median(values: FloatArray) -> float:
    """Return the median of the values there are, NaN where there is none."""
    known = values[np.isfinite(values)]
    return float(np.median(known)) if len(known) else math.nan


def _brush(scene: Scene, name: str) -> None:
    event = state.widget(KEY) or {}
    boxes = event.get("selection", {}).get("box", [])
    if not boxes:
        choose(SelectionRule())
        return
    ends = [float(place) for place in boxes[0]["x"][:2]]
    values = scene.measured(name)
    known = values[np.isfinite(values)]
    low, high = brushed(known, ends, heavy_tailed(known))
    if name == SCORE:
        choose(SelectionRule("range", low=low, high=high))
    else:  # a rule speaks of scores: others are the points they meant
        choose(rows_rule(np.flatnonzero((values >= low) & (values <= high)), scene.prepared))
