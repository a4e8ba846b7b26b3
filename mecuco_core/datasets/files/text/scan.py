"""One pass over delimited bytes that counts rows and fields, and stops at the first bad line.

pandas fills short lines without a word and cuts text at null bytes; this pass finds both first,
with the number of the line, and without building anything. What stands between quotes is covered
up, and the marks that are left are counted.
"""

import re
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from mecuco_core.datasets.files.limits import check_size, line_too_long, null_byte
from mecuco_core.datasets.files.options import WHITESPACE, ReadOptions
from mecuco_core.errors import DataError
from mecuco_core.types import BoolArray

_CHUNK = 1 << 20
_LF, _CR, _TAB, _SPACE = b"\n\r\t "
_COVER = ord("x")

Bytes = NDArray[np.uint8]


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
    counter = _Counter(options, lines_above)
    rest = b""
    while chunk := stream.read(_CHUNK):
        rest = counter.take(rest + chunk)
    if rest:
        rest = counter.take(rest if rest[-1] in b"\r\n" else rest + b"\n", last=True)
    if rest:
        raise DataError(
            f"The quote {options.quote} opened in the row of line {counter.line} is never "
            "closed; close it, or read the file with another quote or none."
        )
    return TableSize(counter.n_rows, counter.n_columns)


class _Counter:
    """Counts the rows of pieces of text that begin with a row.

    Attributes
    ----------
    line : int
        Number of the line the next piece begins with.
    """

    def __init__(self, options: ReadOptions, lines_above: int) -> None:
        self._options = options
        self._delimiter = -1 if options.delimiter == WHITESPACE else ord(options.delimiter or ",")
        self._quotes = _Quotes(options) if options.quote else None
        self.line = lines_above + 1
        self.n_rows = self.n_columns = 0

    def take(self, piece: bytes, *, last: bool = False) -> bytes:
        """Count the whole rows of a piece, and return what follows them."""
        raw = np.frombuffer(piece, dtype=np.uint8)
        bare, open_at = self._quotes.covered(piece, raw) if self._quotes else (raw, len(raw))
        stops = np.flatnonzero(_line_ends(bare[:open_at]))
        if len(stops) and stops[-1] == len(raw) - 1 and raw[-1] == _CR and not last:
            stops = stops[:-1]  # the other half of the line end may follow
        starts = np.concatenate([[0], stops + 1])  # of the rows, and of what follows them
        self._check(raw, bare, starts, stops)
        done = int(starts[-1])
        self.line += int(np.count_nonzero(_line_ends(raw[:done])))
        return piece[done:]

    def _check(
        self, raw: Bytes, bare: Bytes, starts: NDArray[np.intp], stops: NDArray[np.intp]
    ) -> None:
        """Count the rows, or raise the first of all errors."""
        most = self._options.max_line_bytes
        rows = np.flatnonzero(self._is_row(bare, starts, stops))
        fields = self._fields(bare, starts, stops)[rows]
        if not self.n_columns and len(rows):
            self.n_columns = int(fields[0])
        n_bytes = stops - starts[:-1] + 1 - _is_pair(raw, stops)
        long = np.flatnonzero(n_bytes > most)
        ragged = np.flatnonzero(fields != self.n_columns)
        null = _first(raw, 0)
        places = {
            "null": null,
            "long": int(starts[long[0]]) if len(long) else None,
            "ragged": int(starts[rows[ragged[0]]]) if len(ragged) else None,
        }
        if places["long"] is None and len(raw) - starts[-1] > most:
            places["long"] = int(starts[-1])
        found = {name: place for name, place in places.items() if place is not None}
        first = min(found, key=found.__getitem__, default=None)
        n_rows = len(rows) if first is None else int(np.searchsorted(starts[rows], found[first]))
        check_size(self.n_rows + n_rows, self.n_columns, self._options)
        self.n_rows += n_rows
        if first is None:
            return
        line = self.line + int(np.count_nonzero(_line_ends(raw[: found[first]])))
        if first == "null":
            raise null_byte(line)
        if first == "long":
            raise line_too_long(f"Line {line}", most)
        n = int(fields[ragged[0]])
        raise DataError(
            f"Line {line} has {n} field{'s' * (n != 1)} where the rows before it have "
            f"{self.n_columns}; correct that line, or choose another delimiter."
        )

    def _is_row(self, bare: Bytes, starts: NDArray[np.intp], stops: NDArray[np.intp]) -> BoolArray:
        """Whether there is anything but blanks between line ends."""
        content = (bare != _LF) & (bare != _CR)
        for blank in (_SPACE, _TAB):
            if blank != self._delimiter:
                content &= bare != blank
        return _counts(content, starts, stops) > 0

    def _fields(
        self, bare: Bytes, starts: NDArray[np.intp], stops: NDArray[np.intp]
    ) -> NDArray[np.int64]:
        """Count the fields between line ends."""
        if self._delimiter >= 0:
            return _counts(bare == self._delimiter, starts, stops) + 1
        ink = (bare != _SPACE) & (bare != _TAB) & (bare != _LF) & (bare != _CR)
        ink[1:] &= ~ink[:-1]  # the first letter of each word
        return _counts(ink, starts, stops)


