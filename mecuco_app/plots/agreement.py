"""Two modes against each other: how far they agree in size, in order, and at the top."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from mecuco_app.plots.marks import flat, log_axis
from mecuco_app.plots.theme import room, template
from mecuco_app.scene.look import LIGHT, OURS, PAPER, Look
from mecuco_core.types import FloatArray, IntArray, Mode

HEIGHT = 420
TAIL = 8.0
"""Times the median: values reaching further are drawn on a logarithmic axis."""

LIMITS = 1.96
"""Standard deviations to either side that hold 95 % of normal differences."""


@dataclass(frozen=True, eq=False)
class Band:
    """The scores `exact` can have over random null-space bases, for some points.

    Attributes
    ----------
    ends : ndarray of shape (n_band, 2)
        Least and greatest score.
    at : ndarray of shape (n_band,)
        The other mode's score of the same points.
    axis : {"x", "y"}
        Along which `exact` is drawn.
    """

    ends: FloatArray
    at: FloatArray
    axis: Literal["x", "y"]


def mode_colour(mode: Mode, look: Look) -> str:
    """Return the colour of a mode by its role: published, ours, or the reference."""
    roles = {"fast": PAPER, "haar": OURS, "original": PAPER}
    return roles.get(mode, look.labels[4])


def mode_scatter(
    a: FloatArray,
    b: FloatArray,
    rows: IntArray,
    *,
    names: tuple[Mode, Mode],
    unit: str,
    band: Band | None = None,
    look: Look = LIGHT,
) -> go.Figure:
    """Draw the scores b over the scores a, with the line on which they would be equal.

    Parameters
    ----------
    a, b : ndarray of shape (n_rows,)
    rows : ndarray of shape (n_rows,)
        What each point is called when pointed at.
    names : pair of modes
    unit : str
        Of the axes, trusted.
    band : Band or None
    look : Look
    """
    figure = go.Figure()
    low, high = _common_range(a, b)
    figure.add_trace(_identity(low, high, look))
    if band is not None:
        figure.add_trace(_segments(band, look))
    figure.add_trace(_cloud(a, b, rows, mode_colour(names[1], look), look))
    _laid_out(figure, f"score by {names[0]} ({unit})", f"score by {names[1]} ({unit})", look)
    if heavy_tailed(a) and b.min() > 0:
        axis = log_axis(np.array([low, high]))
        figure.update_layout(xaxis=axis, yaxis=axis)
    return figure


def bland_altman(
    a: FloatArray,
    b: FloatArray,
    rows: IntArray,
    *,
    names: tuple[Mode, Mode],
    relative: bool,
    unit: str,
    look: Look = LIGHT,
) -> go.Figure:
    """Draw the difference b - a over the mean of both, with its mean and 95 % limits.

    Parameters
    ----------
    a, b, rows : ndarray of shape (n_rows,)
    names : pair of modes
    relative : bool
        Whether differences are in percent of the mean of both; points where that is 0 are left
        out.
    unit : str
        Trusted.
    look : Look
    """
    middle, difference, rows = differences(a, b, rows, relative=relative)
    bias, spread = float(difference.mean()), float(difference.std())
    figure = go.Figure(_cloud(middle, difference, rows, mode_colour(names[1], look), look))
    lines = [(0.0, "solid", look.muted), (bias, "dash", look.text)]
    lines += [(bias + side * LIMITS * spread, "dot", look.text) for side in (-1, 1)]
    for height, dash, colour in lines:
        figure.add_hline(height, line={"dash": dash, "color": colour, "width": 1.5})
    shown = "% of their mean" if relative else unit
    end = "<br>" if look.lecture else " "  # large letters are too wide for one line
    title = f"{names[1]} minus {names[0]}{end}({shown})"
    _laid_out(figure, f"mean of both ({unit})", title, look)
    if look.lecture:  # the distance to the numbers is that of the first line
        figure.update_layout(yaxis_title_standoff=8 + 30)
    if heavy_tailed(middle):
        figure.update_layout(xaxis=log_axis(middle))
    return figure


def heavy_tailed(values: FloatArray) -> bool:
    """Whether a few positive values are so large that the others need a logarithmic axis."""
    return bool(values.min() > 0 and values.max() > TAIL * np.median(values))


def differences(
    a: FloatArray, b: FloatArray, rows: IntArray, *, relative: bool
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return the means of a and b, their differences, and the rows these belong to."""
    middle, difference = (a + b) / 2, b - a
    if not relative:
        return middle, difference, rows
    some = middle > 0
    if not some.any():
        return middle, difference, rows
    return middle[some], 100 * difference[some] / middle[some], rows[some]


