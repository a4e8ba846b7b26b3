"""One score in many bases of its null space, and why some bases are not typical."""

import numpy as np
import plotly.graph_objects as go

from mecuco_app.plots.lessons.null_space import over_bases
from mecuco_app.plots.marks import flat
from mecuco_app.plots.theme import template
from mecuco_app.scene.look import LIGHT, OURS, PAPER, SCORE_SCALE, Look
from mecuco_core.types import FloatArray

HEIGHT = 420
_NAMES = {"leaning": "leaning to the axes", "fast": "fast, as published", "haar": "haar"}


def _colour(name: str, look: Look) -> str:
    return {"haar": OURS, "fast": PAPER, "leaning": look.emphasis}.get(name, look.text)


def basis_histogram(draws: FloatArray, marks: dict[str, float], *, look: Look = LIGHT) -> go.Figure:
    """Draw the scores of one point in random bases, and every other answer as a line.

    Parameters
    ----------
    draws : ndarray of shape (n_bases,)
        Relative to `haar`, in percent.
    marks : dict of str to float
        The other answers, on the same scale. Those far off are named at the edge.
    look : Look
    """
    near = {name: value for name, value in marks.items() if name not in ("fast", "leaning")}
    low = min(float(draws.min()), *near.values())
    high = max(float(draws.max()), *near.values())
    pad = 0.12 * (high - low) or 1.0
    low, high = low - pad, high + pad
    seen = [
        (name, value, _colour(name, look)) for name, value in marks.items() if low <= value <= high
    ]
    figure = over_bases(draws, seen, title="score relative to haar (%)", look=look)
    for name, value in marks.items():
        if low <= value <= high:
            continue
        right = value > high
        figure.add_annotation(
            x=1.0 if right else 0.0, y=0.3, xref="paper", yref="paper", showarrow=False,
            xanchor="right" if right else "left",
            text=f"{_NAMES[name]}<br>{value:+.1f} % {'→' if right else '←'}".replace("-", "−"),
            font={"color": _colour(name, look)}, align="right" if right else "left",
            bgcolor=look.paper,  # a line may pass here
        )  # fmt: skip
    figure.update_layout(height=HEIGHT, xaxis={"range": [low, high]})
    return figure


def leaning_scatter(
    leanings: FloatArray,
    draws: FloatArray,
    marks: dict[str, tuple[float, float]],
    *,
    look: Look = LIGHT,
) -> go.Figure:
    """Draw the score over how far its basis leans to the axes.

    Parameters
    ----------
    leanings, draws : ndarray of shape (n_bases,)
        Of the random bases: mean of Σ w⁴, and score relative to `haar` in percent.
    marks : dict of str to (float, float)
        The same of the other bases.
    look : Look
    """
    figure = go.Figure(
        flat(len(draws))(
            x=leanings, y=draws, mode="markers", name="random bases",
            marker={"color": look.labels[4], "size": 6 * look.scale, "opacity": 0.6},
            hovertemplate="leaning %{x:.3~g}, %{y:.2f} %<extra>random</extra>",
        )
    )  # fmt: skip
    # From left to right, each name on the side where no neighbour is.
    sides = ("middle left", "top center", "middle right", "bottom center")
    for number, (name, (across, up)) in enumerate(sorted(marks.items(), key=lambda one: one[1])):
        figure.add_trace(
            go.Scatter(
                x=[across], y=[up], mode="markers+text", text=[name], name=name,
                textposition="middle left" if name == "leaning" else sides[number % 4],
                textfont={"color": _colour(name, look)},
                marker={"color": _colour(name, look), "size": 11 * look.scale, "symbol": "diamond"},
                hovertemplate="leaning %{x:.3~g}, %{y:.2f} %<extra></extra>",
            )
        )  # fmt: skip
    figure.add_hline(0.0, line={"color": OURS, "width": 1.5 * look.scale})
    ticks = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        showlegend=False,
        xaxis={
            "title": {"text": "leaning, mean of Σ w⁴ (1: an axis)"}, "type": "log",
            "tickvals": ticks, "ticktext": [f"{tick:g}" for tick in ticks],
        },
        yaxis={"title": {"text": "score relative to haar (%)"}},
    )  # fmt: skip
    return figure


