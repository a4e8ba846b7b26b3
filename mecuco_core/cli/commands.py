"""The commands of `mecuco`, their options, and what their exit codes mean."""

import argparse
import os
import subprocess
import sys
import warnings
from importlib.util import find_spec

from mecuco_core import __version__
from mecuco_core.cli.looking import datasets, info
from mecuco_core.cli.measuring import MEASURES_HELP, measures
from mecuco_core.cli.preparing import MEND_HELP, PREPARE_HELP, PROTOCOL_HELP
from mecuco_core.cli.reproducing import DESCRIPTION, add_reproduce_options, reproduce_tables
from mecuco_core.cli.scoring import QUADRIC, score
from mecuco_core.cli.sources import SOURCE_HELP, SourceOptions
from mecuco_core.cli.streaming import STREAM_HELP, stream
from mecuco_core.cli.terminal import Terminal
from mecuco_core.datasets.files import ReadOptions
from mecuco_core.errors import DataError, SlowModeWarning
from mecuco_core.preparation.protocol import PROTOCOLS
from mecuco_core.surface.warming import warm_up
from mecuco_core.types import METRICS, MODES, SEARCH_METHODS
from mecuco_core.validation import LARGEST_SEED

DONE, REFUSED, USAGE, STOPPED = 0, 1, 2, 130
EXIT_CODES = (
    "exit codes: 0 done; 1 the data or a choice cannot be used (one sentence says why); "
    "2 the command line is wrong; 130 stopped with Ctrl-C"
)


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["app"]:
        return _app(words[1:])
    options = command_parser().parse_args(words)
    terminal = Terminal(quiet=options.quiet)
    try:
        with warnings.catch_warnings(record=False):
            warnings.simplefilter("ignore", SlowModeWarning)  # progress says it better
            _run(options, terminal)
        sys.stdout.flush()
    except DataError as error:
        terminal.close()
        print(f"mecuco: {error}", file=sys.stderr)
        return REFUSED
    except BrokenPipeError:
        # The reader of our output has left: no error of ours. Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        terminal.close()
        print("mecuco: stopped", file=sys.stderr)
        return STOPPED
    return DONE


def _run(options: argparse.Namespace, terminal: Terminal) -> None:
    if options.command == "warm-up":
        warm_up()
        warm_up(QUADRIC)
    elif options.command == "datasets":
        datasets(options, terminal)
    elif options.command == "measures":
        measures(options, terminal)
    elif options.command == "reproduce":
        reproduce_tables(options, terminal)
    elif options.command == "score" and options.stream:
        stream(options, terminal)
    else:
        command = score if options.command == "score" else info
        command(options, source_options(options), terminal)


def source_options(options: argparse.Namespace) -> SourceOptions:
    """Return what the options say about the source."""
    read = ReadOptions(
        format=options.format,
        delimiter=options.delimiter,
        encoding=options.encoding,
        decimal=options.decimal,
        header=options.header,
        sheet=options.sheet,
        variable=options.variable,
        vectors=options.vectors,
        skip_missing_vectors=options.skip_missing_vectors,
        member=options.member,
        target=options.target or None,
    )
    return SourceOptions(
        read=read, target=options.target, offline=options.offline, metadata=options.metadata
    )


