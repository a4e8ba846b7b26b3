"""Curvature against direction, and the parameters of a surface as a map to click on."""

import numpy as np
import plotly.graph_objects as go

from mecuco_app.plots.lessons.surface import WALK
from mecuco_app.plots.marks import flat
from mecuco_app.plots.theme import template
from mecuco_app.scene.look import LIGHT, OURS, SCORE_SCALE, TRUTH, Look
from mecuco_core.types import FloatArray

HEIGHT = 340


def curvature_by_angle(
    angles: FloatArray,
    exact: FloatArray,
    estimated: FloatArray | None,
    *,
    principal: tuple[float, float],
    at: tuple[float, float],
    look: Look = LIGHT,
) -> go.Figure:
    """Draw II(t, t) against the angle of t, with the principal curvatures as its extremes.

    Parameters
    ----------
    angles, exact : ndarray of shape (n,)
        Degrees from the first principal direction, and the curvature there.
    estimated : ndarray of shape (n,) or None
    principal : tuple of float
        κ1 and κ2, exact.
    at : tuple of float
        The angle of the walk, and the curvature there.
    look : Look
    """
    figure = go.Figure(
        go.Scatter(
            x=angles, y=exact, mode="lines", name="exact",
            line={"color": TRUTH, "width": 3 * look.scale},
            hovertemplate="θ %{x:.0f}°, II(t, t) %{y:.3~g}<extra>exact</extra>",
        )
    )  # fmt: skip
    if estimated is not None:
        figure.add_trace(
            go.Scatter(
                x=angles, y=estimated, mode="lines", name="estimated",
                line={"color": OURS, "width": 2.5 * look.scale, "dash": "dash"},
                hovertemplate="θ %{x:.0f}°, II(t, t) %{y:.3~g}<extra>estimated</extra>",
            )
        )  # fmt: skip
    for value, name in zip(principal, ("κ₁", "κ₂"), strict=True):
        figure.add_hline(
            value,
            line={"color": look.text, "dash": "dot", "width": 1.5},
            annotation={"text": name, "font": {"color": look.text}, "xanchor": "right"},
        )
    figure.add_hline(0.0, line={"color": look.muted, "width": 1})
    figure.add_trace(
        go.Scatter(
            x=[at[0]], y=[at[1]], mode="markers", name="t, as chosen",
            marker={"color": WALK, "size": 13 * look.scale},
            hovertemplate="θ %{x:.0f}°, II(t, t) %{y:.3~g}<extra>t</extra>",
        )
    )  # fmt: skip
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        xaxis={"title": {"text": "angle θ from e₁ (degrees)"}, "tickvals": [0, 90, 180, 270, 360]},
        yaxis={"title": {"text": "II(t, t)"}},
    )
    return figure


def parameter_map(
    shares: FloatArray,
    values: FloatArray,
    at: tuple[float, float],
    *,
    title: str,
    names: tuple[str, str],
    look: Look = LIGHT,
) -> go.Figure:
    """Draw the range of the two parameters as squares to click on.

    Parameters
    ----------
    shares : ndarray of shape (n, 2)
        Centres of the squares of a square grid, as shares of the ranges, the second quickest.
    values : ndarray of shape (n,)
        What colours them.
    at : tuple of float
        The point, as shares.
    title : str
        Of the colours, trusted.
    names : tuple of str
        Of the axes, trusted.
    look : Look
    """
    spread = float(np.ptp(values))
    margin = 0.5 if spread < 1e-9 else 0.0
    n = round(len(values) ** 0.5)
    axis = shares[:n, 1]
    figure = go.Figure(
        go.Heatmap(
            x=axis, y=axis, z=values.reshape(n, n).T.astype(np.float32),
            colorscale=SCORE_SCALE, showscale=False, hoverinfo="skip",
            zmin=float(values.min()) - margin, zmax=float(values.max()) + margin,
        )
    )  # fmt: skip
    # A heat map takes no click: points nobody sees lie on it.
    figure.add_trace(
        flat(len(shares))(
            x=shares[:, 0].astype(np.float32), y=shares[:, 1].astype(np.float32), mode="markers",
            marker={"size": 14 * look.scale, "color": values.astype(np.float32), "opacity": 0.0},
            selected={"marker": {"opacity": 0.0}}, unselected={"marker": {"opacity": 0.0}},
            name=title, hovertemplate=f"{title} %{{marker.color:.3~g}}<extra></extra>",
        )
    )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=[at[0]], y=[at[1]], mode="markers", name="point", hoverinfo="skip",
            marker={
                "color": TRUTH, "size": 15 * look.scale,
                "line": {"color": "#ffffff", "width": 2 * look.scale},
            },
            selected={"marker": {"opacity": 1.0}}, unselected={"marker": {"opacity": 1.0}},
        )
    )  # fmt: skip
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        showlegend=False,
        dragmode=False,
        xaxis={"title": {"text": names[0]}, "range": [0, 1], "tickformat": ".0%"},
        yaxis={"title": {"text": names[1]}, "range": [0, 1], "tickformat": ".0%"},
    )
    return figure
