"""From the columns of a data file to features and target."""

from collections.abc import Iterable, Sequence

import pandas as pd

from mecuco_core.datasets.base import Dataset, Provenance
from mecuco_core.datasets.images import image_shape
from mecuco_core.datasets.openml.description import Description, Notify
from mecuco_core.errors import DataError

DEFAULT_TARGET = "default-target"


def dataset_of(
    frame: pd.DataFrame, description: Description, *, target: str | None, notify: Notify
) -> Dataset:
    """Split the columns of a file into features and target as OpenML declares them.

    Parameters
    ----------
    frame : DataFrame of shape (n_rows, n_columns)
    description : Description
    target : str or None
        A column, None for no target, or DEFAULT_TARGET for the declared one. Declared targets
        are no features, unless another column or none is chosen as target.
    say : callable
    """
    columns = [str(name) for name in frame.columns]
    left_out = set(_declared(description.left_out, columns))
    declared = _declared(description.targets, columns)
    if target == DEFAULT_TARGET:
        if description.targets and not declared:
            notify(f"the declared target {description.targets[0]!r} is not a column: there is none")
        if len(declared) > 1:
            notify(
                f"{description.name} has {len(declared)} targets, none of them a feature: "
                f"{declared[0]!r} is used as target ({_some(declared[1:])} could be named instead)"
            )
        target, no_features = declared[0] if declared else None, left_out | set(declared)
    elif target is None or target not in declared:
        no_features = left_out
    else:
        no_features = left_out | set(declared)
    if target is not None and target not in columns:
        raise DataError(
            f"target must be a column of {description.name}, got {target!r}: "
            f"there are {_some(columns)}"
        )
    if left_out:
        notify(f"left out, as OpenML says: {_some(sorted(left_out))}")
    kept = [i for i, name in enumerate(columns) if name not in no_features | {target}]
    if not kept:
        raise DataError(f"{description} has no column left to be a feature")
    table = _in_lexical_order(frame.iloc[:, kept])
    labels = None
    if target is not None:
        labels = _in_lexical_order(frame.iloc[:, [columns.index(target)]]).iloc[:, 0]
    numeric = all(pd.api.types.is_numeric_dtype(dtype) for dtype in set(table.dtypes))
    names = [columns[i] for i in kept]
    return Dataset(
        name=description.name,
        table=table,
        target=labels,
        provenance=Provenance(
            source="openml",
            identifier=str(description.id),
            version=str(description.version),
            licence=description.licence,
            citation=description.citation,
            url=description.page,
        ),
        image_shape=image_shape(description.name, names) if numeric else None,
    )


def _declared(declared: Iterable[str], columns: Sequence[str]) -> list[str]:
    """Return the columns meant; "a,b" is one column of that name, or else two."""
    known = set(columns)
    found: list[str] = []
    for text in declared:
        parts = [text] if text in known else [part.strip(" '\"") for part in text.split(",")]
        found += [part for part in parts if part in known and part not in found]
    return found


def _in_lexical_order(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the categories of each column that occur, in lexical order.

    So do the readers of OpenML in pandas, and so were the codes of the paper made.
    """
    nominal = {
        position: frame.iloc[:, position]
        for position, dtype in enumerate(frame.dtypes)
        if isinstance(dtype, pd.CategoricalDtype)
    }
    if not nominal:
        return frame
    frame = frame.copy(deep=False)
    for position, column in nominal.items():
        occurring = column.cat.remove_unused_categories().cat.categories
        ordered = column.cat.set_categories(sorted(occurring, key=str), ordered=False)
        frame.isetitem(position, ordered.array)
    return frame


def _some(names: Sequence[str], most: int = 5) -> str:
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"
