"""The map: points, colours, and selection by click, lasso or box."""

import numpy as np
import streamlit as st

from mecuco_app.plots.of_scene import map_figure
from mecuco_app.scene.raster import in_regions
from mecuco_app.scene.scene import Scene
from mecuco_app.scene.selection import rows_rule
from mecuco_app.screen import state
from mecuco_app.screen.browser.chart import chart
from mecuco_app.screen.browser.viewport import adding, is_moved, look_at, watch
from mecuco_app.screen.maps import follow
from mecuco_app.text.escape import literal, plain
from mecuco_app.view.settings import SelectionRule

KEY = "map"
_DRAG, _CLICKS = "drag", "map:clicks"
_DRAGS = {"pan": "Click", "lasso": "Lasso", "select": "Box"}


def map_panel(scene: Scene) -> None:
    """Draw the map, its caption, and the work that will bring a better one."""
    flat = scene.map.coordinates.shape[1] == 2
    drag = _selection_bar(scene, flat=flat)
    figure = map_figure(scene, scene.look, drag=drag)
    figure.update_layout(meta=state.recalled(_CLICKS, 0))
    # The figure is drawn anew whenever this text changes: it must not speak of colours.
    alt = f"Map of the points of {plain(scene.dataset.name)}; the caption says how it was made."
    if flat:
        chart(figure, KEY, alt=alt, on_select=lambda: _select(scene), scrollZoom=True)
    else:
        chart(figure, f"{KEY}-3d", alt=alt, scrollZoom=True)
    st.caption("  \n".join(literal(line) for line in (scene.caption, *scene.notes)))
    # Of many points those in view are drawn: another view, another figure.
    part = flat and len(scene.mapped.positions) < len(scene.map.coordinates)
    watch(
        scene.map,
        anew=part,
        clicked=lambda point: _look_at_point(scene, point),
        twice=_clicked_twice,
        cleared=clear,
    )
    follow(state.session(), scene)


def _selection_bar(scene: Scene, *, flat: bool) -> str:
    drag = None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if flat:
            drag = st.segmented_control(
                "Drag to",
                list(_DRAGS),
                format_func=_DRAGS.__getitem__,
                required=True,
                label_visibility="collapsed",
                help="Click a point to look at it; draw a lasso or a box to select many, with "
                "Shift to add.",
                **state.remembered(_DRAG, "pan"),
            )
        shown = _top_shown(scene.view.rule)
        st.selectbox(
            "Select",
            (0.0, 1.0, 5.0, 10.0, 25.0),
            format_func=lambda share: f"Top {share:g} %" if share else "Select top …",
            label_visibility="collapsed",
            width=150,
            **state.tied(f"top:{shown:g}", shown, _select_top, (shown,), of_data=True),
        )
        st.button(
            "Clear selection",
            key="clear",
            disabled=scene.selected is None and scene.view.focus is None,
            on_click=clear,
        )
        if is_moved(scene.map):
            st.button(
                "Reset view", key="unzoom", on_click=_reset_view, args=(scene,),
                help="Two clicks on the map do the same." if flat else None,
            )  # fmt: skip
        elif flat:
            st.button(
                "Zoom to selection",
                key="zoom",
                disabled=scene.selected is None or len(scene.selected) == 0,
                on_click=_zoom,
                args=(scene,),
            )
    return str(drag or "pan")  # None before a browser has drawn it


def _zoom(scene: Scene) -> None:
    chosen = scene.map.coordinates[scene.selected]
    low, high = np.nanmin(chosen, axis=0), np.nanmax(chosen, axis=0)
    extent = np.ptp(np.nan_to_num(scene.map.coordinates), axis=0)
    edge = np.maximum(0.08 * (high - low), 0.01 * extent)
    x, y = zip((low - edge).tolist(), (high + edge).tolist(), strict=True)
    look_at(scene.map, (x, y))


def _reset_view(scene: Scene) -> None:
    look_at(scene.map, None)
    _draw_marks_anew()  # the figure may be as it was sent, and only the browser zoomed it


def _top_shown(rule: SelectionRule) -> float:
    return rule.low if rule.kind == "top" and rule.low in (1.0, 5.0, 10.0, 25.0) else 0.0


def _select_top(key: str, shown: float) -> None:
    if _top_shown(state.view().rule) != shown:
        return  # a browser that has not yet seen the last choice repeats the one before
    share = float(state.widget(key))
    choose(SelectionRule("top", low=share) if share else SelectionRule())


def _select(scene: Scene) -> None:
    selection = (state.widget(KEY) or {}).get("selection", {})
    picked = [
        point["point_index"] for point in selection.get("points", []) if point["curve_number"] == 0
    ]
    positions = scene.mapped.positions
    chosen = positions[np.array(picked, dtype=np.int64)]
    drawn = bool(selection.get("box") or selection.get("lasso"))
    if drawn and len(positions) < len(scene.prepared.points):
        # What is seen is a sample: those between its points belong to the selection too.
        chosen = in_regions(scene.map.coordinates, selection)
    if drawn and adding() and scene.selected is not None:
        chosen = np.union1d(scene.selected, chosen)
    rule = rows_rule(chosen, scene.prepared)
    if drawn or state.recalled(_DRAG, "pan") != "pan":
        choose(rule)
        return
    # A click: look at this point, keep what is selected.
    _draw_marks_anew()
    if rule.rows:
        state.session().change("focus", rule.rows[-1])


def _look_at_point(scene: Scene, place: int) -> None:
    positions = scene.mapped.positions
    if 0 <= place < len(positions):
        rows = rows_rule(positions[place : place + 1], scene.prepared).rows
        state.session().change("focus", rows[-1])


def _clicked_twice() -> None:
    """Clear the selection where one is drawn by hand; else keep it, also on the screen."""
    if state.recalled(_DRAG, "pan") != "pan":
        clear()
    _draw_marks_anew()


def _draw_marks_anew() -> None:
    """Let the figure be another: the browser has marked points, or taken marks away, by itself."""
    state.remember(_CLICKS, state.recalled(_CLICKS, 0) + 1)


def choose(rule: SelectionRule) -> None:
    """Make a rule the selection of all parts of the page."""
    session = state.session()
    session.change("rule", rule)
    session.change("focus", None)
    session.table_rule = rule


def clear() -> None:
    """Select nothing."""
    choose(SelectionRule())
