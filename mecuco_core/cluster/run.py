"""One computation over the blocks of a dask array: neighbours, then scores."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mecuco_core.cluster.schedulers import LocalWork, task_of
from mecuco_core.cluster.tasks import (
    Group,
    extent,
    groups_of,
    merged,
    nearest_of_pair,
    picked,
    scored_group,
)
from mecuco_core.neighbors.graph import KnnGraph
from mecuco_core.neighbors.search import scale_exponent
from mecuco_core.score.curvature import Curvature
from mecuco_core.types import Mode, Progress
from mecuco_core.validation import check_points


def rows_of(points: Any) -> Any:
    """Return a dask array of known shape, chunked by rows alone, if it may be points."""
    import dask.array

    if hasattr(points, "to_dask_array"):  # a dask DataFrame
        points = points.to_dask_array()
    if not isinstance(points, dask.array.Array):
        raise TypeError(f"points must be a dask array, got {type(points).__name__}")
    if np.isnan(points.shape).any():
        points = points.copy().compute_chunk_sizes()
    few = points.ndim != 2 or points.shape[0] < 3 or points.shape[1] == 0
    if few or points.dtype.kind not in "biufO":
        # Raises its sentence about the shape or the type; of the entries there is only one.
        check_points(np.broadcast_to(np.zeros((), points.dtype), points.shape))
    return points.rechunk({1: -1})


class Run:
    """One computation: blocks, then neighbours, then scores."""

    def __init__(
        self,
        work: "LocalWork",
        array: Any,
        k: int,
        mode: Mode,
        seed: int,
        progress: Progress | None,
    ) -> None:
        self.work, self.k, self.mode, self.progress = work, k, mode, progress
        self.seed = seed  # of an approximate search
        self.n_points, self.n_features = array.shape
        sizes = np.array(array.chunks[0])
        starts = np.cumsum(sizes) - sizes
        self.sizes, self.starts = sizes[sizes > 0], starts[sizes > 0]
        blocks = work.blocks(array)
        self.blocks = [block for block, size in zip(blocks, sizes, strict=True) if size]
        self.done = 0

    def result(self) -> Curvature:
        """Compute all of it."""
        exponent = self.checked_exponent()
        return self.assembled(list(self.searched(exponent)), exponent)

    def assembled(self, groups: "list[tuple[slice, Group, Any]]", exponent: int) -> Curvature:
        """Score every group, and put the parts together."""
        values, scatter, alignment = (np.empty(self.n_points) for _ in range(3))
        rank = np.empty(self.n_points, dtype=np.int64)
        indices = np.empty((self.n_points, self.k), dtype=np.int64)
        distances = np.empty((self.n_points, self.k))
        items = ((rows, (self.score(rows, group, found),)) for rows, group, found in groups)
        for rows, _, part in self.work.results(items, len(self.blocks)):
            values[rows], scatter[rows] = part.values, part.scatter
            alignment[rows], rank[rows] = part.alignment, part.covariance_rank
            indices[rows], distances[rows] = part.graph.indices, part.graph.distances
            self.count(rows.stop - rows.start)
        if exponent:
            distances = np.ldexp(distances, exponent)
        graph = KnnGraph(indices, distances, "exact", recall=1.0)
        return Curvature(
            values, scatter, alignment, rank, graph, self.mode, self.k, self.n_features
        )

    def checked_exponent(self) -> int:
        """Return the exponent to search with, or raise what `check_points` would."""
        task = task_of(extent)
        items = ((i, (task(block),)) for i, block in enumerate(self.blocks))
        extents = {i: found for i, _, found in self.work.results(items, 1)}
        for i in range(len(self.blocks)):
            if (bad := extents[i][2]) is not None:
                row, column, value = bad
                raise ValueError(
                    "points must be finite (no NaN, no infinity), "
                    f"got {value} in row {self.starts[i] + row}, column {column}"
                )
        low = min(found[0] for found in extents.values())
        high = max(found[1] for found in extents.values())
        return scale_exponent(check_points([[low, high]], min_points=1))

    def searched(self, exponent: int) -> Iterator[tuple[slice, Group, Any]]:
        """Search; yield the rows of every group, the group, and where its neighbours are held."""
        limit = 2 * int(self.sizes.max())
        items = (
            (i, (found := self.search(i, exponent), task_of(groups_of)(found, self.starts, limit)))
            for i in range(len(self.blocks))
        )
        for i, (found,), groups in self.work.results(items, 2 * len(self.blocks)):
            for group in groups:
                first = int(self.starts[i])
                yield slice(first + group.start, first + group.stop), group, found
            self.count(int(self.sizes[i]))

    def search(self, i: int, exponent: int) -> Any:
        """Task of the neighbours of one block: pairs of blocks, merged by a tree."""
        pair, join = task_of(nearest_of_pair), task_of(merged)
        lists = [
            pair(self.blocks[i], self.blocks[j], int(self.starts[j]), i == j, self.k, exponent)
            for j in self.partners(i)
        ]
        while len(lists) > 1:
            rest = lists[len(lists) - len(lists) % 2 :]
            halves = zip(lists[::2], lists[1::2], strict=False)
            lists = [join(left, right, self.k) for left, right in halves] + rest
        return lists[0]

    def partners(self, i: int) -> Sequence[int]:
        """Return the blocks in which the neighbours of one block are searched, ascending."""
        return range(len(self.blocks))

    def score(self, rows: slice, group: Group, found: Any) -> Any:
        """Task of the scores of one group, from the rows its neighbours are."""
        pick = task_of(picked)
        pieces = [
            pick(self.blocks[j], int(self.starts[j]), found, group.start, group.stop)
            for j in group.touched
        ]
        return task_of(scored_group)(pieces, found, group.start, group.stop, self.mode)

    def count(self, n_points: int) -> None:
        """Tell the progress."""
        self.done += n_points
        if self.progress is not None:
            self.progress(self.done, 2 * self.n_points)
