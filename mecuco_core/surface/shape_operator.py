"""The shape operator at every point of a sampled surface: the public door to the quadrics."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from mecuco_core.kernels.surface.compiled_quadric import DETERMINED, REACH, RESIDUAL, Shapes
from mecuco_core.kernels.surface.quadric import fewest_neighbors, fits_cubic, n_quadratic
from mecuco_core.neighbors.graph import KnnGraph, as_graph, knn_graph, metric_of
from mecuco_core.runtime.metric import in_metric
from mecuco_core.runtime.progress import Stages
from mecuco_core.runtime.results import ReadOnly
from mecuco_core.surface.error_bars import error_bars, excess_curvature
from mecuco_core.surface.intrinsic_dimension import (
    N_NEIGHBORS,
    IntrinsicDimension,
    intrinsic_dimension,
)
from mecuco_core.surface.local_quadrics import local_quadrics
from mecuco_core.surface.orientation import orientation
from mecuco_core.surface.patch_size import suggested_n_neighbors
from mecuco_core.types import BoolArray, FloatArray, IntArray, Progress, SearchMethod
from mecuco_core.validation import check_n_jobs, check_n_neighbors, check_points

if TYPE_CHECKING:
    import pandas as pd

SMALLEST_FIT = 0.8
LARGEST_REACH = 0.8
"""Squared radius of a patch over that of curvature; a surface that turns away farther is lost."""

LARGEST_FRAME_BYTES = 4 * 2**30


@dataclass(frozen=True, eq=False)
class ShapeOperator(ReadOnly):
    """How a sampled surface bends at every point, with the settings that produced it.

    It behaves as the array of |H| where an array is wanted. A direction in which the surface
    bends towards the normal has a positive curvature.

    Attributes
    ----------
    mean_curvature : ndarray of shape (n_points,)
        |H|, the length of the mean curvature vector: the mean of the principal curvatures, up to
        its sign, for a hypersurface.
    mean_curvature_vector : ndarray of shape (n_points, n_features)
        Normal to the surface.
    error : ndarray of shape (n_points,)
        One standard error of |H|; infinite where the neighbours do not determine a quadric.
    fit : ndarray of shape (n_points,)
        1 minus the variance of the neighbours off the quadric over their variance along one
        tangent, not below 0. 1: they lie on it. 0: they leave it as far as they follow it, or
        determine none.
    poor : ndarray of bool of shape (n_points,)
        Fits not to be trusted: neighbours that do not determine a quadric (equal or in a line),
        `fit` below 0.8, or a patch as wide as the radius of curvature (0.9 of it and more).
    tangents : ndarray of shape (n_points, dimension, n_features) or None
        Orthonormal. None if made with `frames=False`, as the next four.
    normals : ndarray of shape (n_points, n_features) or None
        Unit normals of a hypersurface, neighbouring ones on the same side as far as it has sides,
        turned so that it bends towards them on average. None in higher codimension, as the next
        three.
    principal_curvatures : ndarray of shape (n_points, dimension) or None
        Descending.
    principal_directions : ndarray of shape (n_points, dimension, n_features) or None
        Orthonormal tangents, each for one principal curvature.
    gaussian_curvature : ndarray of shape (n_points,) or None
        Product of the principal curvatures.
    dimension : int
    intrinsic : IntrinsicDimension or None
        How the dimension was found, if it was not given.
    degree : {2, 3}
        Degree of the terms fitted: the third where there are neighbours enough.
    n_neighbors : int
    graph : KnnGraph

    See Also
    --------
    shape_operator : Makes one from points.
    MeanCurvature : |H| as a scikit-learn estimator.

    Examples
    --------
    >>> import mecuco as mc
    >>> torus = mc.datasets.load_manifold("torus", n_points=600).table
    >>> surface = mc.shape_operator(torus, 30)
    >>> surface
    ShapeOperator(600 points, dimension=2, n_neighbors=30, search='exact')
    >>> surface.principal_curvatures.shape
    (600, 2)
    >>> surface.to_frame().columns[:5].tolist()
    ['row', 'mean_curvature', 'error', 'fit', 'poor_fit']
    """

    mean_curvature: FloatArray
    mean_curvature_vector: FloatArray
    error: FloatArray
    fit: FloatArray
    poor: BoolArray
    tangents: FloatArray | None
    normals: FloatArray | None
    principal_curvatures: FloatArray | None
    principal_directions: FloatArray | None
    gaussian_curvature: FloatArray | None
    dimension: int
    intrinsic: IntrinsicDimension | None
    degree: int
    n_neighbors: int
    graph: KnnGraph

    @property
    def mode(self) -> Literal["quadric"]:
        """What to ask `mecuco score` for."""
        return "quadric"

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what to bear in mind of these numbers; empty where there is nothing."""
        found = list(self.graph.notes)
        if self.intrinsic is not None:
            found.append(
                f"The dimension {self.dimension} was estimated: {self.intrinsic.estimate:.2f} ± "
                f"{self.intrinsic.error:.2f}, {self.intrinsic.confidence:.0%} sure."
            )
        if self.poor.any():
            found.append(
                f"{int(self.poor.sum())} of {len(self)} fits are poor: their estimates should not "
                "be trusted."
            )
        return tuple(found)

    def to_frame(self) -> "pd.DataFrame":
        """Return one line for every point, with the columns of docs/exports.md."""
        import pandas as pd

        return pd.DataFrame({"row": np.arange(len(self))} | surface_columns(self))

    @property
    def values(self) -> FloatArray:
        """|H|, (n_points,)."""
        return self.mean_curvature

    def __len__(self) -> int:
        return len(self.mean_curvature)

    def __repr__(self) -> str:
        return (
            f"ShapeOperator({len(self)} points, dimension={self.dimension}, "
            f"n_neighbors={self.n_neighbors}, search={self.graph.method!r})"
        )

    def __getitem__(self, item: Any) -> Any:
        return self.mean_curvature[item]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> FloatArray:
        return np.array(self.mean_curvature, dtype=dtype, copy=copy)


