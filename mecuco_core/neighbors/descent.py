"""Approximate neighbours in time that grows little faster than the number of points.

A forest of random splits gives every point some near ones; then neighbours of neighbours are
tried until hardly any list changes (Dong, Moses and Li, 2011). The work is the kernels'; this is
the order of it. Compiled code is kept on disk: a new process starts at once.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from mecuco_core.kernels.search import descent
from mecuco_core.runtime.threads import run_blocks
from mecuco_core.types import FloatArray, IntArray, Progress

N_TREES = 8
MOST_ROUNDS = 12
SETTLED = 0.002
"""Share of entries that may still change when a search is taken as done."""

_MEDIAN_OF = 1000
_BLOCK = 1024
_CHUNK = 8192


def single_precision(points: FloatArray) -> npt.NDArray[np.float32]:
    """Return the points centred and scaled to at most 1, so that few of their digits are lost.

    Centred on a median, of some points: a mean would follow one that lies far away.
    """
    single = np.empty(points.shape, dtype=np.float32)
    centre = np.median(points[:: max(1, len(points) // _MEDIAN_OF)], axis=0)
    starts = range(0, len(points), _CHUNK)  # no second copy of the points, which may be on disk
    largest = max(float(np.abs(points[a : a + _CHUNK] - centre).max()) for a in starts)
    for a in starts:
        centred = points[a : a + _CHUNK] - centre
        single[a : a + _CHUNK] = centred / largest if largest > 0.0 else centred
    return single


@dataclass(eq=False)
class Descent:
    """A search under way.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    size : int
        Candidates kept for a point.
    seed : int
    n_jobs : int
    progress : callable or None
        Called with (done, total) between blocks; may raise to stop.
    """

    points: FloatArray
    size: int
    seed: int
    n_jobs: int
    progress: Progress | None = None
    _single: npt.NDArray[np.float32] = field(init=False)
    _lists: npt.NDArray[np.int32] = field(init=False)
    _squares: npt.NDArray[np.float32] = field(init=False)
    _new: npt.NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        n = len(self.points)
        self._single = single_precision(self.points)
        self._lists = np.full((n, self.size), -1, dtype=np.int32)
        self._squares = np.full((n, self.size), np.inf, dtype=np.float32)
        self._new = np.zeros((n, self.size), dtype=np.bool_)
        self._plant()

    def _plant(self) -> None:
        """Give every point those it shares a leaf with, in every tree."""
        n = len(self.points)
        leaf = max(24, self.size)
        orders = np.empty((N_TREES, n), dtype=np.int64)
        places = np.empty((N_TREES, n), dtype=np.int64)

        def grow(start: int, stop: int) -> None:
            for tree in range(start, stop):
                descent.tree_order(self._single, self.seed * N_TREES + tree, leaf, orders[tree])
                places[tree, orders[tree]] = np.arange(n)

        run_blocks(grow, N_TREES, 1, self.n_jobs, self._told(0.0, 0.15))

        def join(start: int, stop: int) -> None:
            for tree in range(N_TREES):
                descent.join_leaves(
                    self._single, orders[tree], places[tree], leaf, start, stop,
                    self._lists, self._squares, self._new,
                )  # fmt: skip

        run_blocks(join, n, _BLOCK, self.n_jobs, self._told(0.15, 0.3))

    def descend(self, width: int) -> None:
        """Try neighbours of neighbours, `width` each way, until lists settle."""
        n = len(self.points)
        for step in range(MOST_ROUNDS):
            told = self._told(0.3 + 0.7 * step / MOST_ROUNDS, 0.3 + 0.7 * (step + 1) / MOST_ROUNDS)
            if self._round(width, told) <= SETTLED * n * self.size:
                return

    def _round(self, width: int, progress: Progress | None) -> int:
        """Try every point's neighbours of neighbours once; return how many entries changed."""
        n = len(self.points)
        before = self._lists, self._squares, self._new
        after = np.empty_like(before[0]), np.empty_like(before[1]), np.empty_like(before[2])
        reverse = np.empty((n, width), dtype=np.int32), np.empty((n, width), dtype=np.bool_)
        descent.reverse_lists(self._lists, self._new, *reverse)
        changes: list[int] = []

        def block(start: int, stop: int) -> None:
            changes.append(
                descent.descend_block(self._single, *before, *reverse, width, start, stop, *after)
            )

        run_blocks(block, n, _BLOCK, self.n_jobs, progress)
        self._lists, self._squares, self._new = after
        return sum(changes)

    def candidates_of(self, rows: IntArray) -> IntArray:
        """Candidates of some points, (n_rows, size), nearest first, -1 where there is none."""
        return self._lists[rows].astype(np.int64)

    def _told(self, low: float, high: float) -> Progress | None:
        progress, n = self.progress, len(self.points)
        if progress is None:
            return None
        return lambda done, total: progress(int(n * (low + (high - low) * done / total)), n)
