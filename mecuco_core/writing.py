"""Tables and texts to files, whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd

from mecuco_core.datasets.base import DataError

SUFFIXES = (".csv", ".tsv", ".parquet")


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
            raise DataError(
                "Parquet needs the package pyarrow: pip install 'mecuco[data]', or write a .csv"
            ) from None


def write_table(table: pd.DataFrame, path: Path) -> None:
    """Write a table; the file appears complete, or stays as it was."""
    with replacing(path) as unfinished:
        if path.suffix.lower() == ".parquet":
            table.to_parquet(unfinished, index=False)
        else:
            separator = "\t" if path.suffix.lower() == ".tsv" else ","
            table.to_csv(unfinished, index=False, sep=separator)


def write_text(text: str, path: Path) -> None:
    """Write a text as UTF-8; the file appears complete, or stays as it was."""
    with replacing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield the name of an unfinished file, which takes the place of `path` at the end."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.absolute().parent)
    except OSError as error:
        raise DataError(f"{str(path)!r} cannot be written: {error.strerror}") from error
    os.close(handle)
    unfinished = Path(name)
    try:
        yield unfinished
        # mkstemp's files are for their owner alone; an output is an ordinary file.
        mask = os.umask(0)
        os.umask(mask)
        unfinished.chmod(0o666 & ~mask)
        unfinished.replace(path)
    except OSError as error:
        raise DataError(f"{str(path)!r} cannot be written: {error.strerror}") from error
    finally:
        unfinished.unlink(missing_ok=True)
