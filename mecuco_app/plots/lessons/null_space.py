"""What `exact` can be: scores over the bases of a null space, relative to their expectation."""

import numpy as np
import plotly.graph_objects as go

from mecuco_app.plots.theme import template
from mecuco_app.scene.look import LIGHT, OURS, PAPER, Look
from mecuco_core.diagnostics.null_bases.scores import DRIVERS, NullBasisSpread
from mecuco_core.types import FloatArray

HEIGHT = 380
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
    marks.append(("leaning", spread.axis_aligned[position], look.emphasis))
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
    ways.append(("axis-leaning", relative(spread.axis_aligned), look.emphasis))
    ways.append(("fast, as published", relative(spread.fast), PAPER))
    return ways
