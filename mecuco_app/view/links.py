"""The whole view as an address, and back: versioned, short, and never raising.

The mode is always written, of the rest what differs from the defaults of `VERSION`. A link without
a version is of the newest one. What cannot be read falls back to its default and is named in one
notice.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mecuco_app.view.choices import parameters
from mecuco_app.view.link_reading import reading, written_reading
from mecuco_app.view.link_values import (
    MOST_ROWS,
    flag,
    integer,
    listed,
    names,
    one_of,
    packed,
    real,
    unpacked,
    written_flag,
    written_real,
)
from mecuco_app.view.settings import (
    BROUGHT,
    SOURCES,
    DataChoice,
    SelectionRule,
    Source,
    View,
    changed,
    chosen,
)
from mecuco_core.datasets.files.options import ReadOptions
from mecuco_core.errors import DataError
from mecuco_core.preparation.assembly import CATEGORIES, MISSING
from mecuco_core.preparation.mending.mends import Mend
from mecuco_core.preparation.mending.roles import Role
from mecuco_core.preparation.protocol import (
    PAPER,
    PROTOCOLS,
    RECOGNITIONS,
    Preparation,
    preparation_of_source,
)
from mecuco_core.preparation.scaling import SCALES
from mecuco_core.types import METRICS

VERSION = "3"
FORMER_DEFAULTS: dict[str, dict[str, Any]] = {
    "1": {"score.mode": "auto", "colour.scale": "robust", "truth.mode": "exact"},
    "2": {},
}
"""Defaults of older versions that are others now: their links do not write them."""

BEFORE_PROTOCOLS = ("1", "2")
"""Versions in which files too started with the paper's protocol."""

ALWAYS = ("mode",)
"""Parameters that are always written, so that no link depends on a default of them again."""

PRINT = 16
"""Letters of the fingerprint of a file in an address."""

LONGEST = 4000
"""Characters of one parameter that are read."""

_LONGEST_UNKNOWN = 100


@dataclass(frozen=True)
class Opened:
    """A view read from an address, and what could not be read, in the visitor's spelling."""

    view: View
    refused: tuple[str, ...] = ()


PARAMETERS = parameters(View())


def _read_roles(text: str) -> tuple[tuple[str, Role], ...]:
    read = Preparation()
    for part in names(text):
        column, _, role = part.rpartition("=")
        read = read.with_role(column, role)
    return read.roles


def _written_roles(roles: tuple[tuple[str, Role], ...]) -> str:
    return listed(f"{column}={role}" for column, role in roles)


def _read_mends(text: str) -> tuple[Mend, ...]:
    return Preparation(mends=tuple(Mend.parse(words) for words in names(text))).mends


def _written_mends(mends: tuple[Mend, ...]) -> str:
    return listed(mend.words for mend in mends)


_PREPARATION: dict[str, tuple[str, Callable[[str], Any], Callable[[Any], str]]] = {
    "categories": ("categories", one_of(CATEGORIES), str),
    "missing": ("missing", one_of(MISSING), str),
    "scaling": ("scale", one_of(SCALES), str),
    "metric": ("metric", one_of(METRICS), str),
    "only": ("include", names, listed),
    "without": ("exclude", names, listed),
    "look": ("recognition", one_of(RECOGNITIONS), str),
    "roles": ("roles", _read_roles, _written_roles),
    "mends": ("mends", _read_mends, _written_mends),
    "components": ("dimensions", integer(1), str),
    "rows": ("n_rows", integer(3), str),
    "stratify": ("stratify", flag, written_flag),
    "draw": ("seed", integer(0), str),
}


def encoded(view: View) -> dict[str, str]:
    """Return the parameters of the address that shows `view`."""
    named = f"{view.data.source}:{view.data.identifier}"
    data = view.data.identifier if view.data.source == "unknown" else named
    written = {"v": VERSION, "data": data}
    if view.data.options:
        written["with"] = listed(f"{name}={value!r}" for name, value in view.data.options)
    if view.data.target is not None:
        written["target"] = view.data.target
    if view.data.source in BROUGHT and view.data.fingerprint:
        written["print"] = view.data.fingerprint[:PRINT]
    if view.data.source == "file":
        if view.data.content:
            written["file"] = view.data.content[:PRINT]
        if view.data.asked not in (None, ReadOptions()):
            written["read"] = written_reading(view.data.asked)
    default = View(preparation=preparation_of_source(view.data.source))
    protocol = view.preparation.protocol
    if default.preparation.protocol != "changed" and protocol != "changed":
        if protocol != default.preparation.protocol:
            written["protocol"] = protocol
        default = View(preparation=default.preparation.in_protocol(protocol))
    for name, (attribute, _, write) in _PREPARATION.items():
        value = getattr(view.preparation, attribute)
        if value != getattr(default.preparation, attribute):
            written[name] = write(value)
    for parameter in PARAMETERS:
        value = chosen(view, parameter.path)
        if parameter.name in ALWAYS or value != chosen(default, parameter.path):
            written[parameter.name] = parameter.encode(value)
    rule = _written_rule(view.rule)
    if rule:
        written["select"] = rule
    return {name: text for name, text in written.items() if len(text) <= LONGEST}


