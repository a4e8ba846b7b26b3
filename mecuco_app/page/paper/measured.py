"""What the figures of the Paper page draw, taken from the shipped results; no Streamlit."""

import numpy as np
import pandas as pd

from mecuco_app.plots.paper import Series
from mecuco_core.reproduction.protocol import SCORED_MODES
from mecuco_core.reproduction.report.figures import LEAST_SECONDS, Exponents, fitted_exponents


def errors(results: pd.DataFrame) -> list[Series]:
    """Error of the mean score of `fast` and `haar` in percent, against m/k.

    Over the mean in random null-space bases; where those took too long, `fast` over `haar`.
    """
    listed = []
    for mode in ("fast", "haar"):
        some = _one_each(results, mode)
        some = some[some["deficient_share"] > 0]
        bias = some["bias_to_random"]
        if mode == "fast":
            bias = bias.fillna(some["bias_to_haar"])
        some, bias = some[bias.notna()], bias.dropna()
        ratio = (some["m"] / some["k"]).to_numpy(float)
        listed.append(Series(mode, tuple(some["dataset"]), ratio, 100 * bias.to_numpy(float)))
    return listed


def speedups(results: pd.DataFrame) -> list[Series]:
    """Speed-up over `original` on the same neighbours, against m."""
    listed = []
    for mode in ("exact", "fast", "haar"):
        some = _one_each(results, mode)
        some = some[some["speedup"].notna()]
        x, y = some["m"].to_numpy(float), some["speedup"].to_numpy(float)
        listed.append(Series(mode, tuple(some["dataset"]), x, y))
    return listed


def timings(results: pd.DataFrame, against: str) -> tuple[list[Series], list[Exponents]]:
    """Seconds against `n` or `m`, at the median of the other by the fitted powers.

    Parameters
    ----------
    results : DataFrame
    against : {"n", "m"}

    Returns
    -------
    series : list of Series
        With the fitted line.
    exponents : list of Exponents
        One for each series.
    """
    series, exponents = [], []
    for mode in SCORED_MODES:
        some = _one_each(results, mode)
        some = some[some["seconds"] >= LEAST_SECONDS]
        n, m, seconds = (some[name].to_numpy(float) for name in ("n", "m", "seconds"))
        fit = fitted_exponents(n, m, seconds)
        if fit is None:
            continue
        values, other = (n, m) if against == "n" else (m, n)
        power, other_power = (
            (fit.n_power, fit.m_power) if against == "n" else (fit.m_power, fit.n_power)
        )
        typical = float(np.median(other))
        ends = np.array([values.min(), values.max()])
        level = np.exp(fit.constant) * typical**other_power * ends**power
        adjusted = seconds * (typical / other) ** other_power
        series.append(Series(mode, tuple(some["dataset"]), values, adjusted, (ends, level)))
        exponents.append(fit)
    return series, exponents


def _one_each(results: pd.DataFrame, mode: str) -> pd.DataFrame:
    """Return one row for each dataset that was scored: its tables have the same times."""
    some = results[(results["mode"] == mode) & results["n"].notna()]
    return some.drop_duplicates("dataset")
