"""One dataset by the paper's protocol: points in, every number of its lines out."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from mecuco_core.diagnostics.agreement import compare
from mecuco_core.diagnostics.mode_pair import affordable_sample, min_max, timed
from mecuco_core.errors import DataError
from mecuco_core.neighbors.graph import KnnGraph, knn_graph
from mecuco_core.reproduction.reference_bases import reference_bases
from mecuco_core.runtime.wording import spoken_seconds
from mecuco_core.score.cost import estimated_seconds, original_bytes_per_point, seconds_per_point
from mecuco_core.score.curvature import (
    LARGEST_ORIGINAL_BYTES,
    Curvature,
    scored,
    warm_up_scores,
)
from mecuco_core.score.ranks import spearman
from mecuco_core.types import MODES, FloatArray, Mode, Progress
from mecuco_core.validation import (
    PROCESSORS,
    available_processors,
    check_n_neighbors,
    check_points,
)

SCORED_MODES: tuple[Mode, ...] = tuple(mode for mode in MODES if mode != "auto")
SAMPLE_SECONDS = 4.0
LARGEST_SAMPLE_BYTES = 450 * 2**20

Stage = Callable[[str], Progress | None]
"""From the name of a stage to its progress."""


@dataclass(frozen=True)
class Settings:
    """What decides the numbers of a reproduction, beside the data.

    Parameters
    ----------
    modes : tuple of {"original", "exact", "fast", "haar"}
    budget : float
        Seconds one mode may take for one dataset, by the estimate made beforehand. Above it a
        mode is skipped, and timed on a sample of the points instead.
    n_bases : int
        Random null-space bases; 0 leaves everything about bases out.
    seed : int
        Of the random bases and of samples.
    """

    modes: tuple[Mode, ...] = SCORED_MODES
    budget: float = 60.0
    n_bases: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        unknown = [mode for mode in self.modes if mode not in SCORED_MODES]
        if unknown or not self.modes:
            raise DataError(
                f"modes must be some of {', '.join(SCORED_MODES)}, got {', '.join(unknown) or '—'}"
            )
        if not self.budget > 0:
            raise DataError(f"the budget must be a positive number of seconds, got {self.budget}")


def measure(
    points: FloatArray, settings: Settings, stage: Stage, n_jobs: int | None = None
) -> dict[str, Any]:
    """Score one dataset in every mode that the budget allows.

    Parameters
    ----------
    points : ndarray of shape (n, m)
        By the paper's preparation.
    settings : Settings
    stage : callable
        Gives a progress, or None, for each stage by its name.
    n_jobs : int or None

    Returns
    -------
    dict
        Plain numbers, texts, lists and dicts, for JSON: `n`, `m`, `k`, `search_seconds`,
        `tied_share`, `ranks`, one entry per mode in `modes`, and `null_bases`.
    """
    points = check_points(points)
    n, m = points.shape
    threads = n_jobs or available_processors()
    k = check_n_neighbors(None, n)
    started = time.perf_counter()
    # One neighbour more shows where the last one was a choice among equals.
    wider = knn_graph(
        points, min(k + 1, n - 1), search="exact", n_jobs=threads, progress=stage("neighbours")
    )
    search_seconds = time.perf_counter() - started
    graph, tied_share = wider.prefix(k), _tied_share(wider, k)
    del wider
    warm_up_scores()

    scores: dict[Mode, Curvature] = {}
    modes: dict[str, dict[str, Any]] = {}
    for mode in settings.modes:
        reason = _too_dear(n, m, k, mode, settings.budget)
        if reason is None:
            score = partial(scored, points, graph, mode, _threads(mode, m, threads))
            scores[mode], seconds = timed(score, stage(mode))
            modes[mode] = _figures(scores[mode], seconds)
        else:
            modes[mode] = {"skipped": reason} | _projected(points, graph, mode, threads, settings)
    _compare(scores, modes)
    some = next(iter(scores.values()), None)
    ranks = None if some is None else _ranks(some, m)
    bases = None
    if settings.n_bases and ranks is not None and ranks["share_below_features"] > 0:
        bases = reference_bases(
            points,
            graph,
            budget=settings.budget,
            n_bases=settings.n_bases,
            seed=settings.seed,
            progress=stage("null-space bases"),
            n_jobs=threads,
        )
    return {
        "n": n,
        "m": m,
        "k": k,
        "search_seconds": search_seconds,
        "tied_share": tied_share,
        "ranks": ranks,
        "modes": modes,
        "null_bases": bases,
    }


def _tied_share(wider: KnnGraph, k: int) -> float:
    """Share of points whose last neighbour is as near as the next point."""
    if wider.n_neighbors == k:
        return 0.0
    last, beyond = wider.distances[:, k - 1], wider.distances[:, k]
    return float((beyond <= last * (1 + 1e-12)).mean())


def _too_dear(n: int, m: int, k: int, mode: Mode, budget: float) -> str | None:
    # The same choice on every machine: what is scored is part of the results.
    seconds = estimated_seconds(n, m, k, mode, n_jobs=PROCESSORS)
    if mode == "original" and PROCESSORS * original_bytes_per_point(m) > LARGEST_ORIGINAL_BYTES:
        return f"skipped: would need {original_bytes_per_point(m) / 2**30:.0f} GiB a point"
    if seconds > budget:
        return f"skipped: would take about {spoken_seconds(seconds)}"
    return None


def _threads(mode: Mode, m: int, threads: int) -> int:
    """Return the threads a mode may use: each needs memory of its own for `original`."""
    if mode != "original":
        return threads
    return max(1, min(threads, LARGEST_ORIGINAL_BYTES // original_bytes_per_point(m)))


def _projected(
    points: FloatArray, graph: KnnGraph, mode: Mode, threads: int, settings: Settings
) -> dict[str, Any]:
    """Time of a skipped mode for all points, from a sample; nothing where even that is too much."""
    n, m = points.shape
    k = graph.n_neighbors
    heavy = mode == "original" and threads * original_bytes_per_point(m) > LARGEST_SAMPLE_BYTES
    if heavy or 8 * seconds_per_point(m, k, mode) > SAMPLE_SECONDS * threads:
        return {}
    count = affordable_sample(n, m, k, mode, SAMPLE_SECONDS)
    rows = np.sort(np.random.default_rng(settings.seed).choice(n, count, replace=False))
    some = KnnGraph(graph.indices[rows], graph.distances[rows], graph.method, graph.seed)
    # Processor time: other work on the machine would count many times over in so short a sample.
    started = time.process_time()
    scored(points, some, mode, threads)
    seconds = (time.process_time() - started) / min(threads, count)
    return {"projected_seconds": seconds * n / count, "projected_from": count}


def _figures(score: Curvature, seconds: float) -> dict[str, Any]:
    with_scatter = spearman(score.values, score.scatter)
    return {
        "seconds": seconds,
        "raw": columns(score.values),
        "normalised": columns(min_max(score.values)),
        "spearman_with_scatter": None if np.isnan(with_scatter) else with_scatter,
    }


def columns(values: FloatArray) -> dict[str, float]:
    """Return the columns of the paper's tables for scores of shape (n,)."""
    q25, q50, q75 = np.percentile(values, [25, 50, 75]).tolist()
    return {
        "mean": float(values.mean()),
        "std": float(values.std()),
        "q25": q25,
        "q50": q50,
        "q75": q75,
    }


