"""Tasks of the neighbours and the scores of the points."""

from mecuco_app.results.making import task
from mecuco_app.view.settings import K_MAX, K_MAX_LARGE, LARGE, ScoreSettings
from mecuco_app.work import tasks
from mecuco_app.work.execution import Counted, counting, executed
from mecuco_app.work.jobs import Report, silent
from mecuco_app.work.limits import LIMITS
from mecuco_core.datasets.openml.settings import cache_folder
from mecuco_core.neighbors.graph import KnnGraph, estimated_auto_search_seconds, knn_graph
from mecuco_core.neighbors.store import GraphStore
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.score.cost import estimated_seconds, resolved_mode
from mecuco_core.score.curvature import Curvature, curvature
from mecuco_core.types import FloatArray, Mode
from mecuco_core.validation import default_n_neighbors

KEPT_SECONDS = 1.0
"""Searches that take longer are kept on disk, for the next start."""


def largest_k(prepared: Prepared) -> int:
    """Return the most neighbours the graph of these points has."""
    n_points = len(prepared.points)
    return min(K_MAX if n_points <= LARGE else K_MAX_LARGE, n_points - 1)


def k_of(prepared: Prepared, settings: ScoreSettings) -> int:
    """Return the number of neighbours the settings mean, cut to what the data allow."""
    wanted = settings.n_neighbors or default_n_neighbors(len(prepared.points))
    return max(2, min(wanted, largest_k(prepared)))


def mode_of(prepared: Prepared, settings: ScoreSettings) -> Mode:
    """Return the mode the settings mean: what `auto` stands for. Keys hold this, not the word."""
    return resolved_mode(settings.mode, prepared.points.shape[1])


def graph_task(prepared: Prepared) -> tasks.Task[KnnGraph]:
    """Find the neighbours of every point, once for every k up to `largest_k`."""
    n_points, n_features = prepared.points.shape
    k = largest_k(prepared)

    seconds = estimated_auto_search_seconds(n_points, n_features, k)

    def search(*, report: Report) -> KnnGraph:
        store = GraphStore(cache_folder() / "graphs", LIMITS.disk_bytes // 4)
        kept = store.load(prepared.fingerprint, k) if seconds > KEPT_SECONDS else None
        if kept is not None:
            return kept
        function = Counted(knn_graph, "Searching neighbours")
        found = executed(function, prepared.points, k, report=report, seconds=seconds)
        if seconds > KEPT_SECONDS:
            store.save(prepared.fingerprint, found)
        return found

    return task("graph", "Neighbours", seconds, (prepared.fingerprint, k), search, here=True)


def graph_of(prepared: Prepared, report: Report = silent) -> KnnGraph:
    """Return the neighbours of every point; `.prefix(k)` serves every smaller k."""
    return graph_task(prepared).run(report)


def score_task(prepared: Prepared, settings: ScoreSettings) -> tasks.Task[Curvature]:
    """Score every point, and find its neighbours first where that is still to be done."""
    n_points, n_features = prepared.points.shape
    k, mode = k_of(prepared, settings), mode_of(prepared, settings)
    seconds = estimated_seconds(n_points, n_features, k, mode)

    def score(graph: KnnGraph, *, report: Report) -> Curvature:
        if mode == "fast" or mode == "haar":
            other = "haar" if mode == "fast" else "fast"
            twin: Curvature | None = tasks.ready("score", prepared.fingerprint, other, k)
            if twin is not None:  # sums of the same terms
                return twin.in_mode(mode)
        return executed(scored, prepared.points, k, mode, graph, report=report, seconds=seconds)

    key, after = (prepared.fingerprint, mode, k), [graph_task(prepared)]
    return task("score", f"Score by {mode}, k = {k}", seconds, key, score, after=after, here=True)


def scored(points: FloatArray, k: int, mode: Mode, graph: KnnGraph, *, report: Report) -> Curvature:
    """Score points whose neighbours are known."""
    return curvature(points, k, mode=mode, graph=graph, progress=counting(report, "Scoring"))


def curvature_of(prepared: Prepared, settings: ScoreSettings) -> Curvature:
    """Return the score of every point, computed at most once per settings."""
    return score_task(prepared, settings).run()
