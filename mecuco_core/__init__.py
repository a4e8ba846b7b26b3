"""MeCuCo: a fast local curvature score at every point of a dataset."""

from mecuco_core._types import MODES, Mode
from mecuco_core.agreement import Agreement, compare
from mecuco_core.boundary import Boundary, boundary_points
from mecuco_core.cost import estimated_search_seconds, estimated_seconds
from mecuco_core.curvature import Curvature, SlowModeWarning, curvature, warm_up
from mecuco_core.estimator import MeanCurvature
from mecuco_core.intrinsic_dimension import IntrinsicDimension, intrinsic_dimension
from mecuco_core.neighbors import KnnGraph, LowRecallWarning, knn_graph
from mecuco_core.shape_operator import ShapeOperator, shape_operator
from mecuco_core.streaming import Streamed, score_rows

__version__ = "0.1.0"

__all__ = [
    "MODES",
    "Agreement",
    "Boundary",
    "Curvature",
    "IntrinsicDimension",
    "KnnGraph",
    "LowRecallWarning",
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
