"""The one door to what visitors upload: a file is looked at and read in a process of its own.

What a library does with a file somebody made is not known beforehand: it may end the process,
never return, or take all memory. Here that costs a process and is said in one sentence. A process
serves one file, so that nothing of it reaches the next; a spare one waits, since to start one takes
a second.
"""

import atexit
import logging
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from mecuco_app.work.jobs import Report
from mecuco_app.work.limits import LIMITS
from mecuco_app.work.processes import Queue
from mecuco_app.work.tables import Body
from mecuco_app.work.wire import from_options, received, send, to_reading, to_sniffed
from mecuco_core.datasets.files import Reading, ReadOptions, Sniffed
from mecuco_core.errors import DataError
from mecuco_core.runtime.wording import quoted, spoken_bytes, spoken_seconds

COMMAND = (sys.executable, "-m", "mecuco_app.work.file_worker")
BYTES_PER_SECOND = 1_000_000
"""A file gets one second more for so many bytes."""

STARTING_SECONDS = 60.0

SMALL_FILE_BYTES = 1_500_000_000
UNPACKED = 100
"""Memory for a file: that of a small one, and so many times its size."""

_LOOKING, _READING = "Looking at the file", "Reading the file"
_LOOK = 0.1  # seconds between two looks at whether the visitor still waits
_OUT_OF_TIME = {-signal.SIGXCPU} if hasattr(signal, "SIGXCPU") else set()
_FEW_THREADS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # the others reserve more than they use
    "RUST_BACKTRACE": "0",
}

_log = logging.getLogger(__name__)

Answer = tuple[dict[str, Any], bytearray]


class ProcessEnded(Exception):  # noqa: N818 - said in a sentence by `_asked`
    """The process ended without an answer; its exit code."""


class FileProcess:
    """One process that reads files, started and perhaps not ready yet."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **_FEW_THREADS},
        )
        self.pid = self._process.pid
        self._is_ready = False  # it says so when it has loaded what it needs

    @property
    def is_alive(self) -> bool:
        """Whether it may still answer."""
        return self._process.poll() is None

    @property
    def exit_code(self) -> int | None:
        """What it ended with; None while it lives."""
        return self._process.poll()

    def ask(
        self, words: dict[str, Any], content: Body, report: Report, message: str, seconds: float
    ) -> Answer:
        """Send a request and wait for the answer.

        Raises
        ------
        TimeoutError
            When it took longer than `seconds`; the process is no longer to be used.
        ProcessEnded
            When the process ended, or said something that is no answer.
        Exception
            What `report` raised.
        """
        answers: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
        request = words | {"most_bytes": bytes_for(sum(map(len, content))), "seconds": seconds}
        # Large files take a while to go over: the visitor must be able to leave meanwhile.
        talk = threading.Thread(target=self._talk, args=(request, content, answers), daemon=True)
        talk.start()
        until = time.monotonic() + (seconds if self._is_ready else STARTING_SECONDS)
        while True:
            try:
                answer = answers.get(timeout=_LOOK)
            except queue.Empty:
                report(0.0, message)
                if time.monotonic() > until:
                    raise TimeoutError from None
                continue
            if answer is None:
                with suppress(subprocess.TimeoutExpired):  # it ends just after its pipes
                    self._process.wait(1.0)
                raise ProcessEnded(self._process.poll())
            if "ready" not in answer[0]:
                return answer
            self._is_ready = True
            until = time.monotonic() + seconds

    def close(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):  # nobody is there to take what is left to be written
                pipe.close()

    def _talk(
        self,
        request: dict[str, Any],
        content: Body,
        answers: "queue.SimpleQueue[Answer | None]",
    ) -> None:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            if not self._is_ready:
                answers.put(received(process.stdout, 0))
            send(process.stdin, request, content)
            answers.put(received(process.stdout, LIMITS.job_bytes))
        except (EOFError, OSError, ValueError):  # it is gone, or not itself any more
            answers.put(None)


class Spare:
    """A process that is started before it is needed."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        self.command = command
        self._waiting: FileProcess | None = None
        self._lock = threading.Lock()

    def get_ready(self) -> None:
        """Start the process that will read the next file, unless one waits."""
        with self._lock:
            if self._waiting is None or not self._waiting.is_alive:
                self._waiting = FileProcess(self.command)

    def take(self) -> FileProcess:
        """Return the process that waits; another one is started for the next file."""
        self.get_ready()
        with self._lock:
            taken, self._waiting = self._waiting, None
        self.get_ready()
        return taken or FileProcess(self.command)

    def close(self) -> None:
        """End the process that waits."""
        with self._lock:
            if self._waiting is not None:
                self._waiting.close()
                self._waiting = None


