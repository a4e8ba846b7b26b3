"""The limits of `ReadOptions`, checked before memory is used, and the sentences they end in."""

from mecuco_core.datasets.files.options import ReadOptions
from mecuco_core.errors import DataError
from mecuco_core.runtime.wording import spoken_bytes


def check_bytes(n_bytes: int, max_bytes: int, what: str) -> None:
    """Refuse what is, or unpacks to, more bytes than `max_bytes`."""
    if n_bytes > max_bytes:
        raise DataError(
            f"{what} is larger than {spoken_bytes(max_bytes)} (the limit max_bytes); read a "
            "smaller part of it, or raise the limit."
        )


def check_size(n_rows: int, n_columns: int, options: ReadOptions) -> None:
    """Refuse a table beyond the limits, before it is made."""
    if n_columns > options.max_columns:
        raise DataError(
            f"The table has {n_columns:,} columns, more than {options.max_columns:,} (the limit "
            "max_columns); raise the limit if that is right."
        )
    if n_rows * n_columns > options.max_cells:
        raise DataError(
            f"The table has more than {options.max_cells:,} cells (the limit max_cells); keep "
            "fewer rows or columns, or raise the limit."
        )


def line_too_long(which: str, max_line_bytes: int) -> DataError:
    """Return the error for a line beyond the limit; `which` begins a sentence."""
    return DataError(
        f"{which} is longer than {spoken_bytes(max_line_bytes)} (the limit max_line_bytes): this "
        "is not a table with one row a line, or a quote in it is never closed."
    )


def null_byte(line: int) -> DataError:
    """Return the error for a null byte in text."""
    return DataError(
        f"Line {line} holds a null byte, which text never does; the file is damaged or not text."
    )