def _compare(scores: dict[Mode, Curvature], modes: dict[str, dict[str, Any]]) -> None:
    """Add the agreement with `original`, or with `exact` where that was not scored."""
    haar = scores.get("haar")
    against = next((mode for mode in ("original", "exact") if mode in scores), None)
    for mode, score in scores.items():
        if haar is not None:
            mean = float(haar.values.mean()) or 1.0
            modes[mode]["bias_to_haar"] = float((score.values - haar.values).mean()) / mean
        if against is None or mode == against:
            continue
        reference = scores[against].values
        scaled = [min_max(reference), min_max(score.values)]
        modes[mode]["against"] = against
        for name, pair in (("raw", [reference, score.values]), ("normalised", scaled)):
            agreement = compare(*pair)
            modes[mode][f"agreement_{name}"] = {
                "mae": agreement.mae,
                "spearman": agreement.spearman,
                "chatterjee": agreement.chatterjee,
            }


def _ranks(score: Curvature, m: int) -> dict[str, Any]:
    """Return how far neighbourhoods span the space, and the rank published `fast` assumes."""
    assumed = min(score.n_neighbors - 1, m)
    return {
        "least": int(score.covariance_rank.min()),
        "most": int(score.covariance_rank.max()),
        # A null space of one dimension has one basis, up to a sign that the score does not see.
        "share_below_features": float((score.covariance_rank < m - 1).mean()),
        "share_below_assumed": float((score.covariance_rank < assumed).mean()),
    }


def modes_named(names: Iterable[str]) -> tuple[Mode, ...]:
    """Return modes by name in the order of the tables."""
    wanted = set(names)
    known: set[str] = set(SCORED_MODES)
    if wanted - known:
        raise DataError(
            f"modes must be some of {', '.join(SCORED_MODES)}, got "
            f"{', '.join(sorted(wanted - known))}"
        )
    return tuple(mode for mode in SCORED_MODES if mode in wanted)
