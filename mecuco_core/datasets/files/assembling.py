"""From the table of a file to a dataset: the columns asked for, the target, the vectors."""

from pathlib import Path

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Dataset, Provenance
from mecuco_core.datasets.files.content import Content
from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.images import image_shape
from mecuco_core.errors import DataError


def dataset_of(
    table: pd.DataFrame,
    given: Content,
    member: str | None,
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
    name = shown(Path(member or given.name).name.split(".")[0] or "file", 80)
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
