"""MeCuCo: a fast local curvature score at every point of a dataset.

>>> import mecuco as mc
>>> points = mc.datasets.prepare(mc.datasets.load_bundled("iris")).points
>>> score = mc.curvature(points, 7)

Importing it loads nothing: each name is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from mecuco_core import __version__
from mecuco_core.runtime.lazy import on_first_use

if TYPE_CHECKING:
    from mecuco import datasets
    from mecuco_app.showing.show import show
    from mecuco_app.showing.shown import Shown
    from mecuco_core.diagnostics.agreement import Agreement, compare
    from mecuco_core.diagnostics.boundary import Boundary, boundary_points
    from mecuco_core.diagnostics.stability import Stability, k_stability
    from mecuco_core.errors import (
        DataError,
        MissingPackageError,
        SlowModeWarning,
    )
    from mecuco_core.neighbors.cost import estimated_search_seconds
    from mecuco_core.neighbors.graph import KnnGraph, knn_graph
    from mecuco_core.out_of_core.run import Streamed, score_rows
    from mecuco_core.score.cells import score_anndata
    from mecuco_core.score.cost import estimated_seconds
    from mecuco_core.score.curvature import Curvature, curvature
    from mecuco_core.score.estimator import CurvatureScore
    from mecuco_core.surface.estimator import MeanCurvature
    from mecuco_core.surface.intrinsic_dimension import IntrinsicDimension, intrinsic_dimension
    from mecuco_core.surface.shape_operator import ShapeOperator, shape_operator
    from mecuco_core.surface.warming import warm_up

__all__ = [
    "Agreement",
    "Boundary",
    "Curvature",
    "CurvatureScore",
    "DataError",
    "IntrinsicDimension",
    "KnnGraph",
    "MeanCurvature",
    "MissingPackageError",
    "ShapeOperator",
    "Shown",
    "SlowModeWarning",
    "Stability",
    "Streamed",
    "__version__",
    "boundary_points",
    "compare",
    "curvature",
    "datasets",
    "estimated_search_seconds",
    "estimated_seconds",
    "intrinsic_dimension",
    "k_stability",
    "knn_graph",
    "score_anndata",
    "score_rows",
    "shape_operator",
    "show",
    "warm_up",
]

_HOMES = {
    "mecuco._dask": ("curvature",),
    "mecuco_app.showing.show": ("show",),
    "mecuco_app.showing.shown": ("Shown",),
    "mecuco_core.diagnostics.agreement": ("Agreement", "compare"),
    "mecuco_core.diagnostics.boundary": ("Boundary", "boundary_points"),
    "mecuco_core.diagnostics.stability": ("Stability", "k_stability"),
    "mecuco_core.errors": (
        "DataError",
        "MissingPackageError",
        "SlowModeWarning",
    ),
    "mecuco_core.neighbors.cost": ("estimated_search_seconds",),
    "mecuco_core.neighbors.graph": ("KnnGraph", "knn_graph"),
    "mecuco_core.out_of_core.run": ("Streamed", "score_rows"),
    "mecuco_core.score.cells": ("score_anndata",),
    "mecuco_core.score.cost": ("estimated_seconds",),
    "mecuco_core.score.curvature": ("Curvature",),
    "mecuco_core.score.estimator": ("CurvatureScore",),
    "mecuco_core.surface.estimator": ("MeanCurvature",),
    "mecuco_core.surface.intrinsic_dimension": ("IntrinsicDimension", "intrinsic_dimension"),
    "mecuco_core.surface.shape_operator": ("ShapeOperator", "shape_operator"),
    "mecuco_core.surface.warming": ("warm_up",),
}


__getattr__, __dir__ = on_first_use(__name__, _HOMES, ("datasets",))
