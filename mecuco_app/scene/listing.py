"""The points of a scene as a table."""

import numpy as np
import pandas as pd

from mecuco_app.data.classes import label_of
from mecuco_app.scene.scene import Scene
from mecuco_core.measures.exports import reasons_at
from mecuco_core.score.ranks import descending
from mecuco_core.types import IntArray

SHOWN = 200
"""Points a table lists."""


def top_points(scene: Scene, positions: IntArray) -> pd.DataFrame:
    """Return the table of points at these positions, in their order; text is plain."""
    result, facts = scene.result, scene.facts
    if result is None or facts is None:
        raise ValueError("there are no scores yet")
    place = np.empty(len(result), dtype=np.int64)
    place[descending(result.values)] = np.arange(1, len(result) + 1)
    columns: dict[str, object] = {"place": place[positions], "row": scene.prepared.rows[positions]}
    columns |= {name: values[positions] for name, values in scene.measures_at("table").items()}
    target = scene.prepared.target
    if target is not None:
        columns["label"] = [label_of(label) for label in target.iloc[positions]]
    columns["why"] = reasons_at(facts, positions)
    return pd.DataFrame(columns)
