"""Bring the dataset that the view names: the page shows that one, or none.

What is on its way belongs to the visit: it goes on when the page is changed, reloaded or closed.
"""

from dataclasses import replace

import streamlit as st

from mecuco_app.data import sources
from mecuco_app.data.sources import Fetch, Loaded
from mecuco_app.data.visits import Recent, same_data, subject
from mecuco_app.scene.fitting import fitted
from mecuco_app.screen import state, waiting
from mecuco_app.screen.browser import address
from mecuco_app.screen.state import Complete, Notice, NoticeKind, Session
from mecuco_app.text.escape import markdown
from mecuco_app.view import links
from mecuco_app.view.settings import BROUGHT, DataChoice, SelectionRule, View
from mecuco_app.work.execution import executed
from mecuco_app.work.jobs import Job, Report
from mecuco_core.preparation.protocol import preparation_of_source

MOMENT = 0.2
"""Seconds to wait for other data that are quick to load."""

FORGOTTEN = Notice("info", "This dataset was forgotten.")


def start(choice: DataChoice) -> None:
    """Turn to another dataset."""
    session = state.session()
    known = session.visit.find(choice)
    if known is not None:
        reopen(known)
    else:
        turn_to(session, _fresh(session.view, choice))


def start_file(choice: DataChoice, fetch: Fetch) -> None:
    """Turn to a file that was just sent; to the one a link asked for as the link says."""
    session = state.session()
    view = _fresh(session.view, choice)
    if session.awaited is not None and same_data(choice, session.awaited.data):
        view = replace(session.awaited, data=choice)
    turn_to(session, view, fetch)


def reopen(recent: Recent) -> None:
    """Turn to a dataset of this visit, with what was chosen of its points."""
    session, known = state.session(), recent.view
    view = _fresh(session.view, known.data)
    layout = replace(view.map, columns=known.map.columns)
    turn_to(
        session,
        replace(
            view,
            preparation=known.preparation,
            rule=known.rule,
            focus=known.focus,
            map=layout,
        ),
    )


def turn_to(session: Session, view: View, fetch: Fetch | None = None) -> None:
    """Show another view; what its data need is begun at once.

    Parameters
    ----------
    session : Session
    view : View
    fetch : callable or None
        Brings the dataset, where the view does not say how.
    """
    if session.loaded is None:
        session.visit.drop(subject(session.view))  # nobody waits for it any longer
    _leave(session)
    session.view, session.missing = view, None
    session.n_turns += 1
    session.notices = []  # they spoke of the former data
    session.visit.turn(session.tab, address.found(), view)
    former = session.visit.job(subject(view))
    if former is not None and not former.running:  # it failed: this is another try
        session.visit.drop(subject(view))
    _begin(session, fetch)
    session.turning = True
    # Last: whatever is sent to the browser may end this run.
    address.show(session)


def forget(recent: Recent) -> None:
    """Let go of a dataset of this visit, also where it is being looked at."""
    state.session().visit.forget(recent.view.data)


def go_back(session: Session) -> None:
    """Show what the address holds where the visitor went back or forth to it."""
    parameters = address.found()
    if not address.went_back() or "data" not in parameters:
        return
    view = links.decoded(parameters).view
    if same_data(session.view.data, view.data):
        view = replace(view, data=session.view.data)
    if session.loaded is not None and subject(view) == subject(session.view):
        session.view = view
        _fit(session)
    else:
        _leave(session)  # what is on its way goes on: the step may be undone
        session.view, session.missing = view, None
        session.n_turns += 1
        session.notices = []


def ensure(session: Session) -> None:
    """See to it that the data of the view are there or on their way, or that it is said why not."""
    shown = session.dataset
    if shown is not None and session.visit.has_forgotten(shown.fingerprint):
        session.loaded, session.former, session.missing = None, None, FORGOTTEN
    if session.prepared is not None and session.prepared.preparation != session.view.preparation:
        _leave(session)
    if session.loaded is None and session.missing is None:
        _take_or_begin(session)
    if session.loaded is not None:
        session.visit.hold(session.view, session.loaded, session.tab)
    if session.missing is None:
        session.visit.view = session.view


