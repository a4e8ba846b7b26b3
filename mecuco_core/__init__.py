"""MeCuCo: a fast local curvature score at every point of a dataset."""

from mecuco_core import cluster as _cluster  # noqa: F401  it scores dask arrays
from mecuco_core.diagnostics.agreement import Agreement, compare
from mecuco_core.diagnostics.boundary import Boundary, boundary_points
from mecuco_core.errors import SlowModeWarning
from mecuco_core.neighbors.cost import estimated_search_seconds
from mecuco_core.neighbors.graph import KnnGraph, knn_graph
from mecuco_core.out_of_core import Streamed, score_rows
from mecuco_core.score.cost import estimated_seconds
from mecuco_core.score.curvature import Curvature, curvature
from mecuco_core.surface.estimator import MeanCurvature
from mecuco_core.surface.intrinsic_dimension import IntrinsicDimension, intrinsic_dimension
from mecuco_core.surface.shape_operator import ShapeOperator, shape_operator
from mecuco_core.surface.warming import warm_up
from mecuco_core.types import MODES, Mode

__version__ = "0.1.0"

__all__ = [
    "MODES",
    "Agreement",
    "Boundary",
    "Curvature",
    "IntrinsicDimension",
    "KnnGraph",
    "MeanCurvature",
    "Mode",
    "ShapeOperator",
    "SlowModeWarning",
    "Streamed",
    "boundary_points",
    "compare",
    "curvature",
    "estimated_search_seconds",
    "estimated_seconds",
    "intrinsic_dimension",
    "knn_graph",
    "score_rows",
    "shape_operator",
    "warm_up",
]
