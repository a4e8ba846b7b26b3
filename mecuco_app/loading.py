"""Bring a dataset beside the page; what is loaded stays until the new one is there."""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from mecuco_app import address, links, sources, state, work
from mecuco_app.calculations import placed, prepared_anew
from mecuco_app.escape import markdown
from mecuco_app.fitting import fitted
from mecuco_app.jobs import Report
from mecuco_app.settings import DataChoice, View
from mecuco_app.sources import Loaded
from mecuco_app.state import Session
from mecuco_app.work import desk
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.preparation import Preparation, Prepared

JOB = "load"
MOST_KEPT = 8_000_000
"""Values of uploaded tables that are kept while their visitor looks at other data."""

File = tuple[Dataset, DataChoice]

Fetch = Callable[[Report], Loaded]


def start(choice: DataChoice) -> None:
    """Bring the dataset of a choice."""
    fetch_by(f"Loading {choice.identifier}", lambda report: sources.loaded(choice, None, report))


def start_view(view: View) -> None:
    """Bring the dataset of a link, and with it the other choices of the link."""
    title = f"Loading {view.data.identifier}"
    fetch_by(title, lambda report: sources.opened(view, report), keep=True, wanted=view)


def fetch_by(title: str, fetch: Fetch, *, keep: bool = False, wanted: object = None) -> None:
    """Bring a dataset by calling `fetch` in a thread; quick ones are there at once.

    Parameters
    ----------
    title : str
        Plain text.
    fetch : callable
        Called with `report`.
    keep : bool
        Whether selection, point and map of the view belong to the dataset that comes.
    wanted : object
        What is fetched, to be known again.
    """
    desk().start(JOB, title, fetch, key=(keep, wanted)).wait(work.PATIENCE)


def settle(session: Session) -> None:
    """Take over a dataset that has arrived, or say why none did."""
    job = desk().job(JOB)
    if job is None or job.running:
        return
    desk().drop(JOB)
    if job.status == "done" and job.result is not None:
        keep, wanted = job.key
        _take(session, job.result, keep=keep, view=wanted if isinstance(wanted, View) else None)
    elif job.status == "failed":
        awaited = isinstance(job.error, sources.OnlyUploadedError)
        fetched = session.dataset is None and session.view.data.source == "openml"
        if awaited or fetched:  # the address stays, to be opened again
            session.awaited = session.view
        session.tell("error", work.spoken(job.error), passing=not awaited)
    else:
        session.tell("info", "Loading was stopped. Nothing was kept.", passing=True)


def go_back(session: Session) -> None:
    """Show what the address holds where the visitor went back or forth to it."""
    parameters = address.returned_to(session)
    if parameters is None or session.dataset is None or session.prepared is None:
        return
    view, data = links.decoded(parameters).view, session.view.data
    if links.data_part(parameters) == links.data_part(session.address or {}):
        session.view = replace(view, data=data)
        if view.preparation == session.prepared.preparation:
            _fit(session, session.dataset, session.prepared)
        session.table_rule = session.view.rule
        desk().drop(JOB)  # what is on its way belongs to a step that was left
        address.settle(session)
    elif view.data.source == "file":
        _back_to_file(session, view)
    else:
        start_view(view)


def _back_to_file(session: Session, view: View) -> None:
    """Show a file of this visitor again, or ask for it where it was not kept."""
    begin = view.data.fingerprint
    kept = [file for file in session.files if begin and file[0].fingerprint.startswith(begin)]
    if not kept:
        session.awaited = view
        asked = f"To go back to {markdown(view.data.identifier)}, upload it again."
        session.tell("info", asked, passing=True)
        return
    dataset, choice = kept[0]
    fetch = _prepared(dataset, choice, view.preparation)
    fetch_by("Preparing the points", fetch, keep=True, wanted=replace(view, data=choice))


def ensure(session: Session) -> None:
    """Make sure that a dataset is there or on its way: the one of the address, else digits."""
    if session.dataset is None and desk().job(JOB) is None:
        start_view(session.view)
    settle(session)
    _prepare_anew(session)
    if session.dataset is None and desk().job(JOB) is None:
        # The address leads nowhere: show something useful all the same, and say that it is that.
        session.view = View()
        told = session.notices
        _take(session, sources.loaded(session.view.data), keep=False)
        session.notices = told
        for notice in told:
            if notice.kind == "error":
                session.dismiss(notice)
                session.tell("error", f"{notice.text.rstrip('.')}. Meanwhile digits is shown.")