spare = Spare()
atexit.register(spare.close)
_queue = Queue(LIMITS.jobs)


def get_ready() -> None:
    """Have a process started for a file that may soon be sent."""
    spare.get_ready()


def looked_at_file(content: bytes, name: str, options: ReadOptions, report: Report) -> Sniffed:
    """Return what a file is, how it would be read, and its first rows.

    Raises
    ------
    DataError
        One sentence: why the file cannot be read.
    """
    with _reader(report, _LOOKING) as process:
        return look(process, content, name, options, report)


Metadata = tuple[bytes, str]
"""Content and name of a file that describes the rows of another."""


def read_file(
    content: bytes,
    name: str,
    options: ReadOptions,
    report: Report,
    metadata: Metadata | None = None,
) -> Reading:
    """Return the table of a file, or its points described by the rows of another file.

    Raises
    ------
    DataError
        One sentence: why the file cannot be read.
    """
    with _reader(report, _READING) as process:
        return read(process, content, name, options, report, metadata)


@contextmanager
def _reader(report: Report, message: str) -> Iterator[FileProcess]:
    report(0.0, message)
    with _queue.place(report):
        process = spare.take()
        try:
            yield process
        finally:
            process.close()


def look(
    process: FileProcess, content: bytes, name: str, options: ReadOptions, report: Report
) -> Sniffed:
    """Look at a file in a process of one's own; after an error it may have ended."""
    return to_sniffed(*_asked(process, "look", content, name, options, report))


def read(
    process: FileProcess,
    content: bytes,
    name: str,
    options: ReadOptions,
    report: Report,
    metadata: Metadata | None = None,
) -> Reading:
    """Read a file in a process of one's own; after an error it may have ended."""
    return to_reading(*_asked(process, "read", content, name, options, report, metadata))


def seconds_for(n_bytes: int) -> float:
    """Return how long a file may take."""
    return LIMITS.file_seconds + n_bytes / BYTES_PER_SECOND


def bytes_for(n_bytes: int) -> int:
    """Return how much memory a file may take: larger ones unpack to more."""
    return min(LIMITS.job_bytes, SMALL_FILE_BYTES + UNPACKED * n_bytes)


def _asked(
    process: FileProcess,
    act: str,
    content: bytes,
    name: str,
    options: ReadOptions,
    report: Report,
    metadata: Metadata | None = None,
) -> Answer:
    request: dict[str, Any] = {"act": act, "name": name, "options": from_options(options)}
    parts = [content]
    if metadata is not None:
        request["metadata_name"] = metadata[1]
        parts.append(metadata[0])
    request["n_bytes"] = len(content)
    n_bytes = sum(map(len, parts))
    seconds = seconds_for(n_bytes)
    message = _LOOKING if act == "look" else _READING
    try:
        words, body = process.ask(request, parts, report, message, seconds)
    except TimeoutError:
        process.close()
        raise _out_of_time(name, seconds) from None
    except ProcessEnded as ended:
        process.close()
        code = ended.args[0]
        _log.warning("%s of a file ended its process (exit code %s)", act, code)
        late = code in _OUT_OF_TIME
        raise (_out_of_time(name, seconds) if late else _ended(name, n_bytes)) from None
    if "error" in words:
        raise DataError(str(words["error"]))
    if "ended" in words:
        _log.error("%s of a file failed: %s", act, words.get("traceback", words["ended"]))
        raise _ended(name, n_bytes)
    return words, body


def _ended(name: str, n_bytes: int) -> DataError:
    return DataError(
        f"{quoted(name)} could not be read: it is damaged, or takes more than "
        f"{spoken_bytes(bytes_for(n_bytes))} of memory. Save it again or as CSV or Parquet, or use "
        "a sample of its rows."
    )


def _out_of_time(name: str, seconds: float) -> DataError:
    return DataError(
        f"{quoted(name)} was not read within {spoken_seconds(seconds)}: it is damaged, or too "
        "large for this server. Save it again or as CSV or Parquet, or use a sample of its rows."
    )
