"""The computations of the Gauge page, as tasks; no Streamlit."""

from mecuco_app.results.analyses import gauge_seconds
from mecuco_app.results.making import task
from mecuco_app.results.scores import k_of, mode_of, score_task
from mecuco_app.view.settings import ScoreSettings
from mecuco_app.work.placing import Counted
from mecuco_app.work.tasks import Task
from mecuco_core.diagnostics.coordinates import (
    ChangeKind,
    CoordinateStability,
    coordinate_stability,
)
from mecuco_core.preparation.prepare import Prepared

N_CHANGES = 8


def survival_task(
    prepared: Prepared, score: ScoreSettings, gauge: ChangeKind
) -> Task[CoordinateStability]:
    """Score the points in eight other coordinates."""
    return task(
        "survival",
        "Eight changes of coordinates",
        N_CHANGES * gauge_seconds(prepared, score, gauge),
        (
            prepared.fingerprint, mode_of(prepared, score), k_of(prepared, score), gauge, N_CHANGES
        ),
        Counted(coordinate_stability, "Scoring in other coordinates"),
        lambda before: (prepared.points, before),
        lambda before: {"kind": gauge, "seeds": range(N_CHANGES)},
        after=[score_task(prepared, score)],
    )  # fmt: skip
