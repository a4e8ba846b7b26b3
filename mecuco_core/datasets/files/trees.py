"""Files beside each other, in a folder or a zip archive: named, bounded, and none outside of it."""

import os
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Protocol

from mecuco_core.datasets.files.archives import check_member, is_data, open_zip
from mecuco_core.datasets.files.content import Content
from mecuco_core.datasets.files.damage import decoding, shown
from mecuco_core.datasets.files.limits import check_bytes
from mecuco_core.datasets.files.options import Findings
from mecuco_core.errors import DataError

_MOST_FILES = 200_000
_TABLES = {
    ".csv", ".tsv", ".parquet", ".feather", ".arrow", ".json", ".jsonl", ".xlsx", ".ods",
    ".npy", ".npz",
}  # fmt: skip


class Tree(Protocol):
    """Files by their paths, with slashes, relative to where they are."""

    @property
    def sizes(self) -> dict[str, int]:
        """Every file, and how many bytes it has."""

    def read(self, path: str, max_bytes: int) -> bytes:
        """Return a file of `sizes`; DataError when it is larger than `max_bytes`."""


@dataclass(frozen=True, eq=False)
class _Folder:
    root: Path
    sizes: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for folder, names, files in os.walk(self.root, followlinks=False):
            names[:] = sorted(name for name in names if not name.startswith("."))
            for name in sorted(files):
                path = Path(folder, name)
                found = path.lstat()
                if stat.S_ISREG(found.st_mode):  # no links, which may lead elsewhere
                    self.sizes[path.relative_to(self.root).as_posix()] = found.st_size
            if len(self.sizes) > _MOST_FILES:
                raise DataError(
                    f"{shown(self.root.name)} holds more than {_MOST_FILES:,} files; give the "
                    "folder of one dataset."
                )

    def read(self, path: str, max_bytes: int) -> bytes:
        check_bytes(self.sizes[path], max_bytes, shown(path, 60))
        place = self.root / path
        if place.resolve() != self.root.resolve() / path:  # changed since it was looked at
            raise DataError(f"{shown(path, 60)} is a link, which is not followed.")
        with place.open("rb") as stream:
            return stream.read(max_bytes + 1)[: self.sizes[path]]


@dataclass(frozen=True, eq=False)
class _Archive:
    archive: zipfile.ZipFile
    sizes: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for info in self.archive.infolist():
            if is_data(info):
                self.sizes[info.filename] = info.file_size

    def read(self, path: str, max_bytes: int) -> bytes:
        info = self.archive.getinfo(path)
        check_member(info)
        check_bytes(info.file_size, max_bytes, f"{shown(path, 60)} in the archive")
        with decoding("a zip archive"), self.archive.open(info) as stream:
            found = stream.read(max_bytes + 1)
        check_bytes(len(found), max_bytes, f"{shown(path, 60)} in the archive")
        return found


@contextmanager
def opened_tree(content: Content) -> Iterator[Tree]:
    """Open a folder or a zip archive."""
    if content.is_folder:
        assert isinstance(content.raw, Path)
        yield _Folder(content.raw)
    else:
        with content.open() as stream, open_zip(stream) as archive:
            yield _Archive(archive)


def table_in(tree: Tree, member: str | None, name: str, findings: Findings) -> str:
    """Return the table of a folder: the one asked for, or the only one beside pictures."""
    found = [
        path
        for path in tree.sizes
        if PurePosixPath(path).suffix.lower() in _TABLES and path.count("/") <= 1
    ]
    findings.members = tuple(found)
    listed = ", ".join(shown(path, 60) for path in found[:8])
    if member is not None:
        if member not in tree.sizes:
            raise DataError(
                f"member must be a file of the folder ({listed}), got {shown(member)!r}"
            )
        return member
    if not found:
        raise DataError(f"{shown(name, 60)} is a folder without a table; give the path of a file.")
    if len(found) > 1:
        raise DataError(
            f"{shown(name, 60)} is a folder with several tables ({listed}); choose one by member."
        )
    findings.note(f"{shown(found[0], 60)} is read from the folder.")
    return found[0]


def inside(folder: str, path: str) -> str | None:
    """Return where a relative path leads from a folder of a tree, None where it leads out of it."""
    given = PurePosixPath(path.replace("\\", "/"))
    if given.is_absolute() or ":" in path.partition("/")[0]:
        return None
    parts: list[str] = [part for part in folder.split("/") if part]
    for part in given.parts:
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