def rank_rank(
    a: FloatArray,
    b: FloatArray,
    rows: IntArray,
    *,
    names: tuple[str, str],
    colour: str | None = None,
    look: Look = LIGHT,
) -> go.Figure:
    """Draw ranks in percent by one score over those by another, 100 the highest.

    Parameters
    ----------
    a, b : ndarray of shape (n_rows,)
        Ranks in percent.
    rows : ndarray of shape (n_rows,)
    names : pair of str
        Trusted.
    colour : str or None
    look : Look
    """
    cloud = _cloud(a, b, rows, colour or look.labels[4], look)
    figure = go.Figure([_identity(0.0, 100.0, look), cloud])
    return _laid_out(figure, f"rank by {names[0]} (%)", f"rank by {names[1]} (%)", look)


def overlap_figure(overlap: FloatArray, *, colour: str, look: Look = LIGHT) -> go.Figure:
    """Draw the share of common points in the top q percent, for every q.

    Parameters
    ----------
    overlap : ndarray of shape (100,)
        For q = 1, …, 100.
    colour : str
    look : Look
    """
    q = np.arange(1, 101)
    curve = go.Scatter(
        x=q, y=100 * overlap, mode="lines", line={"color": colour, "width": 3 * look.scale},
        hovertemplate="top %{x} %: %{y:.3~g} % in common<extra></extra>", name="in common",
    )  # fmt: skip
    chance = go.Scatter(
        x=q, y=q, mode="lines", line={"color": look.text, "dash": "dot", "width": 1.5},
        hoverinfo="skip", name="by chance",
    )  # fmt: skip
    figure = _laid_out(go.Figure([curve, chance]), "top q (%)", "in common (%)", look)
    figure.update_layout(
        showlegend=True,
        legend={"x": 0.98, "y": 0.05, "xanchor": "right", "yanchor": "bottom"},
        xaxis={"range": [0, 104]},
        yaxis={"range": [0, 104]},
    )
    return figure


def _common_range(a: FloatArray, b: FloatArray) -> tuple[float, float]:
    return float(min(a.min(), b.min())), float(max(a.max(), b.max()))


def _identity(low: float, high: float, look: Look) -> go.Scatter:
    return go.Scatter(
        x=[low, high], y=[low, high], mode="lines", hoverinfo="skip", name="equal",
        line={"color": look.text, "width": 1.5, "dash": "dot"},
    )  # fmt: skip


def _segments(band: Band, look: Look) -> go.Scatter | go.Scattergl:
    """One line for each point, from the least to the greatest score `exact` can have."""
    ends = np.full((len(band.at), 3), np.nan, dtype=np.float32)
    ends[:, :2] = band.ends
    other = np.repeat(band.at.astype(np.float32), 3)
    x, y = (ends.ravel(), other) if band.axis == "x" else (other, ends.ravel())
    return flat(len(band.at))(
        x=x, y=y, mode="lines", hoverinfo="skip", name="random null-space bases",
        line={"color": OURS, "width": 3 * look.scale},
    )  # fmt: skip


def _cloud(
    x: FloatArray, y: FloatArray, rows: IntArray, colour: str, look: Look
) -> go.Scatter | go.Scattergl:
    size = 6.0 if len(x) <= 3000 else 4.0 if len(x) <= 20_000 else 2.5
    return flat(len(x))(
        x=x.astype(np.float32),
        y=y.astype(np.float32),
        mode="markers",
        marker={"color": colour, "size": size * look.scale, "opacity": 0.85 if look.dark else 0.55},
        customdata=rows.astype(np.int32),
        hovertemplate="row %{customdata}<br>%{x:.4~g}, %{y:.4~g}<extra></extra>",
        name="points",
    )


def _laid_out(figure: go.Figure, x: str, y: str, look: Look) -> go.Figure:
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        showlegend=False,
        margin=room(look),
        xaxis={"title": {"text": x}},
        yaxis={"title": {"text": y}},
    )
    return figure
