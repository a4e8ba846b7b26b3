"""The paper's protocol as one computation that reports its progress; knows no Streamlit."""

from typing import Any

from mecuco_app.work.execution import counting
from mecuco_app.work.jobs import Report, stretch
from mecuco_core.reproduction import Settings
from mecuco_core.reproduction.protocol import Stage, measure
from mecuco_core.types import FloatArray, Progress


def measured(
    points: FloatArray, settings: Settings, weights: dict[str, float], *, report: Report
) -> dict[str, Any]:
    """Score points by the paper's protocol.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    settings : Settings
    weights : dict of str to float
        Seconds each stage takes, estimated, in the order of the stages.
    report : callable
    """
    return measure(points, settings, _stages(report, weights))


def _stages(report: Report, weights: dict[str, float]) -> Stage:
    total = sum(weights.values())
    starts, so_far = {}, 0.0
    for name, seconds in weights.items():
        starts[name] = so_far
        so_far += seconds
    furthest = 0.0

    def onward(share: float, message: str) -> None:
        nonlocal furthest  # short runs are timed again, and the bar does not go back for that
        furthest = max(furthest, share)
        report(furthest, message)

    def stage(name: str) -> Progress | None:
        if name not in weights:
            return None
        start = starts[name] / total
        part = stretch(onward, start, start + weights[name] / total)
        doing = "Searching neighbours" if name == "neighbours" else f"Scoring by {name}"
        return counting(part, doing)

    return stage
