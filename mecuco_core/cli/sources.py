"""What SOURCE on the command line means: a file, standard input, a name, OpenML or a manifold."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.bundled import BUNDLED, load_bundled
from mecuco_core.datasets.files import Reading, ReadOptions, read_with_notes
from mecuco_core.datasets.manifolds import MANIFOLDS, load_manifold
from mecuco_core.datasets.openml import load_openml
from mecuco_core.datasets.paper import load_paper_dataset
from mecuco_core.errors import DataError
from mecuco_core.runtime.wording import quoted
from mecuco_core.types import Progress

SOURCE_HELP = (
    "a file or the folder of one dataset; - for standard input; a bundled name (iris, wine, "
    "breast-cancer, digits, diabetes, patches); "
    "openml:NAME, openml:NAME@VERSION or openml:ID; paper:NAME for a dataset of the paper; "
    "manifold:NAME, with parameters as in manifold:torus,n_points=5000,noise=0.1,R=3"
)


@dataclass(frozen=True)
class SourceOptions:
    """What the person said about the source beside its name."""

    read: ReadOptions = field(default_factory=ReadOptions)
    target: str | None = None  # "" for none, None to find it out
    offline: bool = False
    metadata: str | None = None


def load_source(
    source: str,
    options: SourceOptions,
    notify: Callable[[str], None],
    progress: Progress | None = None,
) -> Dataset:
    """Return the dataset that SOURCE means.

    Raises
    ------
    DataError
        One sentence for the person at the terminal.
    """
    kind, _, rest = source.partition(":")
    if options.metadata is not None and source != "-" and not Path(source).exists():
        raise DataError("--metadata describes the rows of a file, and SOURCE is none")
    if kind == "openml":
        dataset = load_openml(rest, notify=notify, progress=progress, offline=options.offline)
    elif kind == "paper":
        dataset = load_paper_dataset(
            rest, notify=notify, progress=progress, offline=options.offline
        )
    elif kind == "manifold":
        dataset = _manifold(*named_manifold(rest))
    elif source == "-":
        content = standard_input(options)
        return read_source(content, options, notify, "standard input").dataset
    elif Path(source).exists():
        return read_source(Path(source), options, notify, Path(source).name).dataset
    elif source in BUNDLED or source.replace("_", "-") in BUNDLED:
        dataset = load_bundled(source)
    else:
        raise DataError(
            f"there is no file {source!r} and no bundled dataset of that name "
            f"({', '.join(BUNDLED)}): check the path, or write openml:NAME"
        )
    return dataset if options.target is None else dataset.with_target(options.target or None)


def standard_input(options: SourceOptions) -> bytes:
    """Return all of standard input."""
    limit = options.read.max_bytes
    content = sys.stdin.buffer.read(limit + 1)
    if len(content) > limit:
        raise DataError(f"standard input is longer than {limit:,} bytes: save it to a file")
    return content


def read_source(
    content: bytes | Path, options: SourceOptions, notify: Callable[[str], None], name: str
) -> Reading:
    """Read a file, and say how; raises DataError."""
    try:
        reading = read_with_notes(
            content,
            options.read,
            name,
            find_target=options.target is None,
            metadata=None if options.metadata is None else Path(options.metadata),
        )
    except OSError as error:
        raise DataError(f"{name!r} cannot be read: {error.strerror or error}") from error
    for note in reading.notes:
        notify(note)
    if options.target is None and reading.options.target is not None:
        notify(target_note(reading.options.target))
    return reading


def target_note(column: str) -> str:
    """Return what is said of a target that nobody named."""
    return (
        f"Column {quoted(column)} is taken as the target, not as a feature: --target COLUMN names "
        "another, --no-target makes it a feature."
    )


def _manifold(name: str, numbers: dict[str, float]) -> Dataset:
    try:
        return load_manifold(name, **numbers)  # type: ignore[arg-type]
    except TypeError as error:
        raise DataError(f"manifold {name!r}: {error}") from error


def named_manifold(text: str) -> tuple[str, dict[str, float]]:
    """Return name and parameters of NAME, or of NAME,PARAMETER=NUMBER,PARAMETER=NUMBER."""
    name, *assignments = (part.strip() for part in text.split(","))
    numbers: dict[str, float] = {}
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if not equals or number != number:
            raise DataError(
                f"{assignment!r} after manifold:{name} must be PARAMETER=NUMBER, as in n_points=500"
            )
        numbers[key.strip()] = int(number) if number.is_integer() else number
    if name not in MANIFOLDS:
        raise DataError(f"manifold must be one of {', '.join(MANIFOLDS)}, got {name!r}")
    return name, numbers
