"""Delimiter and quote of delimited text: the pair that cuts a sample into the neatest table.

Every pair is tried. A good one gives all lines the same number of fields, and fields that look like
numbers, dates or words rather than pieces of something cut in two (the idea of van den Burg,
Nazábal and Sutton, "Wrangling messy CSV files by detecting row and type patterns", 2019).
"""

import csv
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_size
from mecuco_core.datasets.files.options import WHITESPACE, Findings, ReadOptions
from mecuco_core.datasets.files.table.cells import kind_of
from mecuco_core.datasets.files.table.vectors import is_vector

_DELIMITERS = (",", ";", "\t", "|", " ", WHITESPACE)  # the first wins a tie
_BLANKS = (" ", WHITESPACE)
_UNUSED = (",", ";", "\t", "|", "\x1f", "\x01")  # for a single column: the first that is not in it
_QUOTES = ('"', "'", "")
_MAX_ROWS = 200
_MAX_CELLS = 2000  # judged per pair
_PUNCTUATED = re.compile(r"[-+0-9.,;:|/\\\s'\"eE]+")
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_NAMES = {"\t": "tab", " ": "space", WHITESPACE: "white space"}


@dataclass(frozen=True)
class Dialect:
    """How a sample is cut, and the rows this gives."""

    delimiter: str
    quote: str
    skip_space: bool
    rows: list[list[str]]
    score: float
    neatness: float
    width: int  # most frequent number of fields
    even: bool  # whether all rows have that many


def cut(text: str, delimiter: str, quote: str, skip_space: bool, n_rows: int) -> list[list[str]]:
    """Cut text into at most `n_rows` rows of fields; blank lines are left out."""
    records = _records(text, delimiter, quote, skip_space)
    return [row for row, _ in itertools.islice(records, n_rows)]


def first_record(text: str, options: ReadOptions) -> tuple[list[str], int]:
    """Return the fields of the first row, and the number of lines down to its end."""
    records = _records(
        text, options.delimiter or ",", options.quote or "", bool(options.skip_space)
    )
    return next(records, ([], 0))


def _records(
    text: str, delimiter: str, quote: str, skip_space: bool
) -> Iterator[tuple[list[str], int]]:
    """Yield the fields of each row that is not blank, and the number of its last line."""
    lines = physical_lines(text)
    if delimiter == WHITESPACE:
        lines = [line.strip().replace("\t", " ") for line in lines]
    reader = csv.reader(
        lines,
        delimiter=" " if delimiter == WHITESPACE else delimiter,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        skipinitialspace=skip_space or delimiter == WHITESPACE,
    )
    for row in reader:
        # One empty field is a missing value in quotes; one field of blanks is a blank line.
        if len(row) > 1 or (row and (row[0].strip() or (not row[0] and not skip_space))):
            yield row, reader.line_num


def physical_lines(text: str) -> list[str]:
    """Split text behind every LF, CR LF or CR, and at nothing else."""
    return _LINES.findall(text)


def find_dialect(text: str, options: ReadOptions, findings: Findings) -> Dialect:
    """Choose delimiter, quote and skip_space where `options` leaves them open.

    Parameters
    ----------
    text : str
        Whole lines from the top of the table.
    """
    delimiters = _uncrowded(text, options)
    quotes: tuple[str, ...] = _QUOTES if options.quote is None else (options.quote,)
    quotes = tuple(q for q in quotes if not q or q in text or q == quotes[0])
    tried = [
        _judged(text, delimiter, quote, options.skip_space)
        for delimiter in delimiters
        for quote in quotes
        if delimiter != quote
    ]
    if options.delimiter is not None and tried:
        return max(tried, key=lambda d: d.score)
    several = [d for d in tried if d.width > 1 and _plausible(d)]
    if any(d.delimiter == "\t" and d.even for d in several):
        # Tabs that cut evenly are not there by chance; spaces between them may be.
        several = [d for d in several if d.delimiter not in _BLANKS]
    marked = [d for d in several if d.delimiter not in _BLANKS and d.even and _uncut(d)]
    several = [
        d
        for d in several
        if not any(_cuts_sentences(d, other) or _leaves_marks(d, other) for other in marked)
    ]
    single = max((_judged(text, ",", q, False, whole=True) for q in quotes), key=lambda d: d.score)
    if any(d.even and _mostly(is_vector, d) for d in (*several, single)):
        several = [d for d in several if not _mostly(_is_piece_of_vector, d)]
    # A mark of a sentence is followed by a space: of equals, the one that is not is the delimiter.
    best = max(several, key=lambda d: (round(d.score, 9), not d.skip_space), default=None)
    whole = single.neatness == 1
    if best is None or (whole and (not best.even or best.neatness < 0.9)):
        findings.note("No delimiter was found, so the file was taken as one column.")
        return replace(single, delimiter=next(d for d in _UNUSED if d not in text))
    _note_doubts(best, several, single, findings)
    return _double_quoted(best, several, findings)