def left_out(view: View) -> list[str]:
    """Return what is too long for a link, as phrases."""
    written = encoded(view)
    parts = {
        "select": (view.rule.kind != "none", "the selection"),
        "read": (view.data.asked not in (None, ReadOptions()), "how the file is read"),
        "only": (view.preparation.include is not None, "the columns used"),
        "without": (bool(view.preparation.exclude), "the columns left out"),
        "roles": (bool(view.preparation.roles), "the roles of columns"),
        "mends": (bool(view.preparation.mends), "what was mended"),
    }
    return [what for name, (is_there, what) in parts.items() if is_there and name not in written]


def decoded(parameters: Mapping[str, str]) -> Opened:
    """Read a view from the parameters of an address; never raises."""
    view, refused = View(), []
    version = parameters.get("v", VERSION)
    if version not in (VERSION, *FORMER_DEFAULTS):
        unknown = DataChoice("unknown", f"version {version[:20]}")
        return Opened(replace(view, data=unknown), (f"v={version[:20]}",))
    for path, default in FORMER_DEFAULTS.get(version, {}).items():
        view = changed(view, path, default)

    def read(name: str, decode: Callable[[str], Any]) -> Any:
        text = parameters.get(name)
        if text is None:
            return None
        try:
            if len(text) > LONGEST:
                raise ValueError
            return decode(text)
        except (ValueError, TypeError, OverflowError, DataError):
            refused.append(f"{name}={text[:20]}")
            return None

    data = read("data", _read_data)
    if data is not None:
        options = read("with", _read_options) or ()
        target = read("target", str)
        choice = DataChoice(data[0], data[1], options, target)
        if choice.source in BROUGHT:  # elsewhere they say nothing
            choice = replace(choice, fingerprint=read("print", _read_print) or "")
        if choice.source == "file":
            choice = replace(
                choice, asked=read("read", reading), content=read("file", _read_print) or ""
            )
        view = changed(view, "data", choice)
    elif "data" in parameters:  # nothing else is shown instead
        view = changed(view, "data", DataChoice("unknown", parameters["data"][:_LONGEST_UNKNOWN]))
    start = _start(version, view.data.source)
    protocol = read("protocol", one_of(PROTOCOLS))
    if protocol is not None:
        start = start.in_protocol(protocol)
    prepared = {}
    for name, (attribute, decode, _) in _PREPARATION.items():
        value = read(name, decode)
        if value is not None:
            prepared[attribute] = value
    try:
        view = changed(view, "preparation", replace(start, **prepared))
    except DataError:
        view = changed(view, "preparation", start)
        refused.append("preparation")
    for parameter in PARAMETERS:
        value = read(parameter.name, parameter.decode)
        if value is not None:
            view = changed(view, parameter.path, value)
    rule = read("select", _read_rule)
    if rule is not None:
        view = changed(view, "rule", rule)
    return Opened(view, tuple(refused))


def _start(version: str, source: Source) -> Preparation:
    """Return the preparation that a link of that version starts with."""
    start = preparation_of_source(source)
    is_former = version in BEFORE_PROTOCOLS and start.protocol == "sensible"
    return PAPER if is_former else start


def _read_print(text: str) -> str:
    if not text or set(text) - set("0123456789abcdef"):
        raise ValueError
    return text[:PRINT]


def _read_data(text: str) -> tuple[Source, str]:
    source, _, identifier = text.partition(":")
    if not identifier:
        raise ValueError
    return SOURCES[SOURCES.index(source)], identifier


def _read_options(text: str) -> tuple[tuple[str, float], ...]:
    options = []
    for part in names(text):
        name, _, value = part.partition("=")
        number = float(value)
        if not name.isidentifier() or not math.isfinite(number):
            raise ValueError
        whole = value.lstrip("+-").isdigit()
        options.append((name, int(value) if whole else number))
    return tuple(options)


def _written_rule(rule: SelectionRule) -> str:
    if rule.kind == "top":
        return f"top:{written_real(rule.low)}"
    if rule.kind == "range":
        return f"range:{rule.low!r}:{rule.high!r}"
    if rule.kind == "rows" and len(rule.rows) <= MOST_ROWS:
        return f"rows:{packed(rule.rows)}"
    return ""


def _read_rule(text: str) -> SelectionRule:
    kind, _, rest = text.partition(":")
    if kind == "top":
        return SelectionRule("top", low=real(1e-6, 100.0)(rest))
    if kind == "range":
        low, _, high = rest.partition(":")
        bounds = real(-1e300, 1e300)
        return SelectionRule("range", low=bounds(low), high=bounds(high))
    if kind == "rows":
        return SelectionRule("rows", rows=unpacked(rest))
    raise ValueError
