"""Tasks: results that may take long, each computed once and kept for all visitors.

Results are known by fingerprints and frozen settings, never by arrays. Only a finished result is
kept, so that a stopped or failed run leaves nothing behind.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from mecuco_app.work.cache import Cache
from mecuco_app.work.jobs import Flights, Report, silent
from mecuco_app.work.limits import LIMITS

T = TypeVar("T")

_cache = Cache(LIMITS.cache_bytes)
_flights = Flights()


@dataclass(frozen=True, eq=False)
class Task(Generic[T]):
    """A result that may take long: how it is known again, and how it is made.

    Parameters
    ----------
    kind : str
        What the result is, one word for each meaning of `key`.
    title : str
        For the visitor; trusted text.
    seconds : float
        How long it will take, estimated.
    key : tuple
        Fingerprints and settings, all the result depends on. Never arrays.
    work : callable
        Called with `report`; returns the result, which must not be None.
    """

    kind: str
    title: str
    seconds: float
    key: tuple[Any, ...]
    work: Callable[[Report], T]

    def ready(self) -> T | None:
        """Return the result if it is cached; never computes, never waits."""
        found: T | None = _cache.get((self.kind, *self.key))
        return found

    def run(self, report: Report = silent) -> T:
        """Return the cached result, or make it and cache it. What `report` raises ends it.

        Where somebody is already making it, this waits for the same work.
        """
        found = self.ready()
        if found is not None:
            return found
        return _flights.run(self.title, self._made, (self.kind, *self.key), report)

    def _made(self, report: Report) -> T:
        made = self.ready()  # it may have come in the last moment
        if made is None:
            made = self.work(report)
            report(1.0, "")  # nothing is kept of what is no longer wanted
            _cache.put((self.kind, *self.key), made)
        return made


def wait_for_others(mine: tuple[str, ...], seconds: float, report: Report) -> None:
    """Wait until no task but those of the kinds `mine` is under way, at most so long."""
    _flights.wait_for_others(mine, seconds, report)


def is_busy() -> bool:
    """Whether anybody waits for work that is under way."""
    return _flights.are_up


def ready(kind: str, *key: Any) -> Any | None:
    """Return the result of that kind and key if it is kept."""
    return _cache.get((kind, *key))
