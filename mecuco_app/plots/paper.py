"""The figures that the paper's tables have no room for."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from mecuco_app.plots.theme import template
from mecuco_app.scene.look import LIGHT, SYMBOLS, Look
from mecuco_app.text.escape import plotly
from mecuco_core.types import FloatArray

HEIGHT = 360
_LOG = {"type": "log", "dtick": 1, "exponentformat": "none"}
PLACES = {"fast": 0, "exact": 1, "haar": 2, "original": 3}
"""Of each mode among colours and symbols; the first is the paper's accent, the third ours."""


@dataclass(frozen=True, eq=False)
class Series:
    """Points of one mode, one for each dataset; a line through them where one was fitted."""

    mode: str
    datasets: tuple[str, ...]
    x: FloatArray  # (n_datasets,)
    y: FloatArray  # (n_datasets,)
    line: tuple[FloatArray, FloatArray] | None = None


def error_over_ratio(series: Sequence[Series], *, look: Look = LIGHT) -> go.Figure:
    """Draw the error of the mean score against features per neighbour.

    Parameters
    ----------
    series : sequence of Series
        x is m/k, y the error in percent.
    look : Look
    """
    figure = _points(series, "%{text}<br>m/k %{x:.3~g}, error %{y:.3~g} %<extra></extra>", look)
    figure.add_hline(0, line={"color": look.text, "dash": "dot", "width": 1.5})
    figure.update_layout(
        xaxis={"title": {"text": "features per neighbour, m/k"}, **_LOG},
        yaxis={"title": {"text": "error of the mean score, %"}},
    )
    return figure


def speedup_over_features(series: Sequence[Series], *, look: Look = LIGHT) -> go.Figure:
    """Draw how many times as fast as `original` the modes are, against features."""
    figure = _points(series, "%{text}<br>m %{x:.3~g}, %{y:.3~g} ×<extra></extra>", look)
    figure.update_layout(
        xaxis={"title": {"text": "features, m"}, **_LOG},
        yaxis={"title": {"text": "times as fast as original"}, **_LOG},
    )
    return figure


def time_over(series: Sequence[Series], axis: str, *, look: Look = LIGHT) -> go.Figure:
    """Draw seconds against points or features, with the fitted powers as lines.

    Parameters
    ----------
    series : sequence of Series
    axis : str
        What x is, trusted.
    look : Look
    """
    figure = _points(series, "%{text}<br>%{x:.3~g}, %{y:.3~g} s<extra></extra>", look)
    for one in series:
        if one.line is not None:
            figure.add_scatter(
                x=one.line[0], y=one.line[1], mode="lines", hoverinfo="skip", showlegend=False,
                line={"color": look.labels[PLACES[one.mode]], "width": 2},
                name=f"{one.mode}, fitted",
            )  # fmt: skip
    figure.update_layout(
        xaxis={"title": {"text": axis}, **_LOG},
        yaxis={"title": {"text": "seconds, neighbours found"}, **_LOG},
    )
    return figure


def _points(series: Sequence[Series], hover: str, look: Look) -> go.Figure:
    figure = go.Figure()
    for one in series:
        figure.add_scatter(
            x=one.x, y=one.y, mode="markers", name=one.mode, hovertemplate=hover,
            text=[plotly(name) for name in one.datasets],
            marker={
                "color": look.labels[PLACES[one.mode]],
                "symbol": SYMBOLS[PLACES[one.mode]],
                "size": 8 * look.scale,
                "opacity": 0.85,
            },
        )  # fmt: skip
    figure.update_layout(
        template=template(look),
        height=HEIGHT * look.scale,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        margin={"t": 40},
    )
    return figure
