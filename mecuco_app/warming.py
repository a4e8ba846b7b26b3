"""Compile what will be needed, before it is: scores first, then UMAP, then the quadrics.

Numba compiles one function at a time in a process, so that a click would wait for UMAP.
"""

import threading

from mecuco_app import embedding
from mecuco_core import warm_up
from mecuco_core.datasets.files import read

_once = threading.Lock()
_started = False


def warm_kernels() -> None:
    """Compile the engine's kernels and the scanner of text files, or load them from disk."""
    warm_up()
    read(b"a;b\n1,5;2\n2,5;3\n3,5;4\n", name="warm-up.csv")


def start() -> None:
    """Compile everything in the background, once per process."""
    global _started
    with _once:
        if _started:
            return
        _started = True

    def work() -> None:
        warm_kernels()
        embedding.warm_up()
        warm_up("quadric")  # the teaching pages' estimate of |H|

    threading.Thread(target=work, name="warm-up", daemon=True).start()
