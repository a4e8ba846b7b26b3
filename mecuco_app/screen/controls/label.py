"""Which column of a dataset is its label."""

from dataclasses import replace

from mecuco_app.data import sources
from mecuco_app.data.sources import Loaded
from mecuco_app.screen import loading, state
from mecuco_app.view.settings import BROUGHT
from mecuco_app.work.jobs import Report
from mecuco_core.preparation.protocol import Preparation


def relabel(column: str | None, preparation: Preparation | None = None) -> None:
    """Take another column of the dataset for its label; None for no label.

    Parameters
    ----------
    column : str or None
    preparation : Preparation or None
        None for the one there is.
    """
    session = state.session()
    there = session.loaded
    if there is None:
        return
    wanted = session.view.preparation if preparation is None else preparation
    if column is not None:  # what it was before is not said of a label
        exclude = tuple(name for name in wanted.exclude if name != column)
        wanted = replace(wanted.with_role(column, None), exclude=exclude)
    elif session.view.data.source not in BROUGHT:
        session.tell("info", "This dataset has a label: give it to another column.", passing=True)
        return
    choice = sources.relabelled_choice(session.view.data, there.dataset, column)

    def fetch(report: Report) -> Loaded:
        return sources.relabelled(there, choice, column, wanted, report=report)

    loading.turn_to(
        session,
        replace(session.view, data=choice, preparation=wanted),
        fetch if choice.source in BROUGHT else None,  # others are loaded again, as by a link
    )
