"""What visitors work on, held so that a reload, a second tab and Back find it; knows no Streamlit.

A visit belongs to a browser, which shows a token that only this server can have made. The token
stands in a cookie, never in an address. What is held counts in bytes, for all visitors together.
"""

import hashlib
import hmac
import math
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mecuco_app.data.sources import Loaded
from mecuco_app.view.links import PRINT
from mecuco_app.view.settings import BROUGHT, DataChoice, View
from mecuco_app.work.cache import n_bytes
from mecuco_app.work.jobs import Job, Report
from mecuco_app.work.limits import LIMITS
from mecuco_core.datasets.files import ReadOptions
from mecuco_core.preparation.protocol import Preparation

MOST_RECENT = 20
"""Datasets a visit remembers, whatever their size."""

MOST_LOADS = 4
"""Datasets on their way at once in one visit."""


RELOAD_SECONDS = 60.0
"""At most from asking for a page again to its first run, on a slow line."""

Address = frozenset[tuple[str, str]]


@dataclass(eq=False)
class Recent:
    """A dataset of a visit, and how it was last looked at.

    Attributes
    ----------
    view : View
    loaded : Loaded or None
        None where it had to give way: most can be loaded again, a file is asked for.
    n_rows, n_features : int
    """

    view: View
    loaded: Loaded | None
    n_rows: int
    n_features: int
    n_bytes: int

    @property
    def name(self) -> str:
        """What the visitor knows it by; untrusted."""
        return self.view.data.identifier

    @property
    def target(self) -> str | None:
        """The column a visitor has chosen as label; untrusted."""
        data = self.view.data
        return data.target if data.asked is None else data.asked.target


def same_data(known: DataChoice, wanted: DataChoice) -> bool:
    """Whether `wanted`, perhaps of a link, means the dataset that `known` leads to."""
    if known.source != wanted.source or known.source not in BROUGHT:
        return known == wanted
    if known.fingerprint and len(wanted.fingerprint) >= PRINT:
        return known.fingerprint.startswith(wanted.fingerprint)
    return bool(wanted.content) and _file(known) == _file(wanted)


def subject(view: View) -> tuple[Any, Preparation]:
    """Return what of a view says which points it shows, to find the work on them again."""
    data = view.data
    known: Any = _file(data) if data.source == "file" and data.content else data
    if data.source == "memory":
        known = data.source, data.fingerprint[:PRINT]
    return known, view.preparation


def _key(address: Mapping[str, str]) -> Address:
    return frozenset(address.items())


def _file(choice: DataChoice) -> tuple[str, ReadOptions]:
    return choice.content, choice.asked or ReadOptions()


