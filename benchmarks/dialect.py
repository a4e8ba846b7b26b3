"""How often a table's delimiter, quote, header and lines above are found: here and by others.

    pip install --group bench && python -m benchmarks.dialect > benchmarks/results/dialect.md

Tables are written by the csv module with settings that are known, and cut again, always by the csv
module, with the settings each finder names. Right are the cells of which every single one is what
was written. All finders are given UTF-8. CleverCSV and DuckDB find more than is asked for here;
lines above a table CleverCSV does not look for.
"""

import csv
import io
import itertools
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata, resources
from pathlib import Path

import numpy as np

from mecuco_core.datasets.files import WHITESPACE, sniff
from mecuco_core.errors import DataError
from tests.core.datasets.files.test_round_trip import generated

N_TABLES = 600
ABOVE = (
    "# exported on 3 May\n# by the lab\n", "Measurements of the spring\n\n",
    "Report\nSite: north\n\n", "# units: cm, kg\n", "\n\n",
)  # fmt: skip

Rows = list[list[str]]


@dataclass(frozen=True)
class Case:
    """A text, the rows that were written into it, names included, and of what kind it is."""

    text: str
    rows: Rows
    header: bool
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """The rows a finder cuts a text into, and whether it takes the first for names."""

    rows: Rows
    header: bool


def written(seed: int) -> Case:
    """Return a table of the round-trip tests, a third of them below lines of something else."""
    case = generated(seed)
    text = case.raw.decode(case.encoding).removeprefix("\ufeff")
    rows = cut(text, case.delimiter, case.quote)
    kinds = [
        {"\t": "tab", " ": "space"}.get(case.delimiter, case.delimiter),
        "header" if case.header else "no header",
        "decimal comma" if case.decimal == "," else "decimal point",
        'quote "' if case.quote == '"' else "quote '",
    ]
    rng = np.random.default_rng([seed, 1])
    if rng.random() < 1 / 3:
        text = str(rng.choice(ABOVE)) + text
        kinds.append("lines above")
    if case.thousands:
        kinds.append("thousands")
    if any(mark in cell for row in rows for cell in row for mark in ",;|\t\n\"'"):
        kinds.append("marks inside cells")
    return Case(text, rows, case.header, tuple(kinds))


def cut(text: str, delimiter: str, quote: str, escape: str = "", skip: int = 0) -> Rows:
    """Cut a text by the csv module."""
    lines = io.StringIO(text, newline="")
    below = "".join(itertools.islice(lines, skip, None))
    return [row for row in _reader(below, delimiter, quote, escape) if row]


def _reader(text: str, delimiter: str, quote: str, escape: str) -> Iterator[list[str]]:
    if len(delimiter) != 1:
        return iter([[line] for line in text.splitlines()])
    return csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        escapechar=escape or None,
        doublequote=not escape or escape == quote,
    )


def here(text: str) -> Found:
    """Ask this project."""
    options = sniff(text.encode()).options
    if options.format != "csv":
        raise DataError(f"taken for {options.format}")
    delimiter = " " if options.delimiter == WHITESPACE else options.delimiter or ","
    rows = cut(text, delimiter, options.quote or "", skip=options.skip_lines or 0)
    return Found(rows, bool(options.header))


def clever(text: str) -> Found:
    """Ask CleverCSV."""
    import clevercsv

    sniffer = clevercsv.Sniffer()
    dialect = sniffer.sniff(text)
    rows = cut(text, dialect.delimiter, dialect.quotechar, dialect.escapechar)
    return Found(rows, bool(sniffer.has_header(text)))


