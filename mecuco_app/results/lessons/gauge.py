"""The computations of the Gauge page, as tasks; no Streamlit."""

from mecuco_app.results.analyses import gauge_task
from mecuco_app.results.scores import curvature_of, k_of, mode_of
from mecuco_app.view.settings import ScoreSettings
from mecuco_app.work.jobs import Report
from mecuco_app.work.placing import Counted, placed
from mecuco_app.work.tasks import Task
from mecuco_core.diagnostics.coordinates import Gauge
from mecuco_core.diagnostics.survival import Survival, survival
from mecuco_core.preparation.prepare import Prepared

N_CHANGES = 8


def survival_task(prepared: Prepared, score: ScoreSettings, gauge: Gauge) -> Task[Survival]:
    """Score the points in eight other coordinates."""
    seeds = range(N_CHANGES)

    def work(report: Report) -> Survival:
        before = curvature_of(prepared, score)
        score_again = Counted(survival, "Scoring in other coordinates")
        return placed(
            score_again,
            prepared.points,
            before,
            gauge=gauge,
            seeds=seeds,
            report=report,
            seconds=seconds,
        )

    seconds = N_CHANGES * gauge_task(prepared, score, gauge, 0).seconds
    mode = mode_of(prepared, score)
    key = (prepared.fingerprint, mode, k_of(prepared, score), gauge, N_CHANGES)
    return Task("survival", "Eight changes of coordinates", seconds, key, work)
