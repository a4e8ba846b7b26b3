"""The door: `sniff` says what some content is, `read` makes a dataset of it."""

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Dataset, Provenance
from mecuco_core.datasets.files.archives import Unpacked, compression_of, unpack
from mecuco_core.datasets.files.binary.arrays import read_npy, read_npz, settle_npz
from mecuco_core.datasets.files.binary.columnar import read_arrow, read_feather, read_parquet
from mecuco_core.datasets.files.binary.matlab import read_mat, settle_mat
from mecuco_core.datasets.files.binary.spreadsheets import read_workbook, settle_workbook
from mecuco_core.datasets.files.content import Content, check_content
from mecuco_core.datasets.files.damage import decoding, shown
from mecuco_core.datasets.files.options import (
    WORKBOOKS,
    Findings,
    Format,
    Reading,
    ReadOptions,
    Sniffed,
)
from mecuco_core.datasets.files.recognise import LABELS, format_of, note_suffix, zip_format
from mecuco_core.datasets.files.table.columns import settled
from mecuco_core.datasets.files.table.vectors import in_short, with_vectors
from mecuco_core.datasets.files.text.arff import read_arff, settle_arff
from mecuco_core.datasets.files.text.delimited import preview_csv, read_csv
from mecuco_core.datasets.files.text.delimited_settings import settle_csv
from mecuco_core.datasets.files.text.json_text import read_json, read_jsonl, settle_json
from mecuco_core.datasets.files.text.libsvm import read_libsvm, settle_libsvm
from mecuco_core.datasets.images import image_shape
from mecuco_core.datasets.labels import likely_label
from mecuco_core.errors import DataError

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
    "feather": _Reader(read_feather, None, read_feather),
    "json": _Reader(read_json, settle_json),
    "jsonl": _Reader(read_jsonl, settle_json, read_jsonl),
    "libsvm": _Reader(read_libsvm, settle_libsvm, read_libsvm),
    "mat": _Reader(read_mat, settle_mat),
    "npy": _Reader(read_npy),
    "npz": _Reader(read_npz, settle_npz),
    "parquet": _Reader(read_parquet, None, read_parquet),
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
        table = _preview(unpacked, options, findings)
    assert options.format is not None
    if findings.vectors is not None:
        options = replace(options, vectors=findings.vectors.name)
        table = in_short(table, findings.vectors)
    return Sniffed(
        format=options.format,
        compression=unpacked.compression,
        options=options,
        preview=table,
        notes=tuple(findings.notes),
        n_bytes=given.n_bytes,
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
    path_or_buffer: str | os.PathLike[str] | bytes | IO[Any], *, options: ReadOptions | None = None
) -> Dataset:
    r"""Read a table from a file in any of the known formats.

    Parameters
    ----------
    path_or_buffer : str, path, bytes or file object
        A file on disk, its content, or an open file (of bytes or of text) to read to its end.
    options : ReadOptions or None
        How to read it; what is None there is found out from the content.

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
    """
    if isinstance(path_or_buffer, bytes | os.PathLike):
        return read(path_or_buffer, options)
    if isinstance(path_or_buffer, str):
        return read(Path(path_or_buffer), options)
    content, name = path_or_buffer.read(), getattr(path_or_buffer, "name", "")
    return read(
        content.encode() if isinstance(content, str) else content,
        options,
        Path(name).name if isinstance(name, str) else "",  # a number for some open files
    )


def read_with_notes(
    content: bytes | os.PathLike[str],
    options: ReadOptions | None = None,
    name: str = "",
    *,
    find_target: bool = False,
) -> Reading:
    """Read a table as `read` does, and also return the settings used and what there is to say.

    With `find_target` the target is what `sniff` would suggest, where the options name none.
    """
    findings = Findings()
    given = check_content(content, name)
    with _quiet():
        unpacked, options = _resolved(given, options or ReadOptions(), findings)
        assert options.format is not None
        with decoding(LABELS[options.format]):
            table = _READERS[options.format].read(unpacked, options, findings)
            table = settled(with_vectors(table, options, findings), findings)
            if findings.vectors is not None:
                options = replace(options, vectors=findings.vectors.name)
            if find_target and options.target is None:
                options = replace(options, target=_suggested_target(table, findings))
            dataset = _dataset(table, given, unpacked, options, findings)
    return Reading(dataset, options, tuple(findings.notes))


