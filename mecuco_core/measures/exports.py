"""The columns of every table that is taken away: docs/exports.md says what each of them is."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Dataset
from mecuco_core.errors import DataError
from mecuco_core.measures.points import Points, graph_of
from mecuco_core.measures.reasons import PointFacts, point_facts, reasons
from mecuco_core.measures.table import columns_of, measure_of, measures_at
from mecuco_core.preparation.classes import class_counts
from mecuco_core.preparation.columns import recognise_column
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.score.curvature import Curvature
from mecuco_core.score.ranks import top_size
from mecuco_core.surface.shape_operator import ShapeOperator
from mecuco_core.types import IntArray


def known_points(dataset: Dataset, prepared: Prepared, result: Curvature | ShapeOperator) -> Points:
    """Return what is known of the points of a dataset, with a score or a surface of them."""
    surface = result if isinstance(result, ShapeOperator) else None
    return Points(
        points=prepared.points,
        graph=graph_of(result),
        score=result if isinstance(result, Curvature) else None,
        surface=surface,
        labels=class_labels(prepared.target),
        truth=None if dataset.truth is None else dataset.truth.mean[prepared.rows],
    )


def measure_columns(points: Points, names: Sequence[str] | None = None) -> dict[str, Any]:
    """Return the columns of measures, each (n_points,); raises DataError.

    Parameters
    ----------
    points : Points
    names : sequence of str or None
        Those wanted, in that order; None for those that exports have unasked.
    """
    if names is not None:
        return columns_of(points, (measure_of(name) for name in names))
    usual = [measure for measure in measures_at("export") if measure.is_known(points)]
    surfaces = [measure for measure in usual if {"surface", "hypersurface"} & {*measure.needs}]
    columns = columns_of(points, surfaces)
    principal = None if points.surface is None else points.surface.principal_curvatures
    if principal is not None:  # as many as the surface has dimensions
        columns |= {f"principal_curvature_{j + 1}": values for j, values in enumerate(principal.T)}
    return columns | columns_of(points, (one for one in usual if one not in surfaces))


def export_table(
    dataset: Dataset,
    prepared: Prepared,
    result: Curvature | ShapeOperator,
    *,
    measures: Sequence[str] | None = None,
    known: Points | None = None,
    columns: bool = False,
    why: bool = False,
    positions: IntArray | None = None,
    every_row: bool = False,
    more: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return one line for each point, in the order of the rows.

    Parameters
    ----------
    dataset : Dataset
    prepared : Prepared
    result : Curvature or ShapeOperator
    measures : sequence of str or None
        Names of the measures wanted; None for those that exports have unasked, and the target
        beside them.
    known : Points or None
        What the measures are computed from; what the dataset and the result give for None.
    columns : bool
        Whether the columns of the dataset stand beside the scores, as they came, and the target.
        The one that
        names the rows is `id` in any case.
    why : bool
        Whether to say why each point has its score; not of a surface.
    positions : ndarray of shape (n_chosen,) or None
        The points wanted, ascending; None for all.
    every_row : bool
        Whether rows of the dataset that were not scored have a line too, without scores.
    more : DataFrame of shape (n_points, n_more) or None
        Further columns of the points, by row of the dataset.
    """
    known = known_points(dataset, prepared, result) if known is None else known
    values, facts = measure_columns(known, measures), None
    if why and isinstance(result, Curvature):
        facts = point_facts(result, known.labels)
    table = pd.DataFrame({"row": prepared.rows} | values)
    if facts is not None:
        table["why"] = ""
        at = np.arange(len(table)) if positions is None else positions
        table.loc[at, "why"] = reasons_at(facts, at)
    if positions is not None:
        table = table.iloc[positions].reset_index(drop=True)
    elif every_row:
        table = _with_every_row(table, dataset.n_rows)
    rows = table["row"].to_numpy()
    names = _identifier(dataset, prepared)
    target = dataset.target if measures is None or columns else None
    own = [position for position in range(dataset.n_features) if position != names]
    return beside(
        table,
        identifier=None if names is None else dataset.table.iloc[rows, names],
        label=None if target is None else target.iloc[rows],
        more=None if more is None else more.reindex(rows),
        own=dataset.table.iloc[rows, own] if columns else None,
    )


def beside(
    table: pd.DataFrame,
    *,
    identifier: "pd.Series | None" = None,
    label: "pd.Series | None" = None,
    more: pd.DataFrame | None = None,
    own: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return scores with what else there is: `id`, `label`, `why`, more, the columns of the data.

    A name of the data that is taken gets a number: "score 2".
    """
    why = [table.pop("why")] if "why" in table.columns else []
    named = {"id": identifier, "label": label}
    known = [part.rename(name) for name, part in named.items() if part is not None]
    parts: list[Any] = [table, *known, *why, *([] if more is None else [more])]
    if own is not None:
        taken = [str(column) for part in parts for column in _names(part)]
        parts.append(own.set_axis(_free_names(own.columns, taken), axis=1))
    joined: pd.DataFrame = pd.concat([part.reset_index(drop=True) for part in parts], axis=1)
    return joined


def reasons_at(facts: PointFacts, positions: IntArray) -> list[str]:
    """Return the reasons of some points, each as one phrase."""
    return ["; ".join(reasons(facts, position)) for position in positions.tolist()]


def class_labels(target: "pd.Series | None") -> "pd.Series | None":
    """Return a target whose values are classes, None where it is a measurement."""
    return target if target is not None and class_counts(target) else None


def rows_of_top(top: str, n_points: int) -> int:
    """Return how many points are meant by a number, or by a percentage such as 5%."""
    if top.endswith("%"):
        return top_size(n_points, float(top[:-1]))
    return min(int(top), n_points)


def check_scores_differ(low: float, high: float) -> None:
    """Refuse scores that are all one number: they say nothing, and point to a mistake."""
    if low == high:
        raise DataError(
            f"every score is {low:.4g}: nothing was written. Look at the columns that are used "
            "(mecuco info), or ask for it all the same with --allow-equal"
        )


def _with_every_row(table: pd.DataFrame, n_rows: int) -> pd.DataFrame:
    """Return a table with a line for each row of the dataset."""
    if len(table) == n_rows:
        return table
    whole = [name for name in table.columns if table[name].dtype.kind == "i"]
    table = table.astype(dict.fromkeys(whole, "Int64")).set_index("row", drop=False)
    return table.reindex(np.arange(n_rows)).assign(row=np.arange(n_rows)).reset_index(drop=True)


def _identifier(dataset: Dataset, prepared: Prepared) -> int | None:
    """Return the position of the first column that names the rows and is no feature."""
    for left in prepared.report.left_out:
        position = dataset.feature_names.index(left.column)
        if recognise_column(dataset.table.iloc[:, position]).kind == "identifier":
            return position
    return None


def _names(part: Any) -> list[Any]:
    return [part.name] if isinstance(part, pd.Series) else list(part.columns)


def _free_names(names: Any, taken: list[str]) -> list[str]:
    used, free = set(taken), []
    for name in map(str, names):
        fresh, number = name, 2
        while fresh in used:
            fresh, number = f"{name} {number}", number + 1
        used.add(fresh)
        free.append(fresh)
    return free
