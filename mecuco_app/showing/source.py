"""`mecuco app SOURCE`: whatever the command line knows, opened in the app."""

import hashlib
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

from mecuco_app import launch
from mecuco_app.data.offers import OFFERS, PATH
from mecuco_app.data.sources import Loaded, checked
from mecuco_app.showing import surroundings
from mecuco_app.showing.ports import free_port, serves
from mecuco_app.view import links
from mecuco_app.view.by_name import chosen_view
from mecuco_app.view.settings import DataChoice
from mecuco_core.cli.commands import REFUSED, command_parser, source_options
from mecuco_core.cli.sources import (
    SourceOptions,
    load_source,
    named_manifold,
    read_source,
    standard_input,
)
from mecuco_core.cli.terminal import Terminal
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.bundled import BUNDLED
from mecuco_core.errors import DataError
from mecuco_core.preparation.prepare import prepare
from mecuco_core.preparation.protocol import starting_preparation

CHOICES = ("k", "mode", "map", "colour")
_LOOK = 0.1

Notify = Callable[[str], None]


def main(words: list[str]) -> int:
    """Load the data, serve the app, and open the browser on them."""
    given, others = command_parser().parse_known_args(["app", *words])
    terminal = Terminal(quiet=False)
    chosen = {name: getattr(given, name) for name in CHOICES if getattr(given, name) is not None}
    try:
        path = _address(given.source, source_options(given), chosen, terminal)
        port = free_port(given.port, 8501)
    except DataError as error:
        terminal.close()
        sys.stderr.write(f"mecuco: {error}\n")
        return REFUSED
    terminal.close()
    threading.Thread(target=_open, args=(port, path), daemon=True).start()
    flags = [f"--port={port}", *([f"--address={given.address}"] if given.address else [])]
    launch.serve(launch.arguments([*flags, *others]))
    return 0


def _address(
    source: str, options: SourceOptions, chosen: dict[str, object], terminal: Terminal
) -> str:
    """Return the address of the data behind that of the server; others can't open files by it."""
    choice = _of_the_app(source, options)
    if choice is not None:
        view = chosen_view(chosen, ())
        return f"/Explore?{urlencode(links.encoded(replace(view, data=choice)))}"
    loaded = _loaded(source, options, terminal)
    view = chosen_view(chosen, loaded.dataset.feature_names)
    return PATH + OFFERS.token(OFFERS.make(loaded, view))


def _of_the_app(source: str, options: SourceOptions) -> DataChoice | None:
    """Return the choice of data that the app loads by itself; None for files and the paper's."""
    kind, _, rest = source.partition(":")
    if options.target == "" or options.metadata is not None:
        return None
    if kind == "openml" and not options.offline:
        return DataChoice("openml", rest, target=options.target)
    if kind == "manifold":
        name, numbers = named_manifold(rest)
        return DataChoice("manifold", name, options=tuple(numbers.items()), target=options.target)
    name = source.replace("_", "-")
    if name in BUNDLED and not Path(source).exists():
        return DataChoice("bundled", name, target=options.target)
    return None


def _loaded(source: str, options: SourceOptions, terminal: Terminal) -> Loaded:
    notes: list[str] = []

    def notify(note: str) -> None:
        notes.append(note)
        terminal.note(note)

    is_file = source == "-" or Path(source).exists()
    if is_file:
        dataset, choice = _file(source, options, notify)
    else:
        progress = terminal.progress("Loading")
        dataset = load_source(source, options, notify, progress)
        choice = DataChoice("memory", dataset.name, fingerprint=dataset.fingerprint)
    prepared = prepare(checked(dataset), starting_preparation(dataset))
    return Loaded(dataset, prepared, choice, tuple(notes))


def _file(source: str, options: SourceOptions, notify: Notify) -> tuple[Dataset, DataChoice]:
    """Read a file; its choice is that of the same file sent by a browser."""
    if source == "-":
        content: bytes | Path = standard_input(options)
        name, digest = "standard input", hashlib.sha256(bytes(content)).hexdigest()
    else:
        content, name = Path(source), Path(source).name
        digest = _digest(content) if content.is_file() else ""
    reading = read_source(content, options, notify, name)
    choice = DataChoice(
        "file",
        name,
        asked=replace(options.read, target=reading.options.target),
        content=digest[: links.PRINT],
        reading=reading.options,
        fingerprint=reading.dataset.fingerprint,
    )
    return reading.dataset, choice


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _open(port: int, path: str) -> None:
    """Open the browser once the server answers, or say what to open."""
    while not serves(port):
        time.sleep(_LOOK)
    url = f"http://127.0.0.1:{port}{path}"
    if surroundings.is_remote():
        surroundings.say(surroundings.forwarding(url, port))
    elif surroundings.open_browser(url):
        surroundings.say(
            f"opened in the browser; Ctrl-C ends it. Other tabs: http://127.0.0.1:{port}"
        )
    else:
        surroundings.say(f"no browser was found: open {url}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