def _uncrowded(text: str, options: ReadOptions) -> tuple[str, ...]:
    """Return the delimiters to try: those that do not stand in a line too often for any table."""
    delimiters = _DELIMITERS if options.delimiter is None else (options.delimiter,)
    lines = physical_lines(text)
    kept = []
    for delimiter in delimiters:
        mark = " " if delimiter == WHITESPACE else delimiter
        most = max((line.count(mark) for line in lines), default=0)
        if mark != " ":
            check_size(1, most + 1, options)
        elif most > options.max_columns:
            continue
        kept.append(delimiter)
    return tuple(kept)


def _note_doubts(
    best: Dialect, several: Sequence[Dialect], single: Dialect, findings: Findings
) -> None:
    """Say which other ways of cutting the sample would have been as good."""
    name = _NAMES.get(best.delimiter, repr(best.delimiter))
    few = best.width == 2 or len(best.rows) < 5
    cell = next((row[0] for row in single.rows[1:] or single.rows if row[0]), "")
    if single.neatness == 1 and few and best.delimiter.strip() in cell:
        findings.note(
            f"The lines could also be one column of values such as {shown(cell)!r}; they were cut "
            f"at every {name}."
        )
    rivals = {d.delimiter for d in several if d.score > 0.98 * best.score and d.rows != best.rows}
    for rival in sorted(rivals - {best.delimiter}):
        findings.note(
            f"The delimiter could also be {_NAMES.get(rival, repr(rival))}; {name} was taken."
        )


def _double_quoted(best: Dialect, several: Sequence[Dialect], findings: Findings) -> Dialect:
    """Prefer double quotes to single ones unless these are what holds the table together."""
    if best.quote != "'":
        return best
    same = [d for d in several if d.quote == '"' and d.delimiter == best.delimiter]
    if not same or not same[0].even or same[0].width != best.width:
        return best
    texts = [cell for row in same[0].rows for cell in row if kind_of(cell) == "text"]
    quoted = [cell for cell in texts if len(cell) > 1 and cell[0] == cell[-1] == "'"]
    if any("''" in cell[1:-1] for cell in quoted):
        return best  # a quote doubled inside quotes is what a writer of CSV does
    meant = len(quoted) == len(texts)
    findings.note(
        f"Whether the single quotes in {shown(quoted[0]) if quoted else 'some values'} belong to "
        f"the value is not certain; they were {'left out' if meant else 'kept'}. Correct quote if "
        "that is wrong."
    )
    return best if meant else same[0]


def _judged(
    text: str, delimiter: str, quote: str, skip_space: bool | None, *, whole: bool = False
) -> Dialect:
    """Cut the sample one way and score the result; `whole` keeps each line one field."""
    try:
        if whole:
            rows = [[field] for field in _single_fields(text, quote)]
        else:
            rows = cut(text, delimiter, quote, bool(skip_space), _MAX_ROWS)
            if skip_space is None and _spaced(rows):
                skip_space = True
                rows = cut(text, delimiter, quote, True, _MAX_ROWS)
    except csv.Error:  # a field beyond the limit of the csv module
        rows = []
    widths = Counter(len(row) for row in rows)
    width = max(widths, key=lambda w: (widths[w], w), default=0)
    # R leaves the name of the first column out: such a first row is even with the others.
    named = len(rows) > 1 and width > 2 and len(rows[0]) == width - 1
    share = (widths[width] + named) / len(rows) if rows else 0.0
    neat = _neatness(rows, "" if whole else delimiter)
    pattern = 1.0 if whole else (width - 1) / max(width, 1)
    return Dialect(
        delimiter=delimiter,
        quote=quote,
        skip_space=bool(skip_space),
        rows=rows,
        score=share**3 * neat * pattern,
        neatness=neat,
        width=width,
        even=share == 1,
    )


