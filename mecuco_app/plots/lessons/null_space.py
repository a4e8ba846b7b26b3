"""What `exact` can be: scores over the bases of a null space, and which are typical."""

import numpy as np
import plotly.graph_objects as go

from mecuco_app.plots.marks import flat
from mecuco_app.plots.theme import template
from mecuco_app.scene.look import LIGHT, OURS, PAPER, SCORE_SCALE, Look
from mecuco_core.diagnostics.null_bases.scores import DRIVERS, NullBasisSpread
from mecuco_core.types import FloatArray

HEIGHT = 380
LESSON_HEIGHT = 420
ALIGNED = "axis-aligned"
_NAMES = {"fast": "fast, as published"}
PERCENTILES = (2.5, 25.0, 50.0, 75.0, 97.5)


def null_spread(spread: NullBasisSpread, *, look: Look = LIGHT) -> go.Figure:
    """Draw, for each way to choose a basis, how far the scores lie from `haar`.

    A box holds the middle half of the points whose score depends on the basis, its whiskers 95 %
    of them.
    """
    figure = go.Figure()
    for name, scores, colour in reversed(_ways(spread, look)):
        low, first, middle, third, high = np.percentile(scores, PERCENTILES).tolist()
        figure.add_trace(
            go.Box(
                y=[name], q1=[first], median=[middle], q3=[third],
                lowerfence=[low], upperfence=[high],
                orientation="h", line={"color": colour, "width": 2 * look.scale}, name=name,
                hoverinfo="x", xhoverformat=".3~g",
            )
        )  # fmt: skip
    figure.add_vline(0.0, line={"color": OURS, "width": 2 * look.scale})
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        showlegend=False,
        xaxis={"title": {"text": "score relative to haar (%)"}, "zeroline": False},
        yaxis={"dtick": 1},  # every name, also where ticks are few
    )
    return figure


def one_neighborhood(spread: NullBasisSpread, position: int, *, look: Look = LIGHT) -> go.Figure:
    """Draw the scores one point has in random bases, with every other answer as a line.

    Parameters
    ----------
    spread : NullBasisSpread
    position : int
        Among its rows.
    look : Look
    """
    draws = spread.draws[position]
    marks = [("fast", spread.fast[position], PAPER), ("haar", spread.haar[position], OURS)]
    marks.append(("exact", spread.exact[position], look.text))
    for column, driver in enumerate(DRIVERS):
        marks.append((driver, spread.drivers[position, column], look.text))
    marks.append((ALIGNED, spread.axis_aligned[position], look.emphasis))
    return over_bases(draws, marks, title="score (a.u.)", look=look)


def over_bases(
    draws: FloatArray, marks: list[tuple[str, float, str]], *, title: str, look: Look = LIGHT
) -> go.Figure:
    """Draw the scores of one point in random bases, with other answers as lines.

    Parameters
    ----------
    draws : ndarray of shape (n_bases,)
    marks : list of (str, float, str)
        Name, value and colour of every other answer.
    title : str
        Of the axis, trusted.
    look : Look
    """
    figure = go.Figure(
        go.Histogram(
            x=draws, nbinsx=40, marker={"color": look.labels[4]}, name="random bases",
            hovertemplate="bases: %{y}<extra></extra>",
        )
    )  # fmt: skip
    # Lines that share a place share a name: two drivers often return the same basis.
    same = 1e-8 * max((abs(value) for _, value, _ in marks), default=0.0) or 1.0
    merged: dict[int, tuple[list[str], float, str]] = {}
    for name, value, colour in marks:
        merged.setdefault(round(value / same), ([], float(value), colour))[0].append(name)
    for step, (_, (names, value, colour)) in enumerate(sorted(merged.items())):
        figure.add_vline(
            value,
            line={"color": colour, "width": 2 * look.scale},
            annotation={
                "text": ", ".join(names), "font": {"color": colour}, "yref": "paper",
                "y": 1.0 - 0.09 * (step % 4), "xanchor": "left", "showarrow": False,
            },
        )  # fmt: skip
    figure.update_layout(
        template=template(look),
        height=HEIGHT,
        showlegend=False,
        xaxis={"title": {"text": title}},
        yaxis={"title": {"text": "random bases"}},
        bargap=0.02,
    )
    return figure


