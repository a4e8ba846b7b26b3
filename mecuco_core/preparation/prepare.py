"""From a table to points: choose columns and rows, encode, fill, scale, and say what was done."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.fingerprint import feed_array, feed_tokens, token
from mecuco_core.errors import DataError
from mecuco_core.preparation.assembly import How, assembled
from mecuco_core.preparation.columns import Column, recognise
from mecuco_core.preparation.features.components import principal_components
from mecuco_core.preparation.mending.roles import beside_vectors, with_roles
from mecuco_core.preparation.mending.table import mended_table
from mecuco_core.preparation.protocol import PAPER, VECTORS, Preparation
from mecuco_core.preparation.report import Note, Report
from mecuco_core.preparation.sampling import sample_rows
from mecuco_core.preparation.selection import MIN_ROWS, CompleteRows, chosen_columns, complete_rows
from mecuco_core.runtime.metric import in_metric, zero_rows
from mecuco_core.runtime.wording import counted, quoted
from mecuco_core.types import FloatArray, IntArray


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


def prepare(dataset: Dataset, preparation: Preparation | None = None) -> Prepared:
    """Turn the table of a dataset into points.

    Parameters
    ----------
    dataset : Dataset
    preparation : Preparation or None
        None for the paper's protocol; the components of a column of vectors stay as they are.

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
    if preparation is None:
        preparation = PAPER if dataset.vectors is None else VECTORS
    closely = preparation.recognition == "close"
    mended = mended_table(dataset, preparation.mends, closely=closely)
    table, roles = mended.table, dict(preparation.roles)
    target_names = [] if dataset.target_name is None else [dataset.target_name]
    columns = with_roles(recognise(table), table, roles, closely=closely, others=target_names)
    if dataset.vectors is not None and preparation.include is None:
        columns = beside_vectors(columns, dataset.vectors, roles)
    used, left_out = chosen_columns(
        columns,
        preparation.include,
        preparation.exclude,
        drop_categories=preparation.categories == "drop",
    )
    available = CompleteRows(mended.rows, used, [], [])
    if preparation.missing == "drop rows":
        complete = complete_rows(table, used)
        kept = np.intersect1d(complete.rows, mended.rows, assume_unique=True)
        available = replace(complete, rows=kept)
    if len(available.rows) < MIN_ROWS:
        raise DataError(f"only {counted(len(available.rows), 'row')} of {dataset.name!r} are left")
    rows = _sampled(dataset.name, mended.target, available.rows, preparation)
    features = {name for name, role in roles.items() if role == "feature"}
    features.update(preparation.include or ())
    how = How(
        preparation.categories,
        preparation.missing,
        preparation.scale,
        close=closely,
        asked_for=frozenset(column.position for column in used if column.name in features),
    )
    work = assembled(table, available.columns, rows, how)
    sampled = len(rows) < len(available.rows)
    n_zero, points, share = 0, work.points, None
    feature_names = work.feature_names
    n_components = min(preparation.dimensions or points.shape[1], *points.shape)
    if preparation.dimensions is not None and n_components < points.shape[1]:
        points, share = principal_components(points, n_components)
        feature_names = [f"component {i + 1}" for i in range(n_components)]
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
        n_features=len(feature_names),
        scale=preparation.scale,
        metric=preparation.metric,
        used=tuple(column.name for column in work.columns),
        left_out=(*left_out, *available.left_out, *work.left_out),
        encoded=tuple(work.encoded),
        notes=_notes(work.columns, mended.notes),
        infinite=tuple(work.infinite),
        filled=tuple(work.filled),
        empty=tuple(work.empty),
        constant=tuple(work.constant),
        by_deviation=tuple(work.by_deviation),
        by_middle=tuple(work.by_middle),
        by_ends=tuple(work.by_ends),
        marked=tuple(work.marked),
        renamed=tuple(work.renamed),
        duplicate_rows=work.duplicate_rows - max(0, n_zero - 1),
        dropped_for=tuple(available.missing_in),
        n_rows_dropped=len(mended.rows) - len(available.rows),
        n_rows_repeated=dataset.n_rows - len(mended.rows),
        n_rows_zero=n_zero,
        n_rows_sampled=len(work.points) if sampled else None,
        stratified=sampled and preparation.stratify,
        seed=preparation.seed if sampled else None,
        protocol=preparation.protocol,
        mends=mended.done,
        n_components=None if share is None else n_components,
        variance_kept=share,
        remarks=tuple(_remarks(dataset, preparation, len(available.rows), work.points.shape)),
    )
    target = mended.target
    return Prepared(
        points=points,
        feature_names=tuple(feature_names),
        rows=rows,
        target=None if target is None else target.iloc[rows].reset_index(drop=True),
        report=report,
        preparation=preparation,
    )


def _notes(columns: Sequence[Column], by_itself: Sequence[Note]) -> tuple[Note, ...]:
    """Return what is to be said of the columns that are used and not read as they stand."""
    used = {column.name for column in columns}
    own = [Note(column.name, column.note) for column in columns if column.note]
    return (*own, *(note for note in by_itself if note.column in used))


def _sampled(
    name: str, target: "pd.Series | None", rows: IntArray, preparation: Preparation
) -> IntArray:
    n_rows = preparation.n_rows
    if n_rows is None or n_rows >= len(rows):
        return rows
    if not preparation.stratify:
        return sample_rows(rows, n_rows, preparation.seed)
    if target is None:
        raise DataError(
            f"stratify needs a target and {name!r} has none: choose one, or sample without"
        )
    return sample_rows(rows, n_rows, preparation.seed, target.iloc[rows])


def _remarks(
    dataset: Dataset, preparation: Preparation, n_available: int, shape: tuple[int, ...]
) -> Iterator[str]:
    n_rows, dimensions = preparation.n_rows, preparation.dimensions
    if n_rows is not None and n_rows >= n_available:
        yield f"All rows are kept: {n_rows:,} were asked for and there are {n_available:,}."
    elif n_rows is not None and preparation.stratify and dataset.target is not None:
        n_classes = dataset.target.nunique(dropna=False)
        if n_classes > n_rows:
            yield (
                f"The sample of {n_rows:,} rows cannot hold a row of each of the {n_classes:,} "
                "classes."
            )
    if dimensions is not None and dimensions > min(shape):
        what = "features" if shape[1] <= shape[0] else "points"
        yield (
            f"{dimensions:,} principal components were asked for and there are "
            f"{min(shape):,} {what}."
        )
    for name, role in preparation.roles:
        if name == dataset.target_name and name not in dataset.feature_names:
            yield f"Column {quoted(name)} is the label; its role {role!r} has no effect."
    bent = preparation.scale != "none" or preparation.metric != "euclidean"
    if dataset.truth is not None and (bent or dimensions is not None):
        yield (
            "The known curvature belongs to the points as they came, and scaling bends them: "
            "compare with it under the scale 'none' and the metric 'euclidean'."
        )
