"""A quadric fitted to every neighbourhood: blocks of the compiled kernel, run side by side."""

import numpy as np

from mecuco_core.kernels.surface.compiled_quadric import N_SUMMARY, Shapes, quadric_block
from mecuco_core.kernels.surface.quadric import fewest_rows, fits_cubic, n_cubic, n_quadratic
from mecuco_core.runtime.threads import run_blocks
from mecuco_core.types import FloatArray, IntArray, Progress

BLOCK_WORK = 3e6
"""Multiplications between two calls of `progress` on one thread: a stop is felt at once."""


def local_quadrics(
    points: FloatArray,
    queries: FloatArray,
    neighbors: IntArray,
    dimension: int,
    n_jobs: int,
    progress: Progress | None = None,
    frames: bool = True,
) -> Shapes:
    """Fit a quadric at every query to it and its neighbours among points.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    queries : ndarray of shape (n_queries, n_features)
    neighbors : ndarray of shape (n_queries, n_neighbors)
    dimension : int
    frames : bool, default=True
        Whether tangents, normals and principal curvatures are wanted.

    Returns
    -------
    Shapes
        Fields that are not wanted, or not defined in this codimension, have no rows.
    """
    n, k = neighbors.shape
    m = points.shape[1]
    cubic = fits_cubic(k, dimension)
    q = n_cubic(dimension) if cubic else n_quadratic(dimension)
    with_frame = n if frames else 0
    with_normal = n if frames and dimension == m - 1 else 0
    shapes = Shapes(
        summary=np.empty((n, N_SUMMARY)),
        weights=np.empty((n, k)),
        mean=np.empty((n, m)),
        tangents=np.empty((with_frame, dimension, m)),
        normals=np.empty((with_normal, m)),
        principal=np.empty((with_normal, dimension)),
        directions=np.empty((with_normal, dimension, m)),
    )
    # One array type for each, so that the kernel compiles once.
    points, queries, neighbors = points.view(), queries.view(), neighbors.view()
    for array in (points, queries, neighbors):
        array.flags.writeable = False

    def block(start: int, stop: int) -> None:
        part = Shapes(*(field[start:stop] for field in shapes))
        rows = slice(start, stop)
        quadric_block(
            points, queries[rows], neighbors[rows], dimension, cubic, q, fewest_rows(q), part
        )

    work = (k + 1) * (q + min(k, m)) ** 2
    size = max(1, int(min(BLOCK_WORK / work, n / (8 * n_jobs))))
    run_blocks(block, n, size, n_jobs, progress)
    return shapes