def watch(session: Session) -> None:
    """Draw what is on its way: for this page, and for others of the visit."""
    own = subject(session.view) if session.loaded is None else None
    for key, job in session.visit.loads.items():
        if key == own:  # also where it has just ended: the page is then drawn anew
            waiting.progress("load", job)
        elif job.running:
            waiting.progress(f"load:{job.title}", job)
        elif job.status == "done":
            session.visit.drop(key)
            text = f"{job.title}: done. It is in the list of datasets."
            session.tell("success", markdown(text, 200), passing=True)


def say_what_is_missing(session: Session) -> None:
    """Say why there is nothing to see, and what to do."""
    if session.missing is None:
        return
    draw = st.error if session.missing.kind == "error" else st.info
    draw(session.missing.text)
    former = session.former
    with st.container(horizontal=True):
        if former is not None and not session.visit.has_forgotten(_fingerprint(former)):
            name = markdown(former.loaded.dataset.name, 60)
            st.button(f"Back to {name}", key="load:back", on_click=_return_to, args=(former,))
        if session.view.data.source in ("openml", "bundled", "manifold"):
            st.button("Try again", key="load:again", on_click=_try_again)
        if session.page != "Home":
            address.way_to("app.py", "Choose data on Home", "data")


def _try_again() -> None:
    state.session().missing = None


def _return_to(former: Complete) -> None:
    """Show again what was shown before, also where it had to give way in the list of the visit."""
    session = state.session()
    session.visit.hold(former.view, former.loaded)
    turn_to(session, former.view)


def _fingerprint(complete: Complete) -> str:
    return complete.loaded.dataset.fingerprint


def _fresh(view: View, choice: DataChoice) -> View:
    """Return the view of other data: what belonged to the former ones goes."""
    return replace(
        view,
        data=choice,
        preparation=preparation_of_source(choice.source),
        rule=SelectionRule(),
        focus=None,
        map=replace(view.map, columns=()),
    )


def _leave(session: Session) -> None:
    """Show the data no longer; they are kept for the way back."""
    if session.loaded is not None:
        preparation = session.loaded.prepared.preparation
        session.former = Complete(replace(session.view, preparation=preparation), session.loaded)
    session.loaded = None


def _take_or_begin(session: Session) -> None:
    """Take the data of the view where they are there, else see that they are on their way."""
    job, there = _begin(session), _held(session)
    if job is not None:
        if job.wait(max(0.0, _patience(session) - job.seconds)):
            session.visit.drop(subject(session.view))
            _settle(session, job)
    elif there is not None:
        _take(session, there)
    else:
        session.missing = _why_not_here(session)


def _why_not_here(session: Session) -> Notice:
    """Say why data are not here: they could not be read, or nobody has brought them."""
    refusal = session.visit.refusal(session.view)
    if refusal is not None:
        return Notice("error", refusal)
    session.awaited = session.view
    return Notice("info", markdown(sources.elsewhere(session.view.data), 400))


def _patience(session: Session) -> float:
    """Return how long to wait before the page is drawn without the data of the view."""
    former, data = session.former, session.view.data
    if former is None or same_data(former.view.data, data):
        return waiting.PATIENCE
    return MOMENT if sources.is_quick(data) else 0.0  # the page still shows the former data


def _begin(session: Session, fetch: Fetch | None = None) -> Job[Loaded] | None:
    """Return the work that brings the data of the view; None where none is needed, or can be."""
    view, there = session.view, _held(session)
    job = session.visit.job(subject(view))
    is_ready = there is not None and there.prepared.preparation == view.preparation
    if job is not None or is_ready:
        return job
    fetch = fetch or _fetch(view, there)
    return session.visit.load(view, _title(view, there), fetch) if fetch else None


