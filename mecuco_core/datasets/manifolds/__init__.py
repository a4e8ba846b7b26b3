"""Points drawn from manifolds whose curvature is known by formula at every point."""

from mecuco_core.datasets.manifolds.catalogue import MANIFOLDS, Manifold
from mecuco_core.datasets.manifolds.sampling import ManifoldSample, load_manifold, sample_manifold
from mecuco_core.datasets.manifolds.shape import Shape, ShapeParameter
from mecuco_core.datasets.manifolds.surface import ParametricSurface

__all__ = [
    "MANIFOLDS",
    "Manifold",
    "ManifoldSample",
    "ParametricSurface",
    "Shape",
    "ShapeParameter",
    "load_manifold",
    "sample_manifold",
]
