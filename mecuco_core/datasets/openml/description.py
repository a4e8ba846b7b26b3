"""What OpenML says about a dataset before anything is downloaded."""

from collections.abc import Callable
from dataclasses import dataclass

Notify = Callable[[str], None]
"""Called with a sentence that the person should read."""


@dataclass(frozen=True)
class Description:
    """One version of one dataset, in the words of the server.

    Attributes
    ----------
    id, name, version : int, str, int
    status : str
        "active", "deactivated" or "in_preparation".
    format : str
        "ARFF" or "Sparse_ARFF", as a rule.
    url, parquet_url, page : str or None
        Where the data file, its Parquet twin and the web page are.
    md5 : str or None
        Checksum of the file at `url`.
    licence, citation, text : str or None
    n_rows, n_columns, n_classes, n_missing : int or None
        None where OpenML has not counted. The columns include targets and left-out ones.
    n_bytes : int or None
        Size of the data file, where its server tells.
    targets, left_out : tuple of str
        Columns declared as targets, and as row identifier or to be ignored. One element may
        hold several names with commas between them: only the table can tell.

    See Also
    --------
    describe_openml : Asks for one.

    Examples
    --------
    >>> import mecuco as mc
    >>> about = mc.datasets.describe_openml(61)
    >>> about.name, about.version, about.targets
    ('iris', 1, ('class',))
    """

    id: int
    name: str
    version: int
    status: str
    format: str
    url: str
    parquet_url: str | None = None
    page: str | None = None
    md5: str | None = None
    licence: str | None = None
    citation: str | None = None
    text: str | None = None
    n_rows: int | None = None
    n_columns: int | None = None
    n_classes: int | None = None
    n_missing: int | None = None
    n_bytes: int | None = None
    targets: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}@{self.version} (OpenML {self.id})"

    @property
    def n_features(self) -> int | None:
        """Number of columns that are neither targets nor left out."""
        if self.n_columns is None:
            return None
        declared = (*self.targets, *self.left_out)
        return self.n_columns - sum(names.count(",") + 1 for names in declared)

    @property
    def table_bytes(self) -> int | None:
        """Memory the table takes as numbers of 8 bytes."""
        if self.n_rows is None or self.n_columns is None:
            return None
        return self.n_rows * self.n_columns * 8
