"""The tasks of the table of columns, and of what is suspicious in it."""

from mecuco_app.results.making import task
from mecuco_app.work.jobs import Report
from mecuco_app.work.tasks import Task
from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.findings.overview import ColumnOverview, column_overview
from mecuco_core.preparation.findings.suspicion import Suspicion
from mecuco_core.preparation.findings.suspicions import suspicions
from mecuco_core.preparation.protocol import Preparation

_SECONDS_PER_CELL = 4e-7


def suspicions_task(dataset: Dataset) -> Task[tuple[Suspicion, ...]]:
    """Find what is suspicious in a table."""
    seconds = 0.1 + _SECONDS_PER_CELL * dataset.table.size
    key = (dataset.fingerprint,)
    return task("suspicions", "Looking for faults", seconds, key, suspected, lambda: (dataset,))


def overview_task(dataset: Dataset, preparation: Preparation) -> Task[tuple[ColumnOverview, ...]]:
    """Describe every column of a table, with what is suspicious in it."""
    seconds = 0.1 + _SECONDS_PER_CELL * dataset.table.size
    return task(
        "overview",
        "Looking at the columns",
        seconds,
        (dataset.fingerprint, preparation),
        described,
        lambda found: (dataset, preparation, found),
        after=[suspicions_task(dataset)],
    )


def suspected(dataset: Dataset, *, report: Report) -> tuple[Suspicion, ...]:
    """Find what is suspicious in a table."""
    report(0.0, "Looking for faults")
    return tuple(suspicions(dataset))


def described(
    dataset: Dataset, preparation: Preparation, found: tuple[Suspicion, ...], *, report: Report
) -> tuple[ColumnOverview, ...]:
    """Describe every column of a table."""
    report(0.0, "Looking at the columns")
    return column_overview(dataset, preparation, found)
