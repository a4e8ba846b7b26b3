"""What can be said about a file before reading it, and what was found by looking at it."""

from dataclasses import dataclass, field
from typing import Literal, get_args

import pandas as pd

from mecuco_core.datasets.base import Dataset, Vectors
from mecuco_core.errors import DataError

Format = Literal[
    "arff", "arrow", "csv", "feather", "h5ad", "hdf5", "json", "jsonl", "las", "libsvm", "mat",
    "npy", "npz", "ods", "parquet", "ply", "safetensors", "shards", "xls", "xlsb", "xlsx", "zarr",
]  # fmt: skip
Compression = Literal["none", "gzip", "bz2", "xz", "zip"]

WORKBOOKS: tuple[Format, ...] = ("ods", "xls", "xlsb", "xlsx")
WHITESPACE = "whitespace"  # delimiter: any run of spaces and tabs

MISSING_MARKS = (
    "", "?", "NA", "N/A", "n/a", "na", "#N/A", "<NA>", "NaN", "nan", "NAN", "-nan", "NULL", "null",
    "None",
)  # fmt: skip

_LIMITS = ("max_bytes", "max_cells", "max_columns", "max_line_bytes")


@dataclass(frozen=True)
class ReadOptions:
    r"""How to read a file. `None` means: find out from the content.

    Parameters
    ----------
    format : str or None
        "csv" stands for every delimited text, whatever the delimiter.
    compression : {"none", "gzip", "bz2", "xz", "zip"} or None
    member : str or None
        File inside a zip archive or a folder; of a dataset in shards, the table such as "train".
    encoding : str or None
        Of text formats, e.g. "utf-8", "utf-16", "cp1252".
    delimiter : str or None
        One ASCII character, or "whitespace" for any run of spaces and tabs.
    quote : str or None
        One ASCII character, or "" when quotes have no meaning.
    skip_space : bool or None
        Whether blanks after a delimiter are left out.
    skip_lines : int or None
        Lines (rows of a sheet) above the table.
    header : bool or None
        Whether the first line holds the names of the columns.
    decimal : {".", ","} or None
    thousands : str or None
        Mark between groups of three digits, or "" for none.
    missing : tuple of str
        Texts that stand for a missing value.
    text : tuple of str or None
        Columns kept as text even where they look like numbers.
    sheet : str or None
        Of a workbook.
    variable : str or None
        Array in a file of several.
    vectors : str or None
        Column of vectors that becomes the points, "" for none; the one with the most numbers when
        None. The others are left out.
    skip_missing_vectors : bool
        Whether rows without a vector, or with one of another length, are left out; else they are
        an error.
    target : str or None
        Column that becomes the target of the dataset; never guessed.
    columns : tuple of str or None
        Columns to keep, in this order; all when None.
    max_bytes : int
        Largest size after decompression.
    max_cells, max_columns : int
        Largest table.
    max_line_bytes : int
        Longest line of a text format.

    See Also
    --------
    read_table : Reads by them.

    Examples
    --------
    >>> import mecuco as mc
    >>> options = mc.datasets.ReadOptions(decimal=",", delimiter=";")
    >>> mc.datasets.read_table(b"a;b\n1,5;2\n2,5;3\n", options=options).table["a"].tolist()
    [1.5, 2.5]
    """

    format: Format | None = None
    compression: Compression | None = None
    member: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    skip_space: bool | None = None
    skip_lines: int | None = None
    header: bool | None = None
    decimal: str | None = None
    thousands: str | None = None
    missing: tuple[str, ...] = MISSING_MARKS
    text: tuple[str, ...] | None = None
    sheet: str | None = None
    variable: str | None = None
    vectors: str | None = None
    skip_missing_vectors: bool = False
    target: str | None = None
    columns: tuple[str, ...] | None = None
    max_bytes: int = 2_000_000_000
    max_cells: int = 200_000_000
    max_columns: int = 100_000
    max_line_bytes: int = 16_000_000

    def __post_init__(self) -> None:
        if self.format is not None and self.format not in get_args(Format):
            raise DataError(
                f"format must be one of {sorted(get_args(Format))}, got {self.format!r}"
            )
        if self.compression is not None and self.compression not in get_args(Compression):
            raise DataError(
                f"compression must be one of {sorted(get_args(Compression))}, "
                f"got {self.compression!r}"
            )
        if self.delimiter not in (None, WHITESPACE) and not _is_mark(self.delimiter):
            raise DataError(
                f"delimiter must be one ASCII character or {WHITESPACE!r}, got {self.delimiter!r}"
            )
        if self.quote not in (None, "") and not _is_mark(self.quote):
            raise DataError(f"quote must be one ASCII character or '', got {self.quote!r}")
        if self.quote and self.quote == self.delimiter:
            raise DataError(f"quote and delimiter must differ, got {self.quote!r} for both")
        if self.decimal not in (None, ".", ","):
            raise DataError(f"decimal must be '.' or ',', got {self.decimal!r}")
        if self.thousands and (len(self.thousands) != 1 or self.thousands in "+-0123456789eE"):
            raise DataError(f"thousands must be one mark or '', got {self.thousands!r}")
        if self.thousands and self.thousands == self.decimal:
            raise DataError(f"thousands and decimal must differ, got {self.thousands!r} for both")
        if self.skip_lines is not None and self.skip_lines < 0:
            raise DataError(f"skip_lines must be 0 or more, got {self.skip_lines}")
        if self.encoding is not None:
            _check_encoding(self.encoding)
        for limit in _LIMITS:
            if getattr(self, limit) < 1:
                raise DataError(f"{limit} must be 1 or more, got {getattr(self, limit)}")


