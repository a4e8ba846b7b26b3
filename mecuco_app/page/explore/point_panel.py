"""One point: its image, its row, its neighbours, and why it has its score."""

import math

import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from mecuco_app.data.classes import label_of
from mecuco_app.data.metadata import name_of_row, spoken_value, texts_of
from mecuco_app.page.explore.metadata_panel import gallery_of_rows, pictures_of_row, texts_of_row
from mecuco_app.scene.images import SIDE, gallery, picture
from mecuco_app.scene.scene import Scene
from mecuco_app.screen import state
from mecuco_app.screen.tables import draw_table
from mecuco_app.text.escape import cell, literal, markdown
from mecuco_app.text.numbers import measured, number
from mecuco_core.measures import MEASURES
from mecuco_core.measures.reasons import PointFacts, reasons
from mecuco_core.score.curvature import Curvature

_GALLERY = 8  # neighbours in a line


def point_panel(scene: Scene) -> None:
    """Draw what is known of the point looked at."""
    result, facts, position = scene.result, scene.facts, scene.focus
    if result is None or facts is None:
        return
    if position is None:
        st.caption("Click a point to see why it is there.")
        return
    _point(scene, result, facts, position)


def _point(scene: Scene, result: Curvature, facts: PointFacts, position: int) -> None:
    row = int(scene.prepared.rows[position])
    own = name_of_row(scene.dataset, scene.metadata, row)
    name = f"{markdown(own, 40)}, row {row}" if own else f"Row {row}"
    if scene.prepared.target is not None:
        name += f", label {markdown(label_of(scene.prepared.target.iloc[position]), 40)}"
    text = st.container()
    if scene.dataset.image_shape is not None:
        image, text = st.columns([1, 3])
        image.image(picture(_pixels(scene, [row])[0]), width=SIDE, alt=f"Row {row} as an image")
    elif any(column.kind == "image" for column in scene.metadata):
        image, text = st.columns([1, 2])
        with image:
            pictures_of_row(scene, row)
    with text:
        st.markdown(f"**{name}**")
        texts_of_row(scene, row)
        st.markdown(_measures(scene, position))
    if scene.measured("alignment")[position] < 0:
        st.caption("An alignment below zero: only published fast can give that.")
    st.markdown("Why: " + "; ".join(reasons(facts, position)) + ".")
    with st.container(horizontal=True):
        look_inside = st.button(
            "X-ray",
            key="point:xray",
            on_click=state.session().change,
            args=("focus", row),
        )
        _neighbours(scene, position)
        _row(scene, row)
    if look_inside:
        st.switch_page("pages/7_Score_X-ray.py")


def _measures(scene: Scene, position: int) -> str:
    """Return the measures of a point as lines of Markdown: sums first, then what is no part."""
    values = {name: float(column[position]) for name, column in scene.measures_at("card").items()}
    sums = [MEASURES[name] for name in values if MEASURES[name].parts]
    lines = []
    for whole in sums:
        parts = " + ".join(f"{part} {number(values[part], 4)}" for part in whole.parts)
        lines.append(f"{whole.name} **{number(values[whole.name], 4)}** = {parts}")
    summed = {name for whole in sums for name in (whole.name, *whole.parts)}
    alone = [MEASURES[name] for name in values if name not in summed]
    said = [
        f"{literal(one.inline)} {measured(values[one.name], one.unit, whole=one.whole)}"
        for one in alone
        if math.isfinite(values[one.name])
    ]
    return "  \n".join([*lines, " · ".join(said)])


def _neighbours(scene: Scene, position: int) -> None:
    if scene.result is None:
        return
    graph = scene.result.graph
    near = graph.indices[position]
    with st.popover(f"Its {len(near)} neighbours"):
        rows = scene.prepared.rows[near]
        if scene.dataset.image_shape is not None:
            seen = rows[:_GALLERY].tolist()
            how = "nearest first" if len(seen) == len(near) else f"the {len(seen)} nearest"
            alt = f"Images of the rows {', '.join(map(str, seen))}"
            st.image(gallery(_pixels(scene, seen)), caption=how, alt=alt)
        gallery_of_rows(scene, rows[:_GALLERY].tolist())
        columns: dict[str, object] = {"row": rows}
        named = [column for column in scene.metadata if column.kind == "identifier"][:1]
        for column in named:
            columns["name"] = list(map(cell, texts_of(scene.dataset, column, rows)))
        columns |= {
            "distance": graph.distances[position],
            "score": scene.result.values[near],
        }
        if scene.prepared.target is not None:
            columns["label"] = [label_of(label) for label in scene.prepared.target.iloc[near]]
        plain = st.column_config.NumberColumn(format="%.4g")
        draw_table(
            pd.DataFrame(columns),
            "point:neighbours",
            hide_index=True,
            height=220,
            column_config={"distance": plain, "score": plain},
        )


def _row(scene: Scene, row: int) -> None:
    with st.popover("Its row", help="Before preparation."):
        values = scene.dataset.table.iloc[row]
        frame = pd.DataFrame(
            {
                "column": [cell(column) for column in values.index],
                "value": [cell(spoken_value(value)) for value in values.tolist()],
            }
        )
        draw_table(frame, "point:row", hide_index=True, height=220)


def _pixels(scene: Scene, rows: list[int]) -> npt.NDArray[np.float64]:
    """Return the images of rows, (n_rows, height, width[, channels]), from 0 to 1."""
    shape = scene.dataset.image_shape or ()
    values = scene.dataset.table.iloc[rows].to_numpy(dtype=np.float64, na_value=0.0)
    low, high = _brightness(scene)
    return np.clip((values.reshape(len(rows), *shape) - low) / max(high - low, 1e-12), 0.0, 1.0)


def _brightness(scene: Scene) -> tuple[float, float]:
    """Return the darkest and brightest value over a few rows, so that images compare."""
    some = scene.dataset.table.iloc[:: max(1, scene.dataset.n_rows // 200)]
    values = some.to_numpy(dtype=np.float64, na_value=0.0)
    return float(values.min()), float(values.max())
