"""One dataset of the paper scored anew, beside the page; no Streamlit."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from mecuco_app.data import sources
from mecuco_app.results.making import task
from mecuco_app.results.paper.protocol import measured
from mecuco_app.view.settings import DataChoice
from mecuco_app.work.execution import executed
from mecuco_app.work.jobs import Report, stretch
from mecuco_app.work.tasks import Task
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.paper import PaperDataset
from mecuco_core.errors import DataError
from mecuco_core.neighbors.cost import estimated_search_seconds
from mecuco_core.preparation.prepare import prepare
from mecuco_core.preparation.protocol import PAPER
from mecuco_core.reproduction import Outcome, Settings
from mecuco_core.reproduction.rows import result_rows
from mecuco_core.reproduction.sources import RUN_FEATURES, check_size, letters
from mecuco_core.score.cost import estimated_seconds
from mecuco_core.types import FloatArray, Mode
from mecuco_core.validation import default_n_neighbors

LONGEST = 60.0
"""Seconds one mode may take, as for `mecuco reproduce`; a slower one is skipped, and said."""

_LOADING = 0.1  # share of a run


@dataclass(frozen=True, eq=False)
class Again:
    """New figures of a dataset, in the rows of results.csv, and where its data came from."""

    rows: pd.DataFrame
    origin: str
    notes: tuple[str, ...] = ()


def choice_of(line: PaperDataset) -> DataChoice:
    """Return the choice that leads to a dataset of the paper, in the paper's version."""
    if line.source == "bundled":
        return DataChoice("bundled", line.source_name)
    version = "" if line.version is None else f"@{line.version}"
    return DataChoice("openml", f"{line.source_name}{version}")


def is_present(line: PaperDataset, dataset: Dataset | None, choice: DataChoice) -> bool:
    """Whether the dataset the visitor looks at is this one of the paper's.

    Parameters
    ----------
    line : PaperDataset
    dataset : Dataset or None
    choice : DataChoice
        That led to it. A file counts where its name and size are those of the dataset.
    """
    if dataset is None:
        return False
    if choice.source == "file":
        named = letters(dataset.name) in (letters(line.name), letters(line.source_name))
        features = RUN_FEATURES.get(line.name, line.n_features)
        return named and (dataset.n_rows, dataset.n_features) == (line.n_rows, features)
    if choice.target is not None or choice.source != line.source:
        return False
    if line.source == "bundled":
        return choice.identifier == line.source_name
    same_version = dataset.provenance.version == str(line.version)
    return dataset.name == line.source_name and same_version


def again_task(
    line: PaperDataset, modes: tuple[Mode, ...], dataset: Dataset | None, choice: DataChoice
) -> Task[Again]:
    """Score a dataset anew: the present one where it is that one, else loaded first.

    Parameters
    ----------
    line : PaperDataset
    modes : tuple of {"original", "exact", "fast", "haar"}
    dataset, choice
        What the visitor looks at.
    """
    here = dataset if is_present(line, dataset, choice) else None
    settings = Settings(modes=modes, budget=LONGEST, n_bases=0)
    weights, wanted = _weights(line, modes), choice_of(line)
    seconds = sum(weights.values())

    def work(*, report: Report) -> Again:
        notes: tuple[str, ...] = ()
        if here is not None:
            check_size(line, here.n_rows, here.n_features)
            points: FloatArray = prepare(here, PAPER).points
            origin = "the dataset you are looking at"
        else:
            loaded = sources.loaded(wanted, PAPER, stretch(report, 0.0, _LOADING))
            check_size(line, loaded.dataset.n_rows, loaded.dataset.n_features)
            points, notes = loaded.prepared.points, loaded.notes
            origin = "scikit-learn" if line.source == "bundled" else f"OpenML, {wanted.identifier}"
        rest = stretch(report, _LOADING, 1.0)
        part = executed(measured, points, settings, weights, report=rest, seconds=seconds)
        return Again(_rows(line, part), origin, notes)

    key = (line.name, modes, wanted.identifier if here is None else here.fingerprint)
    return task("paper", f"Scoring {line.name} anew", seconds, key, work, here=True)


def _weights(line: PaperDataset, modes: tuple[Mode, ...]) -> dict[str, float]:
    """Return the seconds each stage takes, estimated."""
    n, m = line.n_rows, line.n_features
    k = default_n_neighbors(n)
    weights = {"neighbours": 0.05 + estimated_search_seconds(n, m)}
    for mode in modes:
        seconds = estimated_seconds(n, m, k, mode)
        weights[mode] = seconds if seconds <= LONGEST else 4.0  # a sample is timed
    return weights


def _rows(line: PaperDataset, part: dict[str, Any]) -> pd.DataFrame:
    if not any("raw" in found for found in part["modes"].values()):
        raise DataError(
            f"every mode would take more than a minute for {line.name}: choose fast or haar, or "
            f"run mecuco reproduce --datasets {line.name} --budget 3600"
        )
    return result_rows([Outcome(line, "done", part=part)], line.tables)