def shape_operator(
    points: ArrayLike,
    n_neighbors: int | None = None,
    *,
    dimension: int | Literal["auto"] = 2,
    graph: KnnGraph | ArrayLike | None = None,
    search: SearchMethod = "auto",
    seed: int = 0,
    frames: bool = True,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> ShapeOperator:
    """Estimate the shape operator at every point from a quadric through its neighbours.

    In coordinates t along the surface and y off it, y = c + g t + ½ Q(t, t) is fitted by least
    squares to the point and its neighbours; Q is the second fundamental form once the frame is
    turned until g vanishes. Three things make it accurate (docs/method.md section 9). Terms of
    third degree are fitted along where neighbours allow. Terms of fourth degree and more that Q
    itself implies are taken off, which makes spheres and cylinders exact. Neighbours at the rim
    that are there only because noise brought them near are left out.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
        On or near a smooth surface. Scaling each column on its own would bend it.
    n_neighbors : int or None
        Neighbours of a point. None tries 3 (1 + d + d (d + 1) / 2), where d is the dimension
        (2 (...) for d > 3), and 1.5 times as many again and again up to a tenth of the points,
        and takes those with the smallest error bars; or with `graph` given, all its columns.
    dimension : int or "auto", default=2
        Of the surface, less than n_features. "auto" is found as in `intrinsic_dimension`.
    graph : KnnGraph or array-like of shape (n_points, k), optional
        Neighbours to use instead of searching; of more than wanted the nearest are taken.
    search : {"auto", "exact", "approximate"}, default="auto"
        As for `knn_graph`; without a meaning where `graph` is given.
    seed : int, default=0
        Of an approximate search.
    frames : bool, default=True
        Whether tangents, normals and principal curvatures are kept.
    n_jobs : int or None
        Threads; all processors for None. Changes the time, never the numbers.
    progress : callable or None
        Called with (done, total); may raise to stop the work. Then nothing is kept.

    Returns
    -------
    ShapeOperator

    See Also
    --------
    MeanCurvature : |H| as a scikit-learn estimator.
    intrinsic_dimension : What `dimension="auto"` uses.
    curvature : The score of the paper, which is no mean curvature.

    Examples
    --------
    >>> import mecuco as mc
    >>> sphere = mc.datasets.load_manifold("sphere", n_points=400, R=2.0).table
    >>> surface = mc.shape_operator(sphere, 30, dimension=2)
    >>> surface.mean_curvature.mean().round(3)  # 1 / R
    np.float64(0.5)
    >>> int(surface.poor.sum())
    0
    """
    clean = check_points(points)
    n_points, n_features = clean.shape
    threads = check_n_jobs(n_jobs)
    d = _check_dimension(dimension, n_features)
    if isinstance(n_neighbors, str):
        raise TypeError(f"n_neighbors must be a whole number or None, got {n_neighbors!r}")
    clean = in_metric(clean, metric_of(graph))
    found = None if graph is None else as_graph(graph, clean, n_neighbors, threads)
    intrinsic = None
    if d is None:
        near = found or knn_graph(
            clean, min(N_NEIGHBORS, n_points - 1), search=search, seed=seed, n_jobs=threads
        )
        intrinsic = intrinsic_dimension(clean, graph=near)
        d = intrinsic.dimension
    _check_rows(d, n_points)
    if frames:
        _check_frames(n_points, n_features, d)
    stages = Stages(progress, n_points if found else 2 * n_points)
    if found is None:
        if n_neighbors is None:
            k = suggested_n_neighbors(clean, d, threads)
        else:
            k = check_n_neighbors(n_neighbors, n_points)
        _check_enough(k, d)
        report = stages.next(n_points)
        found = knn_graph(clean, k, search=search, seed=seed, n_jobs=threads, progress=report)
    _check_enough(found.n_neighbors, d)
    shapes = local_quadrics(clean, clean, found.indices, d, threads, stages.next(n_points), frames)
    return _assembled(shapes, found, d, intrinsic)


def surface_columns(result: ShapeOperator) -> dict[str, Any]:
    """Return the columns of a surface by their names in docs/exports.md, each (n_points,)."""
    columns: dict[str, Any] = {
        "mean_curvature": result.mean_curvature,
        "error": result.error,
        "fit": result.fit,
        "poor_fit": result.poor.astype(np.int64),
    }
    if result.principal_curvatures is not None:
        columns["gaussian_curvature"] = result.gaussian_curvature
        for j, values in enumerate(result.principal_curvatures.T):
            columns[f"principal_curvature_{j + 1}"] = values
    return columns | {"knn_distance": result.graph.distances[:, -1]}


def mean_curvatures(
    points: FloatArray, queries: FloatArray, neighbors: IntArray, dimension: int, n_jobs: int
) -> FloatArray:
    """Return |H| at checked queries, (n_queries,), from their neighbours among checked points.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    queries : ndarray of shape (n_queries, n_features)
    neighbors : ndarray of shape (n_queries, n_neighbors)
        Rows of points.
    dimension : int
    n_jobs : int
    """
    shapes = local_quadrics(points, queries, neighbors, dimension, n_jobs, frames=False)
    return np.asarray(np.linalg.norm(shapes.mean, axis=1))


def _assembled(
    shapes: Shapes, graph: KnnGraph, d: int, intrinsic: IntrinsicDimension | None
) -> ShapeOperator:
    """Put what the kernel found together: error bars, warnings, and one side for the normals."""
    k, summary = graph.n_neighbors, shapes.summary
    length = np.asarray(np.linalg.norm(shapes.mean, axis=1))
    excess = excess_curvature(shapes.mean, graph.indices, shapes.weights)
    fit = np.clip(1.0 - summary[:, RESIDUAL], 0.0, 1.0) * (summary[:, DETERMINED] > 0.0)
    hypersurface = len(shapes.normals) > 0
    normals, principal, directions = shapes.normals, shapes.principal, shapes.directions
    if hypersurface:
        signs = orientation(normals, graph.indices, principal.mean(axis=1))
        normals *= signs[:, None]
        turned = signs < 0.0
        principal[turned] = -principal[turned, ::-1]
        directions[turned] = directions[turned, ::-1]
    return ShapeOperator(
        mean_curvature=length,
        mean_curvature_vector=shapes.mean,
        error=error_bars(summary, length, excess, d, len(graph) / k),
        fit=fit,
        poor=(fit < SMALLEST_FIT) | (summary[:, REACH] > LARGEST_REACH),
        tangents=shapes.tangents if len(shapes.tangents) else None,
        normals=normals if hypersurface else None,
        principal_curvatures=principal if hypersurface else None,
        principal_directions=directions if hypersurface else None,
        gaussian_curvature=principal.prod(axis=1) if hypersurface else None,
        dimension=d,
        intrinsic=intrinsic,
        degree=3 if fits_cubic(k, d) else 2,
        n_neighbors=k,
        graph=graph,
    )


def _check_dimension(dimension: object, n_features: int) -> int | None:
    """Return the dimension, or None for "auto"."""
    if n_features < 2:
        raise ValueError(
            "points must have at least 2 features to lie on a surface, got n_features = 1"
        )
    if isinstance(dimension, str) and dimension == "auto":
        return None
    if isinstance(dimension, bool) or not isinstance(dimension, int | np.integer):
        raise TypeError(f"dimension must be a whole number or 'auto', got {dimension!r}")
    if not 1 <= dimension < n_features:
        raise ValueError(
            f"dimension must be in [1, {n_features - 1}] for points with {n_features} features, "
            f"got {dimension}"
        )
    return int(dimension)


def _check_rows(d: int, n_points: int) -> None:
    least = fewest_neighbors(d) + 1
    if n_points < least:
        raise ValueError(
            f"points must have at least {least} rows for a quadric of dimension {d}, got {n_points}"
        )


def _check_enough(k: int, d: int) -> None:
    if k < fewest_neighbors(d):
        raise ValueError(
            f"n_neighbors must be at least {fewest_neighbors(d)} for a quadric of dimension {d}, "
            f"which has {n_quadratic(d)} unknowns, got {k}"
        )


def _check_frames(n: int, m: int, d: int) -> None:
    n_bytes = 8 * n * d * m * (2 if d == m - 1 else 1)
    if n_bytes > LARGEST_FRAME_BYTES:
        raise ValueError(
            f"the tangents of {n} points in {m} dimensions would need {n_bytes / 2**30:.0f} GiB: "
            "pass frames=False to do without them"
        )
