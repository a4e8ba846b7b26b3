"""Where the datasets of a reproduction come from: OpenML, or a folder of files named like them."""

import hashlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import pandas as pd

from mecuco_core.datasets.base import Dataset, Provenance
from mecuco_core.datasets.files import Sniffed, read, sniff
from mecuco_core.datasets.labels import likely_target
from mecuco_core.datasets.openml.errors import NotOnServerError
from mecuco_core.datasets.paper import PaperDataset, load_paper_dataset
from mecuco_core.errors import DataError
from mecuco_core.preparation.prepare import prepare
from mecuco_core.preparation.protocol import PAPER
from mecuco_core.types import FloatArray, Progress

SUFFIXES = (".parquet", ".pq", ".feather", ".arff", ".csv", ".tsv")
RUN_FEATURES = {"vowel": 13}
"""Features the published run had, where the paper's table says otherwise."""

BLOCK_CELLS = 4_000_000
"""Cells of a large file unpacked at once: a wide block of it costs several times its size."""


class MissingError(DataError):
    """The source does not have this dataset."""


class Source(Protocol):
    """What the runner needs of a source of datasets."""

    def describe(self) -> str:
        """Return a word for the report; no path of this machine."""

    def digest(self, line: PaperDataset) -> str:
        """Return what changes when the data do; raise MissingError where there are none."""

    def points(self, line: PaperDataset, progress: Progress | None) -> FloatArray:
        """Return points (n, m) by the paper's protocol; no copy of the table stays alive."""


@dataclass(frozen=True)
class OpenMLSource:
    """OpenML in the paper's versions, and the sets bundled with scikit-learn."""

    notify: Callable[[str], None] | None = None
    offline: bool = False

    def describe(self) -> str:
        """Return the name of the server."""
        return "OpenML"

    def digest(self, line: PaperDataset) -> str:
        """Return name and version: OpenML never changes the data of a version."""
        return f"{line.source}:{line.source_name}@{line.version or ''}"

    def points(self, line: PaperDataset, progress: Progress | None) -> FloatArray:
        """Load, check the size and prepare."""
        try:
            dataset = load_paper_dataset(
                line.name, progress=progress, notify=self.notify, offline=self.offline
            )
        except NotOnServerError as error:
            raise MissingError(str(error)) from error
        check_size(line, dataset.n_rows, dataset.n_features)
        return prepare(dataset, PAPER).points


class FolderSource:
    """Files named like the datasets, here or on OpenML, in any case and with any separators."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise DataError(
                f"--source must be openml or a folder of data files, and {str(folder)!r} is "
                "no folder"
            )
        order = {suffix: place for place, suffix in enumerate(SUFFIXES)}
        found = [path for path in folder.iterdir() if path.suffix.lower() in order]
        found.sort(key=lambda path: (order[path.suffix.lower()], path.name))
        self.files: dict[str, Path] = {}
        for path in found:
            self.files.setdefault(letters(path.stem), path)

    def describe(self) -> str:
        """Say that it is a folder."""
        return "a folder of files"

    def file(self, line: PaperDataset) -> Path:
        """Return the file of a dataset."""
        for name in (line.name, line.source_name):
            if letters(name) in self.files:
                return self.files[letters(name)]
        raise MissingError(f"there is no file of that name ({line.source_name}.parquet, .arff, …)")

    def digest(self, line: PaperDataset) -> str:
        """Return the SHA-256 of the file."""
        with self.file(line).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    def points(self, line: PaperDataset, progress: Progress | None) -> FloatArray:
        """Read, check the size and prepare."""
        path = self.file(line)
        dataset = _read(path, line)
        check_size(line, dataset.n_rows, dataset.n_features)
        points = prepare(dataset, PAPER).points
        del dataset
        _give_back_memory()
        return points


def letters(name: str) -> str:
    """Return a name without case and separators."""
    return "".join(character for character in name.casefold() if character.isalnum())


def check_size(line: PaperDataset, n_rows: int, n_features: int) -> None:
    """Refuse data that cannot be the paper's."""
    stated = line.n_rows, RUN_FEATURES.get(line.name, line.n_features)
    if (n_rows, n_features) != stated:
        raise DataError(
            f"wrong shape: {n_rows:,} rows × {n_features:,} features, the paper's has "
            f"{stated[0]:,} × {stated[1]:,}"
        )


def _read(path: Path, line: PaperDataset) -> Dataset:
    sniffed = sniff(path)
    _give_back_memory()  # a look at a wide file unpacks the start of every column of it
    columns = [str(name) for name in sniffed.preview.columns]
    says_itself = sniffed.format in ("arff", "libsvm", "mat", "npz")
    target = sniffed.suggested_target if says_itself else likely_target(columns)
    if target is None and len(columns) == RUN_FEATURES.get(line.name, line.n_features) + 1:
        target = columns[-1]
    features = tuple(name for name in columns if name != target)
    large = line.n_rows * len(columns) > 2 * BLOCK_CELLS
    if sniffed.format == "parquet" and large:
        return _read_in_blocks(path, sniffed, features, BLOCK_CELLS // line.n_rows + 1)
    return read(path, replace(sniffed.options, target=target))


def _read_in_blocks(path: Path, sniffed: Sniffed, features: tuple[str, ...], width: int) -> Dataset:
    """Read some columns after the other: unpacking all at once takes twenty times the table."""
    parts = []
    for first in range(0, len(features), width):
        some = features[first : first + width]
        parts.append(read(path, replace(sniffed.options, columns=some)).table)
        _give_back_memory()
    table = pd.concat(parts, axis=1)
    return Dataset(path.stem, table, provenance=Provenance("file", identifier=path.name))


def _give_back_memory() -> None:
    """Return to the system what pyarrow, where it was used, keeps of files it has unpacked."""
    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is not None:
        pyarrow.default_memory_pool().release_unused()
