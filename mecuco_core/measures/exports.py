"""The columns of every table that is taken away: docs/exports.md says what each of them is."""

from typing import Any

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Dataset
from mecuco_core.errors import DataError
from mecuco_core.measures.reasons import Evidence, evidence_of, reasons
from mecuco_core.preparation.classes import class_counts
from mecuco_core.preparation.columns import recognise_column
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.score.curvature import Curvature, score_columns
from mecuco_core.score.ranks import top_size
from mecuco_core.surface.shape_operator import ShapeOperator, surface_columns
from mecuco_core.types import IntArray


def export_table(
    dataset: Dataset,
    prepared: Prepared,
    result: Curvature | ShapeOperator,
    *,
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
    columns : bool
        Whether the columns of the dataset stand beside the scores, as they came. The one that
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
    if isinstance(result, ShapeOperator):
        values, facts = surface_columns(result), None
    else:
        values = score_columns(result)
        facts = evidence_of(result, class_labels(prepared.target)) if why else None
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
    own = [position for position in range(dataset.n_features) if position != names]
    return beside(
        table,
        identifier=None if names is None else dataset.table.iloc[rows, names],
        label=None if dataset.target is None else dataset.target.iloc[rows],
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


def reasons_at(facts: Evidence, positions: IntArray) -> list[str]:
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
