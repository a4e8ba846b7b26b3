"""`mecuco score -m quadric`: the mean curvature of a surface through the rows of a source."""

from typing import Any

import numpy as np

from mecuco_core.neighbors.graph import spoken_search
from mecuco_core.surface.shape_operator import ShapeOperator

DIMENSION = 2
"""Of the surface, where none is given."""


def surface_sentence(result: ShapeOperator) -> str:
    """Return the settings and the outcome in words."""
    how = ""
    if result.intrinsic is not None:
        how = (
            f" (estimated {result.intrinsic.estimate:.2f} ± {result.intrinsic.error:.2f}, "
            f"{result.intrinsic.confidence:.0%} sure)"
        )
    return (
        f"mode quadric, dimension {result.dimension}{how}, k = {result.n_neighbors}, "
        f"neighbours {spoken_search(result.graph)}; median |H| {np.median(result.values):.4g}, "
        f"median error bar {np.median(result.error):.2g}, {result.poor.mean():.0%} poor fits."
    )


def surface_facts(result: ShapeOperator) -> dict[str, Any]:
    """Return what a program may want to know beside the scores."""
    facts: dict[str, Any] = {"dimension": result.dimension, "n_poor": int(result.poor.sum())}
    if result.intrinsic is not None:
        facts["dimension_estimate"] = result.intrinsic.estimate
        facts["dimension_error"] = result.intrinsic.error
        facts["dimension_confidence"] = result.intrinsic.confidence
    return facts
