"""Files of many formats become datasets; what they are is found out, shown and correctable."""

from mecuco_core.datasets.files.options import (
    MISSING_MARKS,
    WHITESPACE,
    WORKBOOKS,
    Compression,
    Format,
    Reading,
    ReadOptions,
    Sniffed,
)
from mecuco_core.datasets.files.reading import read, read_with_notes, sniff

__all__ = [
    "MISSING_MARKS",
    "WHITESPACE",
    "WORKBOOKS",
    "Compression",
    "Format",
    "ReadOptions",
    "Reading",
    "Sniffed",
    "read",
    "read_with_notes",
    "sniff",
]
