"""From a choice of data to a dataset and its points; knows no Streamlit."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from mecuco_app.view.links import PRINT
from mecuco_app.view.settings import BROUGHT, DataChoice, View
from mecuco_app.work.execution import executed
from mecuco_app.work.jobs import Report, silent, stretch
from mecuco_app.work.limits import LIMITS
from mecuco_app.work.uploads import Metadata, read_file
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.datasets.files import ReadOptions
from mecuco_core.datasets.manifolds import load_manifold
from mecuco_core.datasets.openml import load_openml
from mecuco_core.errors import DataError
from mecuco_core.preparation.prepare import Prepared, prepare
from mecuco_core.preparation.protocol import Preparation, starting_preparation
from mecuco_core.runtime.wording import spoken_bytes

MAX_MANIFOLD_POINTS = 100_000
MAX_MANIFOLD_DIMENSION = 1000


@dataclass(frozen=True, eq=False)
class Loaded:
    """A dataset ready to be looked at, the choice that leads to it, and what there is to say."""

    dataset: Dataset
    prepared: Prepared
    choice: DataChoice
    notes: tuple[str, ...] = ()


Fetch = Callable[[Report], Loaded]
"""Brings a dataset; called with whom to report to."""


def loaded(
    choice: DataChoice, preparation: Preparation | None = None, report: Report = silent
) -> Loaded:
    """Load a dataset and make its points.

    Parameters
    ----------
    choice : DataChoice
        Not of a file: its bytes are not in a choice.
    preparation : Preparation or None
        None for the one that suits the data.
    report : callable
        Called with the progress; what it raises stops the work.
    """
    notes: list[str] = []
    dataset = checked(_dataset(choice, report, notes))
    if choice.target is not None:
        dataset = dataset.with_target(choice.target)
    report(1.0, "Preparing the points")
    prepared = prepare(dataset, preparation or starting_preparation(dataset))
    return Loaded(dataset, prepared, choice, tuple(notes))


def opened(view: View, report: Report = silent) -> Loaded:
    """Load what a link leads to; what of it does not fit the data gives way, and is said.

    Raises
    ------
    DataError
        When the dataset itself cannot be had.
    """
    try:
        return loaded(view.data, view.preparation, report)
    except DataError as error:
        # One of three is at fault: without the target, then without the preparation, it is seen.
        plain = replace(view.data, target=None)
        for choice, preparation, what in (
            (plain, view.preparation, "target"),
            (view.data, None, "preparation"),
            (plain, None, "target or the preparation"),
        ):
            try:
                found = loaded(choice, preparation, report)
            except DataError:
                continue
            note = f"The {what} in this address does not fit the data ({error})."
            return replace(found, notes=(*found.notes, note))
        raise


def from_file(
    content: bytes,
    options: ReadOptions,
    name: str,
    *,
    report: Report,
    metadata: Metadata | None = None,
) -> Loaded:
    """Read a file a visitor has sent, and make its points.

    Parameters
    ----------
    content : bytes
    options : ReadOptions
        What is None in it is found out.
    name : str
        Of the file, untrusted.
    report : callable
    metadata : (bytes, str) or None
        Content and name of a file sent with it, which describes its rows.
    """
    reading = read_file(content, name, options, stretch(report, 0.0, 0.7), metadata)
    dataset = checked(reading.dataset)
    rest = stretch(report, 0.7, 1.0)
    prepared = executed(
        prepared_anew, dataset, starting_preparation(dataset), report=rest, seconds=1.0
    )
    choice = DataChoice(
        "file",
        name,
        asked=options,
        content=content_print(content),
        reading=reading.options,
        fingerprint=dataset.fingerprint,
    )
    return Loaded(dataset, prepared, choice, reading.notes)


def prepared_anew(dataset: Dataset, preparation: Preparation, *, report: Report) -> Prepared:
    """Make the points of a dataset."""
    report(0.0, "Preparing the points")
    return prepare(dataset, preparation)


def relabelled_choice(data: DataChoice, dataset: Dataset, column: str | None) -> DataChoice:
    """Return what names a dataset with another column as its label, and reads it so again.

    A former label goes last among the columns: a link to a file says so by their order.
    """
    if data.source == "memory":  # known by its content, which is known once it is there
        awaited = content_print(f"{dataset.fingerprint} {column}".encode())
        return replace(data, fingerprint=awaited)
    if data.source != "file":
        return replace(data, target=column)
    asked = replace(data.asked or ReadOptions(), target=column)
    if dataset.target is not None:
        wanted = dataset.with_target(None)
        names = [name for name in wanted.feature_names if name not in _components(dataset)]
        vectors = [] if dataset.vectors is None else [dataset.vectors.name]
        asked = replace(asked, columns=(*vectors, *names))
    return replace(data, asked=asked, target=None, reading=None, fingerprint="")


def _components(dataset: Dataset) -> frozenset[str]:
    return frozenset(() if dataset.vectors is None else dataset.vectors.columns)


def relabelled(
    former: Loaded,
    choice: DataChoice,
    column: str | None,
    preparation: Preparation,
    *,
    report: Report,
) -> Loaded:
    """Return a dataset that is there with another column as its label, or with none."""
    report(0.0, "Taking the label")
    dataset = former.dataset.with_target(None).with_target(column)
    prepared = executed(prepared_anew, dataset, preparation, report=report, seconds=1.0)
    return Loaded(dataset, prepared, replace(choice, fingerprint=dataset.fingerprint))


def content_print(content: bytes) -> str:
    """Return what a file is known by, whatever its name and however it is read."""
    return hashlib.sha256(content).hexdigest()[:PRINT]


def checked(dataset: Dataset) -> Dataset:
    """Return a dataset, unless it is larger than this server takes."""
    cells = dataset.n_rows * dataset.n_features
    if cells > LIMITS.million_cells * 1_000_000:
        raise DataError(
            f"{dataset.name} has {dataset.n_rows:,} × {dataset.n_features:,} values, more than "
            f"the {LIMITS.million_cells} million this server takes: use a sample of its rows, "
            "or `mecuco score --stream` in a terminal"
        )
    return dataset


def is_quick(choice: DataChoice) -> bool:
    """Whether loading takes less than a moment and no network."""
    return choice.source in ("bundled", "manifold")


def _dataset(choice: DataChoice, report: Report, notes: list[str]) -> Dataset:
    if choice.source == "bundled":
        return load_bundled(choice.identifier)
    if choice.source == "manifold":
        return _manifold(choice)
    if choice.source == "openml":

        def progress(received: int, total: int) -> None:
            of = f" of {spoken_bytes(total)}" if total else ""
            share = received / total if total else 0.0
            report(share, f"Downloading, {spoken_bytes(received)}{of}")

        report(0.0, "Asking OpenML")
        return load_openml(choice.identifier, progress=progress, notify=notes.append)
    if choice.source in BROUGHT:
        raise DataError(elsewhere(choice))
    raise DataError(f"{choice.identifier!r} is no data this app knows: choose some on Home")


def called(choice: DataChoice) -> str:
    """Return what a dataset is called before it is there; untrusted."""
    return f"OpenML {choice.identifier}" if choice.source == "openml" else choice.identifier


def elsewhere(choice: DataChoice) -> str:
    """Say what to do about a file, or data from memory, that is not here."""
    if choice.source == "memory":
        return (
            f"These are data that a Python program showed, '{choice.identifier}' (fingerprint "
            f"{choice.fingerprint[:16] or 'unknown'}), and only that program has them: call "
            "mecuco.show again and the same view comes back."
        )
    return (
        f"This link was made with the uploaded file '{choice.identifier}' "
        f"(fingerprint {choice.fingerprint[:16] or 'unknown'}), which only its owner has: "
        "upload it on Home and the same view comes back."
    )


def _manifold(choice: DataChoice) -> Dataset:
    options = dict(choice.options)
    n_points = options.get("n_points", 2000)
    dimension = options.get("ambient_dimension", 3)
    if n_points > MAX_MANIFOLD_POINTS or dimension > MAX_MANIFOLD_DIMENSION:
        raise DataError(
            f"the app draws manifolds of at most {MAX_MANIFOLD_POINTS:,} points in "
            f"{MAX_MANIFOLD_DIMENSION:,} dimensions, got {_whole(n_points)} in "
            f"{_whole(dimension)}"
        )
    try:
        return load_manifold(choice.identifier, **options)  # type: ignore[arg-type]
    except TypeError as error:
        raise DataError(f"manifold {choice.identifier!r} has no such option: {error}") from error


def _whole(value: float) -> str:
    """Return a number of an address, which may be written 1e9, without a point."""
    return f"{int(value):,}" if float(value).is_integer() else f"{value:,}"
