"""Blocks of points computed side by side, with progress, a way to stop, and BLAS held still."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from typing import Any

import scipy.linalg.cython_blas  # noqa: F401  loads SciPy's BLAS, before it is looked for
from threadpoolctl import OpenBLASController, ThreadpoolController

from mecuco_core.types import Progress

_lock = threading.Lock()
_users = 0
_limits: Any = None


@cache
def _blas() -> ThreadpoolController:
    """Find the BLAS libraries all compiled code calls: NumPy's and SciPy's.

    That takes milliseconds, a quarter of the time of scoring 1 800 points, so it is done once.
    """
    return ThreadpoolController().select(user_api="blas")


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Hold BLAS to one thread while any caller is inside.

    The setting belongs to the whole process, so callers are counted: the first sets it, the
    last puts back what was there.
    """
    global _users, _limits
    with _lock:
        if _users == 0:
            _free_control()
            _limits = _blas().limit(limits=1)
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0 and _limits is not None:
                _free_control()
                _limits.restore_original_limits()
                _free_control()
                _limits = None


def _free_control() -> None:
    """Let the thread that next sets a limit do so.

    Of several threads threadpoolctl obeys only the first that ever set one, as long as it lives:
    that may be the main thread of a server, while scores are computed by others.
    """
    OpenBLASController.clear_controlling_thread(force=True)


def run_blocks(
    compute: Callable[[int, int], None],
    n_points: int,
    block: int,
    n_jobs: int,
    progress: Progress | None = None,
) -> None:
    """Call compute(start, stop) for every block of points on n_jobs threads.

    `compute` must release the interpreter lock to gain from threads. An exception of a block or
    of `progress` stops the work as soon as the blocks under way are done.
    """
    starts = iter(range(0, n_points, block))
    done = 0
    with single_threaded_blas(), ThreadPoolExecutor(n_jobs, "mecuco") as pool:
        running: dict[Future[None], int] = {}
        try:
            while True:
                # Two blocks a thread: none waits for us, and a stop has little to wait for.
                while len(running) < 2 * n_jobs and (start := next(starts, None)) is not None:
                    stop = min(start + block, n_points)
                    running[pool.submit(compute, start, stop)] = stop - start
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    size = running.pop(future)
                    future.result()
                    done += size
                    if progress is not None:
                        progress(done, n_points)
        finally:
            for future in running:
                future.cancel()
