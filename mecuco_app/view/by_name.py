"""What can be chosen by name in `mecuco.show` and `mecuco app SOURCE`, as a view to open with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mecuco_app.view.links import PARAMETERS
from mecuco_app.view.settings import COLOUR_SCALES, COLUMN, LABEL, MAP_KINDS, View, changed
from mecuco_core.errors import DataError
from mecuco_core.measures import MEASURES
from mecuco_core.preparation.protocol import Preparation
from mecuco_core.runtime.wording import named, quoted
from mecuco_core.types import MODES


@dataclass(frozen=True)
class Choice:
    """One choice: the parameter of an address that holds it, and what it can be, in words."""

    parameter: str
    says: str


KNOWN = {
    "k": Choice("k", "a whole number from 2 to 1000"),
    "mode": Choice("mode", f"one of {', '.join(MODES)}"),
    "map": Choice("map", f"one of {', '.join(MAP_KINDS)}"),
    "dimension": Choice("dim", "2 or 3"),
    "colour": Choice("colour", f"{LABEL}, a column, or one of {', '.join(MEASURES)}"),
    "scale": Choice("scale", f"one of {', '.join(COLOUR_SCALES)}"),
}
SPELLINGS = {"color": "colour", "n_neighbors": "k"}
PREPARATION = "preparation"

_BY_NAME = {parameter.name: parameter for parameter in PARAMETERS}


def chosen_view(choices: Mapping[str, Any], columns: Sequence[str]) -> View:
    """Return the view of some choices.

    Parameters
    ----------
    choices : mapping of str to object
    columns : sequence of str
        Of the table, which may colour the points.

    Raises
    ------
    TypeError
        For a choice that there is not.
    DataError
        For a value that it cannot have.
    """
    view = View()
    for name, value in choices.items():
        own = SPELLINGS.get(name, name)
        if own == PREPARATION:
            view = changed(view, "preparation", _preparation(value))
        elif own not in KNOWN:
            known = ", ".join([*KNOWN, PREPARATION])
            raise TypeError(f"show() has no choice {name!r}: there are {known}")
        elif own == "colour" and str(value) in columns and str(value) not in (*MEASURES, LABEL):
            view = changed(changed(view, "colour.by", COLUMN), "colour.column", str(value))
        else:
            view = _with(view, own, value)
    return view


def _with(view: View, name: str, value: Any) -> View:
    parameter = _BY_NAME[KNOWN[name].parameter]
    try:
        if isinstance(value, bool):
            raise ValueError
        return changed(view, parameter.path, parameter.decode(str(value)))
    except (ValueError, TypeError) as error:
        raise DataError(f"{name} must be {KNOWN[name].says}, got {quoted(str(value))}") from error


def _preparation(value: Any) -> Preparation:
    protocols = {"paper": Preparation.paper, "sensible": Preparation.sensible}
    if isinstance(value, Preparation):
        return value
    if value in protocols:
        return protocols[value]()
    raise DataError(
        f"preparation must be a Preparation or one of {named(list(protocols))}, "
        f"got {quoted(str(value))}"
    )
