"""Estimates and scores against a curvature that is known."""

import numpy as np
import plotly.graph_objects as go

from mecuco_app.plots.marks import flat
from mecuco_app.plots.space import to_scale
from mecuco_app.plots.theme import template
from mecuco_app.scene.look import LIGHT, SCORE_SCALE, TRUTH, Look
from mecuco_app.text.numbers import count
from mecuco_core.diagnostics.ground_truth import PowerLaw
from mecuco_core.types import FloatArray

MAP_HEIGHT = 340
HEIGHT = 340
MOST_BARS = 300
"""Error bars drawn: more would hide each other."""


def value_map(
    coordinates: FloatArray,
    values: FloatArray,
    *,
    title: str,
    limits: tuple[float, float],
    revision: str,
    look: Look = LIGHT,
) -> go.Figure:
    """Draw points in space coloured by a value.

    Parameters
    ----------
    coordinates : ndarray of shape (n_points, 3)
    values : ndarray of shape (n_points,)
    title : str
        Of the colours, trusted.
    limits : tuple of float
        Values at the ends of the colours.
    revision : str
        While it stays, the camera stays.
    look : Look
    """
    scene = to_scale(coordinates)
    for axis in ("xaxis", "yaxis", "zaxis"):
        scene[axis] |= {"visible": False, "showspikes": False}
    figure = go.Figure(
        go.Scatter3d(
            **dict(zip("xyz", coordinates.astype(np.float32).T, strict=True)),
            mode="markers",
            marker={
                "color": values.astype(np.float32),
                "colorscale": SCORE_SCALE,
                "cmin": limits[0],
                "cmax": limits[1],
                "size": 2.2 * look.scale,
                "colorbar": {"thickness": 10 * look.scale, "len": 0.8, "nticks": 4},
            },
            name=title,
            hovertemplate=f"{title} %{{marker.color:.3~g}}<extra></extra>",
        )
    )
    figure.update_layout(
        template=template(look),
        height=MAP_HEIGHT,
        uirevision=revision,
        scene={**scene, "camera": {"eye": {"x": 1.5, "y": -1.5, "z": 1.3}}},
    )
    return figure


def against_truth(
    truth: FloatArray,
    values: FloatArray,
    *,
    name: str,
    colour: str,
    axis: str,
    error: FloatArray | None = None,
    place: FloatArray | None = None,
    look: Look = LIGHT,
) -> go.Figure:
    """Draw values over the true |H|, or over a place on the manifold where |H| is constant.

    Parameters
    ----------
    truth, values : ndarray of shape (n_points,)
    name : str
        Of the values, trusted.
    colour : str
    axis : str
        Title of the horizontal axis, trusted.
    error : ndarray of shape (n_points,) or None
        Half the length of bars; given, the values are estimates of |H|, and the line where they
        would be right is drawn.
    place : ndarray of shape (n_points,) or None
        In place of the truth on the horizontal axis.
    look : Look
    """
    across = truth if place is None else place
    figure = go.Figure(
        flat(len(values))(
            x=across.astype(np.float32), y=values.astype(np.float32), mode="markers", name=name,
            marker={"color": colour, "size": 4 * look.scale, "opacity": 0.55},
            hovertemplate="%{x:.3~g}, %{y:.3~g}<extra></extra>",
        )
    )  # fmt: skip
    if error is not None:
        few = np.linspace(0, len(values) - 1, min(MOST_BARS, len(values))).astype(int)
        few = few[np.isfinite(error[few])]
        figure.add_trace(
            go.Scatter(
                x=across[few], y=values[few], mode="markers", name="± 2 standard errors",
                marker={"color": colour, "size": 4 * look.scale},
                error_y={
                    "type": "data", "array": 2 * error[few], "thickness": 1.2 * look.scale,
                    "width": 0, "color": colour,
                },
                hoverinfo="skip",
            )
        )  # fmt: skip
        order = np.argsort(across)[[0, -1]]
        figure.add_trace(
            go.Scatter(
                x=across[order], y=truth[order], mode="lines", name="the truth",
                line={"color": TRUTH, "width": 3 * look.scale}, hoverinfo="skip",
            )
        )  # fmt: skip
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        showlegend=error is not None,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        xaxis={"title": {"text": axis}},
        yaxis={
            "title": {"text": name},
            "range": _range(values, truth if error is not None else values),
        },
    )
    return figure


