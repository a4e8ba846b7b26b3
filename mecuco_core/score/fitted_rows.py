"""What the scikit-learn estimators share: rows that were fitted have the numbers of the fit."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mecuco_core.types import FloatArray, IntArray
from mecuco_core.validation import check_points


class FittedRows(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):
    """A number for every row, by its neighbours among the rows that were fitted."""

    @abstractmethod
    def _fit_values(self, points: FloatArray) -> FloatArray:
        """Compute and keep the result of the fitted rows; return its values (n_samples,)."""

    @abstractmethod
    def _new_values(self, points: FloatArray, queries: FloatArray) -> FloatArray:
        """Return the values of rows that were not fitted, (n_queries,)."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Compute the numbers of the rows of X, and keep the rows for later ones.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            At least three rows; a sparse matrix is made dense if that fits.
        y : None
            Not used.

        Returns
        -------
        self
        """
        rows = validate_data(
            self,
            X,
            accept_sparse="csr",
            dtype=np.float64,
            order="C",
            ensure_min_samples=3,
            copy=True,
        )
        self._fit_rows = check_points(rows, name="X")
        self._fit_numbers = self._fit_values(self._fit_rows)
        self._fit_places: dict[bytes, list[int]] = {}
        for index, row in enumerate(self._fit_rows + 0.0):  # -0.0 equals 0.0
            self._fit_places.setdefault(row.tobytes(), []).append(index)
        self._n_features_out = 1
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None, **fit_params: Any) -> FloatArray:
        """Fit the rows of X and return their numbers as one column.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Not used.
        **fit_params
            Not used.

        Returns
        -------
        ndarray of shape (n_samples, 1)
        """
        self.fit(X, y)
        # A copy: what comes after in a pipeline may change it in place.
        return self._fit_numbers.reshape(-1, 1).copy()

    def transform(self, X: ArrayLike) -> FloatArray:
        """Return the numbers of the rows of X as one column.

        A row that was fitted has the number it had there; neighbours of other rows are searched
        exactly among the fitted ones.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        ndarray of shape (n_queries, 1)
        """
        check_is_fitted(self)
        rows = validate_data(self, X, accept_sparse="csr", dtype=np.float64, order="C", reset=False)
        queries = check_points(rows, name="X", min_points=1)
        known = self._fitted_index(queries)
        new = known < 0
        values = self._fit_numbers[known]
        if new.any():
            values[new] = self._new_values(check_points(self._fit_rows), queries[new])
        return np.asarray(values.reshape(-1, 1))

    def _fitted_index(self, queries: FloatArray) -> IntArray:
        """Index of the fitted row equal to each query, -1 where there is none.

        Of equal rows the first query is the first fitted one, the second the second: an
        approximate search may have found other neighbours for each.
        """
        seen: dict[bytes, int] = {}
        found = np.full(len(queries), -1, dtype=np.int64)
        for index, row in enumerate(queries + 0.0):
            key = row.tobytes()
            if places := self._fit_places.get(key):
                count = seen.get(key, 0)
                found[index] = places[count % len(places)]
                seen[key] = count + 1
        return found
