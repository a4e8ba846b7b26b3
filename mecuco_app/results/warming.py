"""Compile what will be needed, before it is: scores first, then UMAP, then the quadrics.

Numba compiles one function at a time in a process, so that a click would wait for UMAP.
"""

import subprocess
import sys
import threading
import time

from mecuco_app.results import embedding
from mecuco_app.work.jobs import Report
from mecuco_app.work.tasks import wait_for_others
from mecuco_core.surface.warming import warm_up

_LOOK = 0.1  # seconds between two looks at work that somebody waits for

_once = threading.Lock()
_thread: threading.Thread | None = None


def warm_kernels() -> None:
    """Compile the kernels of searches and scores, or load them from disk."""
    warm_up()


def warm_rest() -> None:
    """Compile UMAP and the estimate of |H| of the lessons."""
    embedding.warm_up()
    warm_up("quadric")


def start() -> None:
    """Compile everything in the background, once per process."""
    global _thread

    def work() -> None:
        try:
            warm_kernels()
            warm_rest()
        except RuntimeError:
            if threading.main_thread().is_alive():
                raise  # else the server has ended meanwhile, and starts no more threads

    with _once:
        if _thread is None:
            _thread = threading.Thread(target=work, name="warm-up", daemon=True)
            _thread.start()


def wait(seconds: float, report: Report) -> None:
    """Wait until everything is compiled, at most so long; begin with it where nobody has yet."""
    start()  # else the end of the page that asked would, in the midst of the measurement
    until = time.monotonic() + seconds
    while _thread is not None and _thread.is_alive() and time.monotonic() < until:
        report(0.0, "Waiting for the compiler, which would slow the measurement")
        _thread.join(_LOOK)


def wait_for_quiet(mine: tuple[str, ...], seconds: float, report: Report) -> None:
    """Wait for the compiler, and until no task but those of the kinds `mine` is under way.

    At most so long for each.
    """
    wait_for_others(mine, seconds, report)
    wait(seconds, report)


def main() -> int:
    """Compile everything in two processes, for the first start after an installation."""
    with subprocess.Popen(
        [sys.executable, "-c", "from mecuco_app.results.warming import warm_rest; warm_rest()"]
    ) as rest:
        warm_kernels()
    return rest.returncode


if __name__ == "__main__":
    sys.exit(main())
