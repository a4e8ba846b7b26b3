"""`curvature` with what it needs to score dask arrays: loaded together, so that it always can."""

from mecuco_core import cluster  # noqa: F401  it enters itself as who scores dask arrays
from mecuco_core.score.curvature import curvature

__all__ = ["curvature"]
