"""The split in smooth and boundary points: on the map, in clusterings, and over k."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from mecuco_app.plots.marks import flat
from mecuco_app.plots.theme import room, template
from mecuco_app.scene.look import LIGHT, OURS, SCORE_SCALE, Look
from mecuco_core.types import BoolArray, FloatArray, IntArray

REMOVAL_HEIGHT = 200
MAP_HEIGHT = 520
HEIGHT = 420
MOST_RIBBONS = 12


def split_map(
    coordinates: npt.NDArray[np.floating],
    mask: BoolArray,
    rows: IntArray,
    values: FloatArray,
    *,
    axes: tuple[str, str] = ("", ""),
    look: Look = LIGHT,
) -> go.Figure:
    """Draw the map with smooth points grey and boundary points in front.

    Parameters
    ----------
    coordinates : ndarray of shape (n_points, 2)
    mask : ndarray of shape (n_points,)
        True for boundary points.
    rows : ndarray of shape (n_points,)
        What each point is called when pointed at.
    values : ndarray of shape (n_points,)
        The scores.
    axes : pair of str
        Titles, escaped already; empty where axes mean nothing.
    look : Look
    """
    size = 7.0 if len(mask) <= 2500 else 5.0 if len(mask) <= 8000 else 3.0
    figure = go.Figure()
    for chosen, name, colour, opacity in (
        (~mask, "smooth", look.muted, 0.55),
        (mask, "boundary", look.emphasis, 0.9),
    ):
        figure.add_trace(
            flat(len(mask))(
                x=coordinates[chosen, 0].astype(np.float32),
                y=coordinates[chosen, 1].astype(np.float32),
                mode="markers",
                marker={"color": colour, "size": size * look.scale, "opacity": opacity},
                customdata=np.column_stack([rows[chosen], values[chosen]]).astype(np.float32),
                hovertemplate="row %{customdata[0]:d}<br>score %{customdata[1]:.4~g}"
                "<extra></extra>",
                name=name,
            )
        )
    bare = {} if any(axes) else {"showticklabels": False, "ticks": "", "automargin": False}
    figure.update_layout(
        template=template(look),
        height=MAP_HEIGHT,
        margin=room(look, numbers=any(axes), legend=True),
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom"},
        xaxis={"title": {"text": axes[0]}, **bare},
        yaxis={"title": {"text": axes[1]}, **bare},
    )
    return figure


def removal_dots(
    names: Sequence[str],
    means: FloatArray,
    deviations: FloatArray,
    *,
    highlight: int,
    baseline: int = 0,
    look: Look = LIGHT,
) -> go.Figure:
    """Draw one measure of a clustering, one dot for each way to remove points.

    Parameters
    ----------
    names : sequence of str
        The ways, top to bottom; trusted.
    means, deviations : ndarray of shape (n_ways,)
        Deviations are NaN where there are none.
    highlight : int
        The way that is ours.
    baseline : int
        The way whose value is drawn through the figure as a line.
    look : Look
    """
    dots = go.Scatter(
        x=means,
        y=list(names),
        mode="markers",
        marker={
            "color": [OURS if i == highlight else look.text for i in range(len(names))],
            "size": 11 * look.scale,
        },
        error_x={
            "type": "data", "array": np.nan_to_num(deviations),
            "color": look.text, "thickness": 2,
        },
        hovertemplate="%{y}: %{x:.4~g}<extra></extra>",
    )  # fmt: skip
    figure = go.Figure(dots)
    if np.isfinite(means[baseline]):
        line = {"color": look.muted, "dash": "dot", "width": 1.5}
        figure.add_vline(float(means[baseline]), line=line)
    figure.update_layout(
        template=template(look),
        height=REMOVAL_HEIGHT * look.scale,
        showlegend=False,
        xaxis={"nticks": 4},
        yaxis={"autorange": "reversed", "dtick": 1},  # every name, also where ticks are few
    )
    return figure


def overlap_matrix(
    k_values: IntArray, overlap: FloatArray, *, current: int, look: Look = LIGHT
) -> go.Figure:
    """Draw the share of common boundary points for every pair of k, the current k marked.

    Parameters
    ----------
    k_values : ndarray of shape (n_k,)
    overlap : ndarray of shape (n_k, n_k)
    current : int
    look : Look
    """
    bar = {"title": {"text": "in common (%)", "side": "right"}, "thickness": 14 * look.scale}
    texts = [str(k) for k in k_values]
    figure = go.Figure(
        go.Heatmap(
            x=texts,
            y=texts,
            z=(100 * overlap).astype(np.float32),
            zmin=0,
            zmax=100,
            colorscale=SCORE_SCALE,
            colorbar=bar,
            texttemplate="%{z:.0f}",
            textfont={"size": 11 * look.scale},
            hovertemplate="k = %{x} and %{y}: %{z:.3~g} %<extra></extra>",
        )
    )
    if current in k_values:
        place = int(np.flatnonzero(k_values == current)[0])
        figure.add_shape(
            type="rect",
            x0=place - 0.5,
            x1=place + 0.5,
            y0=-0.5,
            y1=len(texts) - 0.5,
            line={"color": look.emphasis, "width": 2},
        )
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        xaxis={"title": {"text": "k"}, "type": "category"},
        yaxis={"title": {"text": "k"}, "type": "category"},
    )
    return figure


def rank_ribbons(
    k_values: IntArray,
    percent: FloatArray,
    rows: IntArray,
    lines: IntArray,
    boundary: BoolArray,
    *,
    cut: float,
    current: int,
    look: Look = LIGHT,
) -> go.Figure:
    """Draw ranks over k: the middle 80 % of the boundary points as a ribbon, some as lines.

    Parameters
    ----------
    k_values : ndarray of shape (n_k,)
    percent : ndarray of shape (n_k, n_points)
        Ranks in percent, 100 the highest.
    rows : ndarray of shape (n_points,)
        What each point is called.
    lines : ndarray of int
        Points drawn one by one; the first dozen.
    boundary : ndarray of shape (n_points,)
        Points of the ribbon.
    cut : float
        Percentile above which points are boundary points.
    current : int
        The k of the page.
    look : Look
    """
    figure = go.Figure()
    if boundary.any():
        low, high = np.percentile(percent[:, boundary], [10, 90], axis=1)
        figure.add_trace(
            go.Scatter(
                x=[*k_values, *k_values[::-1]], y=[*high, *low[::-1]], fill="toself",
                mode="none", fillcolor=look.muted, opacity=0.5, hoverinfo="skip",
                name="80 %",
            )
        )  # fmt: skip
    for order, position in enumerate(lines[:MOST_RIBBONS]):
        figure.add_trace(
            go.Scatter(
                x=k_values,
                y=percent[:, position],
                mode="lines",
                line={
                    "color": look.labels[order % (len(look.labels) - 1)],
                    "width": 2 * look.scale,
                    "dash": "solid" if order < len(look.labels) - 1 else "dash",
                },
                name=f"row {rows[position]}",
                hovertemplate=f"row {rows[position]}, k = %{{x}}: rank %{{y:.3~g}} %"
                "<extra></extra>",
            )
        )
    figure.add_hline(cut, line={"color": look.text, "dash": "dot", "width": 1.5})
    figure.add_vline(current, line={"color": look.emphasis, "width": 2})
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        xaxis={"title": {"text": "k"}},
        yaxis={"title": {"text": "rank (%)"}},
        legend={
            "orientation": "h",
            "yref": "container",  # below the title of the axis, however large the letters
            "y": 0.0,
            "yanchor": "bottom",
            "font": {"size": 12 * look.scale},
            "entrywidth": 76 * look.scale,
            "entrywidthmode": "pixels",
        },
    )
    return figure
