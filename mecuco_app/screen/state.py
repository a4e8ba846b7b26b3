"""The only file that reads or writes `st.session_state`.

One key holds one `Session`. The view in it is the truth: a widget tied to a choice by `bound`
shows that choice, and writes it back before the page runs.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

import streamlit as st

from mecuco_app.data.sources import Loaded
from mecuco_app.data.visits import Visit
from mecuco_app.screen.connection import cookie, open_tabs
from mecuco_app.takeaway.report import Section
from mecuco_app.text.escape import markdown
from mecuco_app.view import links
from mecuco_app.view.settings import DataChoice, ScoreSettings, SelectionRule, View, changed
from mecuco_app.work.jobs import Desk
from mecuco_core.datasets.base import Dataset
from mecuco_core.errors import DataError
from mecuco_core.preparation.prepare import Prepared

T = TypeVar("T")

_KEY = "mecuco"
_ABSENT = object()
_MOST_NOTICES = 3


NoticeKind = Literal["info", "warning", "error", "success"]


@dataclass(frozen=True)
class Notice:
    """A sentence for the visitor, in Markdown: what is untrusted in it is escaped."""

    kind: NoticeKind
    text: str
    passing: bool = False  # it speaks of the last thing tried, on this page


@dataclass(frozen=True, eq=False)
class Complete:
    """A view and the data it shows."""

    view: View
    loaded: Loaded


@dataclass
class Session:
    """Everything that must survive a rerun or a change of page."""

    desk: Desk = field(default_factory=Desk)
    visit: Visit = field(default_factory=Visit)
    tab: str = ""
    page: str = ""
    turned: bool = True  # whether this is the first run of the page
    touched: bool = False  # whether a widget of the page was moved since
    view: View = field(default_factory=View)
    loaded: Loaded | None = None  # the data of the view, or None: never others
    missing: Notice | None = None  # why the data are not there, where they cannot be had
    awaited: View | None = None  # of a link to a file that is not there
    turning: bool = False  # whether the address was changed by what is answered now
    n_turns: int = 0  # how often other data were turned to
    former: Complete | None = None  # what was shown before what is on its way, or cannot be had
    opened_on_sample: bool = False  # whether the visitor came without saying what to show
    notices: list[Notice] = field(default_factory=list)
    table_rule: SelectionRule = field(default_factory=SelectionRule)
    drawn_maps: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    drawn_scores: dict[str, ScoreSettings] = field(default_factory=dict)
    memory: dict[str, Any] = field(default_factory=dict)
    shown: dict[tuple[str, str], Section] = field(default_factory=dict)
    arrival: dict[str, Any] | None = None  # the address found first, and the one to stand there

    @property
    def dataset(self) -> Dataset | None:
        """The table of the view, where it is there."""
        return None if self.loaded is None else self.loaded.dataset

    @property
    def prepared(self) -> Prepared | None:
        """The points of the view, where they are there."""
        return None if self.loaded is None else self.loaded.prepared

    def show(self, key: str, section: Section) -> None:
        """Keep what this page shows of the current points, for the report; the last of a key stays.

        The title of the section in the report begins with the page.
        """
        self.shown[self.page, key] = replace(section, title=f"{self.page}: {section.title}")

    def tell(
        self,
        kind: NoticeKind,
        text: str,
        *,
        passing: bool = False,
    ) -> None:
        """Show a sentence until it is dismissed; the last few stay.

        A passing one goes with the next of its kind, and with the page.
        """
        told = Notice(kind, text, passing)
        if passing:
            self.forget_passing()
        self.dismiss(told)
        self.notices = [*self.notices, told][-_MOST_NOTICES:]

    def forget_passing(self) -> None:
        """Show no longer what spoke of the last thing tried."""
        self.notices = [notice for notice in self.notices if not notice.passing]

    def dismiss(self, notice: Notice) -> None:
        """Show a sentence no longer."""
        self.notices = [other for other in self.notices if other != notice]

    def change(self, path: str, value: Any) -> None:
        """Change one choice of the view, for example `change("score.mode", "haar")`."""
        self.view = changed(self.view, path, value)


def session() -> Session:
    """Return this visitor's session, created on first use.

    It shows what its address says; without one what the visitor looked at last, in any tab; on a
    first visit the sample.
    """
    if _KEY not in st.session_state:
        parameters, visit = st.query_params.to_dict(), cookie.visit()
        opened = links.decoded(parameters)
        view = visit.turned(parameters, open_tabs.is_open) or opened.view
        if not parameters and visit.view is not None:
            view = visit.view
        sample = "data" not in parameters and view.data == DataChoice()
        created = Session(visit=visit, tab=open_tabs.tab(), view=view, opened_on_sample=sample)
        if opened.refused:
            created.tell(
                "warning",
                "Part of this address could not be read, and was left out: "
                f"{', '.join(map(markdown, opened.refused))}.",
            )
        st.session_state[_KEY] = created
    current: Session = st.session_state[_KEY]
    return current


def enter(page: str) -> Session:
    """Return this visitor's session, and note on which page the visitor is."""
    current = session()
    current.turned, current.page = current.page != page, page
    current.touched = current.touched and not current.turned
    if current.turned:
        current.forget_passing()
    return current


