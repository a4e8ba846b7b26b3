"""The app in a process of its own, spoken to over pipes; it ends when its pipe does."""

import itertools
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from mecuco_app.showing.ports import free_port
from mecuco_core.errors import DataError, MissingPackageError

if TYPE_CHECKING:
    from mecuco_app.work.tables import Body

COMMAND = ("-P", "-m", "mecuco_app.showing.child")  # -P: no file of a notebook's folder is imported
MOST_ANSWER = 1 << 40  # both sides are ours

_LOOK = 0.1  # seconds between two looks at whether the process lives, or Ctrl-C was pressed
_END = 5.0
_TOLD = 40  # lines of what the process said

Answer = tuple[dict[str, Any], bytearray]


class Server:
    """The process that serves the app to this computer alone.

    Parameters
    ----------
    port : int or None
        None for a free one.
    """

    def __init__(self, port: int | None = None) -> None:
        _check_installed()
        self.port = free_port(port)
        self.owner = os.getpid()  # a process forked from this one has no part in it
        self._said: deque[str] = deque(maxlen=_TOLD)
        self._answers: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._held: set[int] = set()
        self._process = subprocess.Popen(
            [sys.executable, *COMMAND, str(self.port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(),
            start_new_session=True,  # Ctrl-C is for the program, not for the app it shows
        )
        for work in (self._listen, self._drain):
            threading.Thread(target=work, daemon=True).start()
        try:
            self._next(-1)  # it says so when it serves
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it may still answer, to this process."""
        return self.owner == os.getpid() and self._process.poll() is None

    def ask(self, words: dict[str, Any], body: "Body" = ()) -> Answer:
        """Send a request and wait for the answer; Ctrl-C leaves the app as it is.

        Raises
        ------
        DataError
            What the app says of the data, or that it has ended.
        """
        from mecuco_app.work.wire import send  # by pyarrow, of which `mecuco` alone has no need

        with self._lock:
            number = next(self._numbers)
            assert self._process.stdin is not None
            try:
                send(self._process.stdin, words | {"number": number}, body)
            except OSError as error:
                raise self._ended() from error
            except KeyboardInterrupt:  # in the middle of a message: nothing can follow it
                self.close()
                raise
            found, content = self._next(number)
        if "error" in found:
            raise DataError(str(found["error"]))
        if "failed" in found:
            raise RuntimeError(f"the app could not answer: {found['failed']}")
        return found, content

    def hold(self, number: int) -> None:
        """Note that some data are shown."""
        self._held.add(number)

    def release(self, number: int) -> None:
        """Note that some data are shown no longer; without any the process ends."""
        self._held.discard(number)
        self.end_unless_held()

    def end_unless_held(self) -> None:
        """End the process unless some data are shown."""
        if not self._held:
            self.close()

    def close(self) -> None:
        """End the process, and all that it has started."""
        if self.owner != os.getpid():
            return
        process = self._process
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()  # by that it ends
        with suppress(subprocess.TimeoutExpired):
            process.wait(_END)
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):  # there is none left
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()

    def _next(self, number: int) -> Answer:
        """Return the answer to a request; answers nobody waits for any longer are passed over."""
        while True:
            try:
                answer = self._answers.get(timeout=_LOOK)
            except queue.Empty:
                continue
            if answer is None:
                self._answers.put(None)
                raise self._ended()
            if answer[0].get("number") == number:
                return answer

    def _ended(self) -> DataError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        last = " ".join(self._said).strip()[-600:] or "nothing"
        return DataError(f"the app has ended: call show again. The last it said: {last}")

    def _listen(self) -> None:
        from mecuco_app.work.wire import received

        pipe = self._process.stdout
        assert pipe is not None
        try:
            while True:
                self._answers.put(received(pipe, MOST_ANSWER))
        except (EOFError, OSError, ValueError):
            self._answers.put(None)
        finally:
            pipe.close()

    def _drain(self) -> None:
        """Keep the last of what it says, so that its pipe never fills."""
        pipe: IO[bytes] | None = self._process.stderr
        assert pipe is not None
        with pipe:
            for line in pipe:
                self._said.append(line.decode(errors="replace").rstrip())


def _check_installed() -> None:
    missing = [name for name in ("streamlit", "plotly", "pyarrow") if find_spec(name) is None]
    if missing:
        raise MissingPackageError(
            f"the app needs {missing[0]}; install it with: pip install 'mecuco[app]'"
        )


def _environment() -> dict[str, str]:
    """Return variables with which the process finds the packages this one has found."""
    home = str(Path(__file__).resolve().parents[2])
    known = os.environ.get("PYTHONPATH")
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([home, known] if known else [home]),
        "PYTHONSAFEPATH": "1",
    }
