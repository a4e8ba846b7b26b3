"""The computations of the Null space page, as tasks; no Streamlit."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mecuco_app.results.making import task
from mecuco_app.view.lessons import NullSettings
from mecuco_app.work.jobs import Report
from mecuco_app.work.tasks import Task
from mecuco_core.diagnostics.null_bases.one_point import (
    NullSeries,
    PointBases,
    point_bases,
    series_row,
)
from mecuco_core.diagnostics.null_bases.published_fast import FastErrors, fast_errors
from mecuco_core.diagnostics.null_bases.scores import (
    estimated_null_basis_seconds,
    null_basis_scores,
)
from mecuco_core.neighbors.graph import KnnGraph, knn_graph
from mecuco_core.types import FloatArray

N_CLOUD = 300
"""Points of the cloud."""

LARGEST_FEATURES = 300
MOST_OF_SERIES = 120
RATIOS = (1.25, 1.6, 2.0, 2.6, 3.4, 4.5, 6.0, 8.0, 12.0)
_SERIES_ROWS, _SERIES_BASES = 16, 60


@dataclass(frozen=True, eq=False)
class Subject:
    """What the page looks at.

    Parameters
    ----------
    name : str
        For captions, untrusted.
    key : tuple
        What the points are made from, for caches.
    points : ndarray of shape (n_points, n_features)
    position : int
        Of the point looked at.
    n_neighbors : int
    seed : int
        Of the random bases.
    graph : callable
        Returns the neighbours.
    """

    name: str
    key: tuple[object, ...]
    points: FloatArray
    position: int
    n_neighbors: int
    seed: int
    graph: Callable[[], KnnGraph]

    @property
    def n_features(self) -> int:
        """The m of the formulas."""
        return int(self.points.shape[1])


def cloud(n_features: int, seed: int) -> FloatArray:
    """Return a cloud of independent normal coordinates, (N_CLOUD, n_features)."""
    return np.random.default_rng([seed, n_features]).standard_normal((N_CLOUD, n_features))


def cloud_subject(settings: NullSettings) -> Subject:
    """Return a Gaussian cloud with m and k as chosen."""
    m, k = settings.n_features, settings.n_neighbors
    points = cloud(m, settings.seed)
    return Subject(
        name="Gaussian cloud",
        key=("cloud", m, settings.seed),
        points=points,
        position=0,
        n_neighbors=k,
        seed=settings.seed,
        graph=lambda: knn_graph(points, k),
    )


def n_bases(n_features: int) -> int:
    """Return how many random bases are drawn."""
    return 400 if n_features <= 64 else 200 if n_features <= 128 else 60


def point_bases_task(subject: Subject) -> Task[tuple[PointBases, FastErrors]]:
    """Score one point in many bases, and every point with each error of `fast`."""
    m, k = subject.n_features, subject.n_neighbors

    def work(*, report: Report) -> tuple[PointBases, FastErrors]:
        graph = subject.graph()
        report(0.1, "Scoring in random bases")
        found = point_bases(
            subject.points,
            graph=graph,
            position=subject.position,
            n_bases=n_bases(m),
            seed=subject.seed,
        )
        report(0.8, "Adding the errors of fast")
        return found, fast_errors(subject.points, graph=graph)

    seconds = 0.3 + 2 * estimated_null_basis_seconds(1, m, k, n_bases(m))
    key = (*subject.key, k, subject.position, subject.seed)
    return task("point bases", "Bases of the null space", seconds, key, work, here=True)


def series_task(subject: Subject, *, over_features: bool) -> Task[NullSeries]:
    """Measure how much the basis matters for a growing m/k.

    Parameters
    ----------
    subject : Subject
    over_features : bool
        Whether clouds of more and more features are made; else fewer neighbours are taken.
    """
    k, m = subject.n_neighbors, subject.n_features

    def work(*, report: Report) -> NullSeries:
        wanted: list[tuple[FloatArray, int]] = []
        for ratio in RATIOS:
            if over_features and round(ratio * k) <= MOST_OF_SERIES:
                wanted.append((cloud(round(ratio * k), subject.seed), k))
            elif not over_features and 3 <= round(m / ratio) <= 60:
                wanted.append((subject.points, round(m / ratio)))
        columns = []
        for position, (points, near) in enumerate(wanted):
            graph = knn_graph(points, near)
            rows = np.linspace(0, len(points) - 1, _SERIES_ROWS).astype(int)
            spread = null_basis_scores(
                points, graph=graph, n_bases=_SERIES_BASES, seed=subject.seed, rows=rows
            )
            columns.append(series_row(spread))
            report((position + 1) / len(wanted), "Bases for a growing m/k")
        if not columns:
            raise ValueError("no m/k between 1.25 and 12 is possible here: take another k")
        return NullSeries(*np.array(columns).T)

    largest = MOST_OF_SERIES if over_features else m
    seconds = len(RATIOS) * estimated_null_basis_seconds(
        _SERIES_ROWS, largest, max(3, largest // 6), _SERIES_BASES
    )
    key = (*subject.key[:1], subject.key[-1], None if over_features else m, k, subject.seed)
    return task("null-series", "Spread against m/k", seconds, key, work, here=True)
