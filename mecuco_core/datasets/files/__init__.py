"""Files of many formats become datasets; what they are is found out, shown and correctable."""

from mecuco_core.datasets.files.options import (
    WHITESPACE,
    WORKBOOKS,
    Reading,
    ReadOptions,
    Sniffed,
)
from mecuco_core.datasets.files.reading import read, read_with_notes, sniff

__all__ = [
    "WHITESPACE",
    "WORKBOOKS",
    "ReadOptions",
    "Reading",
    "Sniffed",
    "read",
    "read_with_notes",
    "sniff",
]
