"""Columns of the visitor's table in the list of points."""

from typing import Any

import pandas as pd
import streamlit as st

from mecuco_app.data.metadata import MetadataColumn, texts_of
from mecuco_app.data.pictures import MOST_PIXELS_OF_MANY, as_address, decoded
from mecuco_app.scene.scene import Scene
from mecuco_app.screen import state
from mecuco_app.screen.controls.layout import MOST_NAMES
from mecuco_app.screen.shell import look
from mecuco_app.text.escape import cell, distinct
from mecuco_core.errors import DataError
from mecuco_core.measures import MEASURES
from mecuco_core.types import IntArray

_KEPT, _SMALL = "table:columns", "table:pictures"
_SIDE = 64  # pixels of a picture in the list
_MOST_KEPT = 5000  # small pictures; they are made anew after that
_USUAL = {"identifier": 1, "text": 1, "image": 1, "value": 2}
_TAKEN = ("place", "row", "label", "why")
_WIDTHS = {"identifier": 110, "text": 300, "link": 200, "image": 60, "value": 110}


def column_choice(scene: Scene) -> list[MetadataColumn]:
    """Draw which columns of the table the list shall show; return them in its order."""
    usual = [column.position for column in _usual(scene)]
    of, kept = state.recalled(_KEPT, (None, usual))
    chosen = kept if of == scene.dataset.fingerprint else usual
    # The names of a wide table are sent once they are asked for.
    box = st.popover("Columns", key="folded-columns", on_change="rerun")
    if box.open:
        with box:
            chosen = _choice(scene, chosen)
    names = scene.dataset.feature_names
    known = {column.position: column for column in scene.metadata}
    return [known.get(i, MetadataColumn(i, names[i], "value")) for i in chosen]


def _choice(scene: Scene, chosen: list[int]) -> list[int]:
    names = distinct(scene.dataset.feature_names[:MOST_NAMES])
    picked: list[int] = st.multiselect(
        "Your columns in this list",
        range(len(names)),
        format_func=names.__getitem__,
        placeholder="none",
        **state.tied(_KEPT, chosen, _keep, (scene.dataset.fingerprint,), of_data=True),
    )
    return picked


def _usual(scene: Scene) -> list[MetadataColumn]:
    """Return the columns that are shown unless others are chosen: a few of each kind."""
    found = []
    for kind, most in _USUAL.items():
        found += [column for column in scene.metadata if column.kind == kind][:most]
    return [column for column in found if column.position < MOST_NAMES]


def _keep(key: str, fingerprint: str) -> None:
    state.remember(_KEPT, (fingerprint, state.widget(key)))


def with_columns(
    frame: pd.DataFrame, scene: Scene, columns: list[MetadataColumn], rows: IntArray
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return a list of points with columns of the table, and how these are drawn.

    What names a row stands behind its number, the others stand last.

    Parameters
    ----------
    frame : DataFrame of shape (n_listed, ...)
    scene : Scene
    columns : list of MetadataColumn
    rows : ndarray of shape (n_listed,)
    """
    shown, drawn, front = frame.copy(), {}, 2
    taken = [*_TAKEN, *MEASURES]
    names = distinct([*taken, *(column.name for column in columns)])[len(taken) :]
    for column, name in zip(columns, names, strict=True):
        place = shown.shape[1]
        if column.kind in ("identifier", "image"):
            place, front = front, front + 1
        shown.insert(place, name, _values(scene, column, rows))
        width = round(_WIDTHS[column.kind] * look().scale)
        kind = st.column_config.ImageColumn if column.kind == "image" else st.column_config.Column
        drawn[name] = kind(width=width)
    return shown, drawn


def _values(scene: Scene, column: MetadataColumn, rows: IntArray) -> Any:
    series = scene.dataset.table.iloc[rows, column.position]
    if column.kind == "image":
        return _small_pictures(scene, column, rows)
    if column.kind == "value" and pd.api.types.is_numeric_dtype(series.dtype):
        return series.to_numpy()
    return [cell(text, 200) for text in texts_of(scene.dataset, column, rows)]


def _small_pictures(scene: Scene, column: MetadataColumn, rows: IntArray) -> list[str | None]:
    """Return small pictures as addresses that hold them; each is made once in a visit."""
    of, made = state.recalled(_SMALL, (None, {}))
    if of != scene.dataset.fingerprint or len(made) > _MOST_KEPT:
        made = {}
    contents = scene.dataset.table.iloc[rows, column.position].tolist()
    for row, content in zip(rows.tolist(), contents, strict=True):
        if (column.position, row) not in made:
            made[column.position, row] = _address(content)
    state.remember(_SMALL, (scene.dataset.fingerprint, made))
    return [made[column.position, row] for row in rows.tolist()]


def _address(content: object) -> str | None:
    try:
        return as_address(decoded(content, _SIDE, MOST_PIXELS_OF_MANY))
    except DataError:
        return None
