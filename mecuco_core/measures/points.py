"""What measures are computed from: all that is known of the points at the moment."""

from dataclasses import dataclass
from typing import Literal

import pandas as pd

from mecuco_core.neighbors.graph import KnnGraph
from mecuco_core.score.curvature import Curvature
from mecuco_core.surface.shape_operator import ShapeOperator
from mecuco_core.types import FloatArray, IntArray

Need = Literal[
    "points", "graph", "score", "surface", "hypersurface", "labels", "truth", "map", "ranks_over_k"
]

NEEDS: dict[Need, str] = {
    "points": "the points themselves",
    "graph": "the neighbours",
    "score": "the score",
    "surface": "a surface fitted to the neighbours",
    "hypersurface": "a surface of one dimension less than the points have features",
    "labels": "a target of classes",
    "truth": "points of known curvature",
    "map": "a map of the points, which the app makes",
    "ranks_over_k": "the score for several k",
}
"""What each need is, as it stands in a sentence."""


@dataclass(frozen=True, eq=False)
class Points:
    """All that is known of the points; what is not known is None.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features) or None
    graph : KnnGraph or None
        Of a table that is streamed the distances are those to the last neighbour only.
    score : Curvature or None
    surface : ShapeOperator or None
    labels : Series of shape (n_points,) or None
        The class of every point, missing where it has none.
    truth : ndarray of shape (n_points,) or None
        |H| by the formula of the surface that the points were drawn from.
    map : ndarray of shape (n_points,) or None
        Share of the neighbours that a map of the points keeps; NaN without a place on it.
    ranks_over_k : ndarray of shape (n_k, n_points) or None
        Rank of the score in percent, for every k.
    """

    points: FloatArray | None = None
    graph: KnnGraph | None = None
    score: Curvature | None = None
    surface: ShapeOperator | None = None
    labels: "pd.Series | None" = None
    truth: FloatArray | None = None
    map: FloatArray | None = None
    ranks_over_k: FloatArray | None = None

    @property
    def hypersurface(self) -> ShapeOperator | None:
        """The surface, where it has one normal."""
        surface = self.surface
        return None if surface is None or surface.gaussian_curvature is None else surface


# The names of fields of results are read here and nowhere else in this room.


def alignment(score: Curvature) -> FloatArray:
    """Return the half of the score that depends on the axes, (n_points,)."""
    return score.alignment


def covariance_rank(score: Curvature) -> IntArray:
    """Return how many dimensions each neighbourhood spans, (n_points,)."""
    return score.covariance_rank


def graph_of(result: Curvature | ShapeOperator) -> KnnGraph:
    """Return the neighbours a result was made from."""
    return result.graph