def _counts(
    marks: BoolArray, starts: NDArray[np.intp], stops: NDArray[np.intp]
) -> NDArray[np.int64]:
    """Count the marks from each start to its stop."""
    if not len(stops):
        return np.zeros(0, dtype=np.int64)
    places = np.flatnonzero(marks[: stops[-1] + 1])
    return np.diff(np.searchsorted(places, starts))


def _line_ends(text: Bytes) -> BoolArray:
    """Mark the last byte of every LF, CR LF or CR."""
    ends: BoolArray = text == _LF
    pairs: BoolArray = text == _CR
    if pairs.any():
        pairs[:-1] &= ~ends[1:]
        ends |= pairs
    return ends


def _is_pair(text: Bytes, stops: NDArray[np.intp]) -> BoolArray:
    """Whether a line ends with CR LF."""
    pairs: BoolArray = (text[stops] == _LF) & (stops > 0) & (text[stops - 1] == _CR)
    return pairs


def _first(text: Bytes, byte: int) -> int | None:
    found = np.flatnonzero(text == byte)
    return int(found[0]) if len(found) else None


class _Quotes:
    """Covers up what stands between quotes, by the rules of pandas and of the csv module.

    A quote opens at the beginning of a field only; between quotes two of them stand for one; behind
    the one that closes come plain letters, quotes among them, up to the next delimiter.
    """

    def __init__(self, options: ReadOptions) -> None:
        quote = re.escape((options.quote or "").encode())
        marks = " \t" if options.delimiter == WHITESPACE else options.delimiter or ","
        self._quote = ord(options.quote or '"')
        self._before = np.isin(np.arange(256), [*marks.encode(), _LF, _CR])
        line, field = rb"(?:\A|(?<=[\r\n]))", rb"(?<=[%s])" % re.escape(marks.encode())
        if options.skip_space:
            blanks = "".join(blank for blank in " \t" if blank not in marks).encode()
            line += rb"[%s]*+" % blanks if blanks else b""
            field += b"" if " " in marks else b" *+"
        before = rb"(?:%s|%s)" % (line, field)
        self._opening = re.compile(before + quote)
        self._quoted = re.compile(before + rb"%s(?:[^%s]++|%s%s)*+%s" % ((quote,) * 5))

    def covered(self, piece: bytes, raw: Bytes) -> tuple[Bytes, int]:
        """Return the text with its quoted parts covered, and where a quote opens for good."""
        marks = np.flatnonzero(raw == self._quote)
        if not len(marks):
            return raw, len(raw)
        opening = marks[::2]
        before = raw[opening - 1]  # of the first byte the last: looked at below
        regular = self._before[before] | (before == self._quote)
        if opening[0] == 0:
            regular[0] = True
        elif before[0] == self._quote:
            regular[0] = False
        if not regular.all():
            return self._covered_one_by_one(piece)
        is_quote = raw == self._quote
        # Whether the number of quotes up to here is odd: also of a number that wraps around at 256.
        inside = (np.cumsum(is_quote, dtype=np.uint8) & 1).view(np.bool_)
        bare = np.where(inside | is_quote, np.uint8(_COVER), raw)
        return bare, len(raw) if len(marks) % 2 == 0 else int(marks[-1])

    def _covered_one_by_one(self, piece: bytes) -> tuple[Bytes, int]:
        text = self._quoted.sub(lambda found: b"x" * len(found[0]), piece)
        unclosed = self._opening.search(text)
        bare = np.frombuffer(text, dtype=np.uint8)
        return bare, len(bare) if unclosed is None else unclosed.start()
