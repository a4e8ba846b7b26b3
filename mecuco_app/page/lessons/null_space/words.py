"""Sentences, formulas and guided steps of the Null space page."""

import numpy as np

from mecuco_app.plots.lessons.null_space import ALIGNED
from mecuco_app.results.lessons.null_space import Subject
from mecuco_app.screen.guide import Step
from mecuco_app.text.formulas import tex
from mecuco_app.text.numbers import count, number, plural
from mecuco_core.diagnostics.null_bases.one_point import NullSeries, PointBases
from mecuco_core.diagnostics.null_bases.published_fast import FastErrors
from mecuco_core.diagnostics.null_bases.scores import AXIS_ALIGNED, DRIVERS

ROUNDING = 1e-9
"""Relative differences below this are rounding."""

INTRO = "Why the mode exact is not one number where k ≤ m."

STEPS = (
    Step(
        "One point, many answers",
        "Every bar is the score of the same point in other bases of its null space: all are "
        "`exact`. LAPACK's three drivers give three numbers.",
        {"null.source": "cloud", "null.n_features": 40, "null.n_neighbors": 10},
    ),
    Step(
        "Take the freedom away",
        "With k = 42 the neighbourhood spans 40 dimensions. There is no null space, and every mode "
        "gives the same number.",
        {"null.source": "cloud", "null.n_features": 40, "null.n_neighbors": 42},
    ),
    Step(
        "Your own data",
        "On digits LAPACK's answers lie far outside: a pixel that does not vary among the "
        "neighbours is a basis vector by itself.",
        {"null.source": "data"},
    ),
)


def verdict(found: PointBases, subject: Subject) -> str:
    """Return the page in one sentence."""
    spread, m = found.spread, subject.n_features
    if found.n_null < 2:
        return (
            f"The {subject.n_neighbors} neighbours span {int(spread.rank[0])} of "
            f"{plural(m, 'dimension')}: no basis is left to choose, and exact is one number, "
            f"{number(float(spread.exact[0]), 5)}."
        )
    sd = 100 * float(spread.sd[0] / spread.haar[0])
    outside: list[str] = [name for name in DRIVERS if not inside(found, name)]
    return (
        f"The neighbours span {int(spread.rank[0])} of {m} dimensions. Over random bases of the "
        f"other {found.n_null} exact varies by {number(sd, 2)} %; of LAPACK's drivers "
        f"{_listed(outside)} the middle 95 %."
    )


def inside(found: PointBases, name: str) -> bool:
    """Whether the score by a driver lies within the middle 95 % of random bases."""
    low, high = found.spread.band[0]
    return bool(low <= found.scores()[name] <= high)


def _listed(outside: list[str]) -> str:
    if not outside:
        return "all three lie inside"
    if len(outside) == len(DRIVERS):
        return "all three lie outside"
    return f"{' and '.join(outside)} {'lies' if len(outside) == 1 else 'lie'} outside"


def relative(found: PointBases) -> dict[str, float]:
    """Return every answer relative to `haar`, in percent."""
    haar = float(found.spread.haar[0])
    return {shown_name(name): 100 * (value / haar - 1) for name, value in found.scores().items()}


def closeness(found: PointBases) -> dict[str, float]:
    """Return how close the other bases are to the axes."""
    return {shown_name(name): value for name, value in found.closeness.items()}


def shown_name(name: str) -> str:
    """Return the name of a basis for people: the engine's results keep an older one."""
    return ALIGNED if name == AXIS_ALIGNED else name


def formulas(found: PointBases) -> list[str]:
    """Return the formulas with the numbers of this point."""
    m, r = found.spread.n_features, int(found.spread.rank[0])
    scores = found.scores()
    return [
        rf"n_0 = m - r = {m} - {r} = {found.n_null}",
        r"\mathbb{E}\Big[\sum_l w_{il}^2 w_{jl}^2\Big] = "
        rf"\frac{{P_{{ii}}P_{{jj}} + 2P_{{ij}}^2}}{{n_0 + 2 = {found.n_null + 2}}}",
        rf"\kappa_{{\text{{haar}}}} = {tex(scores['haar'], 5)}",
        rf"\overline{{\kappa}} = {tex(float(found.spread.mean[0]), 5)} \quad"
        rf"({found.spread.n_bases}\text{{ random bases}})",
        rf"\kappa_{{\text{{evr}}}} = {tex(scores['evr'], 5)},\quad "
        rf"\kappa_{{\text{{fast}}}} = {tex(scores['fast'], 5)}",
    ]


WHY = (
    "The vectors LAPACK returns for λ = 0 lie close to the coordinate axes, and the score adds "
    "fourth powers of their entries."
)


def fast_errors(costs: FastErrors) -> dict[str, float]:
    """Return what each error of `fast` changes, in percent of `haar`, over all points."""
    return {
        "divides by n₀, not n₀ + 2": 100 * costs.bias(costs.divisor),
        "τ for the weighted trace": 100 * costs.bias(costs.middle),
        "both: fast as published": 100 * costs.bias(costs.both),
    }


def fast_error_sentence(costs: FastErrors) -> str:
    """Return which error costs more."""
    divisor, middle, _ = fast_errors(costs).values()
    worse = "the middle term" if abs(middle) > abs(divisor) else "the divisor"
    return (
        "fast divides by n₀ where the paper's own equation has n₀ + 2, and has the scatter τ where "
        f"the leverage-weighted trace belongs. Nearly all of the error is {worse}."
    )


def series_sentence(found: NullSeries, *, over_features: bool) -> str:
    """Return how the freedom matters as m/k grows."""
    some = np.flatnonzero(found.random > ROUNDING)
    if len(some) < 2:
        return "There is no choice of basis at these m/k."
    first, last = some[0], some[-1]
    how = "m grows and k stays" if over_features else "k falls and m stays"
    return (
        f"From m/k = {number(found.ratio[first], 2)} to {number(found.ratio[last], 2)} ({how}) "
        f"random bases vary by {number(100 * found.random[first], 2)} % to "
        f"{number(100 * found.random[last], 2)} % of the score."
    )


def series_line(subject: Subject, found: NullSeries, *, over_features: bool) -> str:
    """Return the caption of the figure over m/k."""
    n, m = subject.points.shape
    k, ratios = subject.n_neighbors, (found.ratio.min(), found.ratio.max())
    if over_features:
        low, high = (round(ratio * k) for ratio in ratios)
        sizes = f"k = {k} · m from {low} to {high}"
    else:
        low, high = sorted(round(m / ratio) for ratio in ratios)
        sizes = f"m = {m} · k from {low} to {high}"
    return (
        f"{subject.name} · n = {count(n)} · {sizes} · medians over 16 points, 60 random bases "
        f"· seed {subject.seed}"
    )


def line(subject: Subject, n_bases: int, row: int) -> str:
    """Return the caption all figures of the page share."""
    n, m = subject.points.shape
    return (
        f"{subject.name} · n = {count(n)} · m = {m} · k = {subject.n_neighbors} · row {row} · "
        f"{n_bases} random bases · seed {subject.seed}"
    )