def command_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="mecuco",
        description="Local curvature scores for every row of a dataset.",
        epilog=f"mecuco app opens the browser app. {EXIT_CODES}",
    )
    parser.add_argument("--version", action="version", version=f"mecuco {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("-q", "--quiet", action="store_true", help="no notes, no progress")
    shared.add_argument("--json", action="store_true", help="print JSON for a program to read")

    source = argparse.ArgumentParser(add_help=False)
    source.add_argument("source", metavar="SOURCE", help=SOURCE_HELP)
    target = source.add_mutually_exclusive_group()
    target.add_argument(
        "--target", help="column that is the target and no feature; found by its name if not given"
    )
    target.add_argument(
        "--no-target",
        dest="target",
        action="store_const",
        const="",
        help="no column is the target",
    )
    source.add_argument("--offline", action="store_true", help="use stored OpenML copies only")
    reading = source.add_argument_group("reading a file (found out where not given)")
    reading.add_argument("--format", help="csv, parquet, arff, xlsx, npy, mat, json, libsvm, …")
    reading.add_argument("--delimiter", help="one character, or whitespace")
    reading.add_argument("--encoding", help="for example utf-8, utf-16, cp1252")
    reading.add_argument("--decimal", choices=[".", ","])
    reading.add_argument("--header", action=argparse.BooleanOptionalAction, default=None)
    reading.add_argument("--sheet", help="sheet of a workbook")
    reading.add_argument("--variable", help="array of a file that holds several")
    reading.add_argument(
        "--vectors",
        metavar="COLUMN",
        help="column of vectors that becomes the points, '' for none; default the one with the "
        "most numbers",
    )
    reading.add_argument(
        "--skip-missing-vectors",
        action="store_true",
        help="leave out rows without a vector, or with one of another length",
    )
    reading.add_argument("--member", help="file inside a zip archive or a folder")
    reading.add_argument(
        "--metadata", metavar="FILE", help="table of as many rows that describes those of SOURCE"
    )

    scoring = commands.add_parser(
        "score", parents=[source, shared], help="score every row of a source", epilog=EXIT_CODES
    )
    scoring.add_argument(
        "-k",
        "--neighbors",
        type=_neighbors,
        default=None,
        help="neighbours; default round(log2 n), for quadric those with the smallest error bars",
    )
    scoring.add_argument(
        "-m",
        "--mode",
        choices=(*MODES, QUADRIC),
        default="haar",
        help="haar, the default: a function of the data alone; auto, as in the paper: exact below "
        "50 features, else fast; or quadric: the mean curvature of a surface through the rows",
    )
    scoring.add_argument(
        "-d",
        "--dimension",
        type=_dimension,
        default=None,
        help="dimension of that surface, a whole number or auto; default 2",
    )
    scoring.add_argument(
        "-o", "--output", help="file to write, .csv, .tsv or .parquet; default CSV to the terminal"
    )
    scoring.add_argument(
        "--columns", action="store_true", help="write the columns of SOURCE beside the scores"
    )
    scoring.add_argument("--measures", metavar="NAMES", help=MEASURES_HELP)
    scoring.add_argument(
        "--why", action="store_true", help="write in words why each row has its score"
    )
    scoring.add_argument(
        "--top", metavar="N", type=_top, help="write the N highest rows only, or N%% of them"
    )
    scoring.add_argument(
        "--allow-equal", action="store_true", help="no error where every score is the same"
    )
    scoring.add_argument(
        "--prepare", action="append", default=[], metavar="KEY=VALUE", help=PREPARE_HELP
    )
    scoring.add_argument("--protocol", choices=PROTOCOLS, help=PROTOCOL_HELP)
    scoring.add_argument("--mend", action="append", default=[], metavar="WORDS", help=MEND_HELP)
    scoring.add_argument(
        "--metric", choices=METRICS, help="cosine: rows scaled to length one; default euclidean"
    )
    scoring.add_argument(
        "--search",
        choices=SEARCH_METHODS,
        default="auto",
        help="how neighbours are found; default auto: exact but for many points",
    )
    scoring.add_argument(
        "--seed", type=_seed, default=0, help="of an approximate search; default 0"
    )
    scoring.add_argument("-j", "--jobs", type=int, default=None, help="threads; default all")
    scoring.add_argument("--stream", action="store_true", help=STREAM_HELP)
    scoring.add_argument(
        "--cluster", metavar="ADDRESS", help="score on the Dask cluster at tcp://HOST:PORT"
    )

    commands.add_parser(
        "info", parents=[source, shared], help="a first look at a source", epilog=EXIT_CODES
    )
    commands.add_parser(
        "measures", parents=[shared], help="what can be written of a row", epilog=EXIT_CODES
    )
    searching = commands.add_parser(
        "datasets", parents=[shared], help="search OpenML", epilog=EXIT_CODES
    )
    searching.add_argument("words", nargs="*", metavar="WORDS")
    searching.add_argument("--rows", metavar="LOW..HIGH")
    searching.add_argument("--features", metavar="LOW..HIGH")
    searching.add_argument("--limit", type=int, default=50)
    searching.add_argument("--offline", action="store_true", help="search the stored list only")
    searching.add_argument("--refresh", action="store_true", help="fetch the list anew")

    reproducing = commands.add_parser(
        "reproduce",
        parents=[shared],
        help="the paper's tables, computed again",
        description=DESCRIPTION,
        epilog=EXIT_CODES,
    )
    add_reproduce_options(reproducing)

    warming = commands.add_parser("warm-up", help="compile the kernels before the first use")
    warming.set_defaults(quiet=False)
    opening = commands.add_parser(
        "app",
        parents=[source],
        help="open the browser app; with SOURCE, on these data",
        description="Open the browser app on some data. SOURCE comes first; without it the app "
        "opens alone. Options that are not below are Streamlit's.",
        epilog=EXIT_CODES,
        allow_abbrev=False,
    )
    opening.add_argument("-k", type=int, help="neighbours; default round(log2 n)")
    opening.add_argument("-m", "--mode", help=f"one of {', '.join(MODES)}; default haar")
    opening.add_argument("--map", help="umap, pca or columns")
    opening.add_argument("--colour", help="a column, label, or a measure (mecuco measures)")
    opening.add_argument("--port", type=int, help="where to listen; default 8501, or the next free")
    opening.add_argument("--address", help="address to listen on; default 127.0.0.1")
    opening.set_defaults(quiet=False)
    return parser


def _neighbors(text: str) -> int | str:
    if text == "log2":
        return text
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number or log2, got {text!r}") from None


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) > LARGEST_SEED:
        raise argparse.ArgumentTypeError(
            f"must be a whole number from 0 to {LARGEST_SEED}, got {text!r}"
        )
    return int(text)


def _dimension(text: str) -> int | str:
    if text == "auto":
        return text
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number or auto, got {text!r}") from None


def _top(text: str) -> str:
    percent = text.endswith("%")
    try:
        number = float(text[:-1]) if percent else int(text)
    except ValueError:
        number = 0
    if not 0 < number <= (100 if percent else number):
        raise argparse.ArgumentTypeError(f"must be a number of rows or N%, got {text!r}")
    return text


def _app(words: list[str]) -> int:
    """Start the browser app in a process of its own: the engine never imports the screen."""
    missing = [name for name in ("mecuco_app", "streamlit") if find_spec(name) is None]
    if missing:
        print(f"mecuco: the app needs {missing[0]}: pip install 'mecuco[app]'", file=sys.stderr)
        return REFUSED
    has_source = bool(words) and (words[0] == "-" or not words[0].startswith("-"))
    module = "mecuco_app.showing.source" if has_source else "mecuco_app.launch"
    command = [sys.executable, "-m", module, *words]
    if os.name == "posix":
        os.execv(sys.executable, command)  # signals reach the server itself
    return subprocess.call(command)
