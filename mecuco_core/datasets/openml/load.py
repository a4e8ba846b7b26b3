"""OpenML as a source of datasets: the cache where it can be, the server where it must."""

from dataclasses import dataclass

from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.files import ReadOptions, read_with_notes
from mecuco_core.datasets.openml import transport
from mecuco_core.datasets.openml.description import Description, Notify
from mecuco_core.datasets.openml.errors import DamagedCopyError, FileRefusedError, ServerError
from mecuco_core.datasets.openml.lookup import (
    fallback,
    ignored,
    look_up,
    not_stored,
    notify_of_status,
)
from mecuco_core.datasets.openml.reference import Reference, parse_reference
from mecuco_core.datasets.openml.settings import Settings, current_settings
from mecuco_core.datasets.openml.store import Entry, Kind, Store, Write
from mecuco_core.datasets.openml.table import DEFAULT_TARGET, dataset_of
from mecuco_core.errors import DataError
from mecuco_core.runtime.wording import spoken_bytes
from mecuco_core.types import Progress

MOST_BYTES = 1_000_000_000


def load_openml(
    id_or_name: int | str,
    version: int | None = None,
    *,
    target: str | None = DEFAULT_TARGET,
    progress: Progress | None = None,
    notify: Notify | None = None,
    max_bytes: int = MOST_BYTES,
    offline: bool = False,
) -> Dataset:
    """Load a dataset of OpenML; once loaded, it needs no network.

    Parameters
    ----------
    id_or_name : int or str
        61, "iris" or "iris@1".
    version : int or None
        Another way to write the part after "@". A name without version means the oldest active
        one.
    target : str or None
        The column to use as target, None for no target. By default the declared one, of several
        the first. Declared targets are no features, unless another column or none is chosen.
    progress : callable or None
        Called with (bytes received, bytes in all or 0 when unknown). What it raises passes
        through, stops the download and leaves nothing of it behind.
    notify : callable or None
        Called with each sentence the person should read: a stored copy is used, the dataset is
        deactivated, columns are left out, and the like.
    max_bytes : int
        Limit of the file, and of the table at 8 bytes a cell.
    offline : bool
        Use the cache only.

    Raises
    ------
    DataError
        With one sentence; about a server within 15 seconds after it stopped answering.
    MissingPackageError
        If the package openml is not installed.

    Returns
    -------
    Dataset

    See Also
    --------
    search_openml : Which there are.
    describe_openml : What one is, before it is downloaded.

    Examples
    --------
    >>> import mecuco as mc
    >>> data = mc.datasets.load_openml("iris@1")
    >>> data.name, data.target_name, data.provenance.identifier
    ('iris', 'class', '61')
    """
    settings, notify = current_settings(), notify or ignored
    reference = parse_reference(id_or_name, version)
    source = _Source(settings, Store(settings), notify, progress, max_bytes)
    entry = source.store.find(reference)
    if not offline and (entry is None or not reference.exact):
        try:
            entry = source.current(reference)
        except ServerError as fault:
            if entry is None:
                raise
            notify(fallback(fault, entry))
    if entry is None:
        raise not_stored(reference)
    notify_of_status(entry.description, notify)
    _check_memory(entry.description, max_bytes)
    try:
        path = source.store.checked_file(entry)
    except DamagedCopyError as damage:
        if offline:
            raise DataError(f"{damage}: load it once more while online") from damage
        notify(f"{damage} and is downloaded again")
        entry = source.downloaded(entry.description)
        path = source.store.checked_file(entry)
    try:
        name = f"{entry.description.name}.{entry.kind}"
        reading = read_with_notes(path, _read_options(entry.kind, max_bytes), name)
    except DataError as error:
        if not entry.verified:
            source.store.remove(entry)  # else a page of a broken server is read again and again
        raise DataError(f"{entry.description} cannot be read: {error}") from error
    for note in reading.notes:
        notify(note)
    return dataset_of(reading.dataset.table, entry.description, target=target, notify=notify)


@dataclass(frozen=True)
class _Source:
    """What the steps of one load share."""

    settings: Settings
    store: Store
    notify: Notify
    progress: Progress | None
    max_bytes: int

    def current(self, reference: Reference) -> Entry:
        """Return the stored copy of what the server means by `reference`, new when needed."""
        description = look_up(self.settings, reference, self.notify)
        stored = self.store.find(Reference(id=description.id))
        return stored if stored is not None else self.downloaded(description)

    def downloaded(self, description: Description) -> Entry:
        """Download the data file; its Parquet twin where the ARFF file is not to be had."""
        _check_memory(description, self.max_bytes)
        if description.format.casefold() in ("arff", "sparse_arff"):
            try:
                return self._fetched(description, description.url, "arff", description.md5)
            except FileRefusedError as refusal:
                if description.parquet_url is None:
                    raise
                self.notify(f"{refusal}; the Parquet file is used")
        if description.parquet_url is None:
            raise DataError(f"{description} is kept as {description.format!r}: choose another")
        return self._fetched(description, description.parquet_url, "parquet", None)

    def _fetched(self, description: Description, url: str, kind: Kind, md5: str | None) -> Entry:
        def fill(write: Write) -> None:
            received = transport.download(
                self.settings, url, write, limit=self.max_bytes, progress=self.progress
            )
            if md5 is not None and received != md5.casefold():
                raise ServerError(
                    f"the file of {description} does not have the checksum that OpenML states: "
                    "it was damaged on the way or on the server, try again"
                )

        return self.store.add(description, kind, fill)


def _check_memory(description: Description, limit: int) -> None:
    needed = description.table_bytes
    if needed is not None and needed > limit:
        raise DataError(
            f"{description} has {description.n_rows:,} rows and {description.n_columns:,} columns, "
            f"{spoken_bytes(needed)} in memory, and the limit (max_bytes) is "
            f"{spoken_bytes(limit)}: choose a smaller one"
        )


def _read_options(kind: Kind, limit: int) -> ReadOptions:
    cells = max(1, limit // 8)
    return ReadOptions(
        format=kind,
        compression="none",
        missing=("?", ""),  # a class may well be called "NA" or "None"
        max_bytes=limit,
        max_cells=cells,
        max_columns=cells,
    )
