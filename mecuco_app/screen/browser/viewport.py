"""Where on the map the visitor looks: it stays when the map is drawn anew.

Streamlit builds a figure anew whenever anything in it changes, and tells nobody how far the old one
was zoomed or turned. A script beside the map tells us. The figure itself follows only when it
changes for another reason, so that no zoom draws it twice; where only the points in view are drawn,
it follows at once.

For the Plotly of Streamlit 1.67: `_fullLayout` and `scene._scene` are names of its own that are
not promised. It goes when Streamlit hands on the events of a figure. tests/browser/test_explore.py
zooms and turns the map, tests/browser/test_selection.py clicks on it.
"""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from mecuco_app.scene.look import Camera
from mecuco_app.scene.maps import ShownMap
from mecuco_app.scene.raster import Window
from mecuco_app.screen import state

_KEY = "viewport"
_SEEN, _DRAWN = "map:seen", "map:drawn"

# Before anything moves, the wheel or a pointer is on the map: only then its events are listened to.
# What was seen is sent before the next key or click, which may draw the map anew.
_SCRIPT = """
const maps = '.st-key-map .js-plotly-plot, .st-key-map-3d .js-plotly-plot';
const bars = '.st-key-histogram .js-plotly-plot';
let send, sendTwice, sendCleared, sendAdding, sendClicked, pending, timer, data, adding;
let down;

function tell() {
  clearTimeout(timer);
  if (pending) send(pending);
  pending = undefined;
}

function noted(plot, change) {
  const { xaxis, yaxis } = plot._fullLayout, camera = change['scene.camera'];
  if (camera) pending = { eye: camera.eye, center: camera.center, up: camera.up };
  else if (!Object.keys(change).some((name) => /^[xy]axis\\./.test(name))) return;
  else pending = xaxis.autorange && yaxis.autorange ? {} : { x: xaxis.range, y: yaxis.range };
  pending = { ...pending, map: data.map, drawn: data.drawn };
  clearTimeout(timer);
  timer = setTimeout(tell, data.pause);
}

function clicked(point) {
  if (point?.curveNumber !== 0) return;
  sendClicked({ point: point.pointNumber, map: data.map, at: Date.now() });
}

// A spatial map tells of clicks unreliably, and of the turns that begin on a point too: what is
// under a pointer that was lifted where it went down has been clicked.
function lift(event) {
  const scene = down?.map?._fullLayout.scene?._scene;
  if (scene && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 5)
    clicked(scene.oldEventData?.points[0]);
  down = undefined;
}

function listen(event) {
  if (event.type !== 'wheel') tell();
  const map = event.target.closest?.(maps), plot = map ?? event.target.closest?.(bars);
  if (event.type === 'pointerdown') down = { map, x: event.clientX, y: event.clientY };
  if (map && event.type === 'pointerdown' && event.shiftKey !== adding) {
    adding = event.shiftKey;
    sendAdding(adding);
  }
  if (!plot || plot.isListenedTo) return;
  plot.isListenedTo = true;
  if (!map) {
    plot.on('plotly_deselect', () => sendCleared());
    return;
  }
  plot.on('plotly_relayout', (change) => noted(plot, change));
  // Two clicks take all marks away, and tell nobody; where clicks mark points, one may do it too.
  plot.on('plotly_doubleclick', () => sendTwice());
  plot.on('plotly_deselect', () => plot._fullLayout.dragmode === 'pan' || sendTwice());
  // While a flat map is moved with the pointer, Streamlit tells of clicks.
  plot.on('plotly_click', ({ points: [point] }) => {
    if (['lasso', 'select'].includes(plot._fullLayout.dragmode)) clicked(point);
  });
}

export default function (component) {
  data = component.data;
  adding = data.adding;
  send = (seen) => component.setStateValue('seen', seen);
  sendTwice = () => component.setStateValue('twice', Date.now());
  sendCleared = () => component.setStateValue('cleared', Date.now());
  sendAdding = (shift) => component.setStateValue('adding', shift);
  sendClicked = (point) => component.setStateValue('clicked', point);
  const options = { capture: true, passive: true }, names = ['wheel', 'pointerdown', 'keydown'];
  for (const name of names) document.addEventListener(name, listen, options);
  document.addEventListener('pointerup', lift, options);
  return () => {
    for (const name of names) document.removeEventListener(name, listen, options);
    document.removeEventListener('pointerup', lift, options);
  };
}
"""

_script = st.components.v2.component("mecuco_viewport", js=_SCRIPT)


@dataclass(frozen=True)
class Viewport:
    """The part of a flat map that is seen, or where a spatial one is seen from; None for all."""

    window: Window | None = None
    camera: Camera | None = None


