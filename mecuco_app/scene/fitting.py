"""What an address asks of a dataset that the dataset does not have; knows no Streamlit."""

from dataclasses import dataclass, replace

import numpy as np

from mecuco_app.results.analyses import most_clusters
from mecuco_app.results.scores import largest_k
from mecuco_app.scene import colouring
from mecuco_app.scene.selection import position_of_row
from mecuco_app.text.escape import plain
from mecuco_app.text.numbers import plural
from mecuco_app.view.settings import SelectionRule, View, changed
from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.prepare import Prepared


@dataclass(frozen=True)
class Fitted:
    """A view that fits the data, and what had to be changed, in the spelling of the address."""

    view: View
    changes: tuple[str, ...] = ()


def fitted(view: View, dataset: Dataset, prepared: Prepared) -> Fitted:
    """Return the nearest view that these points can show."""
    changes = []

    def put(path: str, value: object, change: str) -> None:
        nonlocal view
        view = changed(view, path, value)
        changes.append(change)

    most = max(2, largest_k(prepared))
    if (view.score.n_neighbors or 2) > most:
        put("score.n_neighbors", most, f"k={view.score.n_neighbors} ({most} is the most here)")
    if view.colour.by not in colouring.choices(dataset, prepared):
        put("colour.by", "score", f"colour={view.colour.by}")
    names = set(dataset.feature_names)
    if view.colour.column is not None and view.colour.column not in names:
        put("colour.column", None, f"column={plain(view.colour.column)}")
    unknown = [plain(column) for column in view.map.columns if column not in names]
    if unknown:
        known = tuple(column for column in view.map.columns if column in names)
        put("map.columns", known, f"axes={','.join(unknown)}")
    if view.focus is not None and position_of_row(view.focus, prepared) is None:
        put("focus", None, f"point={view.focus}")
    if view.rule.kind == "rows":
        rows = tuple(np.intersect1d(view.rule.rows, prepared.rows).tolist())
        if len(rows) < len(view.rule.rows):
            rule = replace(view.rule, rows=rows) if rows else SelectionRule()
            gone = len(view.rule.rows) - len(rows)
            verb = "is" if gone == 1 else "are"
            put("rule", rule, f"select={plural(gone, 'row')} that {verb} not there")
    highest = most_clusters(len(prepared.points))
    if (view.boundary.n_clusters or 2) > highest:
        text = f"clusters={view.boundary.n_clusters} ({highest} is the most here)"
        put("boundary.n_clusters", highest, text)
    return Fitted(view, tuple(changes))
