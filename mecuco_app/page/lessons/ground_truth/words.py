"""Sentences, the table and the guided steps of the Ground truth page."""

import numpy as np

from mecuco_app.screen.guide import Step
from mecuco_app.text.numbers import THIN, correlation, count, number, percent
from mecuco_app.view.lessons import TruthSettings
from mecuco_core.diagnostics.ground_truth import (
    ROUNDING,
    Convergence,
    Following,
    GroundTruth,
    following,
)
from mecuco_core.diagnostics.null_bases.scores import SAME
from mecuco_core.types import BoolArray, FloatArray

INTRO = "On a manifold given by a formula the mean curvature is known. What finds it?"

_TORUS = {
    "truth.manifold": "torus", "truth.n_points": 3000, "truth.n_neighbors": 30,
    "truth.noise": 0.0, "truth.density": 0.0, "truth.ambient": None, "truth.mode": "haar",
}  # fmt: skip

STEPS = (
    Step(
        "Ask the score for |H|",
        "|H| is largest on the outside of the ring. The quadric sees it; the score does not.",
        _TORUS,
    ),
    Step(
        "Change the density, not the shape",
        "The points are nine times denser on one side. The quadric finds |H| as before; the "
        "score's map has changed: it shows where points are sparse.",
        {**_TORUS, "truth.density": 0.8},
    ),
    Step(
        "Add noise, widen the patch",
        "With noise 30 points are too few to see the bend. 120 see it, but are no quadric any "
        "more: most fits are poor, and error bars too short.",
        {**_TORUS, "truth.n_neighbors": 120, "truth.noise": 0.03},
    ),
)  # fmt: skip


def verdict(found: GroundTruth, settings: TruthSettings) -> str:
    """Return the page in one sentence."""
    kept = kept_of(found, settings)
    quadric = following(found.shape.values, found.truth, kept)
    score = found.scores[settings.mode].values
    if quadric.n_points == 0:
        return "Every patch reaches the edge: take more points or fewer neighbours."
    if not found.varies:
        value = float(found.truth[0])
        spread = np.percentile(score[kept], [5, 95])
        return (
            f"The true mean curvature |H| is {number(value)} at every point. The quadric says "
            f"{number(float(np.median(found.shape.values[kept])), 4)} (median); the score by "
            f"{settings.mode} runs from {number(spread[0])} to {number(spread[1])} for 90 %."
        )
    own = following(score, found.truth, kept)
    tau = following(score, found.scatter, kept)
    return (
        f"The quadric follows the true mean curvature |H| with ρ = "
        f"{correlation(quadric.spearman)}{_error(quadric)}. The score by {settings.mode} follows "
        f"it with ρ = {correlation(own.spearman)}; it follows the local scatter τ with ρ = "
        f"{correlation(tau.spearman)}."
    )


def _error(one: Following) -> str:
    if np.isnan(one.relative_error):
        return f" and a median error of {number(one.absolute_error, 2)}"
    return f" and a median error of {percent(one.relative_error)}"


def coverage(found: GroundTruth, settings: TruthSettings) -> str:
    """Return how many of the true values lie within two error bars."""
    kept = kept_of(found, settings)
    if not kept.any():
        return ""
    off = np.abs(found.shape.values - found.truth)[kept]
    share = float((off <= 2 * found.shape.error[kept]).mean())
    poor = float(found.shape.poor[kept].mean())
    said = f"The truth lies within ± 2 error bars at {percent(share, 3)} of the points."
    if poor:
        said += f" {percent(poor)} of the fits are poor."
    return said


