"""Scores of the k next to the one shown, computed while nobody waits for anything.

Whoever moves k mostly moves it a little: the scores are then there before they are asked for. Every
run of a page ends this work, and a page that is drawn begins it anew, after a pause.
"""

import time
from dataclasses import replace

from mecuco_app.results import scores
from mecuco_app.screen import waiting
from mecuco_app.screen.state import Session
from mecuco_app.view.settings import ScoreSettings
from mecuco_app.work import tasks
from mecuco_app.work.jobs import Report
from mecuco_core.preparation.prepare import Prepared

REACH = 6
"""How many smaller and how many larger k are scored."""

MOST_SECONDS = 3.0
"""What all of them may take together, estimated."""

PAUSE = 0.5
"""Seconds after which a browser has drawn what it was sent."""

_JOB = "nearby scores"
_LOOK = 0.05  # seconds between two looks at whether others work


def begin(session: Session, prepared: Prepared) -> None:
    """Score the neighbouring k, where that takes no time to speak of."""
    steps = worth_while(prepared, session.view.score)
    if steps:
        waiting.desk().start(
            _JOB, "Scores of other k", lambda report: _score(prepared, steps, report)
        )


def end(session: Session) -> None:
    """Leave the machine to what is asked for now."""
    session.desk.drop(_JOB)


def worth_while(prepared: Prepared, settings: ScoreSettings) -> list[ScoreSettings]:
    """Return the settings to score, nearest k first, as far as the time allows."""
    k, largest = scores.k_of(prepared, settings), scores.largest_k(prepared)
    near = [k + sign * step for step in range(1, REACH + 1) for sign in (1, -1)]
    chosen, seconds = [], 0.0
    for other in (other for other in near if 2 <= other <= largest):
        wanted = replace(settings, n_neighbors=other)
        task = scores.score_task(prepared, wanted)
        seconds += task.seconds
        if seconds > MOST_SECONDS:
            break
        if task.ready() is None:
            chosen.append(wanted)
    return chosen


def _score(prepared: Prepared, steps: list[ScoreSettings], report: Report) -> None:
    _rest(time.monotonic() + PAUSE, report)
    for settings in steps:
        while tasks.is_busy():
            _rest(time.monotonic() + _LOOK, report)
        scores.score_task(prepared, settings).run(report)


def _rest(until: float, report: Report) -> None:
    """Do nothing until then, unless `report` ends it."""
    while time.monotonic() < until:
        report(0.0, "")
        time.sleep(_LOOK)
