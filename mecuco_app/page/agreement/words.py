"""The Agreement page in words: sentences made from figures. Plain text, trusted."""

import numpy as np

from mecuco_app.plots.agreement import differences
from mecuco_app.results.analyses import Pair
from mecuco_app.text.numbers import correlation, count, number, percent, plural, seconds
from mecuco_app.text.sentences import capitalised, order_words
from mecuco_app.view.settings import AgreementSettings
from mecuco_core.diagnostics.mode_pair import TimedScores
from mecuco_core.diagnostics.null_bases.scores import SAME, NullBasisSpread
from mecuco_core.score.cost import resolved_mode
from mecuco_core.types import FloatArray

INTRO = "How far do two modes agree on the same points and neighbours?"


def sentence(pair: Pair) -> str:
    """Return what the comparison shows, as one sentence."""
    first, second = pair.first.mode, pair.second.mode
    took = _times(pair.first, pair.second)
    if first == second:
        return f"Both sides are {first}: choose two different modes to compare."
    scale = np.abs(pair.first.values).max()
    if np.abs(pair.first.values - pair.second.values).max() <= SAME * scale:
        same = f"{second} and {first} are the same number for every point, to rounding"
        return f"{capitalised(same)}; {took}."
    agreement = pair.raw
    if np.isnan(agreement.spearman):
        order = "one of the scores is the same for all points, so there is no order to compare"
    else:
        order = f"{second} and {first} order the points {order_words(agreement.spearman)}"
    size = _size(second, agreement.bias, agreement.relative_error)
    joint = "and" if "differently" in order or "differ" in size else "but"
    return f"{capitalised(order)}, {joint} {size}; {took}."


def sample_note(scores: TimedScores) -> str:
    """Return what was left out, empty when nothing was."""
    if not scores.is_sample:
        return ""
    return (
        f"A random sample of {count(len(scores.rows))} of {count(scores.n_points)} points "
        "(seed 0), scored by their neighbours among all points."
    )


def too_slow(mode: str, n_points: int, n_features: int, estimate: float) -> str:
    """Return how long a mode would take."""
    return (
        f"{capitalised(mode)} would take about {seconds(estimate)} for all {count(n_points)} "
        f"points of {plural(n_features, 'feature')}."
    )


def null_sentence(spread: NullBasisSpread) -> str:
    """Return what the spread over null-space bases shows."""
    rows = spread.undetermined
    if not spread.deficient.any():
        return "Neighbourhoods span all dimensions, or all but one: exact is one number."
    if not spread.haar[spread.deficient].any():
        return "Every score that could depend on the basis is zero in all of them."
    if not rows.any():
        return (
            "Only features that are constant among the neighbours are missing: the score is the "
            "same in every basis, and exact is one number."
        )
    wide = float(np.median(spread.sd[rows] / spread.haar[rows]))
    fast = float(spread.relative(spread.fast)[rows].mean())
    exact = float(spread.relative(spread.exact)[rows].mean())
    return (
        f"The null space of a neighbourhood has no preferred basis, so exact is not one "
        f"number{_for_which(spread)}. "
        f"Over {count(spread.n_bases)} random bases a score varies by {percent(wide)} (median "
        f"standard deviation) about haar; exact is on average {_signed(exact)} from it, fast as "
        f"published {_signed(fast)}."
    )


def _for_which(spread: NullBasisSpread) -> str:
    """Return for how many points a score depends on the basis, empty for all."""
    some, n_rows = int(spread.undetermined.sum()), len(spread.rows)
    if some == n_rows:
        return ""
    return f" for {count(some)} of the {plural(n_rows, 'point')} looked at"


def spanning(k: int, n_features: int) -> str:
    """Return why there is nothing to show where every neighbourhood spans the space."""
    return (
        f"With k = {k} every neighbourhood spans the {plural(n_features, 'dimension')}: exact, "
        "original and haar are the same number."
    )


def null_note(spread: NullBasisSpread) -> str:
    """Return which points were looked at."""
    which = (
        f"random sample of {count(len(spread.rows))} of {count(spread.n_points)} points, seed 0"
        if spread.is_sample
        else f"all {count(spread.n_points)} points"
    )
    some = int(spread.undetermined.sum())
    drawn = "" if some == len(spread.rows) else f", drawn for the {count(some)} that depend on them"
    return f"{count(spread.n_bases)} random bases (seed {spread.seed}), {which}{drawn}"


def bias_note(a: FloatArray, b: FloatArray, *, relative: bool) -> str:
    """Return what the dashed line of the Bland–Altman figure is."""
    _, difference, _ = differences(a, b, np.arange(len(a)), relative=relative)
    mean = float(difference.mean())
    if not relative:
        return f"dashed: {number(mean)} on average, in scaled units"
    left_out = len(a) - len(difference)
    zeros = f"; {plural(left_out, 'point')} with both scores zero left out" if left_out else ""
    return f"dashed: {_signed(mean / 100)} on average, each point in percent of its own mean{zeros}"


def chosen_by_auto(settings: AgreementSettings, n_features: int) -> str:
    """Return what `auto` stands for, empty where it was not chosen."""
    if "auto" not in (settings.first, settings.second):
        return ""
    mode = resolved_mode("auto", n_features)
    rule = "below 50" if mode == "exact" else "50 or more"
    return f"auto is {mode} here: {plural(n_features, 'feature')}, {rule}."


def _size(second: str, bias: float, relative: float) -> str:
    if abs(bias) >= 5e-4 and abs(bias) >= 0.25 * relative:
        return f"{second} is {percent(abs(bias))} {'high' if bias > 0 else 'low'}"
    sides = ", to either side" if abs(bias) < 0.25 * relative else ""
    return f"they differ in size by {percent(relative)} on average{sides}"


def _times(first: TimedScores, second: TimedScores) -> str:
    one, other = seconds(second.seconds), seconds(first.seconds)
    if one == other:
        return f"both took {one}"
    return f"{second.mode} took {one} against {other}"


def _signed(share: float) -> str:
    sign = "+" if share > 0 else "−" if share < 0 else ""
    return f"{sign}{percent(abs(share))}"


def metrics(pair: Pair) -> list[tuple[str, str, str]]:
    """Return the strip of figures: name, value, one line of help."""
    first, second = pair.first, pair.second
    speed = first.seconds / second.seconds if second.seconds > 0 else np.inf
    return [
        ("MAE", number(pair.raw.mae), "Mean of |difference|."),
        ("MAE, normalised", number(pair.normalised.mae),
         "After both are scaled to 0–1."),
        ("Spearman ρ", correlation(pair.raw.spearman),
         "Rank correlation."),
        ("Chatterjee ξ", number(pair.raw.chatterjee, 4),
         f"How far {second.mode} is a function of {first.mode}."),
        (f"Time, {first.mode}", seconds(first.seconds),
         "On this machine, neighbours found before."),
        (f"Time, {second.mode}", seconds(second.seconds),
         "On this machine, neighbours found before."),
        ("Speed-up", f"{number(speed)} ×", f"Time of {first.mode} over time of {second.mode}."),
    ]  # fmt: skip