def _held(session: Session) -> Loaded | None:
    """Return the dataset of the view, perhaps of another preparation, where the visit has it."""
    known = session.visit.find(session.view.data)
    return None if known is None else known.loaded


def _title(view: View, there: Loaded | None) -> str:
    return f"Loading {sources.called(view.data)}" if there is None else "Preparing the points"


def _fetch(view: View, there: Loaded | None) -> Fetch | None:
    """Return what brings the data of a view; None for what only its owner has."""
    if there is not None:
        return _preparing(view, there)
    if view.data.source in BROUGHT:
        return None
    return lambda report: sources.opened(view, report)


def _preparing(view: View, there: Loaded) -> Fetch:
    """Return what makes the points of a dataset anew."""

    def fetch(report: Report) -> Loaded:
        dataset, wanted = there.dataset, view.preparation
        made = executed(sources.prepared_anew, dataset, wanted, report=report, seconds=1.0)
        return replace(there, prepared=made, notes=())

    return fetch


def _settle(session: Session, job: Job[Loaded]) -> None:
    """Take over what has arrived, or say why nothing has."""
    if job.status == "done" and job.result is not None:
        _take(session, job.result)
        for note in job.result.notes:
            session.tell("info", markdown(note, 400))
        return
    kind: NoticeKind = "error" if job.status == "failed" else "info"
    why = waiting.spoken(job.error) if kind == "error" else f"{markdown(job.title)}: stopped."
    former = _of_former_preparation(session)
    if former is not None:
        session.view, session.loaded, session.former = former.view, former.loaded, None
        session.n_turns += 1
        name = markdown(former.loaded.dataset.name, 60)
        session.tell(kind, f"{why} {name} is still here.", passing=True)
        return
    name = markdown(sources.called(session.view.data), 60)
    session.missing = Notice(kind, f"{name} is not here. {why.rstrip('.')}.")
    if kind == "error" and session.view.data.source == "file":  # others are tried again
        session.visit.refuse(session.view, session.missing.text)


def _of_former_preparation(session: Session) -> Complete | None:
    """Return the same data in the preparation before, if there is one."""
    former, there = session.former, _held(session)
    if former is not None and same_data(former.view.data, session.view.data):
        return former
    if there is None:
        return None
    return Complete(replace(session.view, preparation=there.prepared.preparation), there)


def _take(session: Session, found: Loaded) -> None:
    """Show the data of the view, now that they are there."""
    before, awaited = session.former, session.awaited
    view = replace(session.view, data=found.choice, preparation=found.prepared.preparation)
    if before is None or before.loaded.prepared.fingerprint != found.prepared.fingerprint:
        session.shown = {}
    if awaited is not None and found.choice.source == "file":
        if same_data(found.choice, awaited.data):
            session.awaited = None
            session.tell("success", "This is the file of the link: its view is back.")
            view = replace(awaited, data=found.choice)
        elif found.choice.identifier == awaited.data.identifier and awaited.data.fingerprint:
            session.tell("warning", _other_file(awaited, found))
    session.view, session.former = view, None
    if found.prepared.preparation != view.preparation:  # that of the link
        _take_or_begin(session)
        return
    session.loaded = found
    _fit(session)


def _fit(session: Session) -> None:
    """Put right what these points cannot show, and say so."""
    dataset, prepared = state.require_data()
    fit = fitted(session.view, dataset, prepared)
    session.view = fit.view
    session.table_rule = session.view.rule
    if fit.changes:
        session.tell(
            "warning",
            "Adjusted to this dataset: "
            f"{', '.join(markdown(change, 120) for change in fit.changes)}.",
        )


def _other_file(awaited: View, found: Loaded) -> str:
    return (
        f"This {markdown(found.choice.identifier)} is not the file the link was made with, or it "
        f"was read in another way: its fingerprint is {found.dataset.fingerprint[:16]}, that of "
        f"the link {markdown(awaited.data.fingerprint[:16])}. "
        "The view of the link was not applied."
    )
