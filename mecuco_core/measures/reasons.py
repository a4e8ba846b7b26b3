"""Why a point has its score: facts of every point, and reasons in words."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mecuco_core.measures.points import Points, graph_of
from mecuco_core.measures.table import MEASURES
from mecuco_core.score.curvature import Curvature
from mecuco_core.score.ranks import rank_percent
from mecuco_core.types import FloatArray

_HIGH, _LOW = 95.0, 5.0  # percentiles that are worth a word


@dataclass(frozen=True, eq=False)
class PointFacts:
    """What the reasons are read from, each array of shape (n_points,)."""

    percent: FloatArray  # rank of the score, 100 the highest
    distance: FloatArray  # to the k-th neighbour
    distance_percent: FloatArray
    ratio: FloatArray  # score over local scatter τ; NaN where neighbours coincide
    ratio_percent: FloatArray
    chosen_by: FloatArray  # how many points have it among their k neighbours
    other_label: FloatArray | None  # share of neighbours with another label
    n_neighbors: int


def point_facts(result: Curvature, labels: "pd.Series | None") -> PointFacts:
    """Return what the measures say of every point.

    Parameters
    ----------
    result : Curvature
    labels : Series of shape (n_points,) or None
        The class of every point, missing where it has none; None where there are no classes.
    """
    points = Points(graph=graph_of(result), score=result, labels=labels)
    distance = MEASURES["knn_distance"].values(points)
    ratio = MEASURES["alignment_ratio"].values(points)
    return PointFacts(
        percent=MEASURES["percentile"].values(points),
        distance=distance,
        distance_percent=rank_percent(distance),
        ratio=ratio,
        ratio_percent=rank_percent(ratio),
        chosen_by=MEASURES["in_degree"].values(points),
        other_label=None if labels is None else MEASURES["label_disagreement"].values(points),
        n_neighbors=result.n_neighbors,
    )


def reasons(facts: PointFacts, position: int) -> list[str]:
    """Return short phrases on one point, the strongest first; never empty."""
    found = []
    k = facts.n_neighbors
    far = float(facts.distance_percent[position])
    own = 100 / len(facts.distance_percent)  # the farthest of 200 is the top 0.5 %
    if far >= _HIGH:
        found.append(f"far neighbours (top {_share(100 - far + own)})")
    elif far <= _LOW:
        found.append(f"close neighbours (lowest {_share(far)})")
    if facts.other_label is not None:
        share = float(facts.other_label[position])
        other = 0 if np.isnan(share) else round(share * k)
        if other:
            found.append(f"{other} of {k} with another label")
    ratio = float(facts.ratio_percent[position])
    if ratio >= _HIGH:
        found.append("neighbours differ in few features")
    elif ratio <= _LOW:
        found.append("neighbours differ in many features")
    if facts.chosen_by[position] == 0:
        found.append("in no other point's neighbour list")
    if np.isnan(facts.ratio[position]):
        found.append("all its neighbours are one point")
    high = float(facts.percent[position])
    if high >= _HIGH and far < _HIGH:
        found.insert(0, f"widely spread neighbours (score in the top {_share(100 - high + own)})")
    if not found:
        found.append("nothing unusual about its neighbourhood")
    return found


def _share(percent: float) -> str:
    """Return a percentage with two digits."""
    percent = max(percent, 0.1)
    exponent = int(f"{percent:.1e}".partition("e")[2])
    return f"{percent:.{max(0, 1 - exponent)}f} %"
