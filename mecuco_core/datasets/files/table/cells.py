"""What one cell of text is by its looks: a number, a truth value, a date, nothing, or words."""

import re
from typing import Literal

from mecuco_core.datasets.files.options import MISSING_MARKS

Kind = Literal["number", "bool", "date", "missing", "text"]
Convention = tuple[str, str]  # decimal mark, mark between thousands or ""

# Marks seen between groups of three digits: comma, point, blanks of all widths, apostrophes.
THOUSANDS = (",", ".", " ", "\u00a0", "\u2009", "\u202f", "'", "\u2019")

_DATE = re.compile(
    r"(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2,4})"
    r"(?:[ T][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
    r"|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?"
)
_TRUTH = {"true", "false"}
_ENDLESS = {"inf", "infinity"}
_MISSING = frozenset(MISSING_MARKS)


def number_pattern(decimal: str, thousands: str) -> re.Pattern[str]:
    """Pattern of a number whose digits stand in groups of three, or in no groups at all."""
    point = re.escape(decimal)
    whole = "[0-9]+"
    if thousands:
        whole = f"(?:[1-9][0-9]{{0,2}}(?:{re.escape(thousands)}[0-9]{{3}})+|[0-9]+)"
    return re.compile(f"[+-]?(?:{whole}(?:{point}[0-9]*)?|{point}[0-9]+)(?:[eE][+-]?[0-9]+)?")


CONVENTIONS: tuple[Convention, ...] = tuple(
    (decimal, thousands)
    for thousands in ("", *THOUSANDS)
    for decimal in (".", ",")
    if decimal != thousands
)
PATTERNS = {convention: number_pattern(*convention) for convention in CONVENTIONS}


def is_number(cell: str, convention: Convention) -> bool:
    """Whether a stripped cell is a number in one convention."""
    return bool(PATTERNS[convention].fullmatch(cell)) or cell.lstrip("+-").lower() in _ENDLESS


def kind_of(cell: object) -> Kind:
    """Tell the kind of a cell; of text, with a number in any usual convention taken as one."""
    if not isinstance(cell, str):
        return _kind_of_value(cell)
    text = cell.strip()
    if text in _MISSING:
        return "missing"
    if is_number(text, (".", "")):
        return "number"
    if text.lower() in _TRUTH:
        return "bool"
    if not any(c in "0123456789" for c in text[-3:]):
        return "text"
    if any(pattern.fullmatch(text) for pattern in PATTERNS.values()):
        return "number"
    return "date" if _DATE.fullmatch(text) else "text"


def _kind_of_value(value: object) -> Kind:
    if value is None or value != value:
        return "missing"
    if isinstance(value, bool):
        return "bool"
    return "number" if isinstance(value, (int, float)) else "date"
