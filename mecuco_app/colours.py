"""From a value at every point to a colour: clip, bend or rank, and say what was done."""

from dataclasses import dataclass

import numpy as np

from mecuco_app.numerals import count, number, plural
from mecuco_app.settings import ColourScale
from mecuco_core._types import FloatArray

ROBUST = (2.0, 98.0)
"""Percentiles between which the robust scale spreads its colours."""

_DECADES = 12  # that a logarithmic scale shows at most


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
    """

    values: FloatArray
    low: float
    high: float
    ticks: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()
    note: str = ""


def ramp(values: FloatArray, scale: ColourScale) -> Ramp:
    """Return the ramp of `values` of shape (n_points,) on a scale."""
    finite = values[np.isfinite(values)]
    if len(finite) == 0:
        return Ramp(values, 0.0, 1.0, note="There is no value to show.")
    if finite.min() == finite.max():
        return _single(values, float(finite[0]))
    return {"robust": _robust, "log": _log, "rank": _rank, "full": _full}[scale](values, finite)


def _single(values: FloatArray, value: float) -> Ramp:
    """Return the ramp of one value: its colour bar has no other tick."""
    note = f"Every point has the same value, {number(value)}."
    return Ramp(values, *_apart(value, value), (value,), (number(value),), note)


def _full(values: FloatArray, finite: FloatArray) -> Ramp:
    return Ramp(values, *_apart(float(finite.min()), float(finite.max())))


def _robust(values: FloatArray, finite: FloatArray) -> Ramp:
    low, high = (float(end) for end in np.percentile(finite, ROBUST))
    if low == high:
        return _full(values, finite)
    below, above = int((finite < low).sum()), int((finite > high).sum())
    note = ""
    if below or above:
        note = (
            f"{plural(below + above, 'point')} of {count(len(values))} outside the colours "
            f"({count(below)} below {number(low)}, {count(above)} above {number(high)}): "
            "drawn in the end colours."
        )
    return Ramp(values, low, high, note=note)


def _log(values: FloatArray, finite: FloatArray) -> Ramp:
    positive = finite[finite > 0]
    if len(positive) == 0:
        return _full(values, finite)
    top = float(np.log10(positive.max()))
    floor = max(float(np.log10(positive.min())), top - _DECADES)
    with np.errstate(divide="ignore", invalid="ignore"):
        bent = np.where(np.isnan(values), np.nan, np.log10(np.maximum(values, 10.0**floor)))
    n_floored = int((finite < 10.0**floor).sum())
    low, high = _apart(floor, top)
    note = ""
    if n_floored:
        note = f"{plural(n_floored, 'point')} at or near zero drawn as {number(10.0**floor)}."
    ticks = _log_ticks(low, high)
    return Ramp(bent, low, high, ticks, tuple(number(10.0**tick) for tick in ticks), note)


def _log_ticks(low: float, high: float) -> tuple[float, ...]:
    decades = np.arange(np.ceil(low), np.floor(high) + 1)
    if len(decades) >= 3:
        step = int(np.ceil(len(decades) / 6))
        return tuple(float(tick) for tick in decades[::step])
    return tuple(float(tick) for tick in np.linspace(low, high, 5))


def _rank(values: FloatArray, finite: FloatArray) -> Ramp:
    ranks = rank_percent(values)
    ticks = (0.0, 25.0, 50.0, 75.0, 100.0)
    at = np.percentile(finite, ticks)
    return Ramp(ranks, 0.0, 100.0, ticks, tuple(number(float(value)) for value in at))


def rank_percent(values: FloatArray) -> FloatArray:
    """Return the rank of each value in percent: 100 the highest, ties share the mean rank.

    Parameters
    ----------
    values : ndarray of shape (n_points,)
        NaN stays NaN.
    """
    ranks = np.full(len(values), np.nan)
    known = np.flatnonzero(np.isfinite(values))
    if len(known) == 0:
        return ranks
    _, place, sizes = np.unique(values[known], return_inverse=True, return_counts=True)
    below = np.cumsum(sizes) - sizes
    ranks[known] = 100.0 * (below + 0.5 * (sizes + 1))[place] / len(known)
    return ranks


def _apart(low: float, high: float) -> tuple[float, float]:
    """Return ends of a ramp that are never the same number."""
    if low < high:
        return low, high
    half = abs(low) * 0.01 or 0.5
    return low - half, high + half
