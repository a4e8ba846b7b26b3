"""The approximate search on a cluster: rows that lie together come into one block, a cell.

Neighbours of a cell are then searched in the cells nearest to it only. How many that must be is
found out: the recall is measured on a sample against all rows, and more are taken until it serves.
"""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from mecuco_core.cluster.run import Run
from mecuco_core.cluster.schedulers import task_of
from mecuco_core.cluster.tasks import (
    Found,
    found_rows,
    labelled,
    merged,
    nearest_of_pair,
    stacked,
    taken,
)
from mecuco_core.neighbors.graph import KnnGraph
from mecuco_core.neighbors.search import RECALL_SAMPLE
from mecuco_core.score.curvature import Curvature
from mecuco_core.types import FloatArray, IntArray

CELL_ROWS = 4000
MOST_CELLS = 400
ROWS_PER_CENTRE = 40
FIRST_PARTNERS = 8
LEAST_RECALL = 0.97


class CellRun(Run):
    """One computation with an approximate search; the same seed gives the same graph."""

    def result(self) -> Curvature:
        """Compute all of it."""
        exponent = self.checked_exponent()
        order, centres = self.rearrange(exponent)
        gaps = ((centres[:, np.newaxis] - centres) ** 2).sum(axis=2)
        self.nearest_cells = np.argsort(gaps, axis=1, kind="stable")
        self.n_partners = min(FIRST_PARTNERS, len(self.blocks))
        while True:
            self.done = 0
            groups = list(self.searched(exponent))
            recall = self.recall(dict(self._found(groups)), exponent)
            if recall >= LEAST_RECALL or self.n_partners == len(self.blocks):
                break
            self.n_partners = min(2 * self.n_partners, len(self.blocks))
        return self._in_order(self.assembled(groups, exponent), order, recall)

    def partners(self, i: int) -> Sequence[int]:  # noqa: D102 - as above
        count = self.n_partners
        while self.sizes[self.nearest_cells[i, :count]].sum() < self.k + 2:
            count += 1
        return sorted(self.nearest_cells[i, :count].tolist())

    def rearrange(self, exponent: int) -> tuple[IntArray, FloatArray]:
        """Make cells the blocks; return the row each new one was, and the centres of the cells."""
        centres = self._centres(exponent)
        label = task_of(labelled)
        items = ((i, (label(block, centres, exponent),)) for i, block in enumerate(self.blocks))
        labels = [np.empty(0)] * len(self.blocks)
        for i, _, found in self.work.results(items, 1):
            labels[i] = found
        take, stack = task_of(taken), task_of(stacked)
        cells, order = [], []
        filled = np.unique(np.concatenate(labels))
        for cell in filled:
            rows = [np.flatnonzero(own == cell) for own in labels]
            touched = [i for i, own in enumerate(rows) if len(own)]
            cells.append(stack([take(self.blocks[i], rows[i]) for i in touched]))
            order += [rows[i] + self.starts[i] for i in touched]
        sizes = np.bincount(np.concatenate(labels), minlength=len(centres))[filled]
        self.blocks = self.work.held(cells)
        self.sizes, self.starts = sizes, np.cumsum(sizes) - sizes
        return np.concatenate(order), centres[filled]

    def recall(self, found: dict[int, Any], exponent: int) -> float:
        """Return the share of the true neighbours of a sample that were found."""
        rng = np.random.default_rng(self.seed)
        rows = np.sort(rng.permutation(self.n_points)[:RECALL_SAMPLE])
        own = np.searchsorted(self.starts, rows, side="right") - 1
        local = {i: rows[own == i] - self.starts[i] for i in np.unique(own)}
        pick, look = task_of(found_rows), task_of(taken)
        items = [(i, (look(self.blocks[i], at), pick(found[i], at))) for i, at in local.items()]
        queries, indices = {}, {}
        for i, (points,), part in self.work.results(iter(items), 2):
            queries[i], indices[i] = points, part
        pair = task_of(nearest_of_pair)
        sample = task_of(stacked)([queries[i] for i in sorted(local)])
        truth: Found | None = None
        lists = (
            (j, (pair(sample, block, int(self.starts[j]), False, self.k + 1, exponent),))
            for j, block in enumerate(self.blocks)
        )
        every = {j: part for j, _, part in self.work.results(lists, 1)}
        for j in range(len(self.blocks)):
            truth = every[j] if truth is None else merged(truth, every[j], self.k + 1)
        assert truth is not None
        others = [
            row[row != own_row][: self.k] for row, own_row in zip(truth.indices, rows, strict=True)
        ]
        found_here = np.concatenate([indices[i] for i in sorted(local)])
        hits = sum(len(np.intersect1d(a, b)) for a, b in zip(found_here, others, strict=True))
        return hits / found_here.size

    def _found(self, groups: "list[tuple[slice, Any, Any]]") -> "list[tuple[int, Any]]":
        """Return each block and where its neighbours are held."""
        return [
            (int(np.searchsorted(self.starts, rows.start, side="right") - 1), found)
            for rows, _, found in groups
        ]

    def _centres(self, exponent: int) -> FloatArray:
        from sklearn.cluster import KMeans

        n_cells = int(np.clip(self.n_points // CELL_ROWS, 2, MOST_CELLS))
        wanted = np.linspace(
            0, self.n_points - 1, min(self.n_points, ROWS_PER_CENTRE * n_cells)
        ).astype(np.int64)
        take = task_of(taken)
        items = (
            (i, (take(block, part - start),))
            for i, (block, start, size) in enumerate(
                zip(self.blocks, self.starts, self.sizes, strict=True)
            )
            if len(part := wanted[(wanted >= start) & (wanted < start + size)])
        )
        parts = {i: found for i, _, found in self.work.results(items, 1)}
        sample = np.ldexp(np.concatenate([parts[i] for i in sorted(parts)]), -exponent)
        model = KMeans(n_cells, n_init=1, max_iter=10, random_state=self.seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # any centres serve: equal points have fewer
            # On one thread: sums of several end in an order of their own.
            with threadpool_limits(1):
                centres: FloatArray = model.fit(sample).cluster_centers_
        return centres

    def _in_order(self, result: Curvature, order: IntArray, recall: float) -> Curvature:
        """Return the result with every row where it was, equal distances by index."""
        at = np.argsort(order)
        indices, distances = order[result.graph.indices][at], result.graph.distances[at]
        by = np.lexsort((indices, distances), axis=1)
        graph = KnnGraph(
            np.take_along_axis(indices, by, axis=1),
            np.take_along_axis(distances, by, axis=1),
            "approximate",
            self.seed,
            recall,
        )
        return replace(
            result,
            values=result.values[at],
            scatter=result.scatter[at],
            alignment=result.alignment[at],
            covariance_rank=result.covariance_rank[at],
            graph=graph,
        )
