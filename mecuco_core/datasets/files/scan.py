"""One pass over delimited bytes that counts rows and fields, and stops at the first bad line.

pandas fills short lines without a word and cuts text at null bytes; this pass finds both first,
with the number of the line, and without building anything.
"""

from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from numba import njit

from mecuco_core.datasets.files.limits import check_size, line_too_long, null_byte
from mecuco_core.datasets.files.options import WHITESPACE, ReadOptions
from mecuco_core.errors import DataError

_CHUNK = 1 << 20

# Where the machine is: the states of pandas' own tokenizer, so that both see the same fields.
_LINE_START, _FIELD_START, _IN_FIELD, _IN_QUOTES, _AFTER_QUOTE, _BLANKS = range(6)

# The memory carried from chunk to chunk, in the order of its slots.
_MEMORY = (
    "state", "line", "n_rows", "n_fields", "expected", "record_line", "record_bytes", "after_cr",
    "verdict",
)  # fmt: skip

_FINE, _NULL, _RAGGED, _TOO_LONG, _TOO_MANY_CELLS = range(5)


@dataclass(frozen=True)
class TableSize:
    """Rows of delimited text, and fields of each."""

    n_rows: int
    n_columns: int


def scan(stream: BinaryIO, options: ReadOptions, *, lines_above: int) -> TableSize:
    """Count the rows and fields of delimited UTF-8 text, and check every line of it.

    Parameters
    ----------
    stream : binary file
        The text below the header.
    options : ReadOptions
        With delimiter, quote and skip_space settled.
    lines_above : int
        Lines of the file that are not in `stream`, for the numbers in messages.
    """
    memory = np.zeros(len(_MEMORY), dtype=np.int64)
    memory[_MEMORY.index("line")] = lines_above + 1
    delimiter = -1 if options.delimiter == WHITESPACE else ord(options.delimiter or ",")
    quote = ord(options.quote) if options.quote else -1

    def advance(chunk: bytes) -> dict[str, int]:
        _advance(
            np.frombuffer(chunk, dtype=np.uint8), memory, delimiter, quote,
            bool(options.skip_space), options.max_line_bytes, options.max_cells,
        )  # fmt: skip
        seen = dict(zip(_MEMORY, memory.tolist(), strict=True))
        _judge(seen, options)
        return seen

    seen = advance(b"")
    while chunk := stream.read(_CHUNK):
        seen = advance(chunk)
    if seen["state"] == _IN_QUOTES:
        raise DataError(
            f"The quote {options.quote} opened in the row of line {seen['record_line']} is never "
            "closed; close it, or read the file with another quote or none."
        )
    if seen["state"] != _LINE_START:  # a last line without its line end
        seen = advance(b"\n")
    return TableSize(seen["n_rows"], seen["expected"])


def _judge(seen: dict[str, int], options: ReadOptions) -> None:
    line = seen["record_line"]
    match seen["verdict"]:
        case 1:
            raise null_byte(seen["line"])
        case 2:
            n = seen["n_fields"]
            raise DataError(
                f"Line {line} has {n} field{'s' * (n != 1)} where the rows before it have "
                f"{seen['expected']}; correct that line, or choose another delimiter."
            )
        case 3:
            raise line_too_long(f"Line {line}", options.max_line_bytes)
        case 4:
            check_size(seen["n_rows"], seen["expected"], options)


@njit(cache=True)
def _advance(chunk, memory, delimiter, quote, skip_space, max_line, max_cells):  # type: ignore[no-untyped-def]
    """Run the machine over one chunk; the verdict is left in the memory."""
    whitespace = delimiter < 0
    state, line, n_rows, n_fields = memory[0], memory[1], memory[2], memory[3]
    expected, record_line, record_bytes, after_cr = memory[4], memory[5], memory[6], memory[7]
    verdict = _FINE
    ordinary = np.ones(256, dtype=np.bool_)
    for mark in (0, 9, 10, 13, 32):
        ordinary[mark] = False
    for mark in (delimiter, quote):
        if mark >= 0:
            ordinary[mark] = False
    for position in range(chunk.size):
        c = chunk[position]
        if ordinary[c] and state in (_IN_FIELD, _IN_QUOTES):  # most bytes
            record_bytes += 1
            after_cr = 0
            continue
        newline = c == 10 or c == 13
        if newline:
            if c == 10 and after_cr:  # the second half of \r\n
                after_cr = 0
                continue
            after_cr = 1 if c == 13 else 0
            line += 1
        else:
            after_cr = 0
            if c == 0:
                verdict = _NULL
                break
        blank = c == 32 or c == 9

        if state == _LINE_START:
            if newline:
                continue
            record_line, record_bytes, n_fields = line, 0, 1
            state = _BLANKS if blank and c != delimiter else _FIELD_START

        record_bytes += 1
        if record_bytes > max_line:
            verdict = _TOO_LONG
            break

        if state == _BLANKS:  # a line that may yet turn out to be empty
            if newline:
                state = _LINE_START
                continue
            if blank and c != delimiter:
                continue
            state = _FIELD_START if whitespace or skip_space else _IN_FIELD

        if state == _IN_QUOTES:
            if c == quote:
                state = _AFTER_QUOTE
        elif state == _AFTER_QUOTE and c == quote:
            state = _IN_QUOTES
        elif newline:
            if whitespace and state == _FIELD_START:  # blanks at the end of the line
                n_fields -= 1
            if expected == 0:
                expected = n_fields
            elif n_fields != expected:
                verdict = _RAGGED
                break
            n_rows += 1
            if n_rows * expected > max_cells:
                verdict = _TOO_MANY_CELLS
                break
            state = _LINE_START
        elif c == delimiter or (whitespace and blank):
            if not (whitespace and state == _FIELD_START):
                n_fields += 1
            state = _FIELD_START
        elif state == _FIELD_START:
            if c == quote:
                state = _IN_QUOTES
            elif not (skip_space and c == 32):
                state = _IN_FIELD
        else:
            state = _IN_FIELD
    if record_bytes > max_line and verdict == _FINE and state != _LINE_START:
        verdict = _TOO_LONG
    memory[0], memory[1], memory[2], memory[3] = state, line, n_rows, n_fields
    memory[4], memory[5], memory[6], memory[7] = expected, record_line, record_bytes, after_cr
    memory[8] = verdict
