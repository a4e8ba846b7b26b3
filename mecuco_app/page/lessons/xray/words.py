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
        "The point that scores highest, and its neighbours: look how far away they are. The steps "
        "above follow the score from here.",
        {"focus": None, "xray.step": 1},
    ),
    Step(
        "Check the paper's identity",
        "The mode is exact now. Left the product as defined, right the short form. They agree to "
        "the last digits of a double: this part of the paper is simply true, and it turns O(m⁴) "
        "into O(m³).",
        {"score.mode": "exact", "xray.step": 6},
    ),
    Step(
        "See what the score is made of",
        "Blue is scatter alone. Green is all that the *directions* of the neighbourhood add, and "
        "it depends on the axes the data happen to be written in.",
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
        k = len(found.neighbors)
        return f"The {k} points nearest to this one. The point itself is not among them."
    if step == 2:
        return (
            "Their mean is taken off: where the neighbourhood lies no longer matters. One row for "
            "each neighbour, nearest first."
        )
    if step == 3:
        first = percent(found.eigenvalues[:2].sum() / found.trace) if found.trace else "none"
        return (
            f"The eigenvectors of the covariance are the axes of an ellipsoid; its first two hold "
            f"{first} of the scatter τ. {_null(found)}"
        )
    averaged = found.averages(result.mode)
    if step == 4:
        return _range(found, result.mode) if averaged else _eigenvectors(found)
    if step == 5:
        return _average(result.mode) if averaged else _products(found)
    if step == 6:
        return _averaged_product(found, result.mode) if averaged else _identity(found)
    return _split(found, result)


def _range(found: Xray, mode: Mode) -> str:
    gap = found.n_null
    return (
        f"The eigenvectors with λ > 0 as columns, largest first. The other {count(gap)} could be "
        f"turned into each other at will: {mode} chooses none, it averages over all choices."
        if gap > 1
        else "The eigenvectors with λ > 0 as columns, largest first. One direction is left; it "
        f"enters {mode} through the projector of the next step."
    )


def _eigenvectors(found: Xray) -> str:
    m, r = found.n_features, found.rank
    said = (
        "The eigenvectors as columns, largest eigenvalue first. They are orthonormal, and that "
        "is all the identity needs."
    )
    if not found.complete:
        formed = "column of the range is" if r == 1 else f"{r} columns of the range are"
        said += (
            f" With m = {count(m)} features W has {count(m)}² entries; beyond "
            f"{count(LARGEST_BASIS)} features only the {formed} formed."
        )
    elif r < m:
        last = "column spans" if m - r == 1 else f"{m - r} columns span"
        said += f" The last {last} the null space: any other basis would do."
    return said


def _average(mode: Mode) -> str:
    said = (
        "Products of null-space eigenvectors depend on the basis. Averaged over all bases they "
        "depend on the projector P alone. This is where the coordinates come in: a rotation "
        "changes P."
    )
    if mode == "fast":
        said += (
            " fast as published departs from this average twice: it divides by n₀, and it has "
            "another term in place of P²."
        )
    return said


def _products(found: Xray) -> str:
    said = (
        "Every product of two eigenvectors, entry by entry: first the squares, then the cross "
        "products. This is where the coordinates come in: a rotation changes these products."
    )
    if not found.complete:
        said += " Only products within the range are drawn here."
    return said


def _shown(found: Xray) -> str:
    shown, m = len(found.shown), found.n_features
    return "all" if shown == m else f"the {shown} most varying of {count(m)}"


def _identity(found: Xray) -> str:
    if not found.complete:
        return (
            f"H would have {count(found.n_products)} columns, and W is not formed for more "
            f"than {count(LARGEST_BASIS)} features: nothing to check here."
        )
    return (
        f"Computed both ways for {_shown(found)} features, with all {count(found.n_products)} "
        f"columns of H: the largest difference is {number(found.identity_error, 2)}. The squares "
        "of W have rows that sum to one, so every entry on the diagonal is between ½ and 1."
    )


def _averaged_product(found: Xray, mode: Mode) -> str:
    said = (
        f"M is what {mode} has for H Hᵀ: its average over all bases of the null space, without "
        f"forming any. Shown for {_shown(found)} features."
    )
    if mode == "fast":
        said = (
            f"M is what fast has for H Hᵀ, beside the true average that haar has. Shown for "
            f"{_shown(found)} features."
        )
    elif found.complete:
        said += " Beside it, H Hᵀ in the one basis that exact gets from the solver."
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
        out = (
            f"W is not formed here for more than {count(LARGEST_BASIS)} features: the two halves "
            f"are those {mode} found when it scored all points. "
        )
    others: list[Mode] = [one for one in ("exact", "fast", "haar") if one != mode]
    said = [
        f"{one} {_beside(sum(found.halves(one)), own)}"
        for one in others
        if not np.isnan(sum(found.halves(one)))
    ]
    out += (
        f"This is the score that Explore shows. For the same point: {', '.join(said)}. The bounds "
        f"are ½ τ = {number(found.trace / 2, 4)} and τ = {number(found.trace, 4)}. "
    )
    if found.halves("fast")[1] < 0:
        out += "fast as published falls below the lower bound here, which no basis can. "
    return out + (
        "This is a scatter with a factor for how the neighbourhood lies to the axes. It is not a "
        "mean curvature."
    )


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