def view() -> View:
    """Return what the visitor has chosen."""
    return session().view


def require_data() -> tuple[Dataset, Prepared]:
    """Return the dataset and its points; the page ends where they are not there."""
    current = session()
    if current.loaded is None:
        st.stop()
    return current.loaded.dataset, current.loaded.prepared


def bound(path: str, value: Any, points: str = "", *, of_data: bool = False) -> dict[str, Any]:
    """Return the arguments that tie a widget to one choice of the view.

    Parameters
    ----------
    path : str
        Of the choice, as for `settings.changed`; it is the key of the widget too.
    value : object
        What the widget shall show; it must be among its options.
    points : str
        Fingerprint of the points the value belongs to, where it belongs to any: for others the
        widget is another. A browser that has not yet seen the change sends the old value, which
        would else be taken for a choice.
    of_data : bool
        Whether the value belongs to the dataset, as for `tied`.
    """
    key = f"{path}@{points[:8]}" if points else path
    return tied(key, value, _save_choice, (path, points), of_data=of_data)


def tied(
    key: str,
    value: Any,
    on_change: Callable[..., None],
    args: tuple[Any, ...] = (),
    *,
    of_data: bool = False,
) -> dict[str, Any]:
    """Return the arguments that show `value` in a widget and call `on_change` when it is moved.

    For widgets whose value is not itself a choice of the view.

    Parameters
    ----------
    key : str
    value : object
    on_change : callable
        Called with the key of the widget, by which `widget` reads it, and `args`.
    args : tuple
    of_data : bool
        Whether the value belongs to the dataset. The widget is then another one whenever other data
        are turned to, and what a browser still says of the former one is no choice: Streamlit
        would take its old value for a new one.
    """
    turn = session().n_turns if of_data else None
    key = key if turn is None else f"{key}#{turn}"
    _show(key, value)
    return {"key": key, "on_change": _moved, "args": (turn, on_change, key, args)}


def remembered(name: str, default: Any) -> dict[str, Any]:
    """Return the arguments that let a widget keep its value over changes of page.

    For what is not part of the view; `recalled` reads it elsewhere.
    """
    _show(name, session().memory.get(name, default))
    return {"key": name, "on_change": _save_memory, "args": (name,)}


def recalled(name: str, default: Any) -> Any:
    """Return what the widget of that name was last set to."""
    return session().memory.get(name, default)


def remember(name: str, value: Any) -> None:
    """Set what the widget of that name will show."""
    session().memory[name] = value


def widget(key: str) -> Any:
    """Return the raw state of a widget, for callbacks; None before it is drawn."""
    return st.session_state.get(key)


def picked(key: str, options: Sequence[T]) -> T | None:
    """Return the option whose position a list of that key holds, for callbacks.

    None where the browser still spoke of a list that is gone: Streamlit then hands on its text.
    """
    position = st.session_state.get(key)
    if isinstance(position, int) and 0 <= position < len(options):
        return options[position]
    return None


def _show(key: str, value: Any) -> None:
    # Once a widget was moved only where it differs: a value set again on every run would fight with
    # a moving slider. Until then always: a browser that still loads draws only the last of some
    # runs, and would show, and send back, the least value of every slider.
    if not session().touched or st.session_state.get(key, _ABSENT) != value:
        st.session_state[key] = value


def _moved(
    turn: int | None, on_change: Callable[..., None], key: str, args: tuple[Any, ...]
) -> None:
    if turn in (None, session().n_turns):
        on_change(key, *args)


def _save_choice(key: str, path: str, points: str) -> None:
    current, chosen = session(), st.session_state.get(key)
    if chosen is None:  # the browser spoke of a widget that is gone; no choice of ours is None
        return
    if points and (current.prepared is None or current.prepared.fingerprint != points):
        return  # a browser that has not yet seen other points speaks of those before
    current.touched = True
    try:
        current.change(path, chosen)
    except DataError as error:  # two choices that exclude each other: the former ones stay
        current.tell("error", markdown(error, 400))


def _save_memory(name: str) -> None:
    chosen = st.session_state[name]
    if chosen is not None:  # a browser that has not yet drawn the widget: what was chosen stays
        session().touched = True
        session().memory[name] = chosen
