"""Scores as a scikit-learn estimator: a thin adapter over `curvature` and `shape_operator`."""

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mecuco_core.neighbors.graph import KnnGraph
from mecuco_core.neighbors.search import nearest
from mecuco_core.score.curvature import Curvature, curvature, scored
from mecuco_core.surface.shape_operator import ShapeOperator, mean_curvatures, shape_operator
from mecuco_core.types import MODES, FloatArray, IntArray, Mode
from mecuco_core.validation import check_n_jobs, check_points

ESTIMATED = (*MODES, "quadric")


class MeanCurvature(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Score of every row by its neighbours in the fitted data.

    A row that is one of the fitted rows is scored as there, without itself among its neighbours,
    so that `fit(X).transform(X)` equals `fit_transform(X)`. High scores are unusual rows.

    Parameters
    ----------
    n_neighbors : int, "log2" or None, default="log2"
        Neighbours of a row; round(log2 n_samples) for "log2" and None, but for "quadric", which
        then finds its own number as in `shape_operator`.
    mode : {"original", "exact", "fast", "haar", "auto", "quadric"}, default="haar"
        As in `curvature`. "quadric" is no score of the paper: it estimates the mean curvature
        |H| of a surface through the rows, as in `shape_operator`.
    dimension : int or "auto", default=2
        Dimension of that surface, less than n_features; the other modes know none.
    n_jobs : int or None, default=None
        Threads; all processors for None.

    Attributes
    ----------
    curvature_ : Curvature or ShapeOperator
        The scores of the fitted rows; an array of shape (n_samples,) where one is wanted.
    n_neighbors_ : int
        Neighbours really used.
    mode_ : str
        Mode really used.
    dimension_ : int or None
        Dimension really used; None but for "quadric".
    n_features_in_ : int
    """

    def __init__(
        self,
        n_neighbors: int | str | None = "log2",
        mode: Mode | Literal["quadric"] = "haar",
        n_jobs: int | None = None,
        dimension: int | Literal["auto"] = 2,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.mode = mode
        self.dimension = dimension
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Score the rows of X (n_samples, n_features) and keep them for later ones."""
        rows = validate_data(
            self,
            X,
            accept_sparse="csr",
            dtype=np.float64,
            order="C",
            ensure_min_samples=3,
            copy=True,
        )
        self._fit_rows = check_points(rows, name="X")  # a sparse X is made dense if that fits
        if self.mode not in ESTIMATED:
            raise ValueError(f"mode must be one of {', '.join(ESTIMATED)}, got {self.mode!r}")
        result: Curvature | ShapeOperator
        self.dimension_: int | None = None
        if self.mode == "quadric":
            k = None if isinstance(self.n_neighbors, str) else self.n_neighbors
            result = shape_operator(self._fit_rows, k, self.dimension, n_jobs=self.n_jobs)
            self.dimension_ = result.dimension
        else:
            result = curvature(self._fit_rows, self.n_neighbors, self.mode, n_jobs=self.n_jobs)
        self.curvature_ = result
        self.n_neighbors_ = result.n_neighbors
        self.mode_: Mode | Literal["quadric"] = result.mode
        self._n_features_out = 1
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None, **fit_params: Any) -> FloatArray:
        """Score the rows of X and return them as one column (n_samples, 1)."""
        self.fit(X, y)
        # A copy: what comes after in a pipeline may change it in place.
        return self.curvature_.values.reshape(-1, 1).copy()

    def transform(self, X: ArrayLike) -> FloatArray:
        """Return the scores of the rows of X as one column (n_samples, 1)."""
        return self.score_samples(X).reshape(-1, 1)

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Return the score of every row of X (n_samples,); high is unusual."""
        check_is_fitted(self)
        rows = validate_data(self, X, accept_sparse="csr", dtype=np.float64, order="C", reset=False)
        queries = check_points(rows, name="X", min_points=1)
        points = check_points(self._fit_rows)
        threads = check_n_jobs(self.n_jobs)
        indices, distances = nearest(
            points, queries, self.n_neighbors_, self._fitted_index(queries), threads
        )
        if self.mode_ == "quadric":
            assert self.dimension_ is not None
            return mean_curvatures(points, queries, indices, self.dimension_, threads)
        graph = KnnGraph(indices, distances, "exact")
        return scored(points, graph, self.mode_, threads).values

    def _fitted_index(self, queries: FloatArray) -> IntArray:
        """Index of the fitted row equal to each query, -1 where there is none."""
        first: dict[bytes, int] = {}
        for index, row in enumerate(self._fit_rows + 0.0):  # -0.0 equals 0.0
            first.setdefault(row.tobytes(), index)
        return np.array([first.get(row.tobytes(), -1) for row in queries + 0.0], dtype=np.int64)
