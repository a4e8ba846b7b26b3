"""How long a piece of work takes."""

import time
from collections.abc import Callable


def seconds(work: Callable[[], object]) -> float:
    """Wall-clock seconds of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
