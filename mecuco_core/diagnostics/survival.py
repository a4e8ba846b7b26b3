"""Which of the highest scores stay among the highest in other coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mecuco_core.diagnostics.coordinates import Gauge, GaugeChange, gauge_change
from mecuco_core.runtime.progress import Stages
from mecuco_core.score.curvature import Curvature
from mecuco_core.score.ranks import descending, top_size
from mecuco_core.types import BoolArray, FloatArray, IntArray, Progress


@dataclass(frozen=True, eq=False)
class Survival:
    """How often every point is among the top in other coordinates.

    Attributes
    ----------
    ranks : ndarray of shape (n_seeds, n_points)
        Place of every point after each change, 0 the highest.
    seeds : tuple of int
    """

    ranks: IntArray
    seeds: tuple[int, ...]

    def share(self, size: int) -> FloatArray:
        """Return the share of the changes after which a point is among the `size` highest."""
        return np.asarray((self.ranks < size).mean(axis=0))


def top(values: FloatArray, q: float) -> BoolArray:
    """Return which points are the top q percent of values (n_points,)."""
    chosen = np.zeros(len(values), dtype=bool)
    chosen[descending(values)[: top_size(len(values), q)]] = True
    return chosen


def places(change: GaugeChange) -> IntArray:
    """Return the place of every point after a change of coordinates, (n_points,)."""
    order = descending(change.after.values)
    found = np.empty(len(order), dtype=np.int64)
    found[order] = np.arange(len(order))
    return found


def survival(
    points: ArrayLike,
    before: Curvature,
    *,
    gauge: Gauge,
    seeds: Sequence[int],
    progress: Progress | None = None,
) -> Survival:
    """Score the points in several other coordinates.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
    before : Curvature
        The score of these points; its mode and k are used again.
    gauge : Gauge
    seeds : sequence of int
        One change of coordinates each.
    progress : callable or None
        Called with (done, total), counting changes; may raise to stop the work.
    """
    ranks, stages = [], Stages(progress, len(seeds))
    for seed in seeds:
        ranks.append(places(gauge_change(points, before, gauge=gauge, seed=seed)))
        stages.passed()
    return Survival(np.array(ranks), tuple(seeds))
