"""Waiting for a condition, and the processes that compute for the app."""

import os
import time
from collections.abc import Callable
from pathlib import Path


def until(condition: Callable[[], object], seconds: float = 20.0) -> float:
    """Wait until a condition holds; return how long that took."""
    started = time.monotonic()
    while not condition():
        assert time.monotonic() - started < seconds, f"it did not come within {seconds} seconds"
        time.sleep(0.02)
    return time.monotonic() - started


def processes_with(argument: str) -> list[int]:
    """Return the processes that have a word among the words of their command."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            words = Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0")
        except OSError:  # it ended meanwhile
            continue
        if argument.encode() in words:
            found.append(int(name))
    return found


def workers() -> list[int]:
    """Return the processes that compute for the app."""
    return processes_with("mecuco_app.work.worker")
