"""The computation of the Score X-ray page, as a task; no Streamlit."""

from mecuco_app.results.making import task
from mecuco_app.results.scores import graph_task, k_of
from mecuco_app.view.settings import ScoreSettings
from mecuco_app.work.jobs import Report
from mecuco_app.work.tasks import Task
from mecuco_core.diagnostics.xray import Xray, xray
from mecuco_core.neighbors.graph import KnnGraph
from mecuco_core.preparation.prepare import Prepared


def xray_task(prepared: Prepared, settings: ScoreSettings, position: int) -> Task[Xray]:
    """Follow the score of one point step by step."""
    k, m = k_of(prepared, settings), min(prepared.points.shape[1], 1500)

    def work(graph: KnnGraph, *, report: Report) -> Xray:
        return xray(prepared.points, graph=graph.prefix(k), position=position)

    seconds, key = 0.2 + 3e-9 * m**3, (prepared.fingerprint, k, position)
    after = [graph_task(prepared)]
    return task("xray", "One neighbourhood", seconds, key, work, after=after, here=True)
