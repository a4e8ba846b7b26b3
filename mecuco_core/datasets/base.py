"""What a dataset is: the table as it came, where it came from, and a fingerprint of its content."""

import hashlib
import math
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import pandas as pd

from mecuco_core.datasets.fingerprint import (
    UnreadableValueError,
    feed_array,
    feed_column,
    feed_table,
    feed_tokens,
)
from mecuco_core.errors import DataError
from mecuco_core.runtime.wording import quoted
from mecuco_core.types import FloatArray

Source = Literal["bundled", "file", "manifold", "memory", "openml"]


@dataclass(frozen=True)
class Provenance:
    """Where a dataset came from, as far as it is known.

    Parameters
    ----------
    source : {"bundled", "file", "manifold", "memory", "openml"}
    identifier, version, licence, citation, url : str or None

    See Also
    --------
    Dataset : Has one.

    Examples
    --------
    >>> import mecuco as mc
    >>> mc.datasets.load_bundled("digits").provenance.source
    'bundled'
    """

    source: Source
    identifier: str | None = None
    version: str | None = None
    licence: str | None = None
    citation: str | None = None
    url: str | None = None


@dataclass(frozen=True, eq=False)
class Truth:
    """Curvature known from the formula of the surface a point was drawn from; read-only.

    Parameters
    ----------
    mean : ndarray of shape (n_points,)
        |H|, norm of the mean curvature vector.
    gaussian : ndarray of shape (n_points,) or None
        Gaussian curvature, of surfaces only.

    See Also
    --------
    load_manifold : Draws points whose curvature is known.

    Examples
    --------
    >>> import mecuco as mc
    >>> mc.datasets.load_manifold("sphere", n_points=3, R=2.0).truth.mean
    array([0.5, 0.5, 0.5])
    """

    mean: FloatArray  # (n_points,)  |H|, norm of the mean curvature vector
    gaussian: FloatArray | None = None  # (n_points,)  K, surfaces only

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", _read_only(self.mean))
        if self.gaussian is not None:
            object.__setattr__(self, "gaussian", _read_only(self.gaussian))


