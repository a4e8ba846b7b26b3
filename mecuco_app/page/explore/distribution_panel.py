"""The histogram of the score, or of the measure that colours the map, with a brush."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from mecuco_app.page.explore.map_panel import choose
from mecuco_app.plots.distributions import brushed, heavy_tailed, histogram
from mecuco_app.plots.once import drawn_once
from mecuco_app.scene.look import LIGHT, Look
from mecuco_app.scene.scene import Scene
from mecuco_app.scene.selection import rows_rule, spoken_rule
from mecuco_app.screen import state
from mecuco_app.text.escape import literal, plain
from mecuco_app.text.numbers import number, plural
from mecuco_app.view.settings import SelectionRule
from mecuco_core.measures import MEASURES

KEY, SCORE = "histogram", "score"
_OF = "histogram:of"
CUT = 75.0
"""Percentile above which the paper speaks of boundary points."""


def distribution_panel(scene: Scene) -> None:
    """Draw the histogram and what the selection is."""
    if scene.result is None:
        return
    name = _shown(scene)
    figure = measure_histogram(scene, name, scene.look)
    st.plotly_chart(
        drawn_once(figure, selectable=True),
        key=KEY,
        theme=None,
        config={"displayModeBar": False},
        alt=f"Histogram of {plain(scene.dataset.name)}: {MEASURES[name].inline}.",
        on_select=lambda: _brush(scene, name),
        selection_mode="box",
    )
    absent = int((~np.isfinite(scene.measured(name))).sum())
    without = f" · {plural(absent, 'point')} without a value left out" if absent else ""
    said = f"{scene.score_caption}{without}"
    st.caption(f"{literal(said)} · drag to select, double click to clear")
    st.markdown(selection_sentence(scene))


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
        help="The score, or what colours the map.",
        **state.tied(_OF, own if state.recalled(_OF, SCORE) == own else SCORE, _keep_shown),
    )
    return shown or SCORE


def _keep_shown() -> None:
    state.remember(_OF, state.widget(_OF))


def measure_histogram(scene: Scene, name: str = SCORE, look: Look = LIGHT) -> go.Figure:
    """Return the histogram of a measure of a scene, of the points that have a value."""
    measure, rule, chosen = MEASURES[name], scene.view.rule, scene.selected
    there = np.flatnonzero(np.isfinite(scene.measured(name)))
    values = scene.measured(name)[there]
    log, is_score = heavy_tailed(values), name == SCORE
    units = ", ".join(part for part in (measure.unit, "logarithmic" if log else "") if part)
    return histogram(
        values,
        log=log,
        selected=None if chosen is None else np.flatnonzero(np.isin(there, chosen)),
        brush=(rule.low, rule.high) if is_score and rule.kind == "range" else None,
        cut=float(np.percentile(values, CUT)) if is_score else None,
        title=f"{measure.inline} ({units})" if units else measure.inline,
        look=look,
    )


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