@dataclass(frozen=True)
class _Drawn:
    """The last figure: what it was made from, how it was drawn, and its number."""

    made_from: object = None
    viewport: Viewport = Viewport()
    number: int = 0


def viewport_of(shown: ShownMap, made_from: Hashable) -> Viewport:
    """Return how to draw the map: as it was last seen, but for a figure that stays as it is.

    Parameters
    ----------
    shown : ShownMap
    made_from : hashable
        All else that the figure depends on.
    """
    drawn: _Drawn = state.recalled(_DRAWN, _Drawn())
    now = (_name(shown), shown.dimmed, made_from)
    if now != drawn.made_from or state.session().turned:
        seen_on, seen = state.recalled(_SEEN, (None, Viewport()))
        viewport = seen if seen_on == _name(shown) else Viewport()
        drawn = _Drawn(now, viewport, drawn.number + 1)
        state.remember(_DRAWN, drawn)
    return drawn.viewport


def look_at(shown: ShownMap, window: Window | None) -> None:
    """Show this part of a flat map, and all of it for None."""
    state.remember(_SEEN, (_name(shown), Viewport(window)))
    _draw_anew()


def is_moved(shown: ShownMap) -> bool:
    """Whether the visitor sees the map zoomed, moved or turned."""
    seen_on, seen = state.recalled(_SEEN, (None, Viewport()))
    return bool(seen_on == _name(shown) and seen != Viewport())


def watch(
    shown: ShownMap,
    *,
    anew: bool,
    clicked: Callable[[int], None],
    twice: Callable[[], None],
    cleared: Callable[[], None],
) -> None:
    """Learn where the visitor looks; with `anew` the map is drawn for it at once.

    After a click that Streamlit does not tell of, `clicked` is called with the place of the point
    among the drawn ones; after two clicks on the map `twice`, after two on the histogram `cleared`.
    """
    # In no fragment: a click sent at the same time would then not draw the page.
    with st.container(key="unseen-viewport"):
        # A map that is drawn anew would take the wheel's next step away from under the pointer.
        number = state.recalled(_DRAWN, _Drawn()).number
        sent = {
            "map": _name(shown),
            "drawn": number,
            "pause": 600 if anew else 200,
            "adding": adding(),
        }
        _script(
            key=_KEY,
            data=sent,
            on_seen_change=lambda: _note(anew),
            on_clicked_change=lambda: _click(shown, clicked),
            on_twice_change=twice,
            on_cleared_change=cleared,
            on_adding_change=lambda: None,  # `adding` reads it
        )


def adding() -> bool:
    """Whether Shift was held when the pointer last went down on the map."""
    return bool((state.widget(_KEY) or {}).get("adding"))


def _click(shown: ShownMap, clicked: Callable[[int], None]) -> None:
    sent = (state.widget(_KEY) or {}).get("clicked")
    if isinstance(sent, dict) and sent.get("map") == _name(shown):
        point = _numbers(sent, ("point",))
        if point:
            clicked(int(point[0]))


def _note(anew: bool) -> None:
    sent = (state.widget(_KEY) or {}).get("seen")
    if isinstance(sent, dict) and isinstance(sent.get("map"), str):
        state.remember(_SEEN, (sent["map"], viewport_from(sent)))
        # Also where it was drawn since, without knowing of this.
        if anew or sent.get("drawn") != state.recalled(_DRAWN, _Drawn()).number:
            _draw_anew()


def _draw_anew() -> None:
    state.remember(_DRAWN, replace(state.recalled(_DRAWN, _Drawn()), made_from=None))


def viewport_from(sent: dict[str, Any]) -> Viewport:
    """Return what a browser tells, all of the map where that makes no sense."""
    x, y = (_numbers(sent.get(name), (0, 1)) for name in "xy")
    if x and y:
        return Viewport(window=((x[0], x[1]), (y[0], y[1])))
    axes = ("x", "y", "z")
    eye, center, up = (_numbers(sent.get(name), axes) for name in ("eye", "center", "up"))
    return Viewport(camera=(eye, center, up)) if eye and center and up else Viewport()


def _numbers(sent: Any, places: tuple[int | str, ...]) -> tuple[float, ...]:
    """Return the numbers at these places, none where there are others than finite ones."""
    try:
        found = tuple(float(sent[place]) for place in places)
    except (TypeError, KeyError, IndexError, ValueError):
        return ()
    return found if all(map(math.isfinite, found)) else ()


def _name(shown: ShownMap) -> str:
    return repr(shown.key)