def duck(text: str) -> Found:
    """Ask DuckDB, which reads files only."""
    import duckdb

    with tempfile.NamedTemporaryFile("w", suffix=".csv", newline="", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        names = "Delimiter, Quote, Escape, SkipRows, HasHeader, Comment"
        found = duckdb.execute(f"SELECT {names} FROM sniff_csv(?)", [file.name]).fetchone()
    delimiter, quote, escape, skip, header, comment = found
    given = ["" if mark in ("(empty)", None) else mark for mark in (delimiter, quote, escape)]
    lines = io.StringIO(text, newline="")
    if comment not in ("(empty)", None, ""):
        text = "".join(line for line in lines if not line.startswith(comment))
    if given[2] == given[1]:
        given[2] = ""
    return Found(cut(text, *given, skip=skip), bool(header))


FINDERS: dict[str, Callable[[str], Found]] = {"mecuco": here, "CleverCSV": clever, "DuckDB": duck}


def real() -> list[Case]:
    """Return CSV files that installed packages bring, with what is known of them."""
    cases = []
    for package, pattern, delimiter, n_above, header in (
        ("sklearn", "datasets/data/linnerud_*.csv", " ", 0, True),
        ("sklearn", "datasets/data/iris.csv", ",", 0, True),
        # Their first line says how many rows and columns there are.
        ("sklearn", "datasets/data/wine_data.csv", ",", 1, False),
        ("sklearn", "datasets/data/breast_cancer.csv", ",", 1, False),
        ("numpy", "_core/tests/data/umath-validation-set-*.csv", ",", 0, True),
        ("numpy", "random/tests/data/*-testset-*.csv", ",", 0, True),
        ("mecuco_core", "*/*.csv", ",", 0, True),
    ):
        folder = Path(str(resources.files(package)))
        for path in sorted(folder.glob(pattern)):
            text = path.read_text(encoding="utf-8")[:200_000].rpartition("\n")[0] + "\n"
            rows = cut(text, delimiter, '"', skip=n_above)
            cases.append(Case(text, rows, header, (package,)))
    return cases


def judged(find: Callable[[str], Found], case: Case) -> tuple[bool, bool, float]:
    """Return whether the cells are right, whether the header is too, and the seconds it took."""
    started = time.perf_counter()
    try:
        found = find(case.text)
    except Exception:  # whatever a finder raises, it has not found the table
        return False, False, time.perf_counter() - started
    seconds = time.perf_counter() - started
    right = _bare(found.rows) == _bare(case.rows)
    return right, right and found.header == case.header, seconds


def _bare(rows: Rows) -> Rows:
    """Return cells without the blanks around them: whether these are kept is a matter of taste."""
    return [[cell.strip() for cell in row] for row in rows]


def main() -> None:
    """Print two tables of Markdown."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("clevercsv", "duckdb"))
    print("# Delimiter, quote, header: found how often\n")
    print(f"`python -m benchmarks.dialect`, {versions}, Python {sys.version.split()[0]}.\n")
    print(" ".join((__doc__ or "").split("\n\n")[-1].split()) + "\n")
    _print(f"{N_TABLES} generated tables", [written(seed) for seed in range(N_TABLES)])
    _print("Files of installed packages", real())


def _print(title: str, cases: list[Case]) -> None:
    outcomes = {name: [judged(find, case) for case in cases] for name, find in FINDERS.items()}
    print(f"## {title}\n")
    print("| | tables | " + " | ".join(f"{name}: cells | and header" for name in FINDERS) + " |")
    print("|---|---|" + "---|" * 2 * len(FINDERS))
    kinds = sorted({kind for case in cases for kind in case.kinds})
    for kind in ("all", *kinds):
        chosen = [i for i, case in enumerate(cases) if kind in ("all", *case.kinds)]
        shares = [
            f"{np.mean([outcomes[name][i][part] for i in chosen]):.1%}"
            for name in FINDERS
            for part in (0, 1)
        ]
        name = "`|`" if kind == "|" else f"`{kind}`" if len(kind) == 1 else kind
        print(f"| {name.replace('|', chr(92) + '|')} | {len(chosen)} | {' | '.join(shares)} |")
    times = " | ".join(
        f"{1000 * np.median([one[2] for one in outcomes[name]]):.1f} ms | " for name in FINDERS
    )
    print(f"| median time | | {times} |\n")


if __name__ == "__main__":
    main()
