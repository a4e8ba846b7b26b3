"""Scores and selection as tables to take away."""

import io
from typing import Any

import numpy as np
import pandas as pd

from mecuco_app.escape import csv_cell
from mecuco_app.scene import Scene
from mecuco_core.curvature import Curvature
from mecuco_core.datasets.columns import recognise_column

AXES = ("x", "y", "z")


def score_table(scene: Scene, result: Curvature, *, only_selected: bool = False) -> pd.DataFrame:
    """Return one line for each point.

    Columns: `id` (of the dataset where it has one, else the row), `row`, `curvature`, `scatter`,
    `shape`, `percentile`, `selected`, `label` where there is a target, the map as `x`, `y`
    (and `z`), `neighbor_rows`, and for all points `neighbors`: positions in this file and
    distances, as Embedding Atlas reads them.
    """
    facts, prepared = scene.evidence, scene.prepared
    if facts is None:
        raise ValueError("there are no scores yet")
    n_points = len(prepared.points)
    chosen = np.zeros(n_points, dtype=bool)
    if scene.selected is not None:
        chosen[scene.selected] = True
    columns: dict[str, object] = {
        "id": _identifiers(scene),
        "row": prepared.rows,
        "curvature": result.values,
        "scatter": result.scatter,
        "shape": result.shape,
        "percentile": facts.percent,
        "knn_distance": facts.distance,
        "selected": chosen,
    }
    if prepared.target is not None:
        columns["label"] = prepared.target.to_numpy()
    columns |= dict(zip(AXES, scene.map.coordinates.T, strict=False))
    near = result.neighbors
    columns["neighbor_rows"] = _objects(prepared.rows[near.indices].tolist())
    if only_selected:
        return pd.DataFrame(columns).loc[chosen].reset_index(drop=True)
    pairs = zip(near.indices.tolist(), near.distances.tolist(), strict=True)
    columns["neighbors"] = _objects([{"ids": ids, "distances": far} for ids, far in pairs])
    return pd.DataFrame(columns)


def csv_bytes(frame: pd.DataFrame) -> bytes:
    """Return a table as CSV that no spreadsheet takes for formulas; neighbours as their rows."""
    flat = frame.drop(columns="neighbors", errors="ignore")
    flat["neighbor_rows"] = _objects([" ".join(map(str, rows)) for rows in frame["neighbor_rows"]])
    for name in ("id", "label"):
        if name in flat.columns and flat[name].dtype.kind not in "biuf":
            flat[name] = _objects([csv_cell(value) for value in flat[name].astype(object)])
    return flat.to_csv(index=False, lineterminator="\n").encode()


def parquet_bytes(frame: pd.DataFrame) -> bytes:
    """Return a table as Parquet."""
    buffer = io.BytesIO()
    whole = frame.copy(deep=False)
    for name in ("id", "label"):
        if name in whole.columns and whole[name].dtype == object:
            # Objects of several kinds have no type in Parquet.
            whole[name] = whole[name].astype("string")
    whole.to_parquet(buffer, index=False, engine="pyarrow")
    return buffer.getvalue()


def _objects(values: list[Any]) -> "pd.Series":
    return pd.Series(values, dtype=object)


def _identifiers(scene: Scene) -> object:
    """Return the first column that names rows, else the rows themselves."""
    rows = scene.prepared.rows
    table = scene.dataset.table
    for name in scene.prepared.report.left_out:
        position = scene.dataset.feature_names.index(name.column)
        series = table.iloc[:, position]
        if recognise_column(series).kind == "identifier":
            return series.iloc[rows].to_numpy()
    return rows