def _neatness(rows: Sequence[Sequence[str]], delimiter: str) -> float:
    """Mean over the cells of: 1 for a whole value, less for what looks cut or uncut."""
    cells = [cell for row in rows for cell in row][:_MAX_CELLS]
    others = [d for d in _DELIMITERS[:4] if d != delimiter]
    marks = [_neat(cell.strip(), others) for cell in cells]
    return sum(marks) / len(marks) if marks else 0.0


def _neat(cell: str, others: Sequence[str]) -> float:
    if kind_of(cell) != "text":
        return 1.0
    if cell[0] in "\"'" or cell[-1] in "\"'":
        return 0.1
    if _PUNCTUATED.fullmatch(cell):
        return 0.2  # digits and marks that make no number: cut in the wrong place
    return 0.7 if any(mark in cell for mark in others) else 1.0


def _plausible(dialect: Dialect) -> bool:
    """Words are full of spaces: these count as delimiters only beside numbers or quotes."""
    if dialect.delimiter not in _BLANKS:
        return True
    if dialect.even and any(" " in cell for row in dialect.rows for cell in row):
        return True  # a space inside quotes
    body = [row for row in dialect.rows[1:] or dialect.rows if len(row) == dialect.width]
    columns = zip(*body, strict=True)
    return any("text" not in {kind_of(c) for c in column} for column in columns)


def _uncut(dialect: Dialect) -> bool:
    """Whether no cell looks like a piece of something quoted, or of a number."""
    others = [d for d in _DELIMITERS[:4] if d != dialect.delimiter]
    return all(_neat(cell.strip(), others) >= 0.7 for row in dialect.rows for cell in row)


def _cuts_sentences(dialect: Dialect, marked: Dialect) -> bool:
    """Whether blanks cut sentences of a table that another mark cuts evenly.

    Then the last word of a sentence and what follows it are one piece, in most rows, and numbers
    are rare. "1,5 2,5" and "Paris,France 48.9 2.4" are cut at blanks all the same.
    """
    if dialect.delimiter not in _BLANKS:
        return False
    cells = [cell for row in dialect.rows for cell in row]
    if 2 * sum(kind_of(cell) == "text" for cell in cells) <= len(cells):
        return False
    joined = [any(_joins(cell, marked.delimiter) for cell in row) for row in dialect.rows]
    return 2 * sum(joined) > len(joined)


def _leaves_marks(dialect: Dialect, marked: Dialect) -> bool:
    """Whether blanks cut numbers off a mark that stands between them, in most rows: "1 , 2"."""
    if dialect.delimiter not in _BLANKS:
        return False
    mark = marked.delimiter
    left = [any(_is_left(cell, mark) for cell in row) for row in dialect.rows]
    return 2 * sum(left) > len(left)


def _is_left(cell: str, mark: str) -> bool:
    """Whether a cell is the mark itself, or a number that begins or ends with it."""
    if not cell.startswith(mark) and not cell.endswith(mark):
        return False
    bare = cell.strip(mark)
    return not bare or kind_of(bare) == "number"


def _mostly(has: Callable[[str], bool], dialect: Dialect) -> bool:
    """Whether most rows below the first have such a cell."""
    rows = dialect.rows[1:21]
    return 2 * sum(any(map(has, row)) for row in rows) > len(rows)


def _is_piece_of_vector(cell: str) -> bool:
    return cell.count("[") != cell.count("]")


def _joins(cell: str, mark: str) -> bool:
    """Whether a mark stands inside a cell of text that is not in brackets."""
    return mark in cell[1:-1] and cell[0] not in "([{" and kind_of(cell) == "text"


def _spaced(rows: Sequence[Sequence[str]]) -> bool:
    """Whether every field but the first of its row begins with a space."""
    later = [field for row in rows for field in row[1:] if field]
    return bool(later) and all(field[0] == " " for field in later)


def _single_fields(text: str, quote: str) -> list[str]:
    """Return the lines of text, without the quotes around them."""
    lines = [line.rstrip("\r\n") for line in physical_lines(text)]
    lines = [line for line in lines if line.strip()][:_MAX_ROWS]
    return [_unquoted(line, quote) for line in lines]


def _unquoted(line: str, quote: str) -> str:
    if quote and len(line) > 1 and line[0] == line[-1] == quote:
        inner = line[1:-1].replace(2 * quote, "")
        return line[1:-1] if quote not in inner else line
    return line
