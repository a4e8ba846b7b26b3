"""Long computations in processes of their own: few at a time, within limits, gone when stopped.

A thread cannot be stopped while a library works, its memory is the server's, and what holds the
interpreter's lock keeps every visitor waiting. A process has none of these faults.
"""

import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from mecuco_app.text.numbers import plural
from mecuco_app.work.jobs import Report
from mecuco_app.work.limits import LIMITS
from mecuco_app.work.worker import Call, Message

T = TypeVar("T")

_LOOK = 0.1  # seconds between two looks at whether the visitor still waits


class WorkerError(MemoryError):
    """A worker ended without a word: the system had no memory for it, or somebody killed it."""


class Queue:
    """So many places, taken in the order in which they were asked for."""

    def __init__(self, places: int) -> None:
        self.places = places
        self._line: list[object] = []  # the first `places` of it work, the others wait
        self._moved = threading.Condition()

    @contextmanager
    def place(self, report: Report) -> Iterator[None]:
        """Wait for a place; `report` is called with how many are before, and may raise."""
        ticket = object()
        with self._moved:
            self._line.append(ticket)
        try:
            self._wait(ticket, report)
            yield
        finally:
            with self._moved:
                self._line.remove(ticket)
                self._moved.notify_all()

    def _wait(self, ticket: object, report: Report) -> None:
        while True:
            with self._moved:
                before = self._line.index(ticket) - self.places + 1
                if before <= 0:
                    return
                self._moved.wait(_LOOK)
            turn = "next in line" if before == 1 else f"number {before} in line"
            running = plural(self.places, "computation")
            report(0.0, f"Waiting, {turn}: this server runs {running} at a time")


_queue = Queue(LIMITS.jobs)


def in_process(function: Callable[..., T], *arguments: Any, report: Report, **options: Any) -> T:
    """Call a function in a process of its own.

    Parameters
    ----------
    function : callable
        Of a module that does not import Streamlit; called with `report` too.
    arguments, options
        Sent over: they are copied.
    report : callable
        Called with the progress; what it raises ends the process at once.

    Returns
    -------
    object
        What the function returned, a copy.

    Raises
    ------
    WorkerError
        When the process ended without an answer.
    Exception
        What the function raised, and what `report` raised.
    """
    call = Call(function, arguments, options, LIMITS.job_bytes)
    with _queue.place(report):
        report(0.0, "Starting")
        with _started() as process:
            return _followed(process, call, report)  # type: ignore[no-any-return]


@contextmanager
def _started() -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "mecuco_app.work.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _followed(process: "subprocess.Popen[bytes]", call: Call, report: Report) -> Any:
    messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
    # Large arrays take a while to go over: the visitor must be able to leave meanwhile.
    talk = threading.Thread(target=_talk, args=(process, call, messages), daemon=True)
    talk.start()
    share, text = 0.0, "Starting"
    while True:
        try:
            message = messages.get(timeout=_LOOK)
        except queue.Empty:
            report(share, text)
            continue
        if message is None:
            raise WorkerError("the computation ended without an answer")
        if message.kind == "done":
            return message.content
        if message.kind == "failed":
            raise message.content
        share, text, more = message.content
        report(share, text, **more)


def _talk(
    process: "subprocess.Popen[bytes]",
    call: Call,
    messages: "queue.SimpleQueue[Message | None]",
) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        pickle.dump(call, process.stdin, protocol=5)
        process.stdin.flush()
        while True:
            messages.put(pickle.load(process.stdout))
    except (EOFError, OSError, pickle.UnpicklingError):  # it is gone, in the middle of a word maybe
        messages.put(None)
    except Exception as error:  # what it said cannot be understood here: raised where it is awaited
        messages.put(Message("failed", error))
    finally:
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # nobody is there to take what is left to be written
                pipe.close()