def basis_picture(basis: FloatArray, limit: float, *, look: Look = LIGHT) -> go.Figure:
    """Draw the squares of a basis (n_features, n0), its vectors as columns.

    Parameters
    ----------
    basis : ndarray of shape (n_features, n0)
    limit : float
        Square with the strongest colour.
    look : Look
    """
    figure = go.Figure(
        go.Heatmap(
            z=(basis**2).astype(np.float32), colorscale=SCORE_SCALE, zmin=0.0, zmax=limit,
            colorbar={"thickness": 10 * look.scale, "nticks": 4},
            hovertemplate="feature %{y}, vector %{x}: %{z:.3~g}<extra></extra>",
        )
    )  # fmt: skip
    figure.update_layout(
        template=template(look),
        height=320,
        xaxis={"title": {"text": "basis vectors"}, "showgrid": False},
        yaxis={"title": {"text": "features"}, "showgrid": False, "autorange": "reversed"},
    )
    return figure


def ratio_series(
    ratio: FloatArray, curves: dict[str, FloatArray], *, look: Look = LIGHT
) -> go.Figure:
    """Draw how much every choice of basis changes the score, over m/k; both axes logarithmic.

    Parameters
    ----------
    ratio : ndarray of shape (c,)
    curves : dict of str to ndarray of shape (c,)
        Sizes in percent, of "random", "evr", "leaning" and "fast"; below 10⁻⁶ they are rounding
        and not drawn.
    look : Look
    """
    names = {
        "random": "random bases, standard deviation",
        "evr": "LAPACK evr",
        "leaning": "leaning basis",
        "fast": "fast, as published",
    }
    figure = go.Figure()
    for name, sizes in curves.items():
        colour = look.labels[4] if name == "random" else _colour(name, look)
        figure.add_trace(
            go.Scatter(
                x=ratio, y=np.where(sizes > 1e-6, sizes, np.nan), mode="lines+markers",
                name=names[name], line={"color": colour, "width": 2.5 * look.scale},
                marker={"size": 8 * look.scale},
                hovertemplate="m/k %{x:.2~f}, %{y:.2~g} %<extra></extra>",
            )
        )  # fmt: skip
    ticks = [1, 2, 3, 5, 8, 12]
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        xaxis={
            "title": {"text": "m/k"}, "type": "log", "tickvals": ticks,
            "ticktext": [str(tick) for tick in ticks],
        },
        yaxis={
            "title": {"text": "size relative to haar (%)"}, "type": "log", "dtick": 1,
            "exponentformat": "none",
        },
    )  # fmt: skip
    return figure


def slip_bars(biases: dict[str, float], *, look: Look = LIGHT) -> go.Figure:
    """Draw what each slip changes, in percent of `haar`.

    Parameters
    ----------
    biases : dict of str to float
        From trusted names.
    look : Look
    """
    figure = go.Figure(
        go.Bar(
            x=list(biases.values()), y=list(biases), orientation="h", marker={"color": PAPER},
            text=[f"{value:+.2f} %".replace("-", "−") for value in biases.values()],
            textposition="auto", hoverinfo="skip",
        )
    )  # fmt: skip
    figure.add_vline(0.0, line={"color": OURS, "width": 2 * look.scale})
    low, high = min(0.0, *biases.values()), max(0.0, *biases.values())
    pad = 0.2 * (high - low) or 1.0
    figure.update_layout(
        template=template(look),
        height=300,
        showlegend=False,
        xaxis={
            "title": {"text": "mean difference to haar (%)"}, "range": [low - pad / 4, high + pad],
        },
        yaxis={"autorange": "reversed"},
    )  # fmt: skip
    return figure
