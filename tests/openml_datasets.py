"""Datasets for the loopback server, and how OpenML writes about them in XML."""

import hashlib
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

NAMESPACE = 'xmlns:oml="http://openml.org/openml"'

# Two of three declared classes occur, and not in lexical order.
IRIS = b"""@relation iris
@attribute length real
@attribute width real
@attribute class {virginica,setosa,unseen}
@data
""" + b"".join(b"%d.5,%d,%s\n" % (i, -i, (b"setosa", b"virginica")[i % 2]) for i in range(60))


@dataclass(frozen=True)
class Served:
    """One dataset of the server."""

    id: int
    name: str
    arff: bytes = b""
    version: int = 1
    target: str | None = None
    row_id: str | None = None
    ignore: tuple[str, ...] = ()  # one element each
    status: str = "active"
    format: str = "ARFF"
    parquet: bytes | None = None
    md5: str | None = "right"  # or another, or None for no checksum
    licence: str | None = "Public"
    citation: str | None = None
    n_rows: int | None = None
    n_columns: int | None = None
    n_classes: int | None = None
    n_missing: int | None = None

    def listed(self) -> str:
        """Return the line of the dataset in `data/list`."""
        counts = {
            "NumberOfInstances": self.n_rows,
            "NumberOfFeatures": self.n_columns,
            "NumberOfClasses": self.n_classes,
            "NumberOfMissingValues": self.n_missing,
        }
        qualities = "".join(
            f'<oml:quality name="{name}">{count}.0</oml:quality>'
            for name, count in counts.items()
            if count is not None
        )
        fields = elements(
            did=self.id,
            name=self.name,
            version=self.version,
            status=self.status,
            format=self.format,
            file_id=self.id,
        )
        return f"<oml:dataset>{fields}{qualities}</oml:dataset>"

    def described(self, site: str) -> str:
        """Return the answer to `data/ID`."""
        right = hashlib.md5(self.arff, usedforsecurity=False).hexdigest()
        fields = elements(
            id=self.id,
            name=self.name,
            version=self.version,
            description=f"About {self.name}.",
            format=self.format,
            upload_date="2014-04-06T23:23:39",
            licence=self.licence,
            url=f"{site}/data/v1/download/{self.id}/file.arff",
            parquet_url=None
            if self.parquet is None
            else f"{site}/datasets/0000/{self.id:04}/dataset_{self.id}.pq",
            file_id=self.id,
            default_target_attribute=self.target,
            row_id_attribute=self.row_id,
            citation=self.citation,
            visibility="public",
            status=self.status,
            md5_checksum=right if self.md5 == "right" else self.md5,
        )
        ignored = "".join(elements(ignore_attribute=name) for name in self.ignore)
        root = "oml:data_set_description"
        return f"<{root} {NAMESPACE}>{fields}{ignored}</{root}>"


def iris(number: int = 61, **changes: Any) -> Served:
    """Return a small dataset of 60 rows, 2 features and 2 classes, with any fields changed."""
    fields = {"name": "iris", "arff": IRIS, "target": "class"}
    counts = {"n_rows": 60, "n_columns": 3, "n_classes": 2, "n_missing": 0}
    return Served(number, **{**fields, **counts, **changes})


def elements(**fields: object) -> str:
    """Return one element a field; those that are None are left out."""
    return "".join(
        f"<oml:{name}>{escape(str(value))}</oml:{name}>"
        for name, value in fields.items()
        if value is not None
    )