def watch(session: Session) -> None:
    """Draw the progress of a dataset on its way, and end the page where there is none yet."""
    job = desk().job(JOB)
    if job is not None:
        work.watch(JOB, job)
    if session.dataset is None:
        st.stop()


def _prepare_anew(session: Session) -> None:
    """Make the points again where the visitor chose another preparation."""
    dataset, prepared, wanted = session.dataset, session.prepared, session.view.preparation
    if dataset is None or prepared is None or prepared.preparation == wanted:
        return
    job = desk().job(JOB)
    if job is None or not (job.key[1] in (None, wanted) or isinstance(job.key[1], View)):
        fetch = _prepared(dataset, session.view.data, wanted)
        fetch_by("Preparing the points", fetch, keep=True, wanted=wanted)
    settle(session)
    if desk().job(JOB) is None and session.prepared is prepared:
        session.change("preparation", prepared.preparation)  # it cannot be done: the former stays


def _prepared(dataset: Dataset, choice: DataChoice, preparation: Preparation) -> Fetch:
    """Return what makes the points of a dataset that is there."""

    def fetch(report: Report) -> Loaded:
        made = placed(prepared_anew, dataset, preparation, report=report, seconds=1.0)
        return Loaded(dataset, made, choice)

    return fetch


def _take(session: Session, found: Loaded, *, keep: bool, view: View | None = None) -> None:
    if view is not None:
        session.view = view
    before = session.view
    awaited = session.awaited
    if awaited is not None and _is_awaited(awaited, found):
        before, session.awaited, keep = awaited, None, True
        session.view = replace(awaited, data=found.choice)
    state.adopt(found.dataset, found.prepared, found.choice)
    if found.choice.source == "file":
        session.files = _within((found.dataset, found.choice), session.files)
    if keep:
        if before is awaited:
            session.change("preparation", before.preparation)
            session.tell("success", "This is the file of the link: its view is back.")
        for path in ("rule", "focus", "map"):
            session.change(path, getattr(before, path))
        _fit(session, found.dataset, found.prepared)
        session.table_rule = session.view.rule
    else:
        session.load_notes = found.notes
        if awaited is not None and _is_namesake(awaited, found):
            session.tell("warning", _other_file(awaited, found))
    for note in found.notes:
        session.tell("info", markdown(note, 400))


def _within(newest: File, others: tuple[File, ...]) -> tuple[File, ...]:
    """Return the newest files that together have few enough values to be kept."""
    kept: list[File] = []
    room = MOST_KEPT
    for file in (newest, *(other for other in others if other[0] is not newest[0])):
        room -= file[0].n_rows * file[0].n_features
        if room >= 0:
            kept.append(file)
    return tuple(kept)


def _fit(session: Session, dataset: Dataset, prepared: Prepared) -> None:
    """Put right what these points cannot show, and say so."""
    fit = fitted(session.view, dataset, prepared)
    session.view = fit.view
    if fit.changes:
        session.tell(
            "warning",
            "These points cannot show all that was asked for; the nearest stands in its place: "
            f"{', '.join(markdown(change, 120) for change in fit.changes)}.",
        )


def _is_awaited(awaited: View, found: Loaded) -> bool:
    """Whether a file is the one a link was made with."""
    begin = awaited.data.fingerprint
    return (
        found.choice.source == "file"
        and bool(begin)
        and (found.dataset.fingerprint.startswith(begin))
    )


def _is_namesake(awaited: View, found: Loaded) -> bool:
    """Whether a file has the name, and not the content, of the one a link was made with."""
    known, choice = awaited.data, found.choice
    same = choice.source == "file" and choice.identifier == known.identifier
    return same and bool(known.fingerprint)


def _other_file(awaited: View, found: Loaded) -> str:
    return (
        f"This {markdown(found.choice.identifier)} is not the file the link was made with, or it "
        f"was read in another way: its fingerprint is {found.dataset.fingerprint[:16]}, that of "
        f"the link {markdown(awaited.data.fingerprint[:16])}. "
        "The view of the link was not applied."
    )
