"""Where work is done: here, or in a process of its own; knows no Streamlit."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from mecuco_app.work.cache import n_bytes
from mecuco_app.work.jobs import Report
from mecuco_app.work.processes import in_process
from mecuco_core.types import Progress

T = TypeVar("T")

PROCESS_SECONDS = 10.0
"""Work that is estimated to take longer gets a process: to start one takes a few seconds."""

PROCESS_BYTES = 64 * 2**20
"""So does work on more data, which may take much more memory than its data."""


@dataclass(frozen=True)
class Counted(Generic[T]):
    """A function of the engine, which counts its `progress`, as one that reports to a job.

    Parameters
    ----------
    function : callable
    message : str
        What it does, for the visitor; trusted text.
    """

    function: Callable[..., T]
    message: str

    def __call__(self, *arguments: Any, report: Report, **options: Any) -> T:
        """Call the function; `report` is called with how far it is."""
        return self.function(*arguments, progress=counting(report, self.message), **options)


def counting(report: Report, message: str) -> Progress:
    """Return a progress callback of the engine that reports to a job."""

    def progress(done: int, total: int) -> None:
        report(done / max(1, total), message)

    return progress


def executed(
    function: Callable[..., T], *arguments: Any, report: Report, seconds: float, **options: Any
) -> T:
    """Call a function with `report`: here, or in a process of its own where it is long or large.

    Parameters
    ----------
    function : callable
        Of a module that does not import Streamlit.
    arguments, options
    report : callable
    seconds : float
        How long it will take, estimated.
    """
    if seconds > PROCESS_SECONDS or n_bytes((arguments, options)) > PROCESS_BYTES:
        return in_process(function, *arguments, report=report, **options)
    return function(*arguments, report=report, **options)
