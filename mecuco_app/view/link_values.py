"""Single values in an address: each reader returns a value or raises ValueError."""

import base64
import binascii
from collections.abc import Callable, Iterable

MOST_ROWS = 1000
"""Rows of a selection that a link can carry."""

LARGEST = 2**31 - 1


def one_of(choices: Iterable[str]) -> Callable[[str], str]:
    """Return a reader of one of `choices`."""
    known = tuple(choices)

    def decode(text: str) -> str:
        if text not in known:
            raise ValueError
        return text

    return decode


def integer(low: int, high: int = LARGEST) -> Callable[[str], int]:
    """Return a reader of a whole number in [low, high]."""

    def decode(text: str) -> int:
        if not text.isascii() or len(text) > 12 or not low <= int(text) <= high:
            raise ValueError
        return int(text)

    return decode


def real(low: float, high: float) -> Callable[[str], float]:
    """Return a reader of a number in [low, high]."""

    def decode(text: str) -> float:
        value = float(text)
        if not low <= value <= high:  # NaN is not
            raise ValueError
        return value

    return decode


def flag(text: str) -> bool:
    """Read "1" or "0"."""
    return one_of("01")(text) == "1"


def names(text: str) -> tuple[str, ...]:
    """Read names: comma-separated, with commas and backslashes in a name escaped."""
    found, current, escaped = [], "", False
    for character in text:
        if escaped:
            current, escaped = current + character, False
        elif character == "\\":
            escaped = True
        elif character == ",":
            found.append(current)
            current = ""
        else:
            current += character
    return (*found, current)


def listed(values: Iterable[str]) -> str:
    """Write names for `names`."""
    return ",".join(value.replace("\\", "\\\\").replace(",", "\\,") for value in values)


def written_flag(value: bool) -> str:
    """Write for `flag`."""
    return "1" if value else "0"


def written_real(value: float) -> str:
    """Write for `real`."""
    return f"{value:.12g}"


def packed(rows: tuple[int, ...]) -> str:
    """Write ascending rows as steps, seven bits a byte, in the letters of an address."""
    stream, last = bytearray(), -1
    for row in rows:
        step, last = row - last - 1, row
        while step > 127:
            stream.append(step & 127 | 128)
            step >>= 7
        stream.append(step)
    return base64.urlsafe_b64encode(bytes(stream)).decode().rstrip("=")


def unpacked(text: str) -> tuple[int, ...]:
    """Read rows for `packed`, never more than `MOST_ROWS`."""
    try:
        stream = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError from error
    rows, last, step, shift = [], -1, 0, 0
    for byte in stream:
        step |= (byte & 127) << shift
        shift += 7
        if step > LARGEST:
            raise ValueError
        if byte < 128:
            last += step + 1
            rows.append(last)
            step, shift = 0, 0
    if shift or not rows or last > LARGEST or len(rows) > MOST_ROWS:
        raise ValueError
    return tuple(rows)
