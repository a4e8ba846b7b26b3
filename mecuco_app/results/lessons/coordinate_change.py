"""The computations of the page on changes of coordinates, as tasks; no Streamlit."""

from mecuco_app.results.analyses import coordinate_change_seconds
from mecuco_app.results.making import task
from mecuco_app.results.scores import k_of, mode_of, score_task
from mecuco_app.view.settings import ScoreSettings
from mecuco_app.work.execution import Counted
from mecuco_app.work.tasks import Task
from mecuco_core.diagnostics.coordinates import (
    ChangeKind,
    CoordinateStability,
    coordinate_stability,
)
from mecuco_core.preparation.prepare import Prepared

N_CHANGES = 8


def coordinate_stability_task(
    prepared: Prepared, score: ScoreSettings, kind: ChangeKind
) -> Task[CoordinateStability]:
    """Score the points in eight other coordinates."""
    return task(
        "coordinate stability",
        "Eight changes of coordinates",
        N_CHANGES * coordinate_change_seconds(prepared, score, kind),
        (
            prepared.fingerprint, mode_of(prepared, score), k_of(prepared, score), kind, N_CHANGES
        ),
        Counted(coordinate_stability, "Scoring in other coordinates"),
        lambda before: (prepared.points, before),
        lambda before: {"kind": kind, "seeds": range(N_CHANGES)},
        after=[score_task(prepared, score)],
    )  # fmt: skip
