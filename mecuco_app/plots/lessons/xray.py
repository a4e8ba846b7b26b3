"""The steps of one score: matrices as heat maps, the ellipse of a covariance, shares as bars."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from mecuco_app.plots.theme import template
from mecuco_app.scene.look import DIFFERENCE_SCALE, LIGHT, OURS, PAPER, SCORE_SCALE, Look
from mecuco_core.types import FloatArray

HEIGHT = 520


def heat_map(
    values: FloatArray,
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    axes: tuple[str, str],
    signed: bool = True,
    square: bool = False,
    limit: float | None = None,
    look: Look = LIGHT,
) -> go.Figure:
    """Draw a matrix.

    Parameters
    ----------
    values : ndarray of shape (a, b)
    rows, columns : sequence of str
        Their names, literal text of Plotly.
    axes : tuple of str
        Titles of the rows and of the columns, trusted.
    signed : bool
        Whether colours are centred on zero; else they start there.
    square : bool
        Whether entries are drawn as squares.
    limit : float or None
        Value of the strongest colour; the largest entry for None.
    look : Look
    """
    strongest = limit or float(np.abs(values).max()) or 1.0
    figure = go.Figure(
        go.Heatmap(
            z=values.astype(np.float32),
            colorscale=DIFFERENCE_SCALE if signed else SCORE_SCALE,
            zmin=-strongest if signed else 0.0,
            zmax=strongest,
            xgap=1 if max(values.shape) <= 40 else 0,
            ygap=1 if max(values.shape) <= 40 else 0,
            customdata=np.array([[f"{row}, {column}" for column in columns] for row in rows]),
            hovertemplate="%{customdata}: %{z:.3~g}<extra></extra>",
            colorbar={"thickness": 12 * look.scale, "nticks": 5},
        )
    )
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        xaxis={
            "title": {"text": axes[1]}, "showgrid": False, "constrain": "domain",
            **_ticks(columns, look),
        },
        yaxis={
            "title": {"text": axes[0]}, "showgrid": False, "autorange": "reversed",
            **_ticks(rows, look),
        },
    )  # fmt: skip
    if square:  # names on both sides would leave no room: the pointer tells them
        figure.update_xaxes(showticklabels=False, ticks="")
        figure.update_yaxes(showticklabels=False, ticks="")
        figure.update_yaxes(scaleanchor="x", constrain="domain")
        figure.update_layout(height=400)
    return figure


def _ticks(names: Sequence[str], look: Look) -> dict[str, object]:
    """Return marks for as many names as can be read."""
    step = -(-len(names) // (6 if look.lecture else 10))
    marks = list(range(0, len(names), step))
    return {"tickvals": marks, "ticktext": [names[mark] for mark in marks]}


def covariance_ellipse(
    places: FloatArray, deviations: tuple[float, float], *, look: Look = LIGHT
) -> go.Figure:
    """Draw a patch along its first two eigenvectors, with the ellipses of its covariance.

    Parameters
    ----------
    places : ndarray of shape (k, 2)
    deviations : tuple of float
        Square roots of the first two eigenvalues.
    look : Look
    """
    angle = np.linspace(0.0, 2 * np.pi, 121)
    figure = go.Figure()
    for times, dash in ((1.0, "solid"), (2.0, "dot")):
        figure.add_trace(
            go.Scatter(
                x=times * deviations[0] * np.cos(angle), y=times * deviations[1] * np.sin(angle),
                mode="lines", name=f"{times:g} standard deviation{'s' if times > 1 else ''}",
                line={"color": PAPER, "width": 2.5 * look.scale, "dash": dash}, hoverinfo="skip",
            )
        )  # fmt: skip
    for axis, name in enumerate(("√λ₁ w₁", "√λ₂ w₂")):
        end = [0.0, 0.0]
        end[axis] = deviations[axis]
        figure.add_trace(
            go.Scatter(
                x=[0.0, end[0]], y=[0.0, end[1]], mode="lines", name=name, hoverinfo="name",
                line={"color": look.labels[3 + axis], "width": 4 * look.scale},
            )
        )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=places[:, 0], y=places[:, 1], mode="markers", name="neighbours, centred",
            marker={"color": look.text, "size": 10 * look.scale},
            hovertemplate="%{x:.3~g}, %{y:.3~g}<extra></extra>",
        )
    )  # fmt: skip
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        xaxis={"title": {"text": "along w₁"}, "constrain": "domain"},
        yaxis={"title": {"text": "along w₂"}, "scaleanchor": "x"},
    )
    return figure


def eigenvalue_shares(
    eigenvalues: FloatArray, shares: FloatArray, *, mode: str, look: Look = LIGHT
) -> go.Figure:
    """Draw what every eigenvector gives to the two halves of the score.

    Parameters
    ----------
    eigenvalues, shares : ndarray of shape (rank,)
        λ_s, and what it is weighted with in the alignment half.
    mode : str
        The one that weights it so.
    look : Look
    """
    names = [str(s + 1) for s in range(len(eigenvalues))]
    figure = go.Figure(
        [
            go.Bar(
                x=names, y=eigenvalues / 2, name="scatter, ½ λ", marker={"color": PAPER},
                hovertemplate="%{y:.3~g}<extra>scatter</extra>",
            ),
            go.Bar(
                x=names, y=eigenvalues * shares / 2, name=f"alignment, {mode}",
                marker={"color": OURS}, hovertemplate="%{y:.3~g}<extra>alignment</extra>",
            ),
        ]
    )  # fmt: skip
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        barmode="relative",  # shares by fast may be below zero
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        xaxis={"title": {"text": "eigenvector s"}, "type": "category"},
        yaxis={"title": {"text": "share of the score κ (a.u.)"}},
    )
    return figure
