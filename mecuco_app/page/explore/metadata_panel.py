"""What the table says of one row beside the features: its texts, links and pictures."""

import numpy as np
import streamlit as st

from mecuco_app.data.metadata import MetadataColumn, is_missing, name_of_row, sized, spoken_value
from mecuco_app.data.pictures import MOST_PIXELS_OF_MANY, decoded
from mecuco_app.scene.images import SIDE, gallery, squared
from mecuco_app.scene.scene import Scene
from mecuco_app.text.escape import literal, markdown
from mecuco_core.errors import DataError

MOST_LETTERS = 20_000
"""Of a text that is sent to the browser."""

_SIDE = 320  # pixels of a picture
_SHORT = 80  # letters of a text that needs no box
_TALL = 180  # pixels of the box of a long text
_MOST_SHOWN = 12  # columns; all are in the table of the row


def pictures_of_row(scene: Scene, row: int) -> None:
    """Draw the pictures of a row, or say why there is none."""
    for column in [one for one in scene.metadata if one.kind == "image"]:
        content = scene.dataset.table.iloc[row, column.position]
        if is_missing(content):
            st.caption(f"{markdown(column.name)}: missing")
            continue
        try:
            st.image(decoded(content, _SIDE), alt=f"Picture of row {row}")
        except DataError as error:
            st.caption(f"{markdown(column.name)}: {literal(str(error))}")


def gallery_of_rows(scene: Scene, rows: list[int]) -> None:
    """Draw the first picture of each row, side by side; an empty square where there is none."""
    column = next((one for one in scene.metadata if one.kind == "image"), None)
    if column is None:
        return
    pictures = []
    for content in scene.dataset.table.iloc[rows, column.position].tolist():
        try:
            pictures.append(squared(decoded(content, SIDE, MOST_PIXELS_OF_MANY)) / 255)
        except DataError:
            pictures.append(np.full((SIDE, SIDE, 3), 0.5))
    alt = f"Pictures of the rows {', '.join(map(str, rows))}"
    st.image(gallery(np.stack(pictures)), caption="nearest first", alt=alt)


def texts_of_row(scene: Scene, row: int) -> None:
    """Draw the texts, links and values of a row; text of any length stays literal."""
    short, long = [], []
    named = 1 if name_of_row(scene.dataset, scene.metadata, row) else 0  # it stands above
    for column in [one for one in scene.metadata[named:] if one.kind != "image"][:_MOST_SHOWN]:
        value = scene.dataset.table.iloc[row, column.position]
        if is_missing(value):
            continue
        if column.kind == "link" or len(text := spoken_value(value)) > _SHORT or "\n" in text:
            long.append((column, spoken_value(value)))
        else:
            short.append(f"{markdown(column.name, 30)} **{markdown(text, _SHORT)}**")
    if short:
        st.markdown(" · ".join(short))
    for column, text in long:
        _whole(column, text)


def _whole(column: MetadataColumn, text: str) -> None:
    st.caption(markdown(column.name))
    beginning, rest = sized(text, MOST_LETTERS)
    if column.kind == "link":  # to be copied: nothing is fetched, and a click leads nowhere
        st.code(beginning, language=None, wrap_lines=True)
    else:
        with st.container(height=_TALL if len(text) > 4 * _SHORT else "content", border=True):
            st.text(beginning)
    if rest:
        st.caption(rest)