@dataclass(frozen=True, eq=False)
class Sniffed:
    """What a file seems to be; nothing in it is final, and all of it can be corrected.

    Attributes
    ----------
    format : str
    compression : str
    options : ReadOptions
        The options `read` would use; correct them with `dataclasses.replace`.
    preview : DataFrame of shape (at most 20, n_columns)
    notes : tuple of str
        Sentences: what was decided and why, and what is not certain.
    n_bytes : int
        Size of the file as it is, compressed or not.
    suggested_target : str or None
        A column that is named like a target.
    members, sheets, variables : tuple of str
        The names to choose from, where the file has several.
    vector_columns : tuple of str
        Columns of vectors, those with the most numbers first. The one that becomes the points is
        `options.vectors`; the preview shows its vectors as text in one column.
    """

    format: Format
    compression: Compression
    options: ReadOptions
    preview: pd.DataFrame
    notes: tuple[str, ...]
    n_bytes: int
    suggested_target: str | None = None
    members: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    vector_columns: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Reading:
    """A dataset, the options that gave it, and sentences on what was decided and changed."""

    dataset: Dataset
    options: ReadOptions
    notes: tuple[str, ...]


@dataclass
class Findings:
    """What the parts of this package have to say about one file, collected on the way."""

    notes: list[str] = field(default_factory=list)
    suggested_target: str | None = None
    members: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    vector_columns: tuple[str, ...] = ()
    vectors: Vectors | None = None

    def note(self, sentence: str) -> None:
        """Add a sentence once."""
        if sentence not in self.notes:
            self.notes.append(sentence)


def _is_mark(character: str | None) -> bool:
    return (
        character is not None
        and len(character) == 1
        and character.isascii()
        and character not in "\0\r\n"
    )


def _check_encoding(encoding: str) -> None:
    try:
        b"a".decode(encoding)
    except (LookupError, UnicodeError, ValueError):
        # UTF-16 and kin cannot decode a single byte, and are encodings all the same.
        if encoding.lower().replace("_", "-").removeprefix("utf-").rstrip("lbe-") not in (
            "16",
            "32",
        ):
            raise DataError(
                f"encoding must be the name of a text encoding such as 'utf-8', got {encoding!r}"
            ) from None