def _suggested_target(table: pd.DataFrame, findings: Findings) -> str | None:
    """Return the target by what the format says of it, else by the names and values of columns."""
    if table.shape[1] < 2:
        return None
    return findings.suggested_target or likely_label(table)


def _resolved(
    given: Content, options: ReadOptions, findings: Findings
) -> tuple[Unpacked, ReadOptions]:
    """Find compression, member, format and every setting of it that is open."""
    with given.open() as stream:
        head = stream.read(16)
    kind = None
    if compression_of(head) == "zip" and options.compression in (None, "none"):
        kind = zip_format(given)
    if kind is not None:
        unpacked = Unpacked(given, "none", None, options.max_bytes)
    else:
        unpacked = unpack(given, options, findings)
        kind = options.format or format_of(unpacked)
    kind = options.format or kind
    note_suffix(given, unpacked, kind, findings)
    options = replace(
        options, format=kind, compression=unpacked.compression, member=unpacked.member
    )
    settle = _READERS[kind].settle
    if settle is not None:
        with decoding(LABELS[kind]):
            options = settle(unpacked, options, findings)
    return unpacked, options


def _preview(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> pd.DataFrame:
    assert options.format is not None
    reader = _READERS[options.format]
    with decoding(LABELS[options.format]):
        if reader.preview is None:
            table = reader.read(unpacked, options, findings)
        else:
            table = reader.preview(unpacked, options, findings, _PREVIEW_ROWS)
        if len(table) > _PREVIEW_ROWS:
            table = table.iloc[:_PREVIEW_ROWS].reset_index(drop=True)
        return settled(with_vectors(table, options, findings), findings)


def _dataset(
    table: pd.DataFrame,
    given: Content,
    unpacked: Unpacked,
    options: ReadOptions,
    findings: Findings,
) -> Dataset:
    """Keep the columns asked for, take the target out, and say what a person should know."""
    vectors = findings.vectors
    of_vectors = {} if vectors is None else {vectors.name: vectors.columns}
    asked = [c for name in options.columns or () for c in of_vectors.get(name, (name,))]
    there = set(table.columns)
    for column in (*asked, *([options.target] if options.target else [])):
        if column not in there:
            raise DataError(
                f"There is no column {shown(column, 60)!r}; the columns are "
                f"{', '.join(shown(c, 40) for c in table.columns[:10])}"
                f"{', …' if table.shape[1] > 10 else ''}."
            )
    target = table[options.target] if options.target else None
    if options.columns is not None:
        table = table[[c for c in dict.fromkeys(asked) if c != options.target]]
    elif options.target is not None:
        table = table.drop(columns=options.target)
    if vectors is not None and not set(vectors.columns) <= set(table.columns):
        vectors = None
    if table.shape[1] == 0:
        raise DataError("There is no column left beside the target; choose other columns.")
    if table.shape[1] > 1000 and table.size < 20_000_000:
        table = table.copy()  # thousands of columns in a few blocks: quicker from here on
    _note_infinite(table, findings)
    name = shown(Path(unpacked.member or given.name).name.split(".")[0] or "file", 80)
    numeric = all(pd.api.types.is_numeric_dtype(dtype) for dtype in set(table.dtypes))
    return Dataset(
        name=name,
        table=table.reset_index(drop=True),
        target=None if target is None else target.reset_index(drop=True),
        provenance=Provenance("file", identifier=shown(given.name) or None),
        image_shape=image_shape(name, list(map(str, table.columns))) if numeric else None,
        vectors=vectors,
    )


def _note_infinite(table: pd.DataFrame, findings: Findings) -> None:
    endless: list[int] = []
    floats = [p for p, dtype in enumerate(table.dtypes) if dtype in (np.float64, np.float32)]
    step = max(1, 4_000_000 // len(table))  # columns copied at a time
    for start in range(0, len(floats), step):
        some = floats[start : start + step]
        infinite = np.isinf(table.iloc[:, some].to_numpy()).any(axis=0)
        endless += [p for p, found in zip(some, infinite, strict=True) if found]
    if endless:
        listed = ", ".join(shown(table.columns[p], 40) for p in endless[:5])
        findings.note(
            f"Infinite values, or numbers beyond 1.8e308, stand in {len(endless)} "
            f"column{'s' * (len(endless) > 1)}: {listed}{', …' if len(endless) > 5 else ''}."
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the warnings of decoders about content to ourselves: the notes say what matters."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
