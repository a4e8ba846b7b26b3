"""Approximate neighbours in time that grows little faster than the number of points.

A forest of random halvings gives every point some near ones, and the order of one of its trees
brings them together in memory; then the neighbours of every point
are compared with one another until hardly any list changes (Dong, Moses and Li, 2011). The work is
the kernels'; this is the order of it. Lists are entered between blocks, each by one thread, in an
order of its own: the graph is the same for any number of threads.
"""

from dataclasses import dataclass, field
from itertools import product

import numpy as np
import numpy.typing as npt

from mecuco_core.kernels.search import forest, joins
from mecuco_core.neighbors.single import BLOCK, SingleArray
from mecuco_core.runtime.progress import Stages
from mecuco_core.runtime.threads import run_blocks
from mecuco_core.types import IntArray, Progress

N_TREES = 6
LEAF = 48
DIRECTIONS = 32
"""Random directions trees are grown along."""

SPARE = 10
"""Candidates kept beyond k."""

WIDTH = 28
"""Neighbours of a point that are compared with one another: as many new ones as old ones."""

MOST_ROUNDS = 12
SETTLED = 0.02
"""Share of entries that may still change when a search is taken as done."""

_PHASE = 8192  # points that are joined between entries
_LEAVES = 1024  # leaves, likewise
_JOINED = 256
_PARTS = 8  # of the lists: each is entered by one thread

Found = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.float32]]


@dataclass(eq=False)
class Descent:
    """A search under way.

    Parameters
    ----------
    rows : ndarray of shape (n_points, padded n_features)
        The points in single precision; a copy in another order takes their place.
    size : int
        Candidates kept for a point.
    seed : int
    n_jobs : int
    """

    rows: SingleArray
    size: int
    seed: int
    n_jobs: int
    settled: bool = field(init=False, default=False)
    order: npt.NDArray[np.int32] = field(init=False)
    _places: npt.NDArray[np.int32] = field(init=False)
    _lists: npt.NDArray[np.int32] = field(init=False)
    _squares: npt.NDArray[np.float32] = field(init=False)
    _new: npt.NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        n = len(self.rows)
        self.order, self._places = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
        self._lists = np.full((n, self.size), -1, dtype=np.int32)
        self._squares = np.full((n, self.size), np.inf, dtype=np.float32)
        self._new = np.zeros((n, self.size), dtype=np.bool_)

    def plant(self, progress: Progress | None = None) -> None:
        """Compare the points that share a leaf, tree by tree."""
        n, n_jobs = len(self._lists), self.n_jobs
        shadows = self._shadows()
        starts = forest.leaf_bounds(n, LEAF)
        orders = np.empty((N_TREES, n), dtype=np.int32)
        forest.tree_order(shadows, self.seed * N_TREES, LEAF, self.order)
        self._places[self.order] = np.arange(n)
        rows = self.rows = self.rows[self.order]
        shadows = shadows[self.order]
        orders[0] = np.arange(n)

        def grow(start: int, stop: int) -> None:
            for tree in range(start + 1, stop + 1):
                forest.tree_order(shadows, self.seed * N_TREES + tree, LEAF, orders[tree])

        n_leaves = len(starts) - 1
        stages = Stages(progress, 10 * N_TREES * n_leaves)
        run_blocks(grow, N_TREES - 1, 1, n_jobs, stages.next(3 * N_TREES * n_leaves))
        for tree, first in product(range(N_TREES), range(0, n_leaves, _LEAVES)):
            found: dict[int, Found] = {}

            def join(
                start: int,
                stop: int,
                tree: int = tree,
                first: int = first,
                found: dict[int, Found] = found,
            ) -> None:
                found[start] = joins.join_leaves(
                    rows, self._lists, self._squares, orders[tree], starts,
                    first + start, first + stop,
                )  # fmt: skip

            size = min(_LEAVES, n_leaves - first)
            run_blocks(join, size, 64, n_jobs)
            self._enter(found)
            stages.passed(7 * size)

    def _shadows(self) -> npt.NDArray[np.float32]:
        rows = self.rows
        if rows.shape[1] <= DIRECTIONS:
            return rows
        directions = np.random.default_rng(self.seed).standard_normal((rows.shape[1], DIRECTIONS))
        shadows = np.empty((len(rows), DIRECTIONS), dtype=np.float32)
        single = directions.astype(np.float32)

        def cast(start: int, stop: int) -> None:
            forest.cast_shadows(rows, single, start, stop, shadows)

        run_blocks(cast, len(rows), BLOCK, self.n_jobs)
        return shadows

    def round(self, progress: Progress | None = None) -> None:
        """Compare every point's neighbours with one another once; see whether that settled it."""
        n = len(self._lists)
        reverse, reverse_new = self._reverse()
        changes = 0
        for first in range(0, n, _PHASE):
            found: dict[int, Found] = {}

            def join(
                start: int, stop: int, first: int = first, found: dict[int, Found] = found
            ) -> None:
                found[start] = joins.join_neighbors(
                    self.rows, self._lists, self._squares, self._new,
                    reverse, reverse_new, WIDTH, first + start, first + stop,
                )  # fmt: skip

            size = min(_PHASE, n - first)
            run_blocks(join, size, _JOINED, self.n_jobs)
            changes += self._enter(found)
            if progress is not None:
                progress(first + size, n)
        self.settled = changes <= SETTLED * n * self.size

    def _reverse(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_]]:
        """Points that list a point, and whether as a new one."""
        n = len(self._lists)
        reverse = np.empty((n, WIDTH), dtype=np.int32)
        reverse_new = np.empty((n, WIDTH), dtype=np.bool_)
        filled = np.empty(n, dtype=np.int64)

        def block(start: int, stop: int) -> None:
            joins.reverse_lists(self._lists, self._new, start, stop, reverse, reverse_new, filled)

        run_blocks(block, n, -(-n // _PARTS), self.n_jobs)
        return reverse, reverse_new

    def _enter(self, found: dict[int, Found]) -> int:
        """Enter what was found, in the order of the points it was found at."""
        n = len(self._lists)
        in_order = [found[start] for start in sorted(found)]
        changes: list[int] = []

        def block(start: int, stop: int) -> None:
            for part in in_order:
                changes.append(
                    joins.enter(*part, start, stop, self._lists, self._squares, self._new)
                )

        run_blocks(block, n, -(-n // _PARTS), self.n_jobs)
        return sum(changes)

    def candidates_of(self, rows: IntArray | slice) -> IntArray:
        """Candidates of some points, (n_rows, size), nearest first, -1 where there is none."""
        found = self._lists[self._places[rows]]
        return np.where(found >= 0, self.order[found], -1).astype(np.int64)
