"""The mean curvature of a surface as a scikit-learn estimator: an adapter of `shape_operator`."""

from typing import Literal

import numpy as np

from mecuco_core.neighbors.search import nearest
from mecuco_core.score.fitted_rows import FittedRows
from mecuco_core.surface.shape_operator import mean_curvatures, shape_operator
from mecuco_core.types import FloatArray, SearchMethod
from mecuco_core.validation import check_n_jobs


class MeanCurvature(FittedRows):
    """Mean curvature |H|, at every row, of a surface through the rows.

    It is estimated from a quadric through the neighbours of each row, as in `shape_operator`. The
    score of the paper is no such estimate: that is `CurvatureScore`. A row that was fitted keeps
    its number, so that `fit(X).transform(X)` equals `fit_transform(X)`.

    Parameters
    ----------
    n_neighbors : int or None, default=None
        Neighbours of a row; None finds the number with the smallest error bars.
    dimension : int or "auto", default=2
        Of the surface, less than n_features.
    search : {"auto", "exact", "approximate"}, default="auto"
        How neighbours of the fitted rows are found, as in `knn_graph`.
    seed : int, default=0
        Of an approximate search.
    n_jobs : int or None, default=None
        Threads; all processors for None. Changes the time, never the numbers.

    Attributes
    ----------
    shape_operator_ : ShapeOperator
        What was estimated at the fitted rows.
    n_neighbors_ : int
        Neighbours really used.
    dimension_ : int
        Dimension really used.
    n_features_in_ : int

    See Also
    --------
    shape_operator : The same as a function, with error bars and principal curvatures.
    CurvatureScore : The score of the paper.

    Examples
    --------
    >>> import mecuco as mc
    >>> sphere = mc.datasets.load_manifold("sphere", n_points=400, R=2.0).table
    >>> mc.MeanCurvature().fit_transform(sphere).mean().round(3)  # 1 / R
    np.float64(0.5)
    """

    def __init__(
        self,
        n_neighbors: int | None = None,
        *,
        dimension: int | Literal["auto"] = 2,
        search: SearchMethod = "auto",
        seed: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.dimension = dimension
        self.search = search
        self.seed = seed
        self.n_jobs = n_jobs

    def _fit_values(self, points: FloatArray) -> FloatArray:
        self.shape_operator_ = shape_operator(
            points,
            self.n_neighbors,
            dimension=self.dimension,
            search=self.search,
            seed=self.seed,
            n_jobs=self.n_jobs,
        )
        self.n_neighbors_ = self.shape_operator_.n_neighbors
        self.dimension_ = self.shape_operator_.dimension
        return self.shape_operator_.mean_curvature

    def _new_values(self, points: FloatArray, queries: FloatArray) -> FloatArray:
        threads, nobody = check_n_jobs(self.n_jobs), np.full(len(queries), -1)
        indices, _ = nearest(points, queries, self.n_neighbors_, nobody, threads)
        return mean_curvatures(points, queries, indices, self.dimension_, threads)
