"""The scores to show now: those asked for, or the former ones until they are there."""

from dataclasses import dataclass, replace

import streamlit as st

from mecuco_app.results import scores
from mecuco_app.results.needs import Shown, tasks_for
from mecuco_app.scene.caption import score_line
from mecuco_app.scene.maps import ShownMap
from mecuco_app.screen import waiting
from mecuco_app.screen.state import Session
from mecuco_app.view.settings import View
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.score.curvature import Curvature

_JOB, _MEASURE = "score", "measure"


@dataclass(frozen=True, eq=False)
class ShownScore:
    """Scores and what they are.

    Attributes
    ----------
    view : View
        The one asked for, with the mode and k of the scores that are shown.
    result : Curvature or None
        None where no score of these points was ever shown.
    former : bool
        Whether they wait for those asked for.
    """

    view: View
    result: Curvature | None
    former: bool = False


def current_score(session: Session, prepared: Prepared) -> ShownScore:
    """Return the scores the visitor asked for, or the former ones while they are computed.

    Progress is drawn where the page stands, with a word on what is shown meanwhile.
    """
    view = session.view
    found = waiting.result(_JOB, scores.score_task(prepared, view.score))
    if found is not None:
        session.drawn_scores[prepared.fingerprint] = view.score
        return ShownScore(view, found)
    former = session.drawn_scores.get(prepared.fingerprint)
    kept = None if former is None else scores.score_task(prepared, former).ready()
    if former is None or kept is None:
        return ShownScore(view, None)
    st.caption(f"Below are the former scores: {score_line(former, kept)}.")
    job = session.desk.job(_JOB)
    return ShownScore(replace(view, score=former), kept, former=job is not None and job.running)


def colour_is_there(
    session: Session, score: ShownScore, prepared: Prepared, shown: ShownMap
) -> bool:
    """Whether there is what the colours need besides the score.

    Else it is computed beside the page, and progress is drawn where the page stands.
    """
    what = Shown(prepared, score.view.score, shown.coordinates, shown.key)
    tasks = [] if score.result is None else tasks_for(score.view.colour.by, what)
    if not tasks:
        session.desk.drop(_MEASURE)
    return all(waiting.result(_MEASURE, task) is not None for task in tasks)
