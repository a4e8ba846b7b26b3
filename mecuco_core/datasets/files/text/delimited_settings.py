"""Settings of delimited text, found from a sample of its first lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import line_too_long, null_byte
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.table.cells import is_number, kind_of
from mecuco_core.datasets.files.table.header import find_header
from mecuco_core.datasets.files.table.numbers import find_convention
from mecuco_core.datasets.files.text.dialect import Dialect, cut, find_dialect, physical_lines
from mecuco_core.datasets.files.text.encoding import settle_encoding
from mecuco_core.datasets.files.text.lines import open_text
from mecuco_core.errors import DataError

_SAMPLE = 1 << 18  # bytes
_FEWEST_LINES = 4  # the sample grows until it has this many,
_LONG_SAMPLE = 1 << 22  # or is this long with two of them
_SAMPLE_ROWS = 1000
_CONVENTION_COLUMNS = 500
_MOST_ABOVE = 20  # lines above the table
_PADDED = re.compile(r"0[0-9]+")


@dataclass(frozen=True)
class Sample:
    """Whole lines from the beginning of a text, or all of it."""

    text: str
    complete: bool

    def below(self, n_lines: int) -> str:
        """Return the sample without its first `n_lines` lines."""
        return "".join(physical_lines(self.text)[n_lines:])


def sample_of(unpacked: Unpacked, options: ReadOptions) -> Sample:
    """Read the first lines of a text whose encoding is settled."""
    encoding = options.encoding or "utf-8"
    with open_text(unpacked, encoding, max_line_bytes=options.max_line_bytes) as stream:
        raw = stream.read(_SAMPLE)
        while (n_lines := raw.count(b"\n") + raw.count(b"\r")) < _FEWEST_LINES:
            if n_lines > 1 and len(raw) > _LONG_SAMPLE:
                break
            more = stream.read(max(_SAMPLE, len(raw)))
            raw += more
            if not more:
                break
            if len(raw) - max(raw.rfind(b"\n"), raw.rfind(b"\r")) > options.max_line_bytes:
                raise line_too_long("One of the first lines", options.max_line_bytes)
        complete = not stream.read(1)
    if not complete:
        raw = raw[: max(raw.rfind(b"\n"), raw.rfind(b"\r")) + 1]
    if b"\0" in raw:
        raise null_byte(raw[: raw.index(b"\0")].count(b"\n") + 1)
    return Sample(raw.decode("utf-8"), complete)


def settle_csv(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> ReadOptions:
    """Return `options` with everything about delimited text that was left open found out."""
    options = replace(options, encoding=settle_encoding(unpacked, options, findings))
    sample = sample_of(unpacked, options)
    skip_lines = options.skip_lines
    if skip_lines is None:
        skip_lines, delimiter = _comments(sample.text)
        if delimiter and options.delimiter is None:
            options = replace(options, delimiter=delimiter)
    body = sample.below(skip_lines)
    if not body.strip():
        raise DataError("The file holds no table: only blank lines or comments.")
    dialect = find_dialect(body, options, findings)
    if options.skip_lines is None:
        if skip_lines and _belongs(sample, skip_lines - 1, dialect):
            skip_lines -= 1  # no comment: the first name or value begins with a #
            body = sample.below(skip_lines)
        skip_lines += _title_lines(body, dialect)
        body = sample.below(skip_lines)
        if skip_lines:
            findings.note(
                f"The first {f'{skip_lines} lines are' if skip_lines > 1 else 'line is'} left out: "
                "blank, a comment, or narrower than the table."
            )
    options = replace(
        options,
        delimiter=dialect.delimiter,
        quote=dialect.quote,
        skip_space=dialect.skip_space,
        skip_lines=skip_lines,
    )
    rows = cut(body, dialect.delimiter, dialect.quote, dialect.skip_space, _SAMPLE_ROWS)
    if options.header is None:
        header = find_header(rows[: _SAMPLE_ROWS // 5], f"line {skip_lines + 1}", findings)
        options = replace(options, header=header)
    values = [row for row in rows[bool(options.header) :] if len(row) == dialect.width]
    columns = [list(column) for column in zip(*values[:200], strict=True)]
    some = columns[:: 1 + len(columns) // _CONVENTION_COLUMNS]
    decimal, thousands = find_convention(some, options, findings)
    options = replace(options, decimal=decimal, thousands=thousands)
    if options.text is None:
        options = replace(options, text=_codes(columns, rows[0], options, findings))
    _note_strangers(columns, rows[0], options, findings)
    return options


def _comments(text: str) -> tuple[int, str | None]:
    """Count the lines of comment at the top; Excel's `sep=;` names the delimiter."""
    delimiter = None
    n_lines = 0
    for line in physical_lines(text):
        bare = line.strip("\r\n")
        if re.fullmatch(r"(?i)\"?sep=[,;|\t]\"?", bare):
            delimiter = bare.strip('"')[-1]
        elif bare.strip() and not bare.startswith(("#", "%")):
            break
        n_lines += 1
    else:
        return 0, None  # nothing but comments: let it be a table
    return n_lines, delimiter


