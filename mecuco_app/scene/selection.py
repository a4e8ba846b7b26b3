"""Which points a rule selects."""

import numpy as np

from mecuco_app.text.numbers import number, plural
from mecuco_app.view.settings import SelectionRule
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.score.ranks import descending, top_size
from mecuco_core.types import FloatArray, IntArray


def selected(rule: SelectionRule, prepared: Prepared, values: FloatArray | None) -> IntArray | None:
    """Return the positions of the points a rule selects, ascending; None without a rule.

    Parameters
    ----------
    rule : SelectionRule
    prepared : Prepared
    values : ndarray of shape (n_points,) or None
        The scores; None while they are not there, and then rules about them select nothing.
    """
    if rule.kind == "none":
        return None
    if rule.kind == "rows":
        return _positions(np.asarray(rule.rows, dtype=np.int64), prepared.rows)
    if values is None:
        return None
    if rule.kind == "top":
        return np.sort(descending(values)[: top_size(len(values), rule.low)])
    return np.flatnonzero((values >= rule.low) & (values <= rule.high))


def rows_rule(positions: IntArray, prepared: Prepared) -> SelectionRule:
    """Return the rule that selects the points at these positions."""
    rows = np.unique(prepared.rows[positions])
    if len(rows) == 0:
        return SelectionRule()
    return SelectionRule("rows", rows=tuple(rows.tolist()))


def spoken_rule(rule: SelectionRule) -> str:
    """Return what a rule selects, as a phrase."""
    if rule.kind == "top":
        return f"the highest {rule.low:g} % of the scores"
    if rule.kind == "range":
        return f"scores from {number(rule.low)} to {number(rule.high)}"
    if rule.kind == "rows":
        return f"{plural(len(rule.rows), 'row')} picked"
    return "nothing"


def position_of_row(row: int | None, prepared: Prepared) -> int | None:
    """Return the position of the point that came from a row, or None when none did."""
    if row is None:
        return None
    found = _positions(np.array([row]), prepared.rows)
    return int(found[0]) if len(found) else None


def _positions(rows: IntArray, known: IntArray) -> IntArray:
    at = np.searchsorted(known, rows)
    inside = at < len(known)
    at, rows = at[inside], rows[inside]
    return np.unique(at[known[at] == rows])