@dataclass(frozen=True)
class Vectors:
    """A column of vectors: the table holds one column for each of their components.

    Parameters
    ----------
    name : str
        Of the column of vectors.
    columns : tuple of str
        Names of the components in the table, in order.

    See Also
    --------
    Dataset : May have one.

    Examples
    --------
    >>> import mecuco as mc
    >>> import pandas as pd
    >>> table = pd.DataFrame({"text": ["a", "b"], "v[0]": [0.1, 0.2], "v[1]": [1.0, 0.0]})
    >>> vectors = mc.datasets.Vectors("v", ("v[0]", "v[1]"))
    >>> mc.datasets.Dataset("words", table, vectors=vectors).vectors.name
    'v'
    """

    name: str
    columns: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table with its own dtypes, an optional target, and everything known about it.

    Parameters
    ----------
    name : str
    table : DataFrame of shape (n_rows, n_features)
        The features as they came; the target is not among them. Not to be changed. Rows are known
        by position: the index carries no meaning. Names may repeat.
    target : Series of shape (n_rows,) or None
        In the order of the rows, whatever its index.
    provenance : Provenance
    image_shape : tuple of int or None
        (height, width) or (height, width, channels) when the features are pixels.
    truth : Truth or None
        The curvature at every row, where it is known.
    vectors : Vectors or None
        The columns of the table that are the components of one column of vectors: the points, with
        all other columns beside them as metadata.

    Attributes
    ----------
    fingerprint : str
        SHA-256 of every value, missing mark, name and dtype of table and target, and of the
        image shape, the truth and the vectors. Two datasets with one cell different never share
        it; name, provenance, index and memory layout are no part of it.

    See Also
    --------
    prepare : From the table to points.
    summarise : A first look at it.

    Examples
    --------
    >>> import mecuco as mc
    >>> import pandas as pd
    >>> table = pd.DataFrame({"length": [5.0, 4.0, 6.0], "kind": ["a", "b", "a"]})
    >>> data = mc.datasets.Dataset("leaves", table).with_target("kind")
    >>> data
    Dataset('leaves', 3 rows, 1 features, target='kind')
    >>> data.feature_names
    ['length']
    """

    name: str
    table: pd.DataFrame
    target: pd.Series | None = None
    provenance: Provenance = Provenance("memory")
    image_shape: tuple[int, ...] | None = None
    truth: Truth | None = None
    vectors: Vectors | None = None
    fingerprint: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        _check(self)
        # Copies on write: a caller who changes his table later does not change ours.
        object.__setattr__(self, "table", self.table.copy(deep=False))
        if self.target is not None:
            object.__setattr__(self, "target", self.target.copy(deep=False))
        if self.image_shape is not None:
            object.__setattr__(self, "image_shape", tuple(int(size) for size in self.image_shape))
        try:
            object.__setattr__(self, "fingerprint", _fingerprint(self))
        except UnreadableValueError as error:
            raise DataError(str(error)) from error

    def __repr__(self) -> str:
        return (
            f"Dataset({self.name!r}, {self.n_rows} rows, {self.n_features} features, "
            f"target={self.target_name!r})"
        )

    @property
    def feature_names(self) -> list[str]:
        """Names of the feature columns, in order."""
        return [str(name) for name in self.table.columns]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.table)

    @property
    def n_features(self) -> int:
        """Number of feature columns."""
        return self.table.shape[1]

    @property
    def target_name(self) -> str | None:
        """Name of the target, "target" where it has none of its own; None without a target."""
        if self.target is None:
            return None
        return "target" if self.target.name is None else str(self.target.name)

    def with_target(self, column: str | None) -> "Dataset":
        """Return the same dataset with `column` as target; the old target becomes a feature.

        The old target goes last, under its own name, or under the next free one ("target 2")
        where a feature already has it. With None there is no target.
        """
        if column == self.target_name:
            return self
        table = self.table
        if self.target is not None and self.target_name is not None:
            name = _free_name(self.target_name, self.feature_names)
            old = self.target.set_axis(table.index).rename(name)
            table = pd.concat([table, old], axis=1)
        if column is None:
            target = None
        else:
            position = _position(column, [str(name) for name in table.columns])
            target = table.iloc[:, position]
            table = table.iloc[:, [j for j in range(table.shape[1]) if j != position]]
        is_image = self.image_shape is not None and table.shape[1] == math.prod(self.image_shape)
        image_shape = self.image_shape if is_image else None
        return replace(self, table=table, target=target, image_shape=image_shape)


def _check(dataset: Dataset) -> None:
    n_rows, n_features = _shape(dataset.table)
    target, image_shape, truth = dataset.target, dataset.image_shape, dataset.truth
    if target is not None and not isinstance(target, pd.Series):
        raise DataError(f"target must be a pandas Series or None, got {type(target).__name__}")
    if target is not None and len(target) != n_rows:
        raise DataError(f"target must have one value per row: {len(target)} values, {n_rows} rows")
    if image_shape is not None and math.prod(image_shape) != n_features:
        raise DataError(
            f"image_shape {tuple(image_shape)} needs {math.prod(image_shape)} features, "
            f"the table has {n_features}"
        )
    if dataset.vectors is not None:
        absent = set(dataset.vectors.columns).difference(map(str, dataset.table.columns))
        if absent or not dataset.vectors.columns:
            raise DataError(
                f"vectors {quoted(dataset.vectors.name)} must be columns of the table, and "
                f"{quoted(min(absent, default=dataset.vectors.name))} is none"
            )
    for part in () if truth is None else (truth.mean, truth.gaussian):
        if part is not None and part.shape != (n_rows,):
            raise DataError(f"truth must have one value per row: shape {part.shape}, {n_rows} rows")


def _shape(table: object) -> tuple[int, int]:
    if not isinstance(table, pd.DataFrame):
        raise DataError(f"table must be a pandas DataFrame, got {type(table).__name__}")
    return table.shape


def _read_only(values: FloatArray) -> FloatArray:
    values = np.array(values, dtype=np.float64)
    values.flags.writeable = False
    return values


def _free_name(name: str, taken: list[str]) -> str:
    free, number = name, 2
    while free in taken:
        free, number = f"{name} {number}", number + 1
    return free


def _position(column: str, names: list[str]) -> int:
    """Position of the one column of that name."""
    count = names.count(column)
    if count == 0:
        raise DataError(f"target must be one of the columns, got {quoted(column)}")
    if count > 1:
        raise DataError(
            f"target must be one column, but {count} are called {quoted(column)}: rename them first"
        )
    return names.index(column)


def _fingerprint(dataset: Dataset) -> str:
    digest = hashlib.sha256()
    feed_table(digest, dataset.table)
    for label, part in (("target", dataset.target), ("truth", dataset.truth)):
        feed_tokens(digest, [label.encode(), b"no" if part is None else b"yes"])
    if dataset.target is not None:
        feed_column(digest, dataset.target)
    if dataset.truth is not None:
        feed_array(digest, dataset.truth.mean)
        if dataset.truth.gaussian is not None:
            feed_array(digest, dataset.truth.gaussian)
    feed_tokens(digest, [b"image", repr(dataset.image_shape).encode()])
    if dataset.vectors is not None:
        names = (dataset.vectors.name, *dataset.vectors.columns)
        feed_tokens(digest, [b"vectors", *(name.encode() for name in names)])
    return digest.hexdigest()
