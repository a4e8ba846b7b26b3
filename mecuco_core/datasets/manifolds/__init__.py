"""Points drawn from manifolds whose curvature is known by formula at every point."""

from mecuco_core.datasets.manifolds.catalogue import MANIFOLDS
from mecuco_core.datasets.manifolds.sampling import ManifoldSample, load_manifold, sample_manifold
from mecuco_core.datasets.manifolds.shape import ShapeParameter
from mecuco_core.datasets.manifolds.surface import ParametricSurface

__all__ = [
    "MANIFOLDS",
    "ManifoldSample",
    "ParametricSurface",
    "ShapeParameter",
    "load_manifold",
    "sample_manifold",
]
