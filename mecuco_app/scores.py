"""The scores to show now: those asked for, or the former ones until they are there."""

from dataclasses import dataclass, replace

import streamlit as st

from mecuco_app import compute, work
from mecuco_app.caption import score_line
from mecuco_app.settings import View
from mecuco_app.state import Session
from mecuco_core.curvature import Curvature
from mecuco_core.datasets.preparation import Prepared

_JOB = "score"


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
    found = work.result(_JOB, compute.score_task(prepared, view.score))
    if found is not None:
        session.drawn_scores[prepared.fingerprint] = view.score
        return ShownScore(view, found)
    former = session.drawn_scores.get(prepared.fingerprint)
    kept = None if former is None else compute.score_task(prepared, former).ready()
    if former is None or kept is None:
        return ShownScore(view, None)
    st.caption(f"Below are the former scores: {score_line(former, kept)}.")
    job = session.desk.job(_JOB)
    return ShownScore(replace(view, score=former), kept, former=job is not None and job.running)