def error_against_n(
    n_points: FloatArray,
    curves: list[tuple[str, FloatArray, PowerLaw | None, str]],
    *,
    axis: str,
    look: Look = LIGHT,
) -> go.Figure:
    """Draw errors over the number of points, both on logarithmic axes, with fitted lines.

    Parameters
    ----------
    n_points : ndarray of shape (c,)
    curves : list of (name, errors (c,), law or None, colour)
        The line of a law is drawn where it holds.
    axis : str
        Title of the vertical axis, trusted.
    look : Look
    """
    figure = go.Figure()
    for name, errors, law, colour in curves:
        figure.add_trace(
            go.Scatter(
                x=n_points, y=errors, mode="markers", name=name,
                marker={"color": colour, "size": 10 * look.scale},
                hovertemplate="n %{x}, %{y:.3~g}<extra></extra>",
            )
        )  # fmt: skip
        if law is None:
            continue
        ends = np.array([law.first, law.last], dtype=np.float64)
        figure.add_trace(
            go.Scatter(
                x=ends, y=law.factor * ends**law.rate, mode="lines",
                name=f"∝ n<sup>{law.rate:.2f}</sup>".replace("-", "−"),
                line={"color": colour, "width": 2 * look.scale, "dash": "dash"}, hoverinfo="skip",
            )
        )  # fmt: skip
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        xaxis=_sizes_axis(n_points),
        yaxis={"title": {"text": axis}, "type": "log", "dtick": 1, "exponentformat": "power"},
    )
    return figure


def correlation_against_n(
    n_points: FloatArray, curves: list[tuple[str, FloatArray, str]], *, look: Look = LIGHT
) -> go.Figure:
    """Draw rank correlations (c,) with the truth over the number of points (c,)."""
    figure = go.Figure(
        [
            go.Scatter(
                x=n_points, y=rho, mode="lines+markers", name=name,
                line={"color": colour, "width": 2.5 * look.scale},
                marker={"size": 9 * look.scale},
                hovertemplate="n %{x}, ρ %{y:.3f}<extra></extra>",
            )
            for name, rho, colour in curves
        ]
    )  # fmt: skip
    figure.add_hline(0.0, line={"color": look.muted, "width": 1})
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        xaxis=_sizes_axis(n_points),
        yaxis={"title": {"text": "Spearman ρ with the true |H|"}, "range": [-0.6, 1.08]},
    )
    return figure


def colour_limits(values: FloatArray) -> tuple[float, float]:
    """Return the ends of a colour scale for values >= 0: their 1 and 99 percent, never equal."""
    low, high = np.percentile(values[np.isfinite(values)], [1.0, 99.0]).tolist()
    if high - low < 1e-9 * max(1.0, abs(high)):
        return max(0.0, float(low) - 0.5), float(high) + 0.5
    return float(low), float(high)


def _sizes_axis(n_points: FloatArray) -> dict[str, object]:
    """Return a logarithmic axis with a mark at every second size."""
    marks = n_points[1::2].tolist()
    texts = [count(round(size)) for size in marks]
    return {"title": {"text": "points n"}, "type": "log", "tickvals": marks, "ticktext": texts}


def _range(values: FloatArray, others: FloatArray) -> list[float]:
    """Return an axis that holds 99 percent of the values, and all others."""
    low, high = np.percentile(values, [0.5, 99.5]).tolist()
    low, high = min(low, float(others.min())), max(high, float(np.percentile(others, 99.9)))
    pad = 0.06 * (high - low) or 0.5
    return [float(low - pad), float(high + pad)]
