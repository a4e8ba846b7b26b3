"""The upper half of an ARFF file: relation and attributes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mecuco_core.datasets.files.damage import shown
from mecuco_core.errors import DataError

AttributeKind = Literal["numeric", "integer", "nominal", "string", "date"]

_KINDS: dict[str, AttributeKind] = {
    "numeric": "numeric", "real": "numeric", "integer": "integer", "string": "string",
    "date": "date",
}  # fmt: skip
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_DEFAULT_DATE = "yyyy-MM-dd'T'HH:mm:ss"

# A text in quotes, with backslash escapes, or a bare one up to the next mark of the format.
# Nothing here may backtrack over runs of blanks: lines of many megabytes pass through.
_QUOTED = r"""'((?:[^'\\]|\\.)*)'%s|"((?:[^"\\]|\\.)*)"%s"""
WORD = re.compile(r"""\s*(?:%s|([^\s{'"][^\s{]*))""" % (_QUOTED % ("", "")))
FIELD = re.compile(r"""\s*(?:%s|([^,]*))(,|\Z)""" % (_QUOTED % ((r"\s*(?=,|\Z)",) * 2)))
_VALUE = re.compile(r"""\s*(?:%s|([^,}]*))([,}]|\Z)""" % (_QUOTED % ((r"\s*(?=[,}]|\Z)",) * 2)))


@dataclass(frozen=True)
class Attribute:
    """One column: its name, its kind, and the values or the date format it declares."""

    name: str
    kind: AttributeKind
    values: tuple[str, ...] = ()
    date_format: str = ""


@dataclass(frozen=True)
class ArffHeader:
    """What stands above the rows, and the number of the line `@data` is in."""

    attributes: list[Attribute]
    data_line: int


def read_header(lines: Iterator[bytes], max_columns: int) -> ArffHeader:
    """Read lines up to and with `@data`; the iterator then stands at the first row."""
    attributes: list[Attribute] = []
    for number, raw in enumerate(lines, start=1):
        line = raw.decode("utf-8").strip()
        keyword = line.split(None, 1)[0].lower() if line else ""
        if not line or line.startswith("%") or keyword == "@relation":
            continue
        if keyword == "@data":
            if not attributes:
                raise DataError("The ARFF file declares no @attribute above @data.")
            return ArffHeader(attributes, number)
        if keyword != "@attribute":
            raise DataError(
                f"Line {number} of the ARFF header begins with {shown(keyword, 40)!r}, not with "
                "@relation, @attribute or @data."
            )
        attributes.append(_attribute(line[len("@attribute") :], number))
        if len(attributes) > max_columns:
            raise DataError(
                f"The ARFF file declares more than {max_columns:,} attributes (the limit "
                "max_columns)."
            )
    raise DataError("The ARFF file has no @data line; it is cut short.")


def unquoted(match: re.Match[str]) -> str:
    """Return the value a token stands for; groups 1 and 2 are quoted, 3 is bare."""
    quoted = match[1] if match[1] is not None else match[2]
    if quoted is None:
        return (match[3] or "").strip()
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), quoted, flags=re.DOTALL)


def _attribute(text: str, number: int) -> Attribute:
    name = WORD.match(text)
    if name is None:
        raise DataError(f"Line {number} declares an @attribute without a name.")
    rest = text[name.end() :].strip()
    if rest.startswith("{"):
        return Attribute(unquoted(name), "nominal", _nominal(rest, number))
    word, detail = (*rest.split(None, 1), "", "")[:2]
    kind = _KINDS.get(word.lower())
    if kind is None:
        raise DataError(
            f"Line {number} declares attribute {shown(unquoted(name), 40)!r} of type "
            f"{shown(word, 40)!r}, which is not read; use numeric, nominal, string or date."
        )
    if kind != "date":
        return Attribute(unquoted(name), kind)
    given = WORD.match(detail) if detail.strip() else None
    return Attribute(unquoted(name), kind, date_format=unquoted(given) if given else _DEFAULT_DATE)


def _nominal(text: str, number: int) -> tuple[str, ...]:
    values: dict[str, None] = {}
    position = 1
    while True:
        match = _VALUE.match(text, position)
        if match is None or match[4] == "":
            raise DataError(f"Line {number} declares nominal values without a closing brace.")
        value = unquoted(match)
        if value or match[1] is not None or match[2] is not None:
            values[value] = None
        if match[4] == "}":
            return tuple(values)
        position = match.end()
