"""All datasets of the paper, one after the other; what is finished is never made twice."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mecuco_core.datasets.paper import PAPER_DATASETS, PaperDataset, paper_dataset
from mecuco_core.errors import DataError
from mecuco_core.reproduction.parts import part_key, read_part, write_part
from mecuco_core.reproduction.protocol import Settings, measure
from mecuco_core.reproduction.sources import MissingError, Source, letters
from mecuco_core.types import FloatArray, Progress


@dataclass(frozen=True)
class Outcome:
    """What became of one dataset.

    Attributes
    ----------
    dataset : PaperDataset
    status : {"done", "missing", "failed"}
    note : str
        Why not, in one sentence; empty when done.
    part : dict or None
        What `measure` found, when done.
    reused : bool
        Whether an earlier run had done it.
    """

    dataset: PaperDataset
    status: str
    note: str = ""
    part: dict[str, Any] | None = None
    reused: bool = False


class Watcher:
    """What a run reports to; this one says nothing."""

    def started(self, dataset: PaperDataset, place: int, total: int) -> None:
        """Take note that a dataset is begun."""

    def stage(self, name: str) -> Progress | None:
        """Return the progress of a stage of the dataset that was begun."""
        return None

    def finished(self, outcome: Outcome) -> None:
        """Take note of what became of it."""


def chosen_datasets(names: Sequence[str], tables: Iterable[int]) -> list[PaperDataset]:
    """Return the datasets of these names, all for none, that are in any of the tables."""
    wanted = set(tables)
    lines = [_by_name(name) for name in dict.fromkeys(names)] if names else list(PAPER_DATASETS)
    chosen = [line for line in lines if wanted & set(line.tables)]
    if not chosen:
        raise DataError(
            f"none of the datasets is in table {' or '.join(map(str, sorted(wanted)))}: "
            "choose another table"
        )
    return chosen


def _by_name(name: str) -> PaperDataset:
    for line in PAPER_DATASETS:
        if letters(name) in (letters(line.name), letters(line.source_name)):
            return line
    return paper_dataset(name)  # raises, with the names that are near


def reproduce(
    datasets: Sequence[PaperDataset],
    source: Source,
    parts: Path,
    settings: Settings | None = None,
    watcher: Watcher | None = None,
    n_jobs: int | None = None,
) -> list[Outcome]:
    """Reproduce datasets one after the other; a failing one is reported and the rest go on.

    Parameters
    ----------
    datasets : sequence of PaperDataset
    source : Source
    parts : Path
        Folder of finished datasets; those with the same data, settings and version are reused.
    settings : Settings or None
    watcher : Watcher or None
    n_jobs : int or None

    Returns
    -------
    list of Outcome
        In the order of `datasets`.
    """
    settings, watcher = settings or Settings(), watcher or Watcher()
    outcomes = []
    for place, line in enumerate(datasets, start=1):
        watcher.started(line, place, len(datasets))
        outcome = _outcome(line, source, parts, settings, watcher.stage, n_jobs)
        watcher.finished(outcome)
        outcomes.append(outcome)
    return outcomes


def _outcome(
    line: PaperDataset,
    source: Source,
    parts: Path,
    settings: Settings,
    stage: Callable[[str], Progress | None],
    n_jobs: int | None,
) -> Outcome:
    try:
        key = part_key(line.name, source.digest(line), settings)
        part = read_part(parts, line.name, key)
        if part is not None:
            return Outcome(line, "done", part=part, reused=True)
        points: FloatArray = source.points(line, stage("loading"))
        measured = measure(points, settings, stage, n_jobs)
    except MissingError as error:
        return Outcome(line, "missing", str(error))
    except DataError as error:
        return Outcome(line, "failed", _one_line(str(error)))
    except OSError as error:  # without the path: reports travel
        return Outcome(line, "failed", f"cannot be read: {error.strerror or error}")
    except Exception as error:  # whatever one dataset does, the others go on; the report names it
        return Outcome(line, "failed", _one_line(f"{type(error).__name__}: {error}"))
    return Outcome(line, "done", part=write_part(parts, line.name, key, measured))


def _one_line(text: str) -> str:
    return " ".join(text.split())
