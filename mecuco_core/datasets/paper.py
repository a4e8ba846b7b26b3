"""The 65 datasets of the paper, by the names its tables use."""

import csv
import difflib
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.datasets.openml import MOST_BYTES, Notify, load_openml
from mecuco_core.errors import DataError
from mecuco_core.types import Progress


@dataclass(frozen=True)
class PaperDataset:
    """One line of the paper's tables, and where the data are.

    Attributes
    ----------
    name : str
        As the paper writes it.
    n_rows, n_features : int
        As the paper states them.
    n_classes : int or None
        None where the paper does not say.
    tables : tuple of int
        Numbers of the tables it is in.
    source : {"bundled", "openml"}
    source_name : str
        Its name there.
    version : int or None
        On OpenML.
    """

    name: str
    n_rows: int
    n_features: int
    n_classes: int | None
    tables: tuple[int, ...]
    source: Literal["bundled", "openml"]
    source_name: str
    version: int | None


def _corpus() -> tuple[PaperDataset, ...]:
    text = files("mecuco_core.datasets").joinpath("paper_corpus.csv").read_text("utf-8")
    return tuple(
        PaperDataset(
            name=line["name"],
            n_rows=int(line["n_rows"]),
            n_features=int(line["n_features"]),
            n_classes=int(line["n_classes"]) if line["n_classes"] else None,
            tables=tuple(int(number) for number in line["tables"].split("+")),
            source="bundled" if line["source"] == "bundled" else "openml",
            source_name=line["source_name"],
            version=int(line["version"]) if line["version"] else None,
        )
        for line in csv.DictReader(text.splitlines())
    )


PAPER_DATASETS = _corpus()


def paper_dataset(name: str) -> PaperDataset:
    """Return what the paper says about a dataset, by the paper's name or that of its source."""
    wanted = name.strip().casefold()
    for dataset in PAPER_DATASETS:
        if wanted in (dataset.name.casefold(), dataset.source_name.casefold()):
            return dataset
    known = {dataset.name.casefold(): dataset.name for dataset in PAPER_DATASETS}
    near = [known[key] for key in difflib.get_close_matches(wanted, known)]
    hint = f"did you mean {' or '.join(near)}?" if near else "see PAPER_DATASETS for the names"
    raise DataError(f"the paper has no dataset {name!r}: {hint}")


def load_paper_dataset(
    name: str,
    *,
    progress: Progress | None = None,
    notify: Notify | None = None,
    max_bytes: int = MOST_BYTES,
    offline: bool = False,
) -> Dataset:
    """Load a dataset of the paper, from scikit-learn or from OpenML in the paper's version.

    Parameters
    ----------
    name : str
        As in the paper's tables, in any case.
    progress, notify, max_bytes, offline
        As for `load_openml`. `notify` is also called when the table is not of the size the paper
        states.

    Returns
    -------
    Dataset

    See Also
    --------
    load_openml : Any dataset of OpenML.

    Examples
    --------
    >>> import mecuco as mc
    >>> mc.datasets.load_paper_dataset("iris")
    Dataset('iris', 150 rows, 4 features, target='target')
    """
    line = paper_dataset(name)
    if line.source == "bundled":
        dataset = load_bundled(line.source_name)
    else:
        dataset = load_openml(
            line.source_name,
            line.version,
            progress=progress,
            notify=notify,
            max_bytes=max_bytes,
            offline=offline,
        )
    stated, found = (line.n_rows, line.n_features), (dataset.n_rows, dataset.n_features)
    if found != stated and notify is not None:
        notify(
            f"{line.name} has {found[0]:,} rows and {found[1]:,} features here, "
            f"{stated[0]:,} and {stated[1]:,} in the paper"
        )
    return dataset