@dataclass(eq=False)
class Visit:
    """What one browser works on, in all its tabs.

    Attributes
    ----------
    view : View or None
        What was looked at last: a tab that is opened without an address shows it.
    tabs : set of str
        Sessions of Streamlit that belong to it.
    reloaded : float
        When a browser last asked for a page again.
    """

    view: View | None = None
    tabs: set[str] = field(default_factory=set)
    reloaded: float = -math.inf
    _turned: dict[Address, tuple[View, str]] = field(default_factory=dict)
    _recent: list[Recent] = field(default_factory=list)  # the one looked at last comes first
    _loads: dict[Any, Job[Loaded]] = field(default_factory=dict)
    _forgotten: set[str] = field(default_factory=set)
    _shown: dict[str, DataChoice] = field(default_factory=dict)  # by tab
    _refused: dict[Any, str] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def recent(self) -> tuple[Recent, ...]:
        """Its datasets, the one looked at last first."""
        with self._lock:
            return tuple(self._recent)

    def turn(self, tab: str, address: Mapping[str, str], view: View) -> None:
        """Note that a tab turns to a view, and which address its browser shows as yet."""
        self.view = view
        self._turned[_key(address)] = view, tab
        if len(self._turned) > MOST_RECENT:
            del self._turned[next(iter(self._turned))]

    def turned(self, address: Mapping[str, str], is_open: Callable[[str], bool]) -> View | None:
        """Return what a tab that was just reloaded was turning to, if it showed this address.

        Who reloads a page before the new address is there asks for what comes, not for what was.
        """
        view, tab = self._turned.get(_key(address), (None, ""))
        was_reloaded = time.monotonic() - self.reloaded < RELOAD_SECONDS
        return view if was_reloaded and not is_open(tab) else None

    def arrived(self, view: View) -> None:
        """Note that a browser shows the address of a view."""
        for address, (other, _) in list(self._turned.items()):
            if other.data == view.data:
                del self._turned[address]

    def find(self, choice: DataChoice) -> Recent | None:
        """Return the dataset a choice means, if it is one of this visit."""
        return next((one for one in self.recent if same_data(one.view.data, choice)), None)

    def hold(self, view: View, loaded: Loaded, tab: str = "") -> None:
        """Note what is being looked at, how, and in which tab."""
        with self._lock:
            if tab:
                self._shown[tab] = view.data
            former, table = self.find(view.data), loaded.dataset
            if former is not None and former.loaded is loaded:
                size = former.n_bytes
            else:
                size = n_bytes(loaded)
            newest = Recent(view, loaded, table.n_rows, table.n_features, size)
            kept = [one for one in self._recent if one is not former]
            self._recent = [newest, *kept][:MOST_RECENT]
            self._forgotten.discard(table.fingerprint)

    def keep_tabs(self, is_there: Callable[[str], bool]) -> None:
        """Let go of the tabs that were closed."""
        self.tabs = {tab for tab in set(self.tabs) if is_there(tab)}
        with self._lock:
            self._shown = {tab: shown for tab, shown in self._shown.items() if tab in self.tabs}

    @property
    def unseen(self) -> list[Recent]:
        """Its datasets in memory that no tab shows, the one looked at last first.

        Those that a Python program brought are held for it, whoever looks at them.
        """
        with self._lock:
            shown = list(self._shown.values())
        held = [one for one in self.recent if one.loaded and one.view.data.source != "memory"]
        return [one for one in held if one.view.data not in shown]

    def forget(self, choice: DataChoice) -> None:
        """Let go of a dataset; tabs that show it find it gone."""
        with self._lock:
            gone = [one for one in self._recent if same_data(one.view.data, choice)]
            self._recent = [one for one in self._recent if one not in gone]
            self._forgotten |= {one.loaded.dataset.fingerprint for one in gone if one.loaded}
            if self.view is not None and same_data(choice, self.view.data):
                self.view = None

    def has_forgotten(self, fingerprint: str) -> bool:
        """Whether the visitor has let go of the dataset with this fingerprint."""
        return fingerprint in self._forgotten

    def load(self, view: View, title: str, fetch: Callable[[Report], Loaded]) -> Job[Loaded]:
        """Return the job that brings what a view shows: the one under way, or a new one.

        It goes on, and the dataset is held, when nobody looks at it any more.
        """

        def work(report: Report) -> Loaded:
            found = fetch(report)
            report(1.0, "")  # nothing is held of what was stopped
            kept = replace(view, data=found.choice, preparation=found.prepared.preparation)
            self.hold(kept, found)
            return found

        key = subject(view)
        with self._lock:
            job = self._loads.get(key)
            if job is None or not job.running:
                for other in list(self._loads)[: max(0, len(self._loads) - MOST_LOADS + 1)]:
                    self.drop(other)
                self._refused.pop(key, None)
                job = self._loads[key] = Job(title, work, key)
            return job

    def job(self, key: Any) -> Job[Loaded] | None:
        """Return the job that brings the dataset of a key, running or ended."""
        return self._loads.get(key)

    def refuse(self, view: View, sentence: str) -> None:
        """Note why the data of a view cannot be had, for tabs that ask without having them."""
        self._refused[subject(view)] = sentence
        if len(self._refused) > MOST_RECENT:
            del self._refused[next(iter(self._refused))]

    def refusal(self, view: View) -> str | None:
        """Return why the data of a view could not be had when they were last tried."""
        return self._refused.get(subject(view))

    def drop(self, key: Any) -> None:
        """Stop and forget a job."""
        with self._lock:
            job = self._loads.pop(key, None)
        if job is not None:
            job.stop()

    @property
    def loads(self) -> dict[Any, Job[Loaded]]:
        """The datasets on their way, or arrived and not yet taken."""
        with self._lock:
            return dict(self._loads)

    def close(self) -> None:
        """Stop all that is under way and let go of everything."""
        for key in self.loads:
            self.drop(key)
        with self._lock:
            self._recent, self.view = [], None


class Visits:
    """The visits of one server.

    Parameters
    ----------
    minutes : int
        For which a visit is held after its last tab was closed.
    most_bytes : int
        Held for all visits together; the tables that are being looked at excepted.
    """

    def __init__(self, minutes: int, most_bytes: int) -> None:
        self.minutes, self.most_bytes = minutes, most_bytes
        self._secret = secrets.token_bytes(32)
        self._visits: dict[str, Visit] = {}  # by the digest of the token
        self._left: dict[str, float] = {}  # when the last tab was seen to be closed
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._visits)

    def issue(self) -> str:
        """Return a new token."""
        nonce = secrets.token_urlsafe(32)
        return f"{nonce}.{self._signature(nonce)}"

    def issued(self, token: str) -> bool:
        """Whether this server made the token."""
        nonce, _, signature = token.partition(".")
        return hmac.compare_digest(signature.encode(), self._signature(nonce).encode())

    def visit(self, token: str) -> Visit:
        """Return the visit of a token; a new one for a token that was not used, or too long ago.

        Raises
        ------
        ValueError
            When this server did not make the token.
        """
        if not self.issued(token):
            raise ValueError("this token was not made by this server")
        with self._lock:
            return self._visits.setdefault(_digest(token), Visit())

    def look(self, is_there: Callable[[str], bool], now: float) -> None:
        """Let go of visits whose tabs were closed long ago, and of what is too much.

        Parameters
        ----------
        is_there : callable
            Whether a session of Streamlit has a browser.
        now : float
            Seconds of a clock that never goes back.
        """
        with self._lock:
            for digest, visit in list(self._visits.items()):
                visit.keep_tabs(is_there)
                if visit.tabs:
                    self._left.pop(digest, None)
                elif now - self._left.setdefault(digest, now) >= 60 * self.minutes:
                    visit.close()
                    del self._visits[digest], self._left[digest]
            self._trim()

    def _trim(self) -> None:
        """Let go of datasets that no tab shows, oldest first, from whoever holds most of them."""
        held = [visit.unseen for visit in self._visits.values()]
        while sum(map(_total, held)) > self.most_bytes:
            max(held, key=_total).pop().loaded = None

    def _signature(self, nonce: str) -> str:
        return hmac.new(self._secret, nonce.encode(), hashlib.sha256).hexdigest()


def _total(held: list[Recent]) -> int:
    return sum(one.n_bytes for one in held)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


VISITS = Visits(LIMITS.keep_minutes, LIMITS.keep_bytes)
"""Those of this server."""
