"""The long computations of the pages Agreement, Boundary points and Method, as tasks."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mecuco_app.data.classes import Classes
from mecuco_app.results.making import task
from mecuco_app.results.scores import graph_task, k_of, largest_k, mode_of, score_task
from mecuco_app.results.warming import wait_for_quiet
from mecuco_app.view.settings import AgreementSettings, BoundarySettings, ScoreSettings
from mecuco_app.work.execution import Counted, executed
from mecuco_app.work.jobs import Report
from mecuco_app.work.tasks import Task
from mecuco_core.datasets.base import Dataset
from mecuco_core.diagnostics.agreement import Agreement, compare
from mecuco_core.diagnostics.clusterers import LARGEST_SAMPLE, Clusterer
from mecuco_core.diagnostics.coordinates import ChangeKind, CoordinateChange, coordinate_change
from mecuco_core.diagnostics.mode_pair import TimedScores, affordable_sample, min_max, timed_scores
from mecuco_core.diagnostics.null_bases.scores import (
    NullBasisSpread,
    affordable_rows,
    estimated_null_basis_seconds,
    null_basis_scores,
)
from mecuco_core.diagnostics.removal import RemovalEffect, removal_effect
from mecuco_core.diagnostics.stability import Stability, k_around, k_stability
from mecuco_core.neighbors.graph import KnnGraph
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.preparation.sampling import sample_rows
from mecuco_core.score.cost import estimated_seconds, resolved_mode
from mecuco_core.types import FloatArray, IntArray, Mode

SAMPLE_SECONDS = 8.0
"""What a sample may take where a mode is too slow for all points."""

QUIET_SECONDS = 20.0
"""How long a measurement of times waits for other work to end."""

N_DRAWS = 5
DEFAULT_CLUSTERS = 8
MOST_CLUSTERS = 50


@dataclass(frozen=True, eq=False)
class Pair:
    """Two modes on the same points; the first is the reference."""

    first: TimedScores
    second: TimedScores

    def values(self, normalised: bool) -> tuple[FloatArray, FloatArray]:
        """Return both scores, (n_rows,) each, scaled to [0, 1] if `normalised`."""
        a, b = self.first.values, self.second.values
        return (min_max(a), min_max(b)) if normalised else (a, b)

    @cached_property
    def raw(self) -> Agreement:
        """Agreement of the scores as they are."""
        return compare(self.first.values, self.second.values)

    @cached_property
    def normalised(self) -> Agreement:
        """Agreement of the scores scaled to [0, 1]."""
        return compare(*self.values(normalised=True))


def pair_task(
    prepared: Prepared, settings: AgreementSettings, k: int, n_rows: int | None, again: int = 0
) -> Task[Pair]:
    """Score all points, or a random sample of `n_rows`, by two modes, one after the other.

    Another `again` measures the times anew.
    """
    both = modes(prepared, settings)

    def pair(first: TimedScores, second: TimedScores, *, report: Report) -> Pair:
        return Pair(first, second)

    # Never side by side: each would slow the other, and the times are shown.
    after = [_timed_task(prepared, mode, k, n_rows, again) for mode in both]
    key = (prepared.fingerprint, *both, k, n_rows, again)
    title = f"Scores by {both[0]} and {both[1]}"
    return task("pair", title, 0.0, key, pair, after=after, here=True)


def modes(prepared: Prepared, settings: AgreementSettings) -> tuple[Mode, Mode]:
    """Return the modes compared, `auto` replaced by what it stands for."""
    m = prepared.points.shape[1]
    return resolved_mode(settings.first, m), resolved_mode(settings.second, m)


def seconds_of(prepared: Prepared, mode: Mode, k: int, n_jobs: int | None = None) -> float:
    """Return what scoring all points takes, estimated."""
    n, m = prepared.points.shape
    return estimated_seconds(n, m, k, mode, n_jobs=n_jobs)


def sample_size(prepared: Prepared, settings: AgreementSettings, k: int) -> int:
    """Return how many points both modes can score within `SAMPLE_SECONDS`."""
    n, m = prepared.points.shape
    both = modes(prepared, settings)
    return min(affordable_sample(n, m, k, mode, SAMPLE_SECONDS) for mode in both)


def _timed_task(
    prepared: Prepared, mode: Mode, k: int, n_rows: int | None, again: int
) -> Task[TimedScores]:
    n, m = prepared.points.shape
    seconds = estimated_seconds(n_rows or n, m, k, mode)

    def timed(graph: KnnGraph, *, report: Report) -> TimedScores:
        wait_for_quiet(("pair", "timed"), QUIET_SECONDS, report)
        rows = None if n_rows is None else sample_rows(np.arange(n), n_rows, 0)
        score = Counted(timed_scores, f"Scoring by {mode}")
        some = (prepared.points,)
        options = {"graph": graph.prefix(k), "mode": mode, "rows": rows}
        return executed(score, *some, report=report, seconds=seconds, **options)

    key, after = (prepared.fingerprint, mode, k, n_rows, again), [graph_task(prepared)]
    return task("timed", f"Score by {mode}", seconds, key, timed, after=after, here=True)


def null_task(prepared: Prepared, k: int) -> Task[NullBasisSpread]:
    """Score points, or a sample of them, over the bases of their null spaces."""
    n, m = prepared.points.shape
    n_bases = 200 if m <= 100 else 50
    return task(
        "null",
        "What exact can be",
        estimated_null_basis_seconds(affordable_rows(n, m, k, n_bases), m, k, n_bases),
        (prepared.fingerprint, k, n_bases),
        Counted(null_basis_scores, "Scoring in random null-space bases"),
        lambda graph: (prepared.points,),
        lambda graph: {"graph": graph.prefix(k), "n_bases": n_bases},
        after=[graph_task(prepared)],
    )


def stability_k(prepared: Prepared, k: int) -> IntArray:
    """Return the k of the stability view: a dozen from a third to three times the current."""
    return k_around(k, largest_k(prepared))


def stability_task(prepared: Prepared, settings: ScoreSettings) -> Task[Stability]:
    """Score every point for a dozen k."""
    n, m = prepared.points.shape
    ks = stability_k(prepared, k_of(prepared, settings))
    mode = mode_of(prepared, settings)
    return task(
        "stability",
        "Stability over k",
        sum(estimated_seconds(n, m, int(k), mode) for k in ks),
        (prepared.fingerprint, mode, tuple(ks.tolist())),
        Counted(k_stability, "Scoring for every k"),
        lambda graph: (prepared.points,),
        lambda graph: {"k_values": ks.tolist(), "mode": mode, "graph": graph},
        after=[graph_task(prepared)],
    )


def most_clusters(n_points: int) -> int:
    """Return the largest number of clusters worth asking for."""
    return max(2, min(MOST_CLUSTERS, n_points // 10))


def clusters_of(settings: BoundarySettings, classes: Classes | None, n_points: int) -> int:
    """Return how many clusters are asked for: as many as classes unless the visitor says."""
    default = DEFAULT_CLUSTERS if classes is None else classes.n_labels
    return max(2, min(settings.n_clusters or default, most_clusters(n_points)))


def removal_task(
    dataset: Dataset,
    prepared: Prepared,
    score: ScoreSettings,
    settings: BoundarySettings,
    classes: Classes | None,
) -> Task[RemovalEffect]:
    """Cluster without the boundary points, and without as many others."""
    method = settings.clustering
    n_clusters = clusters_of(settings, classes, len(prepared.points))
    labels = None if classes is None or classes.n_labels < 2 else classes.labels
    # The fingerprint of the points does not hold the target, that of the dataset does.
    key = (
        dataset.fingerprint, prepared.fingerprint, prepared.preparation,
        mode_of(prepared, score), k_of(prepared, score), method, n_clusters, settings.percentile,
    )  # fmt: skip
    return task(
        "removal",
        "Clustering with and without",
        _clustering_seconds(prepared, method, n_clusters),
        key,
        Counted(removal_effect, "Clustering"),
        lambda result: (prepared.points, result),
        lambda result: {
            "graph": result.graph,
            "n_clusters": n_clusters,
            "percentile": settings.percentile,
            "labels": labels,
            "methods": (method,),
            "n_draws": N_DRAWS,
        },
        after=[score_task(prepared, score)],
    )  # fmt: skip


def coordinate_change_task(
    prepared: Prepared, score: ScoreSettings, kind: ChangeKind, seed: int
) -> Task[CoordinateChange]:
    """Score the points again in other coordinates."""
    if kind == "whitening":  # one change, whatever the seed
        seed = 0
    return task(
        "coordinate change",
        f"Score after {kind}",
        coordinate_change_seconds(prepared, score, kind),
        (prepared.fingerprint, mode_of(prepared, score), k_of(prepared, score), kind, seed),
        Counted(coordinate_change, "Scoring in other coordinates"),
        lambda before: (prepared.points, before),
        lambda before: {"kind": kind, "seed": seed},
        after=[score_task(prepared, score)],
    )


def coordinate_change_seconds(prepared: Prepared, score: ScoreSettings, kind: ChangeKind) -> float:
    """Return how long a score in other coordinates takes, estimated."""
    n, m = prepared.points.shape
    scoring = estimated_seconds(n, m, k_of(prepared, score), mode_of(prepared, score))
    changing = 2e-10 * m * m * min(n, 4 * m)
    search = 0.0 if kind == "rotation" else graph_task(prepared).seconds
    return float(scoring + changing + search)


def _clustering_seconds(prepared: Prepared, method: Clusterer, n_clusters: int) -> float:
    n, m = prepared.points.shape
    n = min(n, LARGEST_SAMPLE[method])
    per_run: dict[Clusterer, float] = {
        "k-means": 2e-7 * n * m * n_clusters,
        "hdbscan": 3e-9 * n * n * m,
        "spectral": 2e-9 * n * n * m,
    }
    return float(0.5 + (4 + N_DRAWS) * (per_run[method] + 3e-10 * n * n * m))
