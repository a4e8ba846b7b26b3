"""The bytes of one file, in memory or on disk: opened as often as needed, never copied."""

import io
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from mecuco_core.datasets.files.damage import shown
from mecuco_core.errors import DataError


@dataclass(frozen=True, eq=False)
class Content:
    """A file as it was given: bytes or a path, its name, and its size; -1 for a folder."""

    raw: bytes | Path
    name: str
    n_bytes: int

    def open(self) -> BinaryIO:
        """Open the content for reading, at its beginning."""
        if isinstance(self.raw, bytes):
            return io.BytesIO(self.raw)  # shares the buffer of `raw`
        try:
            return self.raw.open("rb")
        except OSError as error:
            raise DataError(
                f"{shown(self.raw.name)} cannot be opened ({error.strerror}); check its "
                "permissions."
            ) from error

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder, of which files are read."""
        return self.n_bytes < 0

    @property
    def suffix(self) -> str:
        """The last extension of the name, in small letters, without the dot."""
        return Path(self.name).suffix.lower().removeprefix(".")


def check_content(content: object, name: str) -> Content:
    """Return `content` with its size, or say why it cannot be read.

    Parameters
    ----------
    content : bytes-like or path-like
    name : str
        For messages, notes and the name of the dataset; of a path, its own name when "".
    """
    if isinstance(content, (bytes, bytearray, memoryview)):
        raw = content if isinstance(content, bytes) else bytes(content)
        found = Content(raw, name, len(raw))
    elif isinstance(content, os.PathLike):
        found = _on_disk(Path(content), name)
    else:
        raise DataError(
            f"content must be bytes or a pathlib.Path, got {type(content).__name__}; "
            "wrap the name of a file in Path(...)."
        )
    if found.n_bytes == 0:
        raise DataError(f"{shown(found.name) or 'The file'} is empty: there is nothing to read.")
    return found


def _on_disk(path: Path, name: str) -> Content:
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise DataError(f"{shown(path)} cannot be found; check the path.") from error
    if stat.S_ISDIR(status.st_mode):
        return Content(path, name or path.resolve().name, -1)
    # Opening a pipe may wait for ever, and a device never ends.
    if not stat.S_ISREG(status.st_mode):
        raise DataError(f"{shown(path)} is not a file; give the path of one file.")
    return Content(path, name or path.name, status.st_size)
