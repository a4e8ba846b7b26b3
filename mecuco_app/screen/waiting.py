"""Results that may take long: shown when ready, else asked for, watched and stoppable."""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from mecuco_app.screen import state
from mecuco_app.text.escape import markdown
from mecuco_app.text.numbers import seconds
from mecuco_app.text.sentences import capitalised
from mecuco_app.work.jobs import Desk, Job
from mecuco_app.work.tasks import Task

T = TypeVar("T")

PATIENCE = 1.5
"""Seconds a page waits for a result before it is drawn without it."""

ASK_SECONDS = 60.0
"""Work that is estimated to take longer is asked for first."""

_POLL = 0.5

Draw = Callable[[Any], None]
"""Draws a result that is not finished."""


def desk() -> Desk:
    """Return the jobs of this visitor; they are stopped when the visitor has left."""
    return state.session().desk


def result(
    name: str, task: Task[T], *, wait: float = PATIENCE, draw: Draw | None = None
) -> T | None:
    """Return the result of a task, or draw what becomes of it where the page stands.

    Parameters
    ----------
    name : str
        Of the place: one job at a time belongs to it, and a new task takes the place of the old.
    task : Task
    wait : float
        Seconds to wait before the page goes on without the result.
    draw : callable or None
        Draws the result so far, where the work tells it.

    Returns
    -------
    object or None
        None while the work runs (progress and a Stop button are drawn), waits to be asked for,
        was stopped, or failed (one sentence and a way to try again).
    """
    found = task.ready()
    if found is not None:
        return found
    job = desk().job(name)
    if job is None or job.key != task.key:
        if task.seconds > ASK_SECONDS and state.recalled(f"agreed:{name}", None) != task.key:
            desk().drop(name)
            _ask(name, task)
            return None
        job = desk().start(name, task.title, task.run, task.key)
        job.wait(wait)
    if job.status == "done":
        return job.result
    watch(name, job, draw)
    return None


def needed(name: str, task: Task[T]) -> T:
    """Return the result of a task; without it the page ends with what becomes of it."""
    found = result(name, task)
    if found is None:
        st.stop()
    return found


def follow(name: str, task: Task[T] | None, draw: Draw | None = None) -> None:
    """Draw the work that will bring something better, and the page anew once it is there."""
    if task is not None and result(name, task, wait=0.0, draw=draw) is not None:
        st.rerun()  # it came while this page was being drawn


def watch(name: str, job: Job[object], draw: Draw | None = None) -> None:
    """Draw a job: progress while it runs, one sentence when it ended without a result."""
    if job.running:
        progress(name, job, draw)
        return
    if job.status == "failed":
        st.error(spoken(job.error))
    elif job.status == "stopped":
        st.info(f"{job.title}: stopped. Nothing was kept.")
    again = "Try again" if job.status == "failed" else "Start again"
    st.button(again, key=f"again:{name}", on_click=desk().drop, args=(name,))


def progress(name: str, job: Job[Any], draw: Draw | None = None) -> None:
    """Draw how far a job is, with a way to stop it, and the page anew once it has ended."""
    st.fragment(_progress, run_every=_POLL)(name, job, draw)


def spoken(error: BaseException | None) -> str:
    """Return an error as one sentence of Markdown, without a traceback."""
    if isinstance(error, ValueError):
        text = str(error)
        # A name that begins a sentence, such as www.openml.org or n_neighbors, stays as it is.
        worded = text.split(" ", 1)[0].rstrip(",:").isalpha()
        return markdown(capitalised(text) if worded else text, 600)
    if isinstance(error, MemoryError):
        return "There is not enough memory for this: take fewer rows or columns."
    return f"This did not work ({type(error).__name__}). Try again, or with other settings."


def _ask(name: str, task: Task[T]) -> None:
    st.info(f"{task.title} will take about {seconds(task.seconds)}.")
    st.button(
        "Start",
        key=f"start:{name}",
        on_click=state.remember,
        args=(f"agreed:{name}", task.key),
    )


def _progress(name: str, job: Job[Any], draw: Draw | None) -> None:
    if not job.running:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        doing = "stopping" if job.stopping else job.message or job.title
        st.progress(job.share, text=f"{markdown(doing)} · {seconds(job.seconds)}")
        st.button("Stop", key=f"stop:{name}", on_click=job.stop)
    if draw is not None and job.so_far is not None:
        draw(job.so_far)
