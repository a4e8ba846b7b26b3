"""Sentences and guided steps of the Score X-ray page."""

import numpy as np

from mecuco_app.screen.guide import Step
from mecuco_app.text.numbers import count, number, percent, plural
from mecuco_core.diagnostics.null_bases.scores import SAME
from mecuco_core.diagnostics.xray import LARGEST_BASIS, Xray
from mecuco_core.score.curvature import Curvature
from mecuco_core.types import Mode

NAMES = {
    1: "Neighbours",
    2: "Centred patch",
    3: "Covariance",
    4: "Eigenvectors",
    5: "Products",
    6: "H Hᵀ",
    7: "Trace",
}

INTRO = "How one point comes by its score, from its neighbours to a number."

STEPS = (
    Step(
        "Take the highest score of all",
        "Look how far away its neighbours are.",
        {"focus": None, "xray.step": 1},
    ),
    Step(
        "Check the paper's identity",
        "Left the product as defined, right the short form: this part of the paper is simply true, "
        "and turns O(m⁴) into O(m³).",
        {"score.mode": "exact", "xray.step": 6},
    ),
    Step(
        "See what the score is made of",
        "Blue is scatter. Green is what the *directions* add: it depends on the axes.",
        {"xray.step": 7},
    ),
)


def verdict(found: Xray, row: int, result: Curvature) -> str:
    """Return whose score is followed, in which mode, and what it comes to."""
    said = f"Row {row} scores {number(float(result.values[found.position]), 4)} by {result.mode}."
    if found.n_null == 0 and result.mode in ("fast", "haar"):
        said += f" Its neighbours span the space: {result.mode} is exact here."
    return said


def sentence(found: Xray, step: int, result: Curvature) -> str:
    """Return what a step of the score `result` is, in words."""
    if step == 1:
        return f"The {len(found.neighbors)} points nearest to this one."
    if step == 2:
        return "One row for each neighbour, nearest first, less their mean."
    if step == 3:
        first = percent(found.eigenvalues[:2].sum() / found.trace) if found.trace else "none"
        return f"The first two eigenvectors hold {first} of the scatter τ. {_null(found)}"
    averaged = found.averages(result.mode)
    if step == 4:
        return _range(found, result.mode) if averaged else _eigenvectors(found)
    if step == 5:
        return _average() if averaged else _products(found)
    if step == 6:
        return _averaged_product(found, result.mode) if averaged else _identity(found)
    return _split(found, result)


def _range(found: Xray, mode: Mode) -> str:
    gap = found.n_null
    return "The eigenvectors with λ > 0 as columns, largest first. " + (
        f"For the other {count(gap)}, {mode} averages over all choices."
        if gap > 1
        else "One direction is left."
    )


def _eigenvectors(found: Xray) -> str:
    m, r = found.n_features, found.rank
    said = "The eigenvectors as columns, largest eigenvalue first."
    if not found.complete:
        formed = "column of the range is" if r == 1 else f"{r} columns of the range are"
        said += f" Beyond {count(LARGEST_BASIS)} features only the {formed} formed."
    elif r < m:
        last = "column spans" if m - r == 1 else f"{m - r} columns span"
        said += f" The last {last} the null space: any other basis would do."
    return said


def _average() -> str:
    return "The average over all null bases depends on the projector P alone. A rotation changes P."


def _products(found: Xray) -> str:
    said = "Every product of two eigenvectors, entry by entry. A rotation changes these products."
    if not found.complete:
        said += " Only products within the range are drawn here."
    return said


def _shown(found: Xray) -> str:
    shown, m = len(found.shown), found.n_features
    return "all" if shown == m else f"the {shown} most varying of {count(m)}"


def _identity(found: Xray) -> str:
    if not found.complete:
        return f"W is not formed for more than {count(LARGEST_BASIS)} features: nothing to check."
    return (
        f"For {_shown(found)} features the largest difference is "
        f"{number(found.identity_error, 2)}. The diagonal is between ½ and 1."
    )


def _averaged_product(found: Xray, mode: Mode) -> str:
    said = f"M is what {mode} has for H Hᵀ, shown for {_shown(found)} features."
    reference = found.compared(mode)
    if reference is None:
        return said
    off = float(np.abs(reference - found.product(mode)).max())
    return f"{said} The largest difference is {number(off, 2)}."


def _split(found: Xray, result: Curvature) -> str:
    mode = result.mode
    own = float(result.values[found.position])
    out = ""
    if np.isnan(sum(found.halves(mode))):
        out = f"W is not formed here for more than {count(LARGEST_BASIS)} features. "
    others: list[Mode] = [one for one in ("exact", "fast", "haar") if one != mode]
    said = [
        f"{one} {_beside(sum(found.halves(one)), own)}"
        for one in others
        if not np.isnan(sum(found.halves(one)))
    ]
    out += (
        f"The same point by {', '.join(said)}. The bounds are ½ τ and τ = "
        f"{number(found.trace, 4)}. "
    )
    if found.halves("fast")[1] < 0:
        out += "fast as published falls below the lower bound here, which no basis can. "
    return out + ("It is not a mean curvature.")


def _beside(value: float, own: float) -> str:
    """Return a score by another mode, and how far it is from the mode's own."""
    if abs(value - own) <= SAME * abs(own):
        return f"{number(value, 4)} (the same)"
    sign = "+" if value > own else "−"
    return (
        f"{number(value, 4)} ({sign}{percent(abs(value / own - 1))})" if own else number(value, 4)
    )


def _null(found: Xray) -> str:
    gap = found.n_null
    if gap == 0:
        return "The neighbours span the space."
    return (
        f"The neighbours span {found.rank} of {plural(found.n_features, 'dimension')}; the other "
        f"{count(gap)} {'is' if gap == 1 else 'are'} the null space, with λ = 0."
    )
