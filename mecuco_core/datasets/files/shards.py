"""Tables in several files: Parquet or Arrow shards in a folder or archive, as of `datasets`."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd

from mecuco_core.datasets.files.archives import Unpacked
from mecuco_core.datasets.files.binary.arrow_table import Parts, table_of_parts
from mecuco_core.datasets.files.binary.columnar import parts_of, pyarrow_with
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.limits import check_bytes
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.trees import Tree, opened_tree
from mecuco_core.errors import DataError

_DEEPEST = 3  # folders
_OWN = ("dataset_info.json", "dataset_dict.json", "state.json")
_SHARD = re.compile(r"(?P<split>.*?)-?[0-9]{5}-of-[0-9]{5}(?:-[0-9a-f]+)?")
_SPLITS = ("train", "test", "validation", "valid", "val", "dev")


def is_dataset(tree: Tree) -> bool:
    """Whether files are a dataset as the library `datasets` writes or shares it."""
    names = [path.rpartition("/")[2] for path in tree.sizes if path.count("/") <= _DEEPEST]
    shards = [name for name in names if name.endswith((".arrow", ".parquet"))]
    return bool(shards) and (
        any(name in _OWN for name in names)
        or any(_SHARD.fullmatch(name.rpartition(".")[0]) for name in shards)
    )


def tables_of(tree: Tree) -> dict[str, list[str]]:
    """Return the tables among files, by name, each with its shards in order."""
    found: dict[str, list[str]] = {}
    for path in sorted(tree.sizes):
        folder, _, name = path.rpartition("/")
        if path.count("/") > _DEEPEST:
            continue
        stem, _, suffix = name.rpartition(".")
        if suffix not in ("arrow", "parquet") or name.startswith(("cache-", ".", "_")):
            continue
        shard = _SHARD.fullmatch(stem)
        own = stem if stem in _SPLITS else ""
        if shard and shard["split"] not in ("", "data", "part"):
            own = shard["split"]
        called = "/".join(part for part in (folder.removeprefix("data"), own) if part).strip("/")
        found.setdefault(called or "all", []).append(path)
    return found


def settle_shards(unpacked: Unpacked, options: ReadOptions, findings: Findings) -> ReadOptions:
    """Choose the table: the one asked for, else the training one, else the largest."""
    with opened_tree(unpacked.content) as tree:
        found = tables_of(tree)
        sizes = {name: sum(tree.sizes[path] for path in found[name]) for name in found}
    findings.members = tuple(found)
    listed = ", ".join(shown(name, 40) for name in list(found)[:8])
    if options.member is not None and options.member not in found:
        raise DataError(
            f"member must be a table of the dataset ({listed}), got {shown(options.member)!r}"
        )
    name = options.member
    if name is None:
        training = [one for one in found if one.rpartition("/")[2] == "train"]
        name = max(training or found, key=lambda one: sizes[one])
    if len(found) > 1:
        findings.note(
            f"{shown(name, 60)} is read, one of the tables {listed}; the option member chooses."
        )
    return replace(options, member=name)


def read_shards(
    unpacked: Unpacked, options: ReadOptions, findings: Findings, n_rows: int | None = None
) -> pd.DataFrame:
    """Read the shards of the chosen table as one.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
    """
    pa, _ = pyarrow_with("ipc")
    with opened_tree(unpacked.content) as tree:
        paths = tables_of(tree)[options.member or ""]
        total = sum(tree.sizes[path] for path in paths)
        if n_rows is None:
            check_bytes(total, options.max_bytes, "The table")

        def shards() -> Iterator[Parts]:
            first = None
            for path in paths:
                part = parts_of(pa.BufferReader(tree.read(path, options.max_bytes)), pa)
                first = first or part.schema
                if not first.equals(part.schema):
                    raise DataError(
                        f"{shown(path, 60)} has other columns than {shown(paths[0], 60)}; they are "
                        "no shards of one table."
                    )
                yield part

        def batches(names: list[str] | None, size: int) -> Iterator[Any]:
            for part in shards():
                yield from part.batches(names, size)

        def whole(names: list[str] | None) -> Any:
            return pa.concat_tables([part.whole(names) for part in shards()])

        parts = Parts(next(shards()).schema, None, batches, whole)
        return table_of_parts(parts, options, findings, pa, n_rows)
