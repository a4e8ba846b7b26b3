"""MeCuCo: a fast local curvature score at every point of a dataset.

Names load on first use: who only reads a table loads no compiled code.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mecuco_core.diagnostics.agreement import Agreement, compare
    from mecuco_core.diagnostics.boundary import Boundary, boundary_points
    from mecuco_core.errors import LowRecallWarning, SlowModeWarning
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

_HOMES = {
    "MODES": "mecuco_core.types",
    "Agreement": "mecuco_core.diagnostics.agreement",
    "Boundary": "mecuco_core.diagnostics.boundary",
    "Curvature": "mecuco_core.score.curvature",
    "IntrinsicDimension": "mecuco_core.surface.intrinsic_dimension",
    "KnnGraph": "mecuco_core.neighbors.graph",
    "LowRecallWarning": "mecuco_core.errors",
    "MeanCurvature": "mecuco_core.surface.estimator",
    "Mode": "mecuco_core.types",
    "ShapeOperator": "mecuco_core.surface.shape_operator",
    "SlowModeWarning": "mecuco_core.errors",
    "Streamed": "mecuco_core.out_of_core",
    "boundary_points": "mecuco_core.diagnostics.boundary",
    "compare": "mecuco_core.diagnostics.agreement",
    "curvature": "mecuco_core.score.curvature",
    "estimated_search_seconds": "mecuco_core.neighbors.cost",
    "estimated_seconds": "mecuco_core.score.cost",
    "intrinsic_dimension": "mecuco_core.surface.intrinsic_dimension",
    "knn_graph": "mecuco_core.neighbors.graph",
    "score_rows": "mecuco_core.out_of_core",
    "shape_operator": "mecuco_core.surface.shape_operator",
    "warm_up": "mecuco_core.surface.warming",
}


def __getattr__(name: str) -> object:
    """Load a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module("mecuco_core.cluster")  # it scores dask arrays
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found
