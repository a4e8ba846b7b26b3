"""The formats: how each is read, and how it is found out which one some content is."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from mecuco_core.datasets.files.archives import Unpacked, compression_of, unpack
from mecuco_core.datasets.files.binary.anndata import read_anndata, settle_anndata
from mecuco_core.datasets.files.binary.arrays import read_npy, read_npz, settle_npz
from mecuco_core.datasets.files.binary.clouds import read_las, read_ply
from mecuco_core.datasets.files.binary.columnar import read_arrow, read_parquet
from mecuco_core.datasets.files.binary.hdf5 import read_hdf5, settle_hdf5
from mecuco_core.datasets.files.binary.matlab import read_mat, settle_mat
from mecuco_core.datasets.files.binary.safetensors import read_safetensors, settle_safetensors
from mecuco_core.datasets.files.binary.spreadsheets import read_workbook, settle_workbook
from mecuco_core.datasets.files.binary.zarr_arrays import read_zarr, settle_zarr
from mecuco_core.datasets.files.content import Content, check_content
from mecuco_core.datasets.files.damage import decoding
from mecuco_core.datasets.files.options import WORKBOOKS, Findings, Format, ReadOptions
from mecuco_core.datasets.files.recognise import (
    LABELS,
    format_of,
    note_suffix,
    tree_format,
    zip_format,
)
from mecuco_core.datasets.files.shards import read_shards, settle_shards
from mecuco_core.datasets.files.text.arff import read_arff, settle_arff
from mecuco_core.datasets.files.text.delimited import preview_csv, read_csv
from mecuco_core.datasets.files.text.delimited_settings import settle_csv
from mecuco_core.datasets.files.text.json_text import read_json, read_jsonl, settle_json
from mecuco_core.datasets.files.text.libsvm import read_libsvm, settle_libsvm
from mecuco_core.datasets.files.trees import opened_tree, table_in

_Settle = Callable[[Unpacked, ReadOptions, Findings], ReadOptions]
_Read = Callable[[Unpacked, ReadOptions, Findings], pd.DataFrame]
_Preview = Callable[[Unpacked, ReadOptions, Findings, int], pd.DataFrame]


@dataclass(frozen=True)
class Reader:
    """How one format is read; `preview` where the first rows can be had for less."""

    read: _Read
    settle: _Settle | None = None
    preview: _Preview | None = None


READERS: dict[Format, Reader] = {
    "arff": Reader(read_arff, settle_arff, read_arff),
    "arrow": Reader(read_arrow, None, read_arrow),
    "csv": Reader(read_csv, settle_csv, preview_csv),
    "feather": Reader(read_arrow, None, read_arrow),
    "h5ad": Reader(read_anndata, settle_anndata, read_anndata),
    "hdf5": Reader(read_hdf5, settle_hdf5, read_hdf5),
    "json": Reader(read_json, settle_json),
    "jsonl": Reader(read_jsonl, settle_json, read_jsonl),
    "las": Reader(read_las),
    "libsvm": Reader(read_libsvm, settle_libsvm, read_libsvm),
    "mat": Reader(read_mat, settle_mat),
    "npy": Reader(read_npy),
    "npz": Reader(read_npz, settle_npz),
    "parquet": Reader(read_parquet, None, read_parquet),
    "ply": Reader(read_ply),
    "safetensors": Reader(read_safetensors, settle_safetensors),
    "shards": Reader(read_shards, settle_shards, read_shards),
    "zarr": Reader(read_zarr, settle_zarr),
    **dict.fromkeys(WORKBOOKS, Reader(read_workbook, settle_workbook, read_workbook)),
}


def resolved(
    given: Content, options: ReadOptions, findings: Findings
) -> tuple[Unpacked, ReadOptions]:
    """Find compression, member, format and every setting of it that is open."""
    unpacked, kind = _opened(given, options, findings)
    kind = options.format or kind or format_of(unpacked)
    note_suffix(given, unpacked, kind, findings)
    options = replace(
        options, format=kind, compression=unpacked.compression, member=unpacked.member
    )
    settle = READERS[kind].settle
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
                member = table_in(tree, options.member, given.name, findings)
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
    asked = options.member if kind == "shards" else None
    return Unpacked(given, "none", asked, options.max_bytes), kind
