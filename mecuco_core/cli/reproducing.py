"""`mecuco reproduce`: the paper's tables, computed again."""

import argparse
import json
import os
import shlex
import time
from collections.abc import Callable
from pathlib import Path

from mecuco_core.cli.terminal import Terminal
from mecuco_core.datasets.paper import PaperDataset
from mecuco_core.errors import DataError
from mecuco_core.reproduction.about import about_this_run
from mecuco_core.reproduction.protocol import SCORED_MODES, Settings, modes_named
from mecuco_core.reproduction.published import TABLES
from mecuco_core.reproduction.report.page import html_report
from mecuco_core.reproduction.report.words import summary, table_lines
from mecuco_core.reproduction.rows import basis_rows, result_rows
from mecuco_core.reproduction.runner import Outcome, Watcher, chosen_datasets, reproduce
from mecuco_core.reproduction.sources import FolderSource, OpenMLSource, Source
from mecuco_core.runtime.wording import spoken_seconds
from mecuco_core.runtime.writing import write_table, write_text
from mecuco_core.types import Progress

DESCRIPTION = (
    "Score the 65 datasets of the paper by its protocol and set the results beside the published "
    "figures. Writes results.csv, null_bases.csv, about.json and report.html. Stopped and started "
    "again, it goes on where it was."
)


def add_reproduce_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `mecuco reproduce`."""
    parser.add_argument("--table", choices=["1", "2", "3", "all"], default="all")
    parser.add_argument(
        "--datasets", nargs="+", default=[], metavar="NAME", help="as in the paper; default all"
    )
    parser.add_argument(
        "--source",
        default="openml",
        metavar="openml|DIR",
        help="OpenML, or a folder of Parquet, ARFF or CSV files named like the datasets",
    )
    parser.add_argument(
        "--modes",
        nargs="+",
        default=list(SCORED_MODES),
        metavar="MODE",
        help=f"some of {', '.join(SCORED_MODES)}; default all",
    )
    parser.add_argument(
        "-o", "--output", default="mecuco-reproduction", metavar="DIR", help="folder to write to"
    )
    parser.add_argument(
        "--budget",
        type=float,
        default=Settings().budget,
        metavar="SECONDS",
        help="skip a mode that would take longer for one dataset; default %(default)s",
    )
    parser.add_argument("--offline", action="store_true", help="use stored OpenML copies only")
    parser.add_argument("-j", "--jobs", type=int, default=None, help="threads; default all")


def reproduce_tables(options: argparse.Namespace, terminal: Terminal) -> None:
    """Run, write the files and print the table."""
    tables = TABLES if options.table == "all" else (int(options.table),)
    datasets = chosen_datasets(_names(options.datasets), tables)
    settings = Settings(modes=modes_named(_names(options.modes)), budget=options.budget)
    if options.jobs is not None and options.jobs < 1:
        raise DataError(f"--jobs must be at least 1, got {options.jobs}")
    source = _source(options, terminal.note)
    folder = _output_folder(Path(options.output))
    watcher = _TerminalWatcher(terminal)
    try:
        outcomes = reproduce(datasets, source, folder / "parts", settings, watcher, options.jobs)
    except KeyboardInterrupt:
        terminal.note("Finished datasets are kept: the same command goes on from here.")
        raise
    finally:
        terminal.close()
    results = result_rows(outcomes, tables)
    about = about_this_run(_command(options, tables), source.describe(), settings)
    write_table(results, folder / "results.csv")
    write_table(basis_rows(outcomes, tables), folder / "null_bases.csv")
    write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", folder / "about.json")
    write_text(html_report(outcomes, about, tables), folder / "report.html")
    sentences = summary(outcomes, results)
    if options.json:
        rows = json.loads(results.to_json(orient="records", double_precision=15))
        facts = {"summary": sentences, "output": options.output, "rows": rows}
        print(json.dumps(facts, ensure_ascii=False))
    else:
        for line in table_lines(results):
            print(line)
    for sentence in sentences:
        terminal.note(sentence)
    terminal.note(f"Written: {folder / 'results.csv'}, {folder / 'report.html'}")


def _names(words: list[str]) -> list[str]:
    """Return names separated by spaces or commas."""
    return [name for word in words for name in word.split(",") if name]


def _source(options: argparse.Namespace, notify: Callable[[str], None]) -> Source:
    if options.source.lower() == "openml":
        return OpenMLSource(notify, options.offline)
    return FolderSource(Path(options.source))


def _output_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"the folder {str(folder)!r} cannot be made: {error.strerror}") from error
    if not os.access(folder, os.W_OK):
        raise DataError(f"the folder {str(folder)!r} cannot be written to")
    return folder


def _command(options: argparse.Namespace, tables: tuple[int, ...]) -> str:
    """Return the command that repeats this run, with DIR for a folder of this machine."""
    words = ["mecuco", "reproduce"]
    words += ["--source", "openml" if options.source.lower() == "openml" else "DIR"]
    if tables != TABLES:
        words += ["--table", *map(str, tables)]
    if options.datasets:
        words += ["--datasets", *options.datasets]
    if set(_names(options.modes)) != set(SCORED_MODES):
        words += ["--modes", *options.modes]
    if options.budget != Settings().budget:
        words += ["--budget", f"{options.budget:g}"]
    return shlex.join(words)


class _TerminalWatcher(Watcher):
    """One note a dataset, and a bar for each stage of it."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.where = ""
        self.start = 0.0

    def started(self, dataset: PaperDataset, place: int, total: int) -> None:
        self.where = f"[{place}/{total}] {dataset.name}"
        self.start = time.monotonic()

    def stage(self, name: str) -> Progress | None:
        return self.terminal.progress(f"{self.where}, {name}")

    def finished(self, outcome: Outcome) -> None:
        if outcome.reused:
            ending = "finished before"
        elif outcome.status == "done":
            ending = f"done in {spoken_seconds(time.monotonic() - self.start)}"
        else:
            ending = f"{outcome.status}: {outcome.note}"
        self.terminal.note(f"{self.where} {ending}")
