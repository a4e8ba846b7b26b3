"""Downloaded datasets on disk: whole or not there, and checked whenever they are read.

FOLDER/openml/SERVER/listing.json
FOLDER/openml/SERVER/ID/entry.json      the description, and what the data file must be
FOLDER/openml/SERVER/ID/SHA256.arff     the data file, byte by byte as it was downloaded
"""

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from mecuco_core.datasets.openml.description import Description
from mecuco_core.datasets.openml.errors import DamagedCopyError
from mecuco_core.datasets.openml.reference import Reference
from mecuco_core.datasets.openml.settings import CACHE_VARIABLE, DISK_VARIABLE, Settings
from mecuco_core.errors import DataError
from mecuco_core.runtime.files import PART, NewFile, remove_parts, too_many
from mecuco_core.runtime.wording import spoken_bytes

FORMAT = 1  # of the files written here; another number is read as "not there"

Kind = Literal["arff", "parquet"]
Write = Callable[[bytes], object]


@dataclass(frozen=True)
class Entry:
    """A stored dataset: its description and what its data file must be."""

    description: Description
    kind: Kind
    n_bytes: int
    sha256: str
    stored_at: str  # ISO 8601, UTC

    @property
    def verified(self) -> bool:
        """Whether the file was compared with a checksum of the server."""
        return self.kind == "arff" and self.description.md5 is not None

    @property
    def day(self) -> str:
        """The day it was stored, as YYYY-MM-DD."""
        return self.stored_at[:10]


class Store:
    """The stored datasets of one server."""

    def __init__(self, settings: Settings) -> None:
        # Ids mean nothing without their server.
        self.folder = settings.folder / "openml" / re.sub(r"[^\w.-]", "_", settings.host)
        self.largest = settings.disk

    def find(self, reference: Reference) -> Entry | None:
        """Return the entry of a reference; of several versions an active one, the oldest."""
        if reference.id is not None:
            entries = [self._entry(str(reference.id))]
        else:
            entries = [self._entry(folder.name) for folder in self._folders()]
        matching = [
            entry for entry in entries if entry is not None and _means(reference, entry.description)
        ]
        return min(
            matching,
            key=lambda entry: (entry.description.status != "active", entry.description.id),
            default=None,
        )

    def checked_file(self, entry: Entry) -> Path:
        """Return the data file of an entry, or raise DamagedCopyError."""
        path = self._data_file(entry)
        try:
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise _damaged(entry) from error
        if found != entry.sha256:
            raise _damaged(entry)
        with contextlib.suppress(OSError):  # a folder that may only be read serves all the same
            os.utime(path)  # used just now
        return path

    def add(self, description: Description, kind: Kind, fill: Callable[[Write], None]) -> Entry:
        """Store what `fill` writes; when it raises, everything stays as it was."""
        folder = self.folder / str(description.id)
        with _Download(folder) as part:

            def write(piece: bytes) -> None:
                if part.n_bytes + len(piece) > self.largest:
                    raise DataError(
                        f"{description} is larger than the {spoken_bytes(self.largest)} that "
                        f"stored datasets may take: raise {DISK_VARIABLE}"
                    )
                part.write(piece)

            fill(write)
            entry = Entry(
                description=description,
                kind=kind,
                n_bytes=part.n_bytes,
                sha256=part.digest.hexdigest(),
                stored_at=datetime.now(UTC).isoformat(timespec="seconds"),
            )
            part.become(self._data_file(entry))
        write_json(folder / "entry.json", {"format": FORMAT, **asdict(entry)})
        _sweep(folder, keep={"entry.json", self._data_file(entry).name})
        self._make_room(entry)
        return entry

    def remove(self, entry: Entry) -> None:
        """Forget a stored dataset."""
        folder = self.folder / str(entry.description.id)
        with _writing(folder):
            (folder / "entry.json").unlink(missing_ok=True)
            self._data_file(entry).unlink(missing_ok=True)

    def _make_room(self, newest: Entry) -> None:
        """Remove the datasets used longest ago, if there are too many bytes of them."""
        others: list[tuple[float, int, Entry]] = []
        for folder in self._folders():
            entry = self._entry(folder.name)
            if entry is None or entry.description.id == newest.description.id:
                continue
            with contextlib.suppress(OSError):  # removed by another process meanwhile
                used = self._data_file(entry).stat().st_mtime_ns
                others.append((used, entry.n_bytes, entry))
        for entry in too_many(others, self.largest - newest.n_bytes):
            self.remove(entry)

    def _folders(self) -> list[Path]:
        try:
            return sorted(self.folder.iterdir())
        except OSError:
            return []  # nothing was stored yet

    def _entry(self, name: str) -> Entry | None:
        fields = read_json(self.folder / name / "entry.json")
        if not isinstance(fields, dict) or fields.pop("format", None) != FORMAT:
            return None
        try:
            described = fields.pop("description")
            described |= {key: tuple(described[key]) for key in ("targets", "left_out")}
            entry = Entry(description=Description(**described), **fields)
            named = re.fullmatch(r"[0-9a-f]{64}", entry.sha256) and entry.kind in get_args(Kind)
        except (KeyError, TypeError):
            return None
        return entry if named else None

    def _data_file(self, entry: Entry) -> Path:
        name = f"{entry.sha256[:32]}.{entry.kind}"
        return self.folder / str(entry.description.id) / name


class _Download(NewFile):
    """A new file that counts and hashes what is written."""

    def __init__(self, folder: Path) -> None:
        with _writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            super().__init__(folder)
        self.digest, self.n_bytes = hashlib.sha256(), 0

    def write(self, piece: bytes, /) -> None:
        with _writing(self.path.parent):
            super().write(piece)
        self.digest.update(piece)
        self.n_bytes += len(piece)

    def become(self, path: Path) -> None:
        with _writing(self.path.parent):
            super().become(path)


def read_json(path: Path) -> Any:
    """Return the content of a JSON file, or None when it is not there or not whole."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def write_json(path: Path, content: object) -> None:
    """Write a JSON file in one step: it is the old or the new one, never half of it."""
    with _Download(path.parent) as part:
        part.write(json.dumps(content, ensure_ascii=False).encode("utf-8", "replace"))
        part.become(path)


@contextlib.contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataError(
            f"the cache folder {folder} cannot be written ({error.strerror or error}): "
            f"make room, or name another folder in {CACHE_VARIABLE}"
        ) from error


def _sweep(folder: Path, keep: set[str]) -> None:
    """Remove data files that were replaced and parts that were abandoned."""
    remove_parts(folder)
    for path in folder.iterdir():
        # Another process may be reading or removing the same file: then it is not our business.
        with contextlib.suppress(OSError):
            if path.name not in keep and not path.name.startswith(PART):
                path.unlink()


def _means(reference: Reference, description: Description) -> bool:
    named = reference.name is None or reference.name.casefold() == description.name.casefold()
    return named and reference.version in (None, description.version)


def _damaged(entry: Entry) -> DamagedCopyError:
    return DamagedCopyError(f"the stored copy of {entry.description} is damaged")
