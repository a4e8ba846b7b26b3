"""How the values of all points are distributed."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from mecuco_app.plots.theme import template
from mecuco_app.scene.look import LIGHT, Look
from mecuco_app.text.numbers import count, number
from mecuco_core.types import FloatArray, IntArray

HEIGHT = 230
MOST_BINS = 60
_MOST_TICKS = 7
_TAIL = 8.0  # times the median
_HAIR = 1e-9  # of the axis: what a browser's rounding may take from the end of a brush


def histogram(
    values: FloatArray,
    *,
    log: bool = False,
    selected: IntArray | None = None,
    brush: tuple[float, float] | None = None,
    cut: float | None = None,
    title: str = "",
    look: Look = LIGHT,
) -> go.Figure:
    """Draw how many points have which value, the selected among them in front.

    Parameters
    ----------
    values : ndarray of shape (n_points,)
        Finite.
    log : bool
        Whether the axis is logarithmic. It is drawn on the logarithms, so that a brush on it
        speaks of them too: see `from_axis`.
    selected : ndarray of int or None
        Positions of selected points.
    brush : (float, float) or None
        A stretch of values to be shaded.
    cut : float or None
        A value to be marked, for example a percentile.
    title : str
        Of the axis, trusted.
    look : Look
    """
    at = on_axis(values, log)
    single = bool(at.min() == at.max())
    edges = _one_bin(float(at[0])) if single else np.histogram_bin_edges(at, bins=_n_bins(at))
    counts, _ = np.histogram(at, edges)
    middle, width = (edges[:-1] + edges[1:]) / 2, np.diff(edges)
    behind = look.labels[0] if selected is None else look.muted
    template_text = "points: %{y}<extra></extra>"
    bars = [
        go.Bar(
            x=middle, y=counts, width=width, marker={"color": behind, "line": {"width": 0}},
            hovertemplate=template_text, name="all",
        )
    ]  # fmt: skip
    if selected is not None:
        chosen, _ = np.histogram(at[selected], edges)
        bars.append(
            go.Bar(
                x=middle, y=chosen, width=width, name="selected",
                marker={"color": look.emphasis, "line": {"width": 0}},
                hovertemplate="selected: %{y}<extra></extra>",
            )
        )  # fmt: skip
    for bar in bars:
        # A brush must not dim bars on its own: what is selected is drawn by us.
        bar.selected = {"marker": {"opacity": 1.0}}
        bar.unselected = {"marker": {"opacity": 1.0}}
    shapes, notes = [], []
    upright = {"xref": "x", "yref": "y domain", "y0": 0, "y1": 1}
    if brush is not None:
        low, high = on_axis(np.array([*brush, *values]), log)[:2]
        shapes.append(
            {
                "type": "rect", **upright, "x0": float(low), "x1": float(high),
                "fillcolor": look.emphasis, "opacity": 0.12, "line": {"width": 0},
            }
        )  # fmt: skip
    if cut is not None:
        place = float(on_axis(np.array([cut, *values]), log)[0])
        line = {"color": look.text, "dash": "dot", "width": 1.5}
        shapes.append({"type": "line", **upright, "x0": place, "x1": place, "line": line})
        notes.append(
            {
                "text": "75 %", "x": place, "xanchor": "left", "xref": "x",
                "y": 1.0, "yanchor": "bottom", "yref": "paper", "showarrow": False,
            }
        )  # fmt: skip
    return go.Figure(
        bars,
        {
            "template": template(look),
            "height": HEIGHT,
            "barmode": "overlay",
            "bargap": 0,
            "showlegend": False,
            "dragmode": "select",
            "selectdirection": "h",
            "xaxis": {
                "title": {"text": title},
                "automargin": False,
                **(_one_tick if single else _ticks)(edges, log),
            },
            "yaxis": {
                "title": {"text": "points"},
                "automargin": False,
                "fixedrange": True,
                "nticks": 4,
            },
            "margin": _room(int(counts.max()), look),
            "shapes": shapes,
            "annotations": notes,
        },
    )


def _room(most: int, look: Look) -> dict[str, float]:
    """Return margins for axes of which one counts to `most`.

    Looking for that room itself, Plotly would take half as long again for the figure.
    """
    sides = {"l": 36 + 8 * len(count(most)), "b": 50, "r": 12, "t": 22}
    return {side: size * look.scale for side, size in sides.items()}


def heavy_tailed(values: FloatArray) -> bool:
    """Whether a logarithmic axis shows more: the largest value is far above the median."""
    median = float(np.median(values))
    return bool(values.min() >= 0 and median > 0 and values.max() > _TAIL * median)


def on_axis(values: FloatArray, log: bool) -> FloatArray:
    """Return where values stand on the axis: zeros at the smallest positive value when `log`."""
    if not log:
        return values
    positive = values[values > 0]
    floor = float(positive.min()) if len(positive) else 1.0
    return np.asarray(np.log10(np.maximum(values, floor)))


def from_axis(place: float, log: bool) -> float:
    """Return the value at a place of the axis."""
    return 10.0**place if log else place


def brushed(values: FloatArray, ends: Sequence[float], log: bool) -> tuple[float, float]:
    """Return the lowest and the highest value under a brush.

    Parameters
    ----------
    values : ndarray of shape (n_points,)
    ends : (float, float)
        Places on the axis, as a browser tells them: rounded, so that a brush over the last bar
        may end a hair before the highest value.
    log : bool
    """
    low, high = sorted(ends)
    at = on_axis(values, log)
    hair = _HAIR * float(np.ptp(at))
    inside = values[(at >= low - hair) & (at <= high + hair)]
    return (
        float(inside.min(initial=from_axis(low, log))),
        float(inside.max(initial=from_axis(high, log))),
    )


def _n_bins(values: FloatArray) -> int:
    return int(min(MOST_BINS, max(8, np.sqrt(len(values)))))


def _one_bin(place: float) -> FloatArray:
    half = 0.01 * abs(place) or 0.01
    return np.array([place - half, place + half])


def _one_tick(edges: FloatArray, log: bool) -> dict[str, object]:
    """One value has no range: it stands in the middle, and no other is written."""
    place, width = float(edges.mean()), float(edges[1] - edges[0])
    return {
        "tickvals": [place],
        "ticktext": [number(from_axis(place, log))],
        "range": [place - 10 * width, place + 10 * width],
    }


def _ticks(edges: FloatArray, log: bool) -> dict[str, object]:
    if not log:
        return {}
    decades = range(int(np.floor(edges[0])), int(np.ceil(edges[-1])) + 1)
    for digits in ((1, 2, 5), (1, 3), (1,)):
        ticks = [decade + np.log10(digit) for decade in decades for digit in digits]
        ticks = [tick for tick in ticks if edges[0] <= tick <= edges[-1]]
        if len(ticks) <= _MOST_TICKS:
            break
    return {"tickvals": ticks, "ticktext": [number(10.0**tick, 1) for tick in ticks]}
