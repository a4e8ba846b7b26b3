"""Figures on a page, in a form that a browser draws once.

Streamlit hands every new figure to Plotly twice, the second time as a copy. Plotly draws it again
unless it can tell that nothing has changed: it compares no objects such as a template, and no
binary columns. A figure of few numbers is therefore written out in full, without either.

For Streamlit 1.67, whose chart takes any `Figure` and asks for its `to_dict`. It goes when
Streamlit draws a new figure once. tests/browser/test_explore.py counts the drawings.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
import streamlit as st

from mecuco_core.types import FloatArray

MOST_NUMBERS = 40_000
"""More of them would take longer to write out than the second drawing takes."""


def chart(
    figure: go.Figure,
    key: str,
    *,
    alt: str,
    on_select: Callable[[], None] | None = None,
    selection_mode: str | tuple[str, ...] = ("points", "box", "lasso"),
    **config: bool,
) -> None:
    """Draw a figure.

    Parameters
    ----------
    figure : Figure
    key : str
        Of the chart on its page.
    alt : str
        What is read out in its place; plain text.
    on_select : callable or None
        Called when the visitor selects something on it.
    selection_mode : str or tuple of str
        How: "points", "box", "lasso".
    config : bool
        Settings of Plotly's for the figure, beside ours.
    """
    selecting: dict[str, Any] = {}
    if on_select is not None:
        selecting = {"on_select": on_select, "selection_mode": selection_mode}
    st.plotly_chart(
        drawn_once(figure, selectable=on_select is not None),
        key=key,
        theme=None,
        config={"displaylogo": False, **config},
        alt=alt,
        **selecting,
    )


def drawn_once(figure: go.Figure, *, selectable: bool = False) -> go.Figure:
    """Return the same picture, in a form that is drawn once; a large one as it is.

    Parameters
    ----------
    figure : Figure
    selectable : bool
        Whether Streamlit is asked for what is selected on it.
    """
    if selectable:  # what Streamlit would set by itself, but only when the figure stands
        drawn_by_hand = figure.layout.dragmode in ("select", "lasso")
        clicks = "event" if drawn_by_hand else "event+select"
        figure.update_layout(clickmode=clicks, hovermode="closest")
    traces = [trace.to_plotly_json() for trace in figure.data]
    if sum(map(_numbers, traces)) > MOST_NUMBERS:
        return figure
    layout = figure.layout.to_plotly_json()
    given = layout.pop("template", {}).get("layout", {})  # ours says nothing of traces
    axis = {name: given[name] for name in ("xaxis", "yaxis") if name in given}
    for name in _axes(figure, layout):
        layout[name] = _over(axis.get(name[:5], {}), layout.get(name, {}))
    layout = _over({name: value for name, value in given.items() if name not in axis}, layout)
    # Plotly takes arrays for the same while this stays; another figure is another element.
    layout["datarevision"] = 0
    return _Written({"data": [_written_out(trace) for trace in traces], "layout": layout})


class _Written(go.Figure):  # type: ignore[misc]  # Plotly has no types
    """A checked figure, written out: Plotly would check and copy every number of it again."""

    def __init__(self, written: dict[str, Any]) -> None:
        self._written = written  # all there is: Plotly would take milliseconds for an empty figure

    def to_dict(self) -> dict[str, Any]:
        """Return it as it is sent."""
        return self._written


def _axes(figure: go.Figure, layout: dict[str, Any]) -> set[str]:
    """Return the names of the flat axes: those described and those that traces lie on."""
    named = {name for name in layout if name.startswith(("xaxis", "yaxis"))}
    flat = [trace for trace in figure.data if "xaxis" in trace]
    for letter in "xy":
        named |= {f"{letter}axis" + (trace[f"{letter}axis"] or "x")[1:] for trace in flat}
    return named


def _over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Return two nested mappings as one; where both speak, the second does."""
    both = {**below, **above}
    for name in below.keys() & above.keys():
        if isinstance(below[name], dict) and isinstance(above[name], dict):
            both[name] = _over(below[name], above[name])
    return both


def _numbers(part: object) -> int:
    if isinstance(part, dict):
        return sum(map(_numbers, part.values()))
    return np.size(part) if isinstance(part, np.ndarray | list | tuple) else 0


def _written_out(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _written_out(value) for name, value in part.items()}
    if not isinstance(part, np.ndarray) or part.dtype.kind == "M":  # Plotly knows how to say dates
        return part
    return (_short(part) if part.dtype == np.float32 else part).tolist()


@np.errstate(over="ignore", invalid="ignore")  # rounded beyond the largest, and not a number
def _short(singles: npt.NDArray[np.float32]) -> FloatArray:
    """Return doubles that stand for the same single-precision numbers, written in few digits."""
    doubles = singles.astype(np.float64)
    size = np.abs(doubles, where=np.isfinite(doubles) & (doubles != 0), out=np.ones(doubles.shape))
    scale = 10.0 ** (7 - np.floor(np.log10(size)))  # eight digits are enough for most
    doubles = np.round(doubles * scale) / scale
    others = doubles.astype(np.float32) != singles
    doubles[others] = singles[others].astype(str).astype(np.float64)  # exact, and slow
    return doubles
