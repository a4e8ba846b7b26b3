"""Files that are written whole or not at all, and what gives way where they take too much room."""

import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self, TypeVar

from mecuco_core.errors import DataError

T = TypeVar("T")

PART = ".part-"
"""How the names of unfinished files begin."""

PART_AGE = 24 * 3600.0  # seconds after which an unfinished file belongs to nobody


class NewFile:
    """A file under a temporary name, which goes unless it becomes another; for its owner alone.

    Parameters
    ----------
    folder : Path
    """

    def __init__(self, folder: Path) -> None:
        handle, name = tempfile.mkstemp(prefix=PART, dir=folder)
        self._file, self.path = os.fdopen(handle, "wb"), Path(name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # Closing flushes, which fails on a full disk; the file goes away either way.
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def write(self, piece: bytes, /) -> None:
        """Write a piece at the end."""
        self._file.write(piece)

    def become(self, path: Path) -> None:
        """Finish, and take the name `path` in one step: what is written is on the disk before."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self.path.replace(path)


def write_whole(content: bytes, path: Path) -> None:
    """Write a file; it appears complete, or stays as it was."""
    with NewFile(path.absolute().parent) as new:
        new.write(content)
        new.become(path)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield the name of an unfinished file, which takes the place of an output at the end.

    Raises
    ------
    DataError
        When it cannot be written.
    """
    try:
        with NewFile(path.absolute().parent) as new:
            yield new.path
            # New files are for their owner alone; an output is an ordinary file.
            mask = os.umask(0)
            os.umask(mask)
            new.path.chmod(0o666 & ~mask)
            new.become(path)
    except OSError as error:
        raise DataError(f"{str(path)!r} cannot be written: {error.strerror}") from error


def remove_parts(folder: Path) -> None:
    """Remove what was left unfinished by processes that were killed while they wrote."""
    for path in folder.glob(f"{PART}*"):
        with suppress(OSError):  # of another process after all, or removed by it meanwhile
            if time.time() - path.stat().st_mtime >= PART_AGE:
                path.unlink()


def too_many(kept: Iterable[tuple[float, int, T]], room: int) -> list[T]:
    """Return what gives way: what was used longest ago, as far as the rest takes too much room.

    Parameters
    ----------
    kept : iterable of (float, int, object)
        When it was used last, its bytes, and what it is.
    room : int
        Bytes that may stay.
    """
    leave, total = [], 0
    for _, size, one in sorted(kept, key=lambda item: -item[0]):
        total += size
        if total > room:
            leave.append(one)
    return leave
