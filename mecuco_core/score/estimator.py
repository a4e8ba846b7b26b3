"""The paper's score as a scikit-learn estimator: a thin adapter over `curvature`."""

import numpy as np

from mecuco_core.neighbors.graph import KnnGraph
from mecuco_core.neighbors.search import nearest
from mecuco_core.runtime.metric import check_metric, in_metric
from mecuco_core.score.curvature import curvature, scored
from mecuco_core.score.fitted_rows import FittedRows
from mecuco_core.types import FloatArray, Metric, Mode, SearchMethod
from mecuco_core.validation import check_n_jobs


class CurvatureScore(FittedRows):
    """Score of every row by its neighbours in the fitted data.

    The score is high for rows in sparse places and at the boundary. It is not the mean curvature
    of a surface: that is `MeanCurvature`. A row that was fitted keeps its score, so that
    `fit(X).transform(X)` equals `fit_transform(X)`, by an approximate search too.

    Parameters
    ----------
    n_neighbors : int, "log2" or None, default="log2"
        Neighbours of a row; round(log2 n_samples) for "log2" and None.
    mode : {"original", "exact", "fast", "haar", "auto"}, default="haar"
        As in `curvature`.
    search : {"auto", "exact", "approximate"}, default="auto"
        How neighbours of the fitted rows are found, as in `knn_graph`.
    seed : int, default=0
        Of an approximate search.
    metric : {"euclidean", "cosine"}, default="euclidean"
        With "cosine" the rows are scaled to length one first.
    n_jobs : int or None, default=None
        Threads; all processors for None. Changes the time, never the numbers.

    Attributes
    ----------
    curvature_ : Curvature
        The scores of the fitted rows; an array of shape (n_samples,) where one is wanted.
    n_neighbors_ : int
        Neighbours really used.
    mode_ : str
        Mode really used.
    n_features_in_ : int

    See Also
    --------
    curvature : The same as a function, with more to look at.
    MeanCurvature : The mean curvature of a surface through the rows.

    Examples
    --------
    >>> import mecuco as mc
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> table = mc.datasets.load_bundled("wine").table
    >>> model = make_pipeline(StandardScaler(), mc.CurvatureScore(7))
    >>> scores = model.fit_transform(table)
    >>> scores.shape, bool((model.transform(table) == scores).all())
    ((178, 1), True)
    """

    def __init__(
        self,
        n_neighbors: int | str | None = "log2",
        *,
        mode: Mode = "haar",
        search: SearchMethod = "auto",
        seed: int = 0,
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.mode = mode
        self.search = search
        self.seed = seed
        self.metric = metric
        self.n_jobs = n_jobs

    def _fit_values(self, points: FloatArray) -> FloatArray:
        self.curvature_ = curvature(
            points,
            self.n_neighbors,
            mode=self.mode,
            search=self.search,
            seed=self.seed,
            metric=self.metric,
            n_jobs=self.n_jobs,
        )
        self.n_neighbors_ = self.curvature_.n_neighbors
        self.mode_: Mode = self.curvature_.mode
        return self.curvature_.values

    def _new_values(self, points: FloatArray, queries: FloatArray) -> FloatArray:
        threads, nobody = check_n_jobs(self.n_jobs), np.full(len(queries), -1)
        points, queries = (in_metric(rows, check_metric(self.metric)) for rows in (points, queries))
        indices, distances = nearest(points, queries, self.n_neighbors_, nobody, threads)
        return scored(points, KnnGraph(indices, distances, "exact"), self.mode_, threads).values
