"""Tables on the screen, and the columns of those that list points."""

from typing import Any

import pandas as pd
import streamlit as st

from mecuco_app.screen.shell import look
from mecuco_core.measures import MEASURES, Measure

WRAPPED = 66
"""Height of a row from which on a browser breaks long texts into lines."""


def draw_table(frame: Any, key: str, **options: Any) -> Any:
    """Draw a table by `st.dataframe`; in lecture mode it is larger, and another one.

    A browser measures the letters of a table once, when it first draws it.
    """
    size = look().scale
    height, row_height = options.pop("height", None), options.pop("row_height", 35)
    if height is not None:
        options["height"] = round(height * size)
    return st.dataframe(frame, key=own_key(key), row_height=round(row_height * size), **options)


def own_key(key: str) -> str:
    """Return the key under which Streamlit knows a table."""
    return f"{key}:lecture" if look().lecture else key


def _form(measure: Measure) -> str:
    """Return how a browser writes a value."""
    if measure.whole:
        return "%d"
    return "%.1f" if measure.unit == "%" else "%.4g"


def point_columns(frame: pd.DataFrame, why: int) -> dict[str, Any]:
    """Return how the columns of a list of points are drawn: narrow, so that reasons have room.

    Parameters
    ----------
    frame : DataFrame
    why : int
        Width of the reasons, in pixels.
    """
    number, size = st.column_config.NumberColumn, look().scale
    columns = {
        "place": number(help="1 is the highest score", width=round(54 * size)),
        "row": number(help="Position in the table, from 0", width=round(60 * size)),
        **{
            name: number(
                help=f"{one.title}. {one.explanation}",
                format=_form(one),
                width=round(max(74, 8.8 * len(name)) * size),
            )
            for name, one in MEASURES.items()
        },
        "label": st.column_config.Column(width=round(66 * size)),
        "why": st.column_config.TextColumn(help="What is unusual about it", width=why),
    }
    return {name: column for name, column in columns.items() if name in frame.columns}
