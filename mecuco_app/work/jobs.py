"""Long work in a thread of its own, with progress and a way to stop; knows no Streamlit."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, Generic, Literal, TypeVar

T = TypeVar("T")

_log = logging.getLogger(__name__)

Status = Literal["running", "done", "stopped", "failed"]

Report = Callable[..., None]
"""Called with (share done in [0, 1], what is being done); raises `Stopped` to end the work.

With `so_far=` it is also given a result that is not finished, to look at meanwhile.
"""


_LOOK = 0.1  # seconds between two looks at work that somebody waits for


class Stopped(Exception):  # noqa: N818 - a wish of the visitor, not an error
    """The visitor stopped the work, or left."""


def stretch(report: Report, start: float, stop: float) -> Report:
    """Return a report that fills the part of a job from `start` to `stop`."""
    return lambda share, message, **more: report(start + (stop - start) * share, message, **more)


def silent(share: float, message: str, *, so_far: object = None) -> None:
    """Take progress that nobody watches."""


class Job(Generic[T]):
    """One function running in a daemon thread.

    Parameters
    ----------
    title : str
        What is being done, for the visitor; trusted text.
    work : callable
        Called with `report`; what it returns is the result.
    key : object
        What the result depends on: a job for another key is another job.
    """

    def __init__(self, title: str, work: Callable[[Report], T], key: Any = None) -> None:
        self.title, self.key = title, key
        self.share, self.message = 0.0, ""
        self.so_far: Any = None
        self.result: T | None = None
        self.error: BaseException | None = None
        self.status: Status = "running"
        self._stop = threading.Event()
        self._started = time.monotonic()
        self._ended: float | None = None
        self._thread = threading.Thread(target=self._run, args=(work,), name=title, daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether the work goes on."""
        return self.status == "running"

    @property
    def seconds(self) -> float:
        """Time since the start, up to the end."""
        return (self._ended or time.monotonic()) - self._started

    def report(self, share: float, message: str = "", *, so_far: Any = None) -> None:
        """Note progress; called by the work, in its thread."""
        if self._stop.is_set():
            raise Stopped
        self.share, self.message = min(max(float(share), 0.0), 1.0), message
        if so_far is not None:
            self.so_far = so_far

    def repeat(self, report: Report) -> None:
        """Report to somebody else what was reported last."""
        more = {} if self.so_far is None else {"so_far": self.so_far}
        report(self.share, self.message, **more)

    def stop(self) -> None:
        """Ask the work to end at its next report. Its result, if one still comes, is dropped."""
        self._stop.set()

    @property
    def stopping(self) -> bool:
        """Whether the work was asked to end."""
        return self._stop.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end; return whether it came."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self, work: Callable[[Report], T]) -> None:
        status: Status
        try:
            result = work(self.report)
            self.report(1.0, self.message)  # a stop in the last moment counts
            self.result, status = result, "done"
        except Stopped:
            status = "stopped"
        except Exception as error:  # kept for the page, which shows it in one place
            self.error, status = error, "failed"
            if not isinstance(error, ValueError | MemoryError):  # which speak for themselves
                _log.exception("%s failed", self.title)
        self._ended = time.monotonic()
        self.status = status


class Flights:
    """Work under way, by its key: who asks for the same thing waits for the same job.

    A job ends when the last who waits for it has left.
    """

    def __init__(self) -> None:
        self._jobs: dict[Any, Job[Any]] = {}
        self._waiting: dict[Any, int] = {}
        self._lock = threading.Lock()

    def run(self, title: str, work: Callable[[Report], T], key: Any, report: Report) -> T:
        """Return what the work of that key returns, started here or by somebody else.

        What `report` raises is raised, and ends the work unless somebody else waits for it.
        """
        report(0.0, "")  # who has already left starts nothing
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                job = self._jobs[key] = Job(title, work, key)
            self._waiting[key] = self._waiting.get(key, 0) + 1
        try:
            while not job.wait(_LOOK):
                job.repeat(report)
        finally:
            with self._lock:
                self._waiting[key] -= 1
                if not self._waiting[key]:
                    job.stop()
                    del self._waiting[key], self._jobs[key]
        if job.error is not None:
            raise job.error
        if job.status == "stopped":
            raise Stopped
        return job.result  # type: ignore[return-value]  # it is done

    @property
    def are_up(self) -> bool:
        """Whether any work is under way."""
        return bool(self._jobs)

    def wait_for_others(self, mine: tuple[str, ...], seconds: float, report: Report) -> None:
        """Wait until no work is under way but that whose key begins with one of `mine`."""
        with self._lock:
            others = [job for key, job in self._jobs.items() if key[0] not in mine]
        until = time.monotonic() + seconds
        for job in others:
            while not job.wait(_LOOK) and time.monotonic() < until:
                report(0.0, f"Waiting for {job.title}, which would slow the measurement")


class Desk:
    """The jobs of one visitor, one of each name."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job[Any]] = {}

    def job(self, name: str) -> Job[Any] | None:
        """Return the job of that name, running or ended."""
        return self._jobs.get(name)

    def start(
        self, name: str, title: str, work: Callable[[Report], Any], key: Any = None
    ) -> Job[Any]:
        """Start a job in the place of the former one of that name, which is stopped."""
        self.drop(name)
        self._jobs[name] = Job(title, work, key)
        return self._jobs[name]

    def drop(self, name: str) -> None:
        """Stop and forget a job."""
        former = self._jobs.pop(name, None)
        if former is not None:
            former.stop()

    def close(self) -> None:
        """Stop everything: the visitor has left."""
        for name in list(self._jobs):
            self.drop(name)
