"""Where `exact` can lie on one dataset: in random, LAPACK's and axis-aligned null bases."""

from functools import partial
from typing import Any

import numpy as np

from mecuco_core.diagnostics.mode_pair import min_max
from mecuco_core.diagnostics.null_bases.scores import (
    AXIS_ALIGNED,
    DRIVERS,
    LARGEST_FEATURES,
    NullBasisSpread,
    affordable_rows,
    estimated_null_basis_seconds,
    null_basis_scores,
)
from mecuco_core.neighbors.graph import KnnGraph
from mecuco_core.types import FloatArray, Progress
from mecuco_core.validation import PROCESSORS

LONGEST_SAMPLE_SECONDS = 10.0
"""Where even a sample of points would take longer, it is skipped."""


def reference_bases(
    points: FloatArray,
    graph: KnnGraph,
    *,
    budget: float,
    n_bases: int,
    seed: int,
    progress: Progress | None,
    n_jobs: int,
) -> dict[str, Any]:
    """Return mean and deviation of the scores in each kind of basis.

    On all points where the budget allows, raw and scaled to [0, 1]; else on a sample, which gives
    the bias of `fast` and `haar` alone.

    Parameters
    ----------
    points : ndarray of shape (n, m)
    graph : KnnGraph
    budget : float
        Seconds.
    n_bases, seed : int
    progress : callable or None
    n_jobs : int

    Returns
    -------
    dict
        For JSON. Random bases have a `low` and a `high` mean beside the mean of their means.
    """
    n, m = points.shape
    if m > LARGEST_FEATURES:
        return {"skipped": f"more than {LARGEST_FEATURES} features"}
    k = graph.n_neighbors
    affordable = affordable_rows(n, m, k, n_bases)
    if _seconds(affordable, m, k, n_bases) > LONGEST_SAMPLE_SECONDS:
        return {"skipped": f"bases of {m:,} features take too long"}
    seconds = _seconds(n, m, k, n_bases)
    rows = np.arange(n) if seconds <= budget else None
    spread = null_basis_scores(
        points,
        graph=graph,
        n_bases=n_bases,
        seed=seed,
        rows=rows,
        n_jobs=n_jobs,
        progress=progress,
    )
    mean = float(spread.mean.mean()) or 1.0
    result: dict[str, Any] = {
        "n_rows": len(spread.rows),
        "n_bases": spread.n_bases,
        "is_sample": spread.is_sample,
        "bias_fast": float(spread.fast.mean()) / mean - 1.0,
        "bias_haar": float(spread.haar.mean()) / mean - 1.0,
        "spread_of_means": float(spread.draws.mean(axis=0).std(ddof=1)) / mean,
    }
    if not spread.is_sample:
        result["marks"] = {"raw": _by_basis(spread, False), "normalised": _by_basis(spread, True)}
    return result


# The same choices on every machine: they are part of the results.
_seconds = partial(estimated_null_basis_seconds, n_jobs=PROCESSORS)


def _by_basis(spread: NullBasisSpread, normalised: bool) -> dict[str, dict[str, float]]:
    def figures(values: FloatArray) -> dict[str, float]:
        shown = min_max(values) if normalised else values
        return {"mean": float(shown.mean()), "std": float(shown.std())}

    draws = [figures(column) for column in spread.draws.T]
    means = [draw["mean"] for draw in draws]
    by_basis = {
        "fast": figures(spread.fast),
        "haar": figures(spread.haar),
        "random": {
            "mean": float(np.mean(means)),
            "std": float(np.mean([draw["std"] for draw in draws])),
            "low": min(means),
            "high": max(means),
        },
    }
    for driver, column in zip(DRIVERS, spread.drivers.T, strict=True):
        by_basis[driver] = figures(column)
    return by_basis | {AXIS_ALIGNED: figures(spread.axis_aligned)}
