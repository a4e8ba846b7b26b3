"""The door: `sniff` says what some content is, `read` makes a dataset of it."""

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import pandas as pd

from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.files.archives import Unpacked, compression_of, unpack
from mecuco_core.datasets.files.assembling import dataset_of
from mecuco_core.datasets.files.beside import described, with_pictures
from mecuco_core.datasets.files.binary.anndata import read_anndata, settle_anndata
from mecuco_core.datasets.files.binary.arrays import read_npy, read_npz, settle_npz
from mecuco_core.datasets.files.binary.clouds import read_las, read_ply
from mecuco_core.datasets.files.binary.columnar import read_arrow, read_parquet
from mecuco_core.datasets.files.binary.hdf5 import read_hdf5, settle_hdf5
from mecuco_core.datasets.files.binary.matlab import read_mat, settle_mat
from mecuco_core.datasets.files.binary.safetensors import read_safetensors, settle_safetensors
from mecuco_core.datasets.files.binary.spreadsheets import read_workbook, settle_workbook
from mecuco_core.datasets.files.binary.variables import TARGET_NAMES, likely_target
from mecuco_core.datasets.files.binary.zarr_arrays import read_zarr, settle_zarr
from mecuco_core.datasets.files.content import Content, check_content
from mecuco_core.datasets.files.damage import decoding
from mecuco_core.datasets.files.options import (
    WORKBOOKS,
    Findings,
    Format,
    Reading,
    ReadOptions,
    Sniffed,
)
from mecuco_core.datasets.files.recognise import (
    LABELS,
    format_of,
    note_suffix,
    tree_format,
    zip_format,
)
from mecuco_core.datasets.files.shards import read_shards, settle_shards
from mecuco_core.datasets.files.table.columns import settled
from mecuco_core.datasets.files.table.vectors import in_short, with_vectors
from mecuco_core.datasets.files.text.arff import read_arff, settle_arff
from mecuco_core.datasets.files.text.delimited import preview_csv, read_csv
from mecuco_core.datasets.files.text.delimited_settings import settle_csv
from mecuco_core.datasets.files.text.json_text import read_json, read_jsonl, settle_json
from mecuco_core.datasets.files.text.libsvm import read_libsvm, settle_libsvm
from mecuco_core.datasets.files.trees import opened_tree, table_in

_PREVIEW_ROWS = 20

_Settle = Callable[[Unpacked, ReadOptions, Findings], ReadOptions]
_Read = Callable[[Unpacked, ReadOptions, Findings], pd.DataFrame]
_Preview = Callable[[Unpacked, ReadOptions, Findings, int], pd.DataFrame]


@dataclass(frozen=True)
class _Reader:
    """How one format is read; `preview` where the first rows can be had for less."""

    read: _Read
    settle: _Settle | None = None
    preview: _Preview | None = None


_READERS: dict[Format, _Reader] = {
    "arff": _Reader(read_arff, settle_arff, read_arff),
    "arrow": _Reader(read_arrow, None, read_arrow),
    "csv": _Reader(read_csv, settle_csv, preview_csv),
    "feather": _Reader(read_arrow, None, read_arrow),
    "h5ad": _Reader(read_anndata, settle_anndata, read_anndata),
    "hdf5": _Reader(read_hdf5, settle_hdf5, read_hdf5),
    "json": _Reader(read_json, settle_json),
    "jsonl": _Reader(read_jsonl, settle_json, read_jsonl),
    "las": _Reader(read_las),
    "libsvm": _Reader(read_libsvm, settle_libsvm, read_libsvm),
    "mat": _Reader(read_mat, settle_mat),
    "npy": _Reader(read_npy),
    "npz": _Reader(read_npz, settle_npz),
    "parquet": _Reader(read_parquet, None, read_parquet),
    "ply": _Reader(read_ply),
    "safetensors": _Reader(read_safetensors, settle_safetensors),
    "shards": _Reader(read_shards, settle_shards, read_shards),
    "zarr": _Reader(read_zarr, settle_zarr),
    **dict.fromkeys(WORKBOOKS, _Reader(read_workbook, settle_workbook, read_workbook)),
}


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
        unpacked, options = _resolved(given, options, findings)
        table = _preview(given, unpacked, options, findings)
    assert options.format is not None
    if findings.vectors is not None and findings.vector_columns:
        options = replace(options, vectors=findings.vectors.name)
        table = in_short(table, findings.vectors)
    return Sniffed(
        format=options.format,
        compression=unpacked.compression,
        options=options,
        preview=table,
        notes=tuple(findings.notes),
        n_bytes=max(0, given.n_bytes),
        suggested_target=_suggested_target(table, findings),
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
        unpacked, options = _resolved(given, options, findings)
        assert options.format is not None
        with decoding(LABELS[options.format]):
            table = _READERS[options.format].read(unpacked, options, findings)
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
    """Return the target by what the format says of it, else by the names of the columns."""
    if table.shape[1] < 2:
        return None
    if findings.suggested_target is not None or findings.vectors is None:
        return findings.suggested_target or likely_target(list(table.columns))
    # Beside vectors a label is no coordinate, wherever it stands.
    vectors = {findings.vectors.name, *findings.vectors.columns}
    names = [str(name) for name in table.columns if name not in vectors]
    return next((name for name in names if name.strip().lower() in TARGET_NAMES), None)


def _resolved(
    given: Content, options: ReadOptions, findings: Findings
) -> tuple[Unpacked, ReadOptions]:
    """Find compression, member, format and every setting of it that is open."""
    unpacked, kind = _opened(given, options, findings)
    kind = options.format or kind or format_of(unpacked)
    note_suffix(given, unpacked, kind, findings)
    options = replace(
        options, format=kind, compression=unpacked.compression, member=unpacked.member
    )
    settle = _READERS[kind].settle
    if settle is not None:
        with decoding(LABELS[kind]):
            options = settle(unpacked, options, findings)
    return unpacked, options


def _opened(
    given: Content, options: ReadOptions, findings: Findings
) -> tuple[Unpacked, Format | None]:
    """Find compression and member, and the format where that needs no look at the bytes inside."""
    if given.is_folder:
        with opened_tree(given) as tree:
            kind = tree_format(tree, is_folder=True)
            if kind is None:
                member = table_in(tree, options.member, findings)
                assert isinstance(given.raw, Path)
                inner = check_content(given.raw / member, member)
                return replace(unpack(inner, options, findings), member=member), None
        return Unpacked(given, "none", options.member, options.max_bytes), kind
    with given.open() as stream:
        head = stream.read(16)
    kind = None
    if compression_of(head) == "zip" and options.compression in (None, "none"):
        kind = zip_format(given)
    if kind is None:
        return unpack(given, options, findings), None
    member = options.member if kind == "shards" else None
    return Unpacked(given, "none", member, options.max_bytes), kind


def _preview(
    given: Content, unpacked: Unpacked, options: ReadOptions, findings: Findings
) -> pd.DataFrame:
    assert options.format is not None
    reader = _READERS[options.format]
    with decoding(LABELS[options.format]):
        if reader.preview is None:
            table = reader.read(unpacked, options, findings)
        else:
            table = reader.preview(unpacked, options, findings, _PREVIEW_ROWS)
        if len(table) > _PREVIEW_ROWS:
            table = table.iloc[:_PREVIEW_ROWS].reset_index(drop=True)
        return _completed(table, given, unpacked, options, findings)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the warnings of decoders about content to ourselves: the notes say what matters."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
