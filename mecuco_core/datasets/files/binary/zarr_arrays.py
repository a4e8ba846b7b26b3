"""Zarr stores, in a folder or a zip archive: one array of numbers, from memory, without plugins."""

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.binary.arrays import table_of_array
from mecuco_core.datasets.files.binary.variables import (
    Variable,
    choose_variable,
    table_of_variables,
)
from mecuco_core.datasets.files.limits import check_bytes
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.trees import Tree, opened_tree
from mecuco_core.errors import DataError, MissingPackageError

_TOP = ("zarr.json", ".zgroup", ".zarray", ".zmetadata")
_CODECS = frozenset(
    {"bytes", "transpose", "gzip", "zlib", "zstd", "blosc", "lz4", "lzma", "bz2", "crc32c",
     "sharding_indexed", "shuffle", "delta", "fixedscaleoffset", "bitround"}
)  # fmt: skip
"""What may decode chunks: among the others is one that loads pickles."""

_MOST_METADATA = 1_000_000


def zarr_root(tree: Tree) -> str | None:
    """Return the folder of a tree that is a Zarr store, None where there is none."""
    tops = sorted(
        (path for path in tree.sizes if path.rpartition("/")[2] in _TOP),
        key=lambda path: path.count("/"),
    )
    return tops[0].rpartition("/")[0] if tops and tops[0].count("/") <= 1 else None


def settle_zarr(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> ReadOptions:
    """Choose the array of a store that holds the table."""
    with opened_tree(unpacked.content) as tree:
        chosen = choose_variable(_arrays(tree), options, findings)
    return replace(options, variable=chosen.name)


def read_zarr(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> pd.DataFrame:
    """Read the chosen array, and the target beside it where one is named so.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    with opened_tree(unpacked.content) as tree:

        def load(variable: Variable) -> NDArray[Any]:
            check_bytes(math.prod(variable.shape) * 8, options.max_bytes, "The array")
            return _loaded(tree, variable, options)

        def tabulate(array: NDArray[Any]) -> pd.DataFrame:
            return table_of_array(array, options, findings)

        return table_of_variables(_arrays(tree), load, tabulate, options, findings)


def _arrays(tree: Tree) -> list[Variable]:
    """List the arrays by what is written about them."""
    root, found = zarr_root(tree) or "", []
    for path in tree.sizes:
        folder, _, name = path.rpartition("/")
        if name not in ("zarr.json", ".zarray") or not path.startswith(root):
            continue
        told = json.loads(tree.read(path, _MOST_METADATA))
        if name == "zarr.json" and told.get("node_type") != "array":
            continue
        shape = tuple(int(n) for n in told["shape"])
        if any(n < 0 for n in shape):
            raise ValueError("a shape that is impossible")
        if shape:
            called = folder.removeprefix(root).strip("/") or "array"
            found.append(Variable(called, shape, _is_plain(told)))
    return found


def _is_plain(told: dict[str, Any]) -> bool:
    """Whether an array holds numbers, and only known codecs decode it."""
    dtype = told.get("data_type", told.get("dtype"))
    try:
        kind = np.dtype(dtype).kind if isinstance(dtype, str) else "O"
    except TypeError:
        return False
    codecs = [*(told.get("codecs") or ()), *(told.get("filters") or ()), told.get("compressor")]
    return kind in "biuf" and all(_is_known(codec) for codec in codecs if codec is not None)


def _is_known(codec: Any) -> bool:
    name = codec.get("name", codec.get("id"))
    inner = codec.get("configuration") or {}
    inside = [*(inner.get("codecs") or ()), *(inner.get("index_codecs") or ())]
    return name in _CODECS and all(map(_is_known, inside))


def _loaded(tree: Tree, variable: Variable, options: ReadOptions) -> NDArray[Any]:
    if not variable.numeric:
        raise DataError(
            f"The array {variable.name} holds no plain numbers, or is packed in a way that is not "
            "read here; save it as numbers, packed with zstd or not at all."
        )
    try:
        import zarr
        from zarr.core.buffer import default_buffer_prototype
    except ImportError as error:
        raise MissingPackageError(
            "Zarr stores need the package zarr; install it with: pip install 'mecuco[zarr]'"
        ) from error
    root = zarr_root(tree) or ""
    folder = "/".join(part for part in (root, variable.name) if part)
    if f"{folder}/zarr.json" not in tree.sizes and f"{folder}/.zarray" not in tree.sizes:
        folder = root  # the store is one array
    prefix = f"{folder}/" if folder else ""
    make = default_buffer_prototype().buffer.from_bytes
    left, held = options.max_bytes, {}
    for path in tree.sizes:
        if path.startswith(prefix):
            content = tree.read(path, left)
            left -= len(content)
            held[path.removeprefix(prefix)] = make(content)
    array: Any = zarr.open_array(store=zarr.storage.MemoryStore(held), mode="r")
    if tuple(array.shape) != variable.shape:
        raise ValueError("another shape than its description")
    found: NDArray[Any] = np.asarray(array[:])
    return found
