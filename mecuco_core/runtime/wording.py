"""Counts, names, lists, sizes and times as they stand in a sentence."""

from collections.abc import Sequence

SHOWN = 5  # names in a sentence before "and 12 more"


def counted(number: int, noun: str) -> str:
    """Return "1 row", "2 rows", "70,000 rows"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def shortened(text: str, length: int = 60) -> str:
    """Return one printable line of `text`, cut to `length` characters."""
    start = text[: 4 * length]  # a name may be a whole book
    if not start.isprintable():
        start = "".join(c if c.isprintable() else " " for c in start)
    line = " ".join(start.split())
    cut = len(line) > length or len(text) > 4 * length
    return line[: length - 1] + "…" if cut else line


def quoted(name: str) -> str:
    """Return a name between quotes, short and on one line."""
    return f"'{shortened(name)}'"


def named(items: Sequence[str], shown: int = SHOWN) -> str:
    """Join items for a sentence: the first few, and the number of the others."""
    if len(items) <= shown:
        return ", ".join(items)
    return f"{', '.join(items[:shown])} and {len(items) - shown:,} more"


def spoken_bytes(size: float) -> str:
    """Return "512 bytes", "3.4 kB", "420 MB"."""
    if size < 1000:
        return counted(int(size), "byte")
    for factor, unit in ((1e3, "kB"), (1e6, "MB"), (1e9, "GB")):
        if size < 999.5 * factor or unit == "GB":
            break
    number = size / factor
    return f"{number:.2g} {unit}" if number < 10 else f"{number:.0f} {unit}"


def spoken_seconds(seconds: float) -> str:
    """Return "under 1 s", "12 s", "3 min", "5 h", "40 days"."""
    if seconds < 0.95:
        return "under 1 s"
    for size, unit in ((86400 * 365, "year"), (86400, "day"), (3600, " h"), (60, " min")):
        if seconds >= 2 * size:
            number = round(seconds / size)
            return counted(number, unit) if unit[0] != " " else f"{number}{unit}"
    return f"{seconds:.0f} s"
