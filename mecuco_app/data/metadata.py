"""The columns of a table that are no features: identifiers, texts, dates, links and images."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from mecuco_app.text.numbers import count
from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.columns import recognise_column
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.runtime.wording import spoken_bytes
from mecuco_core.types import IntArray

MetadataKind = Literal["identifier", "text", "link", "image", "value"]

MOST_COLUMNS = 100
"""Columns that are looked at: of a table of vectors a few, of a wide one the first."""

_OF_ROLES: dict[str, MetadataKind] = {
    "identifier": "identifier", "text": "text", "link": "link", "image": "image",
}  # fmt: skip
"""What a visitor has said a column is."""

_LOOKED_AT = 200  # values from which a column is known
_LINKS = ("http://", "https://")


@dataclass(frozen=True)
class MetadataColumn:
    """A column that is shown with a point and is no part of its score.

    Parameters
    ----------
    position : int
        In the table.
    name : str
        Untrusted.
    kind : {"identifier", "text", "link", "image", "value"}
    """

    position: int
    name: str
    kind: MetadataKind


def metadata_columns(dataset: Dataset, prepared: Prepared) -> tuple[MetadataColumn, ...]:
    """Return the columns that gave no feature, those that name a row first, images last."""
    used = set(prepared.report.used)
    names = dataset.feature_names
    unused = [position for position, name in enumerate(names) if name not in used]
    said = dict(prepared.preparation.roles)
    found = []
    for position in unused[:MOST_COLUMNS]:
        kind = _OF_ROLES.get(said.get(names[position], ""))
        kind = kind or kind_of(dataset.table.iloc[:, position])
        found.append(MetadataColumn(position, names[position], kind))
    order: list[MetadataKind] = ["identifier", "text", "value", "link", "image"]
    return tuple(sorted(found, key=lambda column: order.index(column.kind)))


def kind_of(series: "pd.Series") -> MetadataKind:
    """Return what a column holds, by a few of its values from top to bottom."""
    places = np.linspace(0, len(series) - 1, min(len(series), _LOOKED_AT)).astype(np.int64)
    some = series.iloc[places].dropna()
    values = some.tolist()
    if values and all(isinstance(value, bytes) for value in values):
        return "image"
    if values and all(isinstance(value, str) for value in values):
        if all(value.strip().startswith(_LINKS) for value in values):
            return "link"
        kind = recognise_column(some).kind
        return kind if kind in ("identifier", "text") else "value"
    return "identifier" if recognise_column(some).kind == "identifier" else "value"


def is_missing(value: object) -> bool:
    """Whether a cell of a table is empty; one that holds a list is not."""
    return bool(pd.api.types.is_scalar(value) and pd.isna(value))


def spoken_value(value: object) -> str:
    """Return a value of a table as text, untrusted; "missing" where there is none."""
    if isinstance(value, bytes):
        return spoken_bytes(len(value))
    if is_missing(value):
        return "missing"
    if isinstance(value, float | np.floating):
        return f"{value:.15g}"  # 17.0 is 17, and 0.1 is 0.1
    if isinstance(value, pd.Timestamp) and value == value.normalize():
        return f"{value:%Y-%m-%d}"
    return str(value)


def texts_of(dataset: Dataset, column: MetadataColumn, rows: IntArray) -> list[str]:
    """Return the values of a column in some rows as texts, untrusted."""
    return [spoken_value(value) for value in dataset.table.iloc[rows, column.position].tolist()]


def name_of_row(dataset: Dataset, columns: tuple[MetadataColumn, ...], row: int) -> str:
    """Return what a row is called by its identifier, untrusted; "" where it has none."""
    if not columns or columns[0].kind != "identifier":
        return ""
    value = dataset.table.iloc[row, columns[0].position]
    return "" if is_missing(value) else spoken_value(value)


def sized(text: str, most: int) -> tuple[str, str]:
    """Return the beginning of a text, and a sentence on the rest; "" where there is none."""
    if len(text) <= most:
        return text, ""
    return text[:most], f"The first {count(most)} of {count(len(text))} characters."
