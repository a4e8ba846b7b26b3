"""The figures the paper has no room for, drawn from one run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mecuco_core.reproduction.protocol import SCORED_MODES
from mecuco_core.reproduction.report.svg import Axis, Series, figure, legend
from mecuco_core.reproduction.runner import Outcome
from mecuco_core.types import FloatArray

COLOURS = {"fast": 0, "haar": 1, "exact": 2, "original": 3}
LEAST_SECONDS = 1e-3
"""Shorter times say more about the clock than about the method."""


@dataclass(frozen=True)
class Exponents:
    """Powers in seconds ∝ n^n_power · m^m_power, fitted to logarithms by least squares."""

    n_power: float
    m_power: float
    constant: float
    n_datasets: int


def fitted_exponents(n: FloatArray, m: FloatArray, seconds: FloatArray) -> Exponents | None:
    """Fit how time grows with points and features.

    Parameters
    ----------
    n, m, seconds : ndarray of shape (n_datasets,)

    Returns
    -------
    Exponents or None
        None for fewer than four datasets, or where n and m do not vary independently.
    """
    if len(n) < 4:
        return None
    design = np.column_stack([np.ones(len(n)), np.log(n), np.log(m)])
    solution, _, rank, _ = np.linalg.lstsq(design, np.log(seconds), rcond=1e-8)
    if rank < 3:
        return None
    constant, n_power, m_power = solution.tolist()
    return Exponents(n_power, m_power, constant, len(n))


def error_figure(outcomes: Sequence[Outcome]) -> str:
    """Error of published `fast` and of `haar` against m/k, over the mean of random null bases.

    Where random bases would take too long for the many features, `fast` is shown over `haar`.
    """
    series = []
    for mode in ("fast", "haar"):
        x, y, labels = [], [], []
        for name, part in _parts(outcomes):
            bias = (part["null_bases"] or {}).get(f"bias_{mode}")
            if bias is None and part["null_bases"] and mode == "fast":
                bias = part["modes"].get("fast", {}).get("bias_to_haar")
            if bias is not None:
                x.append(part["m"] / part["k"])
                y.append(100 * bias)
                labels.append(f"{name}: {100 * bias:.3g} %")
        series.append(Series(mode, x, y, labels, COLOURS[mode]))
    drawn = figure(
        "Error of fast and haar against features per neighbour",
        series,
        Axis("features per neighbour, m / k", log=True),
        Axis("error of the mean score, %", shows=0.0),
    )
    return drawn + legend(series)


def speedup_figure(outcomes: Sequence[Outcome]) -> str:
    """Speed-up over `original` against m, from measured times or those projected from a sample."""
    series = []
    for mode in ("exact", "fast", "haar"):
        x, y, labels = [], [], []
        for name, part in _parts(outcomes):
            baseline, own = part["modes"].get("original", {}), part["modes"].get(mode, {})
            before = baseline.get("seconds") or baseline.get("projected_seconds")
            after = own.get("seconds") or own.get("projected_seconds")
            if before and after:
                x.append(part["m"])
                y.append(before / after)
                labels.append(f"{name}: {before / after:.3g} ×")
        series.append(Series(mode, x, y, labels, COLOURS[mode]))
    drawn = figure(
        "Speed-up over original against the number of features",
        series,
        Axis("features, m", log=True),
        Axis("times as fast as original", log=True),
    )
    return drawn + legend(series)


def time_figures(outcomes: Sequence[Outcome]) -> tuple[str, str, list[tuple[str, Exponents]]]:
    """Time against n and against m, each at the median of the other by the fitted powers.

    Returns
    -------
    against_n, against_m : str
    exponents : list of (mode, Exponents)
    """
    over_n: list[Series] = []
    over_m: list[Series] = []
    exponents: list[tuple[str, Exponents]] = []
    for mode in SCORED_MODES:
        lines = [
            (name, part["n"], part["m"], part["modes"][mode]["seconds"])
            for name, part in _parts(outcomes)
            if part["modes"].get(mode, {}).get("seconds", 0.0) >= LEAST_SECONDS
        ]
        labels = [f"{name}: {seconds:.3g} s" for name, _, _, seconds in lines]
        n, m, seconds = (np.array([line[i] for line in lines], dtype=float) for i in (1, 2, 3))
        fit = fitted_exponents(n, m, seconds)
        if fit is None:
            continue
        exponents.append((mode, fit))
        for values, other, power, other_power, listed in (
            (n, m, fit.n_power, fit.m_power, over_n),
            (m, n, fit.m_power, fit.n_power, over_m),
        ):
            typical = float(np.median(other))
            adjusted = seconds * (typical / other) ** other_power
            ends = np.array([values.min(), values.max()])
            level = np.exp(fit.constant) * typical**other_power
            colour = COLOURS[mode]
            listed.append(Series(mode, values.tolist(), adjusted.tolist(), labels, colour))
            line = (level * ends**power).tolist()
            listed.append(Series(mode, ends.tolist(), line, colour=colour, is_line=True))
    seconds_axis = Axis("seconds, neighbours found", log=True)
    against_n = figure("Time against points", over_n, Axis("points, n", log=True), seconds_axis)
    against_m = figure("Time against features", over_m, Axis("features, m", log=True), seconds_axis)
    return against_n + legend(over_n), against_m + legend(over_m), exponents


def _parts(outcomes: Sequence[Outcome]) -> list[tuple[str, dict[str, Any]]]:
    return [(o.dataset.name, o.part) for o in outcomes if o.part is not None]
