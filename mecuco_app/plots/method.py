"""What the score is made of: its scatter, its ratio to it, and its coordinates."""

import numpy as np
import plotly.graph_objects as go

from mecuco_app.plots.marks import flat, log_axis
from mecuco_app.plots.theme import room, template
from mecuco_app.scene.look import LIGHT, SCORE_SCALE, Look
from mecuco_core.types import FloatArray, IntArray

HEIGHT = 380


def score_over_scatter(
    tau: FloatArray, kappa: FloatArray, rows: IntArray, *, log: bool = True, look: Look = LIGHT
) -> go.Figure:
    """Draw the score over the local scatter, between the two lines it cannot cross.

    Parameters
    ----------
    tau, kappa, rows : ndarray of shape (n_points,)
    log : bool
        Whether both axes are logarithmic; points at zero are then left out.
    look : Look
    """
    some = (tau > 0) & (kappa > 0)
    if not log or not some.any():
        some, log = np.ones(len(tau), dtype=bool), False
    tau, kappa, rows = tau[some], kappa[some], rows[some]
    ends = np.array([tau.min(), tau.max()])
    size = 6.0 if len(tau) <= 3000 else 3.5
    points = flat(len(tau))(
        x=tau.astype(np.float32),
        y=kappa.astype(np.float32),
        mode="markers",
        marker={
            "color": (kappa / np.where(tau > 0, tau, 1.0)).astype(np.float32),
            "colorscale": SCORE_SCALE,
            "cmin": 0.5,
            "cmax": 1.0,
            "size": size * look.scale,
            "colorbar": {"title": {"text": "κ/τ", "side": "right"}, "thickness": 14 * look.scale},
        },
        customdata=rows.astype(np.int32),
        hovertemplate="row %{customdata}<br>τ %{x:.4~g}, κ %{y:.4~g}<extra></extra>",
        name="points",
    )
    lines = [
        go.Scatter(
            x=ends, y=share * ends, mode="lines", hoverinfo="skip", name=name,
            line={"color": look.text, "dash": "dot", "width": 1.5},
        )
        for share, name in ((0.5, "κ = τ/2"), (1.0, "κ = τ"))
    ]  # fmt: skip
    figure = go.Figure([*lines, points])
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        showlegend=False,
        margin=room(look),
        xaxis={"title": {"text": "local scatter τ (a.u.)"}, **(log_axis(tau) if log else {})},
        yaxis={"title": {"text": "score κ (a.u.)"}, **(log_axis(kappa) if log else {})},
    )
    return figure


def ratio_histogram(ratio: FloatArray, *, look: Look = LIGHT) -> go.Figure:
    """Draw how κ/τ is distributed, with its bounds one half and one.

    Parameters
    ----------
    ratio : ndarray of shape (n_points,)
        Finite.
    look : Look
    """
    low, high = min(0.48, float(ratio.min())), max(1.02, float(ratio.max()))
    counts, edges = np.histogram(ratio, bins=50, range=(low, high))
    figure = go.Figure(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2, y=counts, width=np.diff(edges),
            marker={"color": look.labels[4]},
            hovertemplate="points at %{x:.3~g}: %{y}<extra></extra>",
        )
    )  # fmt: skip
    for bound in (0.5, 1.0):
        figure.add_vline(bound, line={"color": look.text, "dash": "dot", "width": 1.5})
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        showlegend=False,
        bargap=0,
        xaxis={"title": {"text": "κ/τ"}, "range": [low, high]},
        yaxis={"title": {"text": "points"}},
    )
    return figure
