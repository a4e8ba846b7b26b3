"""Tables and texts to files, whole or not at all."""

import re
from pathlib import Path

import pandas as pd

from mecuco_core.errors import DataError, MissingPackageError
from mecuco_core.runtime.files import replacing

SUFFIXES = (".csv", ".tsv", ".parquet")

_NUMBER = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def check_output(path: Path) -> None:
    """Refuse an output that could not be written, before any work is done."""
    if path.suffix.lower() not in SUFFIXES:
        raise DataError(f"the output must end in {', '.join(SUFFIXES)}, got {path.name!r}")
    if not path.absolute().parent.is_dir():
        raise DataError(f"the folder of the output does not exist: {str(path.parent)!r}")
    if path.is_dir():
        raise DataError(f"the output {str(path)!r} is a folder: give a file name")
    if path.suffix.lower() == ".parquet":
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise MissingPackageError(
                "Parquet needs the package pyarrow: pip install 'mecuco[data]', or write a .csv"
            ) from None


def write_table(table: pd.DataFrame, path: Path) -> None:
    """Write a table; the file appears complete, or stays as it was."""
    with replacing(path) as unfinished:
        if path.suffix.lower() == ".parquet":
            as_parquet(table).to_parquet(unfinished, index=False)
        else:
            separator = "\t" if path.suffix.lower() == ".tsv" else ","
            as_text(table).to_csv(unfinished, index=False, sep=separator)


def as_text(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table to be written as CSV, in which no spreadsheet finds a formula."""
    columns = [
        series if series.dtype.kind in "biufcmM" else series.astype(object).map(csv_cell)
        for _, series in table.items()
    ]
    names = [csv_cell(str(name)) for name in table.columns]
    return pd.concat(columns, axis=1).set_axis(names, axis=1)


def as_parquet(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table to be written as Parquet: categories as values, several kinds as text."""
    columns = {}
    for name, series in table.items():
        if isinstance(series.dtype, pd.SparseDtype):
            series = pd.Series(series.to_numpy(), series.index)
        elif isinstance(series.dtype, pd.CategoricalDtype):
            series = series.astype(object).infer_objects()
        if pd.api.types.infer_dtype(series, skipna=True) == "boolean":
            series = series.astype("boolean" if series.isna().any() else "bool")
        if series.dtype.kind == "c" or (series.dtype == object and not _is_nested(series)):
            series = series.astype("str").where(series.notna())
        columns[str(name)] = series
    return pd.DataFrame(columns)


def csv_cell(value: object) -> object:
    """Return `value` so that no spreadsheet takes it for a formula.

    Text that starts like a formula gets an apostrophe in front; numbers stay numbers.
    """
    if not isinstance(value, str) or not value.lstrip(" ").startswith(_FORMULA):
        return value
    return value if _NUMBER.fullmatch(value) else "'" + value


def write_text(text: str, path: Path) -> None:
    """Write a text as UTF-8; the file appears complete, or stays as it was."""
    with replacing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="")


def _is_nested(series: "pd.Series") -> bool:
    return bool(series.map(lambda value: isinstance(value, list | dict)).any())
