"""The table of measures: everything the product can say of a point as a number, one entry each.

Colour menu, hover texts, table, histogram, exports, links and the command line read this table. To
add a measure is to add an entry here, with its test.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from mecuco_core.errors import DataError
from mecuco_core.measures.measure import Measure, Place
from mecuco_core.measures.points import Points, alignment, covariance_rank
from mecuco_core.neighbors.graph import KnnGraph
from mecuco_core.score.curvature import Curvature
from mecuco_core.score.ranks import rank_percent
from mecuco_core.types import FloatArray, IntArray

WITH_SCORE, WITH_SURFACE = "comes with the score", "comes with the surface"


def score_ratio(score: Curvature) -> FloatArray:
    """Return κ/τ at every point, NaN where the neighbours are all one point."""
    trace = 2.0 * score.scatter
    ratio = np.full(len(trace), np.nan)
    np.divide(score.values, trace, out=ratio, where=trace > 0)
    return ratio


def in_degree(graph: KnnGraph) -> FloatArray:
    """Return how many points have each point among their neighbours, (n_points,)."""
    return np.bincount(graph.indices.ravel(), minlength=len(graph)).astype(np.float64)


def other_label_share(labels: "pd.Series", neighbors: IntArray) -> FloatArray:
    """Return the share of each point's neighbours that have another label, (n_points,).

    No label is not another label; the share of a point without one is NaN.

    Parameters
    ----------
    labels : Series of shape (n_points,)
    neighbors : ndarray of shape (n_points, k)
    """
    codes = pd.factorize(labels.array)[0]
    near = codes[neighbors]
    other = (near != codes[:, np.newaxis]) & (near >= 0)
    share = np.asarray(other.mean(axis=1), dtype=np.float64)
    share[codes < 0] = np.nan
    return share


def stability(ranks_over_k: FloatArray) -> FloatArray:
    """Return 1 minus the distance from the lowest to the highest rank, (n_points,)."""
    return np.asarray(1.0 - np.ptp(ranks_over_k, axis=0) / 100.0)


_ENTRIES = (
    Measure(
        name="score",
        title="Score κ",
        explanation="How widely the neighbours are spread, the more so the closer they lie along "
        "the axes of the features: high where points are sparse and at edges, not where a surface "
        "bends.",
        needs=("score",),
        compute=lambda score: score.values,
        unit="a.u.",
        cost=WITH_SCORE,
        places=frozenset({"hover", "card", "table", "export"}),
        parts=("scatter", "alignment"),
    ),
    Measure(
        name="scatter",
        title="Scatter half ½τ",
        explanation="Half the variance of the neighbours about their mean: how sparse it is there, "
        "whatever the axes; a far point whose neighbours sit close together is low.",
        needs=("score",),
        compute=lambda score: score.scatter,
        unit="a.u.",
        cost=WITH_SCORE,
        places=frozenset({"card", "table", "export"}),
    ),
    Measure(
        name="alignment",
        title="Alignment half",
        explanation="The other half of the score: scatter again, times how far the neighbours lie "
        "along the axes of the features; turning the axes changes it.",
        needs=("score",),
        compute=alignment,
        unit="a.u.",
        cost=WITH_SCORE,
        places=frozenset({"card", "table", "export"}),
    ),
    Measure(
        name="alignment_ratio",
        title="Score over scatter κ/τ",
        explanation="How far the neighbours lie along the axes, 1 for along one axis and ½ for "
        "across all: sees no sparsity, and no value is there where all neighbours are one point.",
        needs=("score",),
        compute=score_ratio,
        cost=WITH_SCORE,
        places=frozenset({"card"}),
        former=("ratio",),
    ),
    Measure(
        name="covariance_rank",
        title="Local rank",
        explanation="How many dimensions the neighbours span, never more than neighbours or "
        "features: low where rows repeat; noise counts as much as structure.",
        needs=("score",),
        compute=covariance_rank,
        unit="dimensions",
        whole=True,
        cost=WITH_SCORE,
        places=frozenset({"card", "export"}),
    ),
    Measure(
        name="mean_curvature",
        title="Mean curvature |H|",
        explanation="How much a surface through the neighbours bends, whatever their spread: an "
        "estimate that means something only where the points lie near such a surface.",
        needs=("surface",),
        compute=lambda surface: surface.mean_curvature,
        unit="1/length",
        cost=WITH_SURFACE,
        places=frozenset({"export"}),
    ),
    Measure(
        name="error",
        title="Error bar of |H|",
        explanation="One standard error of the mean curvature: large where noise or few neighbours "
        "leave it open, infinite where they determine no surface.",
        needs=("surface",),
        compute=lambda surface: surface.error,
        unit="1/length",
        cost=WITH_SURFACE,
        places=frozenset({"export"}),
    ),
    Measure(
        name="fit",
        title="Fit of the surface",
        explanation="1 where the neighbours lie on the surface, 0 where they leave it as far as "
        "they follow it: says whether to trust the curvature, not how large it is.",
        needs=("surface",),
        compute=lambda surface: surface.fit,
        scale="full",
        cost=WITH_SURFACE,
        places=frozenset({"export"}),
    ),
    Measure(
        name="poor_fit",
        title="Poor fit",
        explanation="1 where the estimate of the curvature should not be trusted, else 0.",
        needs=("surface",),
        compute=lambda surface: surface.poor,
        whole=True,
        scale="full",
        cost=WITH_SURFACE,
        places=frozenset({"export"}),
    ),
    Measure(
        name="gaussian_curvature",
        title="Gaussian curvature",
        explanation="Product of the principal curvatures, above zero where a surface is like a "
        "dome and below where it is like a saddle: a bend in one direction only is not seen.",
        needs=("hypersurface",),
        compute=lambda surface: surface.gaussian_curvature,
        unit="1/length^d",
        colours="diverging",
        cost=WITH_SURFACE,
        places=frozenset({"export"}),
    ),
    Measure(
        name="knn_distance",
        title="k-NN distance",
        explanation="Distance to the k-th neighbour, the plain measure of sparsity: sees how far, "
        "not in which directions.",
        needs=("graph",),
        compute=lambda graph: graph.distances[:, -1],
        unit="a.u.",
        places=frozenset({"card", "table", "export"}),
        former=("distance",),
    ),
    Measure(
        name="percentile",
        title="Percentile of the score",
        explanation="Share of the points whose score is not higher, equal ones counted half, 100 "
        "for the highest: the order of the scores, not how far apart they are.",
        needs=("score",),
        compute=lambda score: rank_percent(score.values),
        unit="%",
        colours="percent",
        cost="one sort",
        places=frozenset({"card", "table", "export"}),
        former=("rank",),
    ),
    Measure(
        name="in_degree",
        title="Chosen as neighbour",
        explanation="How many points have this one among their neighbours: none for points that "
        "lie apart, many for hubs; says nothing of distances.",
        needs=("graph",),
        compute=in_degree,
        unit="points",
        whole=True,
    ),
    Measure(
        name="label_disagreement",
        title="Label disagreement",
        explanation="Share of the neighbours with another label: high for wrong labels and between "
        "classes; knows who is near, not how far, and has no value where a point has no label.",
        needs=("graph", "labels"),
        compute=lambda graph, labels: other_label_share(labels, graph.indices),
        unit="share",
        scale="full",
        cost="one look at the label of each neighbour",
        places=frozenset({"card"}),
    ),
    Measure(
        name="map_fidelity",
        title="Map fidelity",
        explanation="Share of the neighbours that are neighbours on the map too: says where the "
        "map can be trusted, nothing of the data.",
        needs=("map",),
        compute=lambda map: map,
        unit="share",
        cost="a search of neighbours on the map",
        former=("fidelity",),
    ),
    Measure(
        name="stability",
        title="Stability over k",
        explanation="1 where a point has the same rank for a dozen k from a third to three times "
        "the chosen one, 0 where it goes from lowest to highest: says whether the choice of k "
        "matters there, not whether the score is right.",
        needs=("ranks_over_k",),
        compute=stability,
        cost="the score for a dozen k",
    ),
    Measure(
        name="true_mean_curvature",
        title="True mean curvature |H|",
        explanation="How much the surface bends from which the points were drawn, by its formula: "
        "known for the manifolds here, never for measured data.",
        needs=("truth",),
        compute=lambda truth: truth,
        unit="1/length",
        former=("truth",),
    ),
)

MEASURES: dict[str, Measure] = {measure.name: measure for measure in _ENTRIES}
"""Name → entry, in the order in which they are shown and written."""


def measure_of(name: str) -> Measure:
    """Return the measure of that name, or of that former name; raises DataError."""
    found = MEASURES.get(name)
    if found is None:
        for measure in MEASURES.values():
            if name in measure.former:
                return measure
        raise DataError(f"no measure is called {name!r}: choose from {', '.join(MEASURES)}")
    return found


def measures_at(place: Place) -> list[Measure]:
    """Return the measures that stand in a place without being asked for."""
    return [measure for measure in MEASURES.values() if place in measure.places]


def known_measures(points: Points) -> list[Measure]:
    """Return the measures that can be computed from what is known."""
    return [measure for measure in MEASURES.values() if measure.is_known(points)]


def columns_of(points: Points, measures: Iterable[Measure]) -> dict[str, Any]:
    """Return measures by name, (n_points,) each, whole numbers as such; raises DataError."""
    columns: dict[str, Any] = {}
    for measure in measures:
        values = measure.values(points)
        columns[measure.name] = values.astype(np.int64) if measure.whole else values
    return columns