def table(found: GroundTruth, settings: TruthSettings) -> str:
    """Return every measure and how it follows the truth, as a Markdown table."""
    kept = kept_of(found, settings)
    lines = [
        ("quadric estimate of \\|H\\|", following(found.shape.values, found.truth, kept), True)
    ]
    for mode, score in found.scores.items():
        lines.append((f"score, {mode}", following(score.values, found.truth, kept), False))
    lines.append(("local scatter τ", following(found.scatter, found.truth, kept), False))
    lines.append(("k-NN distance", following(found.distance, found.truth, kept), False))
    head = "| measure | ρ with true \\|H\\| | median error |\n|:--|--:|--:|\n"
    rows = []
    for name, one, estimate in lines:
        rho = "–" if np.isnan(one.spearman) else correlation(one.spearman)
        error = "no estimate of \\|H\\|"
        if estimate:
            relative = not np.isnan(one.relative_error)
            error = percent(one.relative_error) if relative else number(one.absolute_error, 2)
        rows.append(f"| {name} | {rho} | {error} |")
    return head + "\n".join(rows)


def same_modes(found: GroundTruth, settings: TruthSettings) -> str:
    """Return whether the modes agree, from the ranks and the scores themselves."""
    m = settings.ambient or 3
    haar = found.scores["haar"]
    low, high = int(haar.covariance_rank.min()), int(haar.covariance_rank.max())
    if low == m:
        return f"Every neighbourhood spans the {m} dimensions: all modes are the same number."
    spanned = f"{low}" if low == high else f"{low} to {high}"
    said = [_difference(mode, score.values, haar.values) for mode, score in found.scores.items()
            if mode != "haar"]  # fmt: skip
    return (
        f"The neighbourhoods span {spanned} of the {m} dimensions. Against haar (median): "
        f"{', '.join(said)}."
    )


def _difference(mode: str, values: FloatArray, haar: FloatArray) -> str:
    if np.abs(values - haar).max() <= SAME * haar.max():
        return f"{mode} is the same number"
    off = np.median(np.abs(values - haar)[haar > 0] / haar[haar > 0])
    return f"{mode} is off by {percent(float(off))}"


def kept_of(found: GroundTruth, settings: TruthSettings) -> BoolArray:
    """Return the points that count, (n_points,)."""
    return found.inner if settings.inner else np.ones(len(found.truth), dtype=bool)


def line(settings: TruthSettings, n_kept: int) -> str:
    """Return the caption all figures of the page share."""
    parts = [
        settings.manifold,
        f"n = {count(settings.n_points)}",
        f"m = {settings.ambient}",
        f"k = {settings.n_neighbors}",
        f"noise {settings.noise:g}",
        f"density gradient {settings.density:g}",
        f"seed {settings.seed}",
    ]
    if n_kept < settings.n_points:
        parts.append(f"{count(n_kept)} points whose patch does not reach the edge")
    return " · ".join(parts)


def convergence_sentence(found: Convergence) -> str:
    """Return what the figures against n say."""
    names = (f"k = {found.n_neighbors}", "the engine's own k")
    said = "; ".join(
        _followed(found, errors, f"with {name}")
        for errors, name in zip((found.fixed, found.chosen), names, strict=True)
    )
    said = said[0].upper() + said[1:] + "."
    if found.fixed[-1] > max(found.fixed[0], ROUNDING):
        said += " Patches of a fixed k shrink until they see the noise alone: k must grow with n."
    return said


def _followed(found: Convergence, errors: FloatArray, name: str) -> str:
    """Return how errors (c,) go with n."""
    if not (errors > ROUNDING).any():
        return f"{name} the quadric is exact up to rounding"
    law = found.law(errors)
    if law is None:
        ends = [f"{number(errors[i], 2)} at n = {count(int(found.n_points[i]))}" for i in (0, -1)]
        return f"{name} the error follows no clear power of n ({ends[0]}, {ends[1]})"
    way = "falls" if law.rate < 0 else "grows"
    return (
        f"{name} the error {way} like n to the power {number(law.rate, 2)} (95{THIN}% interval "
        f"{number(law.low, 2)} to {number(law.high, 2)}; n = {count(law.first)} to "
        f"{count(law.last)})"
    )
