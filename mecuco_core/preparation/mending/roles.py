"""What each column is there for: a feature, or something shown beside the points."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, get_args

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Vectors
from mecuco_core.errors import DataError
from mecuco_core.preparation.columns import Column, is_identifier_name
from mecuco_core.preparation.encoding import as_numbers
from mecuco_core.runtime.wording import quoted

Role = Literal["feature", "identifier", "text", "image", "link", "leave out"]
"""What a person can say a column is; the label is the target of the dataset."""

ROLES: tuple[Role, ...] = get_args(Role)

NAMES_ROWS = "identifier: numbers that name things"
CODE = "code: numbers that name places, phones or goods"

_FEW = 20  # different values that may be a small category
_LOOKED_AT = 50  # values of a column of texts or objects
_LINK = re.compile(r"\s*https?://\S+\s*")
_IMAGE_STARTS = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*")
_PLACES = re.compile(
    "zip|zipcodes?|postal|postalcode|postcode|plz|pincode|fips|phone|phonenumber|telephone|tel"
    "|mobile|fax|iban|ssn|isbn|ean|upc|sku|barcode"
)
_MAYBE = re.compile("codes?")


def recognised_role(series: "pd.Series", column: Column) -> Role:
    """Return the role of a column as it is recognised, which a person may change."""
    if column.kind == "other" and is_image(series):
        return "image"
    if column.kind in ("text", "category", "identifier") and is_link(series):
        return "link"
    if column.kind == "identifier":
        return "identifier"
    if column.kind == "text":
        return "text"
    return "leave out" if column.reason else "feature"


def with_roles(
    columns: Sequence[Column],
    table: pd.DataFrame,
    roles: Mapping[str, Role],
    *,
    closely: bool,
    others: Sequence[str] = (),
) -> list[Column]:
    """Return columns with the reasons why some are left out, by their roles.

    Parameters
    ----------
    columns : sequence of Column
    table : DataFrame of shape (n_rows, n_columns)
    roles : mapping from names to roles
        What a person has said.
    closely : bool
        Whether numbers that only name things, and links, are left out.
    others : sequence of str
        Names that roles may speak of without effect.
    """
    unknown = sorted(set(roles) - {column.name for column in columns} - set(others))
    if unknown:
        raise DataError(f"roles name {quoted(unknown[0])}, which is no column")
    found = []
    for column in columns:
        role, reason = roles.get(column.name), column.reason
        if role == "feature":
            if column.reading == "none":
                raise DataError(f"column {quoted(column.name)} cannot be a feature: {reason}")
            reason = ""
        elif role is not None:
            reason = f"{'left out' if role == 'leave out' else role}, as chosen"
        elif closely and not reason:
            series = table.iloc[:, column.position]
            reason = "links" if _is_link_column(series, column) else naming(series, column)
        found.append(column if reason == column.reason else replace(column, reason=reason))
    return found


def beside_vectors(
    columns: Sequence[Column], vectors: Vectors, roles: Mapping[str, Role]
) -> list[Column]:
    """Return the columns of a table of vectors: the components alone are features.

    Other columns stay beside them, unless their role says that they are features too.
    """
    components = set(vectors.columns)
    return [
        column
        if column.name in components or roles.get(column.name) == "feature"
        else replace(column, reason="beside the vectors")
        for column in columns
    ]


def naming(series: "pd.Series", column: Column) -> str:
    """Return `NAMES_ROWS` or `CODE` where the numbers of a column only name things, else ""."""
    if column.kind != "number" or column.reading == "empty":
        return ""
    is_name = is_identifier_name(column.name)
    words = re.split(r"[\W_\d]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", column.name[:100]).lower())
    is_place = any(_PLACES.fullmatch(word) for word in words)
    maybe = any(_MAYBE.fullmatch(word) for word in words)
    zeros = column.reading == "parsed" and _has_leading_zeros(series)
    if not (is_name or is_place or maybe or zeros):
        return ""
    values = as_numbers(series, column)
    values = values[np.isfinite(values)]
    if not len(values) or (values != np.rint(values)).any() or values.min() < 0:
        return ""
    if len(np.unique(values)) <= _FEW:
        return ""
    if is_name:
        return NAMES_ROWS
    digits = np.floor(np.log10(np.maximum(values, 1.0))) + 1
    widths = digits.max() - digits.min()
    if zeros or (is_place and digits.max() >= 4) or (maybe and widths == 0 and digits.max() >= 3):
        return CODE
    return ""


def is_link(series: "pd.Series") -> bool:
    """Whether the texts of a column are links."""
    texts = _first(series)
    return bool(texts) and all(isinstance(t, str) and _LINK.fullmatch(t[:4000]) for t in texts)


def is_image(series: "pd.Series") -> bool:
    """Whether the values of a column are the bytes of pictures."""
    values = _first(series)
    return bool(values) and all(
        isinstance(value, bytes)
        and (value.startswith(_IMAGE_STARTS) or (value[:4] == b"RIFF" and value[8:12] == b"WEBP"))
        for value in values
    )


def _is_link_column(series: "pd.Series", column: Column) -> bool:
    return column.kind == "category" and is_link(series)


def _first(series: "pd.Series") -> list[object]:
    """Return the first values of a column that are not missing."""
    start = series.iloc[: 20 * _LOOKED_AT]
    present: list[object] = start[start.notna().to_numpy()].iloc[:_LOOKED_AT].tolist()
    return present


def _has_leading_zeros(series: "pd.Series") -> bool:
    """Whether numbers written as text are of one width, and some begin with 0."""
    texts = [str(text).strip() for text in series.dropna().iloc[:1000]]
    return (
        len({len(text) for text in texts}) == 1
        and len(texts[0]) >= 3
        and all(text.isascii() and text.isdecimal() for text in texts)
        and any(text.startswith("0") for text in texts)
    )
