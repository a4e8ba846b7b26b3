"""From a value at every point to a colour: clip, bend or rank, and say what was done."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from mecuco_app.text.numbers import count, number, plural
from mecuco_core.measures import Scale
from mecuco_core.score.ranks import rank_percent
from mecuco_core.types import FloatArray

ROBUST = (2.0, 98.0)
"""Percentiles between which the robust scale spreads its colours."""

Spoken = Callable[[float], str]

_DECADES = 12  # that a logarithmic scale shows at most

_WIDE = 8.0
"""Values span decades where the 98th percentile is more than so many times the second."""


@dataclass(frozen=True, eq=False)
class Ramp:
    """Values ready to be coloured, with the ticks of their colour bar in raw units.

    Attributes
    ----------
    values : ndarray of shape (n_points,)
        On the scale of the ramp; NaN where there is none.
    low, high : float
        Ends of the ramp.
    ticks : tuple of float
    texts : tuple of str
        Of the ticks.
    note : str
        What the scale hides, empty when nothing.
    scale : str
        The scale, as a phrase; empty where there is only one.
    diverging : bool
        Whether the middle is zero, and both sides have colours of their own.
    """

    values: FloatArray
    low: float
    high: float
    ticks: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()
    note: str = ""
    scale: str = ""
    diverging: bool = False


def ramp(values: FloatArray, scale: Scale, spoken: Spoken | None = None) -> Ramp:
    """Return the ramp of values on a scale.

    Parameters
    ----------
    values : ndarray of shape (n_points,)
    scale : {"auto", "robust", "log", "rank", "full"}
        "auto" is the one of the others that fits the values.
    spoken : callable or None
        How a value reads, where it is more than a number.
    """
    finite = values[np.isfinite(values)]
    if len(finite) == 0:
        return Ramp(values, 0.0, 1.0, note="There is no value to show.")
    if finite.min() == finite.max():
        made = _single(values, float(finite[0]), spoken or number)
    else:
        ways = {"robust": _robust, "log": _log, "rank": _rank, "full": _full}
        chosen = fitting_scale(finite) if scale == "auto" else scale
        made = ways[chosen](values, finite, spoken or number)
        if scale == "auto":
            made = replace(made, scale=f"automatic: {made.scale}")
        if spoken is not None and not made.ticks:
            ticks = spread_ticks(made.low, made.high)
            made = replace(made, ticks=ticks, texts=tuple(map(spoken, ticks)))
    absent = len(values) - len(finite)
    if absent:
        hollow = f"{plural(absent, 'point')} without a value drawn hollow."
        made = replace(made, note=f"{made.note} {hollow}".strip())
    return made


def diverging_ramp(values: FloatArray, scale: Scale) -> Ramp:
    """Return the ramp of values that may lie on both sides of zero, with zero in the middle.

    Orders and logarithms know no zero: for them it is a ramp as any other.

    Parameters
    ----------
    values : ndarray of shape (n_points,)
    scale : {"auto", "robust", "log", "rank", "full"}
        "auto" is "robust".
    """
    made = ramp(values, "robust" if scale == "auto" else scale)
    if scale in ("log", "rank"):
        return made
    end = max(abs(made.low), abs(made.high))
    return replace(made, low=-end, high=end, diverging=True)


def fitting_scale(values: FloatArray) -> Scale:
    """Return the scale that spreads these values over the colours: robust where it does.

    Parameters
    ----------
    values : ndarray of shape (n_values,)
        Finite, and not all the same.
    """
    low, quarter, middle, three_quarters, high = np.percentile(
        values, (ROBUST[0], 25.0, 50.0, 75.0, ROBUST[1])
    ).tolist()
    if middle in (low, high):  # half of the points have one value: no scale spreads them
        return "robust"
    below = (middle - low) / (high - low)  # share of the colours that the lower half has
    if low > 0 and high > _WIDE * low and below < 0.25:
        bent = _log(values, values, number)
        # A few far points may take most of a logarithmic scale too.
        half = (np.log10(three_quarters) - np.log10(quarter)) / (bent.high - bent.low)
        return "log" if half > 0.15 else "rank"
    return "robust" if 0.1 <= below <= 0.9 else "rank"


def _single(values: FloatArray, value: float, spoken: Spoken) -> Ramp:
    """Return the ramp of one value: its colour bar has no other tick."""
    note = f"Every point has the same value, {spoken(value)}."
    return Ramp(values, *_distinct(value, value), (value,), (spoken(value),), note)


def _full(values: FloatArray, finite: FloatArray, spoken: Spoken) -> Ramp:
    return Ramp(values, *_distinct(float(finite.min()), float(finite.max())), scale="full range")


def _robust(values: FloatArray, finite: FloatArray, spoken: Spoken) -> Ramp:
    low, high = (float(end) for end in np.percentile(finite, ROBUST))
    if low == high:
        return replace(
            _full(values, finite, spoken),
            note=f"Most points have the value {spoken(low)}: the full range is drawn.",
        )
    below, above = int((finite < low).sum()), int((finite > high).sum())
    note = ""
    if below or above:
        note = (
            f"Colours cover percentiles 2–98; {plural(below + above, 'point')} of "
            f"{count(len(values))} beyond take the end colours ({count(below)} below "
            f"{spoken(low)}, {count(above)} above {spoken(high)})."
        )
    return Ramp(values, low, high, note=note, scale="percentiles 2 to 98")


def _log(values: FloatArray, finite: FloatArray, spoken: Spoken) -> Ramp:
    positive = finite[finite > 0]
    if len(positive) == 0:
        return replace(
            _full(values, finite, spoken), note="No value is above zero: the full range is drawn."
        )
    top = float(np.log10(positive.max()))
    floor = max(float(np.log10(positive.min())), top - _DECADES)
    with np.errstate(divide="ignore", invalid="ignore"):
        bent = np.where(np.isnan(values), np.nan, np.log10(np.maximum(values, 10.0**floor)))
    below, near = int((finite <= 0).sum()), int((positive < 10.0**floor * (1 - 1e-9)).sum())
    low, high = _distinct(floor, top)
    parts = [
        f"{plural(amount, 'point')} {where}"
        for amount, where in ((below, "at or below zero"), (near, "above it, but too small"))
        if amount
    ]
    lowest = spoken(10.0**floor)
    note = f"{' and '.join(parts)} drawn in the lowest colour, as {lowest}." if parts else ""
    ticks = _log_ticks(low, high)
    texts = tuple(spoken(10.0**tick) for tick in ticks)
    return Ramp(bent, low, high, ticks, texts, note, "logarithmic")


def _log_ticks(low: float, high: float) -> tuple[float, ...]:
    decades = np.arange(np.ceil(low), np.floor(high) + 1)
    if len(decades) >= 3:
        step = int(np.ceil(len(decades) / 6))
        return tuple(float(tick) for tick in decades[::step])
    return tuple(float(tick) for tick in np.linspace(low, high, 5))


def _rank(values: FloatArray, finite: FloatArray, spoken: Spoken) -> Ramp:
    ranks = rank_percent(values)
    ticks = (0.0, 25.0, 50.0, 75.0, 100.0)
    at = np.percentile(finite, ticks)
    texts = tuple(spoken(float(value)) for value in at)
    return Ramp(ranks, 0.0, 100.0, ticks, texts, scale="by rank")


def spread_ticks(low: float, high: float, most: int = 6) -> tuple[float, ...]:
    """Return whole numbers spread evenly from `low` to `high`, at most so many."""
    first, last = int(np.ceil(low)), int(np.floor(high))
    step = max(1, -(-(last - first) // (most - 1)))
    return tuple(float(tick) for tick in range(first, last + 1, step))


def _distinct(low: float, high: float) -> tuple[float, float]:
    """Return ends of a ramp that are never the same number."""
    if low < high:
        return low, high
    half = abs(low) * 0.01 or 0.5
    return low - half, high + half
