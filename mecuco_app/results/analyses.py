"""The long computations of the pages Agreement, Boundary points and Method, as tasks."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mecuco_app.data.classes import Classes
from mecuco_app.results.scores import curvature_of, graph_task, k_of, largest_k, mode_of
from mecuco_app.results.warming import wait_for_quiet
from mecuco_app.view.settings import AgreementSettings, BoundarySettings, ScoreSettings
from mecuco_app.work.jobs import Report, stretch
from mecuco_app.work.placing import Counted, placed
from mecuco_app.work.tasks import Task
from mecuco_core.datasets.base import Dataset
from mecuco_core.diagnostics.agreement import Agreement, compare
from mecuco_core.diagnostics.clusterers import LARGEST_SAMPLE, Clusterer
from mecuco_core.diagnostics.coordinates import Gauge, GaugeChange, gauge_change
from mecuco_core.diagnostics.mode_pair import TimedScores, affordable_sample, min_max, timed_scores
from mecuco_core.diagnostics.null_bases.scores import (
    NullBasisSpread,
    affordable_rows,
    estimated_null_basis_seconds,
    null_basis_scores,
)
from mecuco_core.diagnostics.removal import RemovalEffect, removal_effect
from mecuco_core.diagnostics.stability import Stability, k_around, k_stability
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
    first, second = (
        _timed_task(prepared, mode, k, n_rows, again) for mode in modes(prepared, settings)
    )

    def work(report: Report) -> Pair:
        share = first.seconds / max(first.seconds + second.seconds, 1e-9)
        # Never side by side: each would slow the other, and the times are shown.
        wait_for_quiet(("pair", "timed"), QUIET_SECONDS, report)
        return Pair(first.run(stretch(report, 0.0, share)), second.run(stretch(report, share, 1.0)))

    seconds = sum(task.seconds for task in (first, second) if task.ready() is None)
    key = (prepared.fingerprint, *modes(prepared, settings), k, n_rows, again)
    return Task("pair", f"Scores by {first.key[1]} and {second.key[1]}", seconds, key, work)


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
    graph = graph_task(prepared)

    def work(report: Report) -> TimedScores:
        found = graph.run(stretch(report, 0.0, 0.1)).prefix(k)
        rows = None if n_rows is None else sample_rows(np.arange(n), n_rows, 0)
        score = Counted(timed_scores, f"Scoring by {mode}")
        rest = stretch(report, 0.1, 1.0)
        return placed(
            score,
            prepared.points,
            graph=found,
            mode=mode,
            rows=rows,
            report=rest,
            seconds=own,
        )

    own = estimated_seconds(n_rows or n, m, k, mode)
    seconds = own if graph.ready() is not None else own + graph.seconds
    key = (prepared.fingerprint, mode, k, n_rows, again)
    return Task("timed", f"Score by {mode}", seconds, key, work)


def null_task(prepared: Prepared, k: int) -> Task[NullBasisSpread]:
    """Score points, or a sample of them, over the bases of their null spaces."""
    n, m = prepared.points.shape
    n_bases = 200 if m <= 100 else 50
    graph = graph_task(prepared)

    def work(report: Report) -> NullBasisSpread:
        found = graph.run(stretch(report, 0.0, 0.1)).prefix(k)
        score = Counted(null_basis_scores, "Scoring in random null-space bases")
        rest = stretch(report, 0.1, 1.0)
        return placed(
            score,
            prepared.points,
            graph=found,
            n_bases=n_bases,
            report=rest,
            seconds=seconds,
        )

    seconds = estimated_null_basis_seconds(affordable_rows(n, m, k, n_bases), m, k, n_bases)
    key = (prepared.fingerprint, k, n_bases)
    return Task("null", "What exact can be", seconds, key, work)


def stability_k(prepared: Prepared, k: int) -> IntArray:
    """Return the k of the stability view: a dozen from a third to three times the current."""
    return k_around(k, largest_k(prepared))


def stability_task(prepared: Prepared, settings: ScoreSettings) -> Task[Stability]:
    """Score every point for a dozen k."""
    n, m = prepared.points.shape
    ks = stability_k(prepared, k_of(prepared, settings))
    mode, graph = mode_of(prepared, settings), graph_task(prepared)

    def work(report: Report) -> Stability:
        found = graph.run(stretch(report, 0.0, 0.2))
        score = Counted(k_stability, "Scoring for every k")
        rest = stretch(report, 0.2, 1.0)
        return placed(
            score,
            prepared.points,
            k_values=ks.tolist(),
            mode=mode,
            graph=found,
            report=rest,
            seconds=seconds,
        )

    seconds = sum(estimated_seconds(n, m, int(k), mode) for k in ks)
    key = (prepared.fingerprint, mode, tuple(ks.tolist()))
    return Task("stability", "Stability over k", seconds, key, work)


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

    def work(report: Report) -> RemovalEffect:
        result = curvature_of(prepared, score)
        return placed(
            Counted(removal_effect, "Clustering"),
            prepared.points,
            result,
            graph=result.graph,
            n_clusters=n_clusters,
            percentile=settings.percentile,
            labels=None if classes is None or classes.n_labels < 2 else classes.labels,
            methods=(method,),
            n_draws=N_DRAWS,
            report=report,
            seconds=seconds,
        )

    # The fingerprint of the points does not hold the target, that of the dataset does.
    key = (
        dataset.fingerprint, prepared.fingerprint, prepared.preparation,
        mode_of(prepared, score), k_of(prepared, score), method, n_clusters, settings.percentile,
    )  # fmt: skip
    seconds = _clustering_seconds(prepared, method, n_clusters)
    return Task("removal", "Clustering with and without", seconds, key, work)


def gauge_task(
    prepared: Prepared, score: ScoreSettings, gauge: Gauge, seed: int
) -> Task[GaugeChange]:
    """Score the points again in other coordinates."""
    n, m = prepared.points.shape
    mode, k = mode_of(prepared, score), k_of(prepared, score)
    if gauge == "whitening":  # one change, whatever the seed
        seed = 0

    def work(report: Report) -> GaugeChange:
        before = curvature_of(prepared, score)
        change = Counted(gauge_change, "Scoring in other coordinates")
        return placed(
            change,
            prepared.points,
            before,
            gauge=gauge,
            seed=seed,
            report=report,
            seconds=seconds,
        )

    seconds = estimated_seconds(n, m, k, mode) + 2e-10 * m * m * min(n, 4 * m)
    if gauge != "rotation":
        seconds += graph_task(prepared).seconds
    key = (prepared.fingerprint, mode, k, gauge, seed)
    return Task("gauge", f"Score after {gauge}", seconds, key, work)


def _clustering_seconds(prepared: Prepared, method: Clusterer, n_clusters: int) -> float:
    n, m = prepared.points.shape
    n = min(n, LARGEST_SAMPLE[method])
    per_run: dict[Clusterer, float] = {
        "k-means": 2e-7 * n * m * n_clusters,
        "hdbscan": 3e-9 * n * n * m,
        "spectral": 2e-9 * n * n * m,
    }
    return float(0.5 + (4 + N_DRAWS) * (per_run[method] + 3e-10 * n * n * m))