def _belongs(sample: Sample, n_lines: int, dialect: Dialect) -> bool:
    """Whether what stands below `n_lines` lines begins with a row of the table."""
    text = sample.below(n_lines)
    rows = cut(text, dialect.delimiter, dialect.quote, dialect.skip_space, 1)
    return text.startswith(("#", "%")) and dialect.width > 1 and len(rows[0]) == dialect.width


def _title_lines(body: str, dialect: Dialect) -> int:
    """Count the lines above a table that have fewer fields than it.

    One field fewer is not a title: R leaves the name of the column of row names out.
    """
    lines = physical_lines(body)
    for n_lines in range(min(_MOST_ABOVE, len(lines) - 1)):
        text = "".join(lines[n_lines : n_lines + 50])
        rows = cut(text, dialect.delimiter, dialect.quote, dialect.skip_space, 1)
        if dialect.width < 2 or (rows and len(rows[0]) >= max(2, dialect.width - 1)):
            return n_lines
    return 0


def _codes(
    columns: Sequence[Sequence[str]], names: Sequence[str], options: ReadOptions, findings: Findings
) -> tuple[str, ...]:
    """Find columns of digits with leading zeros: codes, which are not numbers."""
    if not options.header or len(names) != len(columns):
        return ()
    found = [
        name.strip()
        for name, column in zip(names, columns, strict=True)
        if any(_PADDED.fullmatch(c.strip()) for c in column)
        and all(c.strip().isdigit() or kind_of(c) == "missing" for c in column)
    ]
    # Many such columns are numbers printed at one width.
    if not found or len(found) > 3:
        return ()
    findings.note(
        f"Values with leading zeros are read with their zeros in {', '.join(map(shown, found))}; "
        "leave the column out if they are codes."
    )
    return tuple(found)


def _note_strangers(
    columns: Sequence[Sequence[str]], names: Sequence[str], options: ReadOptions, findings: Findings
) -> None:
    """Say where one word keeps a column from being numbers."""
    convention = options.decimal or ".", options.thousands or ""
    for position, column in enumerate(columns[:500]):
        cells = [c.strip() for c in column if c.strip() not in options.missing]
        words = {c for c in cells if kind_of(c) == "text"}
        if len(words) == 1 and len(cells) >= 5:
            word = next(iter(words))
            rest = [c for c in cells if c != word]
            if len(rest) >= 0.5 * len(cells) and all(is_number(c, convention) for c in rest):
                name = names[position] if options.header and position < len(names) else position + 1
                findings.note(
                    f"Column {shown(name)} holds numbers and the word {shown(word)!r}; the report "
                    "of the preparation says what became of it."
                )
