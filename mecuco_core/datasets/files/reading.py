"""The door: `sniff` says what some content is, `read` makes a dataset of it."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import pandas as pd

from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.assembling import dataset_of
from mecuco_core.datasets.files.beside import described, with_pictures
from mecuco_core.datasets.files.content import Content, check_content
from mecuco_core.datasets.files.damage import decoding
from mecuco_core.datasets.files.formats import READERS, resolved
from mecuco_core.datasets.files.options import Findings, Reading, ReadOptions, Sniffed
from mecuco_core.datasets.files.recognise import LABELS
from mecuco_core.datasets.files.table.columns import settled
from mecuco_core.datasets.files.table.vectors import in_short, with_vectors
from mecuco_core.datasets.labels import TARGET_NAMES, likely_label, rows_for_label

_PREVIEW_ROWS = 20


def sniff(
    content: bytes | os.PathLike[str], name: str = "", options: ReadOptions | None = None
) -> Sniffed:
    """Say what some content is, how it would be read, and show its first rows.

    Parameters
    ----------
    content : bytes or path
    name : str, default=""
        Of the file, for the notes; the content decides what it is.
    options : ReadOptions or None
        What is known already; everything left None is found out.

    Raises
    ------
    DataError
        One sentence, when the content is not a table that can be read.
    """
    options = options or ReadOptions()
    findings = Findings()
    given = check_content(content, name)
    with _quiet():
        unpacked, options = resolved(given, options, findings)
        table = _preview(given, unpacked, options, findings)
        first = table
        more = rows_for_label(table.shape[1])
        if len(table) == _PREVIEW_ROWS < more:
            first = _preview(given, unpacked, options, Findings(), more)
        suggested = _suggested_target(first, findings)
    if findings.vectors is not None:
        table = in_short(table, findings.vectors)
        if findings.vector_columns:
            options = replace(options, vectors=findings.vectors.name)
    assert options.format is not None
    return Sniffed(
        format=options.format,
        compression=unpacked.compression,
        options=options,
        preview=table,
        notes=tuple(findings.notes),
        n_bytes=max(0, given.n_bytes),
        suggested_target=suggested,
        vector_columns=findings.vector_columns,
        members=findings.members,
        sheets=findings.sheets,
        variables=findings.variables,
    )


def read(
    content: bytes | os.PathLike[str], options: ReadOptions | None = None, name: str = ""
) -> Dataset:
    """Read a table in any of the known formats.

    Parameters
    ----------
    content : bytes or path
    options : ReadOptions or None
        How to read it, e.g. corrected from `sniff(content).options`; what is None is found out.
    name : str, default=""
        Of the file; the dataset is named after it.

    Raises
    ------
    DataError
        One sentence, when the content cannot be read as asked.
    """
    return read_with_notes(content, options, name).dataset


def read_table(
    path_or_buffer: str | os.PathLike[str] | bytes | IO[Any],
    *,
    options: ReadOptions | None = None,
    metadata: str | os.PathLike[str] | bytes | None = None,
) -> Dataset:
    r"""Read a table from a file in any of the known formats.

    Parameters
    ----------
    path_or_buffer : str, path, bytes or file object
        A file on disk, its content, or an open file (of bytes or of text) to read to its end; or
        the folder of a Zarr store, of a dataset in shards, or of a table and its pictures.
    options : ReadOptions or None
        How to read it; what is None there is found out from the content.
    metadata : str, path, bytes or None
        A file of as many rows in the same order. Its columns describe the points, which are then
        the numbers of the first file.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError
        One sentence, when the content cannot be read as asked.

    See Also
    --------
    prepare : From the table to points.
    ReadOptions : What can be said about a file.

    Examples
    --------
    >>> import io
    >>> import mecuco as mc
    >>> table = mc.datasets.read_table(io.StringIO("length,width,kind\n5,3,a\n4,3,b\n6,2,a\n"))
    >>> table.feature_names
    ['length', 'width', 'kind']
    >>> options = mc.datasets.ReadOptions(target="kind")
    >>> mc.datasets.read_table(b"width;kind\n1;a\n2;b\n3;a\n", options=options).target_name
    'kind'
    >>> described = mc.datasets.read_table(b"0.1,0.2\n0.3,0.1\n", metadata=b"word\na\nb\n")
    >>> described.feature_names, described.vectors.columns
    (['column_1', 'column_2', 'word'], ('column_1', 'column_2'))
    """
    content, name = _content(path_or_buffer)
    if metadata is None:
        return read(content, options, name)
    other, other_name = _content(metadata)
    return read_with_notes(content, options, name, metadata=other, metadata_name=other_name).dataset


def _content(
    given: str | os.PathLike[str] | bytes | IO[Any],
) -> tuple[bytes | os.PathLike[str], str]:
    """Return content or a path, and the name of an open file."""
    if isinstance(given, bytes | os.PathLike):
        return given, ""
    if isinstance(given, str):
        return Path(given), ""
    content, name = given.read(), getattr(given, "name", "")
    return (
        content.encode() if isinstance(content, str) else content,
        Path(name).name if isinstance(name, str) else "",  # a number for some open files
    )


def read_with_notes(
    content: bytes | os.PathLike[str],
    options: ReadOptions | None = None,
    name: str = "",
    *,
    find_target: bool = False,
    metadata: bytes | os.PathLike[str] | None = None,
    metadata_name: str = "",
) -> Reading:
    """Read a table as `read` does, and also return the settings used and what there is to say.

    With `find_target` the target is what `sniff` would suggest, where the options name none. With
    `metadata`, a file of as many rows, `content` holds the points and that file describes them.
    """
    options = options or ReadOptions()
    if metadata is not None:
        points = _read_alone(content, replace(options, target=None), name, find_target=False)
        other = _read_alone(
            metadata, ReadOptions(vectors=""), metadata_name, find_target=find_target
        )
        described_by = other.dataset.with_target(None)
        target = options.target or other.options.target
        return described(points, replace(other, dataset=described_by), target)
    return _read_alone(content, options, name, find_target=find_target)


def _read_alone(
    content: bytes | os.PathLike[str], options: ReadOptions, name: str, *, find_target: bool
) -> Reading:
    findings = Findings()
    given = check_content(content, name)
    with _quiet():
        unpacked, options = resolved(given, options, findings)
        assert options.format is not None
        with decoding(LABELS[options.format]):
            table = READERS[options.format].read(unpacked, options, findings)
            table = _completed(table, given, unpacked, options, findings)
            if findings.vectors is not None and findings.vector_columns:
                options = replace(options, vectors=findings.vectors.name)
            if find_target and options.target is None:
                options = replace(options, target=_suggested_target(table, findings))
            member = None if options.format == "shards" else unpacked.member
            dataset = dataset_of(table, given, member, options, findings)
    return Reading(dataset, options, tuple(findings.notes))


def _completed(
    table: pd.DataFrame,
    given: Content,
    unpacked: Unpacked,
    options: ReadOptions,
    findings: Findings,
) -> pd.DataFrame:
    """Take vectors apart, fetch the pictures beside the table, and settle every dtype."""
    table = settled(with_vectors(table, options, findings), findings)
    if (given.is_folder or unpacked.compression == "zip") and options.format != "shards":
        table = with_pictures(table, given, unpacked.member or "", findings)
    return table


def _suggested_target(table: pd.DataFrame, findings: Findings) -> str | None:
    """Return the target by what the format says of it, else by the names and values of columns."""
    if table.shape[1] < 2:
        return None
    if findings.suggested_target is not None or findings.vectors is None:
        return findings.suggested_target or likely_label(table)
    # Beside vectors a label is no coordinate, wherever it stands.
    vectors = {findings.vectors.name, *findings.vectors.columns}
    others = [name for name in table.columns if name not in vectors]
    named = [str(name) for name in others if str(name).strip().lower() in TARGET_NAMES]
    return named[0] if named else likely_label(table[others])


def _preview(
    given: Content,
    unpacked: Unpacked,
    options: ReadOptions,
    findings: Findings,
    n_rows: int = _PREVIEW_ROWS,
) -> pd.DataFrame:
    assert options.format is not None
    reader = READERS[options.format]
    with decoding(LABELS[options.format]):
        if reader.preview is None:
            table = reader.read(unpacked, options, findings)
        else:
            table = reader.preview(unpacked, options, findings, n_rows)
        if len(table) > n_rows:
            table = table.iloc[:n_rows].reset_index(drop=True)
        return _completed(table, given, unpacked, options, findings)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the warnings of decoders about content to ourselves: the notes say what matters."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
