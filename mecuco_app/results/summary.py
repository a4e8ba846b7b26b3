"""The task of a first look at a dataset."""

from mecuco_app.results.making import task
from mecuco_app.work.jobs import Report
from mecuco_app.work.tasks import Task
from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.summary import Summary, summarise

SUMMARY_SECONDS_PER_CELL = 2e-7


def summary_task(dataset: Dataset) -> Task[Summary]:
    """Take a first look at the dataset."""
    seconds = 0.2 + SUMMARY_SECONDS_PER_CELL * dataset.table.size
    key = (dataset.fingerprint, dataset.name)
    return task("summary", "First look", seconds, key, looked_at, lambda: (dataset,))


def looked_at(dataset: Dataset, *, report: Report) -> Summary:
    """Take a first look at a dataset."""
    report(0.0, "Looking at the table")
    return summarise(dataset)
