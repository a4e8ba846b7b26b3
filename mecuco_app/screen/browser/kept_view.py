"""How a visitor turned a figure and what they hid of it: kept when the figure is drawn anew.

Streamlit builds a figure anew whenever anything in it changes, and tells nobody how the old one was
seen. A script beside it tells us. The figure follows when it changes for another reason, so that no
turn draws it twice.

For the Plotly of Streamlit 1.67: `_fullLayout`, `_fullData` and `scene._scene.getCamera` are names
of its own that are not promised; there are no others for what is seen. It goes when Streamlit
hands on the events of a figure. tests/browser/test_teaching.py turns scenes and hides their parts.
"""

import math
from collections.abc import Hashable
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from mecuco_app.screen import state

# Before anything changes a pointer or the wheel is on the figure: only then it is listened to. What
# was seen is sent before the next key or click, which may draw the figure anew.
_SCRIPT = """
const figures = new Map();

function tell(figure) {
  clearTimeout(figure.timer);
  if (figure.plot) figure.send(seen(figure.plot));
  figure.plot = undefined;
}

function seen(plot) {
  const { scene, uirevision } = plot._fullLayout;
  const { eye, center, up } = scene?._scene?.getCamera() ?? {};
  const hidden = plot._fullData.filter((trace) => trace.visible === 'legendonly');
  return { revision: uirevision, hidden: hidden.map((trace) => trace.name), eye, center, up };
}

function listen(event) {
  for (const [key, figure] of figures) {
    if (event.type !== 'wheel') tell(figure);
    const plot = event.target.closest?.(`.st-key-${key} .js-plotly-plot`);
    if (!plot || plot.isKept) continue;
    plot.isKept = true;
    const changed = () => {
      figure.plot = plot;
      clearTimeout(figure.timer);
      figure.timer = setTimeout(() => tell(figure), 200);
    };
    plot.on('plotly_relayout', (change) => change['scene.camera'] && changed());
    plot.on('plotly_restyle', ([change]) => change.visible && changed());
  }
}

const names = ['wheel', 'pointerdown', 'keydown'], options = { capture: true, passive: true };
for (const name of names) document.addEventListener(name, listen, options);

export default function ({ data, setStateValue }) {
  const figure = figures.get(data.figure) ?? {};
  figure.send = (view) => setStateValue('seen', view);
  figures.set(data.figure, figure);
  return () => figure.send = () => {};
}
"""

_script = st.components.v2.component("mecuco_kept_view", js=_SCRIPT)


def as_seen(figure: go.Figure, key: str, made_from: Hashable) -> None:
    """Turn a figure, and hide parts of it, as its visitor last did; learn of what they do next.

    Parameters
    ----------
    figure : go.Figure
        Where its `uirevision` is another, it is not turned.
    key : str
        Of the chart on its page.
    made_from : hashable
        All that the figure depends on: while it stays, the figure stays as it is.
    """
    script = f"{key}:seen"
    sent = (state.widget(script) or {}).get("seen")
    if isinstance(sent, dict):
        state.remember(script, sent)
    drawn_from, view = state.recalled(f"{key}:drawn", (None, {}))
    if drawn_from != made_from:
        view = state.recalled(script, {})
        state.remember(f"{key}:drawn", (made_from, view))
    _apply(view, figure)
    with st.container(key=f"unseen-{key}"):
        _script(key=script, data={"figure": key}, on_seen_change=lambda: None)


def _apply(view: dict[str, Any], figure: go.Figure) -> None:
    hidden = view.get("hidden")
    for trace in figure.data:
        if trace.name and isinstance(hidden, list) and trace.name in hidden:
            trace.visible = "legendonly"
    camera = {name: _place(view.get(name)) for name in ("eye", "center", "up")}
    if all(camera.values()) and view.get("revision") == figure.layout.uirevision:
        figure.update_layout(scene={"camera": camera})


def _place(sent: Any) -> dict[str, float]:
    """Return three finite numbers that a browser sent, or nothing."""
    try:
        found = {axis: float(sent[axis]) for axis in "xyz"}
    except (TypeError, KeyError, ValueError):
        return {}
    return found if all(map(math.isfinite, found.values())) else {}
