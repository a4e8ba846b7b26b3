"""From a table to points: choose columns and rows, encode, fill, scale, and say what was done."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.fingerprint import feed_array, feed_tokens, token
from mecuco_core.errors import DataError
from mecuco_core.preparation.assembly import MISSING, Missing, assembled
from mecuco_core.preparation.columns import recognise
from mecuco_core.preparation.report import Note, Report
from mecuco_core.preparation.sampling import sample_rows
from mecuco_core.preparation.scaling import SCALES, Scale
from mecuco_core.preparation.selection import MIN_ROWS, CompleteRows, chosen_columns, complete_rows
from mecuco_core.runtime.metric import in_metric, zero_rows
from mecuco_core.runtime.wording import counted, quoted
from mecuco_core.types import METRICS, FloatArray, IntArray, Metric

Categories = Literal["codes", "one-hot", "drop"]
CATEGORIES: tuple[Categories, ...] = get_args(Categories)


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise DataError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")


def _checked_count(name: str, value: object, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise DataError(f"{name} must be a whole number, at least {least}, got {value!r}")
    return int(value)


@dataclass(frozen=True)
class Preparation:
    """How a table becomes points. The default is the paper's protocol.

    Parameters
    ----------
    categories : {"codes", "one-hot", "drop"}
        "codes": integers from 0 in the order of the categories. "one-hot": one 0/1 feature for
        each category that occurs. "drop": left out.
    missing : {"zero", "median", "drop rows"}
        What takes the place of missing and infinite values. "zero": 0, and for categories the code
        -1 (under "one-hot": no feature is 1). "median": the median of the column, 0 when it has
        none, and for categories the most frequent one. "drop rows": the row is left out; a column
        with nothing but missing values is left out instead.
    scale : {"standard", "robust", "min-max", "none"}
        See `scale_features`.
    include : tuple of str or None
        Use these columns and no others, also those left out by themselves: text and identifiers
        then become codes, dates become days. None for all that are fit.
    exclude : tuple of str
        Columns not to use.
    n_rows : int or None
        Size of a random sample of the rows, drawn after rows were dropped; None for all rows.
    stratify : bool
        Whether the sample keeps the share of each class of the target.
    seed : int
        Of the sample.
    metric : {"euclidean", "cosine"}
        "cosine" scales every point to length one, after its features: points are compared by their
        directions. Rows that became all zeros have none and are left out.

    See Also
    --------
    prepare : Does it.

    Examples
    --------
    >>> import mecuco as mc
    >>> preparation = mc.datasets.Preparation(scale="none", exclude=("proline",), n_rows=100)
    >>> mc.datasets.prepare(mc.datasets.load_bundled("wine"), preparation)
    Prepared(100 points, 12 features)
    """

    categories: Categories = "codes"
    missing: Missing = "zero"
    scale: Scale = "standard"
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    n_rows: int | None = None
    stratify: bool = False
    seed: int = 0
    metric: Metric = "euclidean"

    def __post_init__(self) -> None:
        _check_choice("categories", self.categories, CATEGORIES)
        _check_choice("missing", self.missing, MISSING)
        _check_choice("scale", self.scale, SCALES)
        _check_choice("metric", self.metric, METRICS)
        for label in ("include", "exclude"):
            names = getattr(self, label)
            if isinstance(names, str):
                raise DataError(f"{label} must be a list of column names, got the text {names!r}")
            if names is not None:
                object.__setattr__(self, label, tuple(str(name) for name in names))
        both = sorted(set(self.include or ()) & set(self.exclude))
        if both:
            raise DataError(f"column {quoted(both[0])} is both included and excluded: choose one")
        if self.n_rows is not None:
            object.__setattr__(self, "n_rows", _checked_count("n_rows", self.n_rows, MIN_ROWS))
        object.__setattr__(self, "seed", _checked_count("seed", self.seed, 0))

    @classmethod
    def paper(cls) -> "Preparation":
        """Return the protocol that reproduces the paper's tables.

        Category columns become integer codes (-1 where missing), other missing values become 0,
        then every column is standardised; constant columns become 0.
        """
        return cls()


PAPER = Preparation.paper()


@dataclass(frozen=True, eq=False)
class Prepared:
    """Points, and where each of them and of their features came from.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features), C-contiguous, read-only
    feature_names : tuple of str
        All different.
    rows : ndarray of shape (n_points,), ascending, read-only
        Position in the table of each point's row.
    target : Series of shape (n_points,) or None
        In the order of the points.
    report : Report
    preparation : Preparation

    Attributes
    ----------
    fingerprint : str
        SHA-256 of the points and the names of the features.

    See Also
    --------
    prepare : Makes them from a dataset.

    Examples
    --------
    >>> import mecuco as mc
    >>> prepared = mc.datasets.prepare(mc.datasets.load_bundled("iris"))
    >>> prepared
    Prepared(150 points, 4 features)
    >>> prepared.points.shape, prepared.rows[:3].tolist()
    ((150, 4), [0, 1, 2])
    """

    points: FloatArray
    feature_names: tuple[str, ...]
    rows: IntArray
    target: "pd.Series | None"
    report: Report
    preparation: Preparation
    fingerprint: str = field(init=False)

    def __post_init__(self) -> None:
        self.points.flags.writeable = False
        self.rows.flags.writeable = False
        digest = hashlib.sha256()
        feed_tokens(digest, [token(self.points.shape), *map(token, self.feature_names)])
        feed_array(digest, self.points)
        object.__setattr__(self, "fingerprint", digest.hexdigest())

    def __repr__(self) -> str:
        n_points, n_features = self.points.shape
        return f"Prepared({n_points} points, {n_features} features)"


def prepare(dataset: Dataset, preparation: Preparation = PAPER) -> Prepared:
    """Turn the table of a dataset into points.

    Parameters
    ----------
    dataset : Dataset
    preparation : Preparation, default=Preparation.paper()

    Returns
    -------
    Prepared
        With a report of everything that was done.

    Raises
    ------
    DataError
        When a name is unknown, no column can be used, or fewer than three rows are left.

    See Also
    --------
    Preparation : How it can be done.
    curvature : What the points are for.

    Examples
    --------
    >>> import mecuco as mc
    >>> prepared = mc.datasets.prepare(mc.datasets.load_bundled("iris"))
    >>> prepared
    Prepared(150 points, 4 features)
    >>> bool(abs(prepared.points.mean(axis=0)).max() < 1e-12)  # standardised
    True
    """
    if dataset.n_rows < MIN_ROWS:
        raise DataError(
            f"{dataset.name!r} has {counted(dataset.n_rows, 'row')}: at least {MIN_ROWS} are needed"
        )
    table, missing = dataset.table, preparation.missing
    used, left_out = chosen_columns(
        recognise(table),
        preparation.include,
        preparation.exclude,
        drop_categories=preparation.categories == "drop",
    )
    available = CompleteRows(np.arange(dataset.n_rows), used, [], [])
    if missing == "drop rows":
        available = complete_rows(table, used)
    rows = _sampled(dataset, available.rows, preparation)
    work = assembled(
        table,
        available.columns,
        rows,
        one_hot=preparation.categories == "one-hot",
        missing=missing,
        scale=preparation.scale,
    )
    sampled = len(rows) < len(available.rows)
    n_zero, points = 0, work.points
    if preparation.metric == "cosine":
        zero = zero_rows(points)
        n_zero, rows = int(zero.sum()), rows[~zero]
        if len(rows) < MIN_ROWS:
            raise DataError(
                f"{counted(len(rows), 'row')} of {dataset.name!r} have a value other than 0, and "
                f"metric 'cosine' needs {MIN_ROWS}: choose 'euclidean'"
            )
        points = in_metric(points[~zero], "cosine")
    report = Report(
        n_rows=dataset.n_rows,
        n_columns=dataset.n_features,
        n_points=len(rows),
        n_features=len(work.feature_names),
        scale=preparation.scale,
        metric=preparation.metric,
        used=tuple(column.name for column in work.columns),
        left_out=(*left_out, *available.left_out, *work.left_out),
        encoded=tuple(work.encoded),
        notes=tuple(Note(column.name, column.note) for column in work.columns if column.note),
        infinite=tuple(work.infinite),
        filled=tuple(work.filled),
        empty=tuple(work.empty),
        constant=tuple(work.constant),
        by_deviation=tuple(work.by_deviation),
        renamed=tuple(work.renamed),
        duplicate_rows=work.duplicate_rows - max(0, n_zero - 1),
        dropped_for=tuple(available.missing_in),
        n_rows_dropped=dataset.n_rows - len(available.rows),
        n_rows_zero=n_zero,
        n_rows_sampled=len(work.points) if sampled else None,
        stratified=sampled and preparation.stratify,
        seed=preparation.seed if sampled else None,
        remarks=tuple(_remarks(dataset, preparation, len(available.rows))),
    )
    target = dataset.target
    return Prepared(
        points=points,
        feature_names=tuple(work.feature_names),
        rows=rows,
        target=None if target is None else target.iloc[rows].reset_index(drop=True),
        report=report,
        preparation=preparation,
    )


def _sampled(dataset: Dataset, rows: IntArray, preparation: Preparation) -> IntArray:
    n_rows = preparation.n_rows
    if n_rows is None or n_rows >= len(rows):
        return rows
    if not preparation.stratify:
        return sample_rows(rows, n_rows, preparation.seed)
    if dataset.target is None:
        raise DataError(
            f"stratify needs a target and {dataset.name!r} has none: choose one, or sample without"
        )
    return sample_rows(rows, n_rows, preparation.seed, dataset.target.iloc[rows])


def _remarks(dataset: Dataset, preparation: Preparation, n_available: int) -> Iterator[str]:
    n_rows = preparation.n_rows
    if n_rows is not None and n_rows >= n_available:
        yield f"All rows are kept: {n_rows:,} were asked for and there are {n_available:,}."
    elif n_rows is not None and preparation.stratify and dataset.target is not None:
        n_classes = dataset.target.nunique(dropna=False)
        if n_classes > n_rows:
            yield (
                f"The sample of {n_rows:,} rows cannot hold a row of each of the {n_classes:,} "
                "classes."
            )
    bent = preparation.scale != "none" or preparation.metric != "euclidean"
    if dataset.truth is not None and bent:
        yield (
            "The known curvature belongs to the points as they came, and scaling bends them: "
            "compare with it under the scale 'none' and the metric 'euclidean'."
        )
