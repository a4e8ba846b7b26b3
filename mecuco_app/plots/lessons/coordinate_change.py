"""Which points stay on top when the coordinates change."""

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from mecuco_app.plots.marks import flat
from mecuco_app.plots.theme import template
from mecuco_app.scene.look import LIGHT, OURS, PAPER, TRUTH, Look
from mecuco_core.types import BoolArray, FloatArray, IntArray

MAP_HEIGHT = 460
HEIGHT = 380


def top_map(
    coordinates: npt.NDArray[np.floating],
    rows: IntArray,
    kept: BoolArray,
    other: BoolArray,
    *,
    other_name: str,
    lost: bool,
    look: Look = LIGHT,
) -> go.Figure:
    """Draw the points with those on top bright: those that stay, and those that do not.

    Parameters
    ----------
    coordinates : ndarray of shape (n_points, 2)
    rows : ndarray of shape (n_points,)
    kept, other : ndarray of bool of shape (n_points,)
    other_name : str
        What the others are, trusted.
    lost : bool
        Whether the others leave the top; else they are new there.
    look : Look
    """
    rest = ~(kept | other)
    colour, symbol = (TRUTH, "x") if lost else (look.labels[1], "diamond")
    parts = (
        ("the others", rest, {"color": look.muted, "size": 4, "opacity": 0.6}),
        ("top before and after", kept, {"color": OURS, "size": 9}),
        (other_name, other, {"color": colour, "size": 9, "symbol": symbol}),
    )
    figure = go.Figure()
    for name, some, marker in parts:
        size = float(str(marker["size"])) * look.scale
        figure.add_trace(
            flat(len(rows))(
                x=coordinates[some, 0].astype(np.float32),
                y=coordinates[some, 1].astype(np.float32),
                mode="markers", name=f"{name} ({int(some.sum())})",
                marker={**marker, "size": size}, customdata=rows[some].astype(np.int32),
                hovertemplate="row %{customdata}<extra></extra>",
            )
        )  # fmt: skip
    figure.update_layout(
        template=template(look),
        height=MAP_HEIGHT,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        xaxis={"title": {"text": "PC 1"}},
        yaxis={"title": {"text": "PC 2"}},
    )
    return figure


def overlap_curves(
    score: FloatArray, scatter: FloatArray, q: float, *, look: Look = LIGHT
) -> go.Figure:
    """Draw the share of the top that stays, for every size of the top.

    Parameters
    ----------
    score, scatter : ndarray of shape (100,)
        Share of the top 1, 2, … 100 percent in common before and after, by κ and by τ.
    q : float
        Percentage that is marked.
    look : Look
    """
    percent = np.arange(1, len(score) + 1)
    figure = go.Figure()
    for name, values, colour, dash in (
        ("score κ", score, PAPER, "solid"),
        ("local scatter τ", scatter, look.labels[3], "dash"),
    ):
        figure.add_trace(
            go.Scatter(
                x=percent, y=100 * values, mode="lines", name=name,
                line={"color": colour, "width": 3 * look.scale, "dash": dash},
                hovertemplate="top %{x} %: %{y:.1f} % stay<extra></extra>",
            )
        )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=percent, y=percent, mode="lines", name="by chance", hoverinfo="skip",
            line={"color": look.muted, "width": 1.5 * look.scale, "dash": "dot"},
        )
    )  # fmt: skip
    figure.add_vline(q, line={"color": look.text, "width": 1.5, "dash": "dot"})
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        xaxis={"title": {"text": "top q (%)"}, "range": [0, 100]},
        yaxis={"title": {"text": "stay on top (%)"}, "range": [0, 103]},
    )
    return figure


def stability_bars(shares: FloatArray, n_changes: int, *, look: Look = LIGHT) -> go.Figure:
    """Draw how many of the top points stay after how many of the changes.

    Parameters
    ----------
    shares : ndarray of shape (n_top,)
        Share of the changes after which each top point is still on top.
    n_changes : int
    look : Look
    """
    counts = np.bincount(np.round(shares * n_changes).astype(int), minlength=n_changes + 1)
    figure = go.Figure(
        go.Bar(
            x=np.arange(n_changes + 1), y=counts, marker={"color": OURS},
            hovertemplate=f"points that stay %{{x}} of {n_changes} times: %{{y}}<extra></extra>",
        )
    )  # fmt: skip
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        xaxis={"title": {"text": f"times on top, of {n_changes}"}, "dtick": 1},
        yaxis={"title": {"text": "top points"}},
    )
    return figure
