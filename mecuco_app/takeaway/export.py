"""Scores and selection as tables to take away: those of the command line, and the map."""

import io
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mecuco_app.scene.scene import Scene
from mecuco_core.measures.exports import export_table
from mecuco_core.runtime.writing import as_parquet, as_text
from mecuco_core.score.curvature import Curvature

AXES = ("map_x", "map_y", "map_z")


@dataclass(frozen=True)
class Contents:
    """What a table holds beside the scores.

    Parameters
    ----------
    measures : tuple of str or None
        Names of the measures; None for the usual ones.
    columns : bool
        The columns of the dataset, as they came.
    why : bool
        Why each point has its score, in words.
    every_row : bool
        A line, without scores, for each row that was not scored; not of a selection.
    map : bool
        The map, the neighbours and what is selected. Embedding Atlas reads them.
    """

    measures: tuple[str, ...] | None = None
    columns: bool = False
    why: bool = False
    every_row: bool = False
    map: bool = False


SCORES_ALONE = Contents()


def score_table(
    scene: Scene,
    result: Curvature,
    contents: Contents = SCORES_ALONE,
    *,
    only_selected: bool = False,
) -> pd.DataFrame:
    """Return one line for each point; docs/exports.md has the columns."""
    gaps = contents.every_row and len(result) < scene.dataset.n_rows
    return export_table(
        scene.dataset,
        scene.prepared,
        result,
        measures=contents.measures,
        known=scene.known,
        columns=contents.columns,
        why=contents.why,
        positions=scene.selected if only_selected else None,
        every_row=contents.every_row,
        more=_map(scene, result, whole=not (gaps or only_selected)) if contents.map else None,
    )


def _map(scene: Scene, result: Curvature, *, whole: bool) -> pd.DataFrame:
    """Return what only the app has, by row of the dataset."""
    rows, near = scene.prepared.rows, result.graph
    chosen = np.zeros(len(rows), dtype=bool)
    if scene.selected is not None:
        chosen[scene.selected] = True
    columns: dict[str, object] = {"selected": chosen}
    columns |= dict(zip(AXES, scene.map.coordinates.T, strict=False))
    columns["neighbor_rows"] = rows[near.indices].tolist()
    if whole:  # they are known by their places in the file
        pairs = zip(near.indices.tolist(), near.distances.tolist(), strict=True)
        columns["neighbors"] = [{"ids": ids, "distances": far} for ids, far in pairs]
    return pd.DataFrame(columns, index=rows)


def csv_bytes(table: pd.DataFrame) -> bytes:
    """Return a table as CSV that no spreadsheet takes for formulas; neighbours as their rows."""
    flat = table.drop(columns="neighbors", errors="ignore")
    if "neighbor_rows" in flat:
        words = flat["neighbor_rows"].map(lambda rows: " ".join(map(str, rows)), "ignore")
        flat = flat.assign(neighbor_rows=words)
    return as_text(flat).to_csv(index=False, lineterminator="\n").encode()


def parquet_bytes(table: pd.DataFrame) -> bytes:
    """Return a table as Parquet."""
    buffer = io.BytesIO()
    as_parquet(table).to_parquet(buffer, index=False, engine="pyarrow")
    return buffer.getvalue()