def _ways(spread: NullBasisSpread, look: Look) -> list[tuple[str, FloatArray, str]]:
    """Name, scores relative to `haar` in percent, and colour of each way, top to bottom."""
    rows = spread.undetermined
    if not rows.any():
        rows = np.ones(len(spread.rows), dtype=bool)

    def relative(scores: FloatArray) -> FloatArray:
        return np.asarray(100 * spread.relative(scores)[rows]).ravel()

    ways = [("random bases", relative(spread.draws), look.labels[4])]
    ways.append(("exact, as it is here", relative(spread.exact), look.text))
    for column, driver in enumerate(DRIVERS):
        ways.append((f"LAPACK {driver}", relative(spread.drivers[:, column]), look.text))
    ways.append((ALIGNED, relative(spread.axis_aligned), look.emphasis))
    ways.append(("fast, as published", relative(spread.fast), PAPER))
    return ways


def _colour(name: str, look: Look) -> str:
    return {"haar": OURS, "fast": PAPER, ALIGNED: look.emphasis}.get(name, look.text)


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
    near = {name: value for name, value in marks.items() if name not in ("fast", ALIGNED)}
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
            text=f"{_NAMES.get(name, name)}<br>"
            + f"{value:+.1f} % {'→' if right else '←'}".replace("-", "−"),
            font={"color": _colour(name, look)}, align="right" if right else "left",
            bgcolor=look.paper,  # a line may pass here
        )  # fmt: skip
    figure.update_layout(height=LESSON_HEIGHT, xaxis={"range": [low, high]})
    return figure


def closeness_scatter(
    closeness: FloatArray,
    draws: FloatArray,
    marks: dict[str, tuple[float, float]],
    *,
    look: Look = LIGHT,
) -> go.Figure:
    """Draw the score over how close its basis is to the axes.

    Parameters
    ----------
    closeness, draws : ndarray of shape (n_bases,)
        Of the random bases: mean of Σ w⁴, and score relative to `haar` in percent.
    marks : dict of str to (float, float)
        The same of the other bases.
    look : Look
    """
    figure = go.Figure(
        flat(len(draws))(
            x=closeness, y=draws, mode="markers", name="random bases",
            marker={"color": look.labels[4], "size": 6 * look.scale, "opacity": 0.6},
            hovertemplate="closeness %{x:.3~g}, %{y:.2f} %<extra>random</extra>",
        )
    )  # fmt: skip
    # From left to right, each name on the side where no neighbour is.
    sides = ("middle left", "top center", "middle right", "bottom center")
    for number, (name, (across, up)) in enumerate(sorted(marks.items(), key=lambda one: one[1])):
        figure.add_trace(
            go.Scatter(
                x=[across], y=[up], mode="markers+text", text=[name], name=name,
                textposition="middle left" if name == ALIGNED else sides[number % 4],
                textfont={"color": _colour(name, look)},
                marker={"color": _colour(name, look), "size": 11 * look.scale, "symbol": "diamond"},
                hovertemplate="closeness %{x:.3~g}, %{y:.2f} %<extra></extra>",
            )
        )  # fmt: skip
    figure.add_hline(0.0, line={"color": OURS, "width": 1.5 * look.scale})
    ticks = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
    figure.update_layout(
        template=template(look),
        height=LESSON_HEIGHT,
        showlegend=False,
        xaxis={
            "title": {"text": "closeness to the axes, mean of Σ w⁴"}, "type": "log",
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
        Sizes in percent, of "random", "evr", "axis-aligned" and "fast"; below 10⁻⁶ they are
        rounding and not drawn.
    look : Look
    """
    names = {
        "random": "random bases, standard deviation",
        "evr": "LAPACK evr",
        ALIGNED: "axis-aligned basis",
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
        height=LESSON_HEIGHT,
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


def fast_error_bars(biases: dict[str, float], *, look: Look = LIGHT) -> go.Figure:
    """Draw what each error of `fast` changes, in percent of `haar`.

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
