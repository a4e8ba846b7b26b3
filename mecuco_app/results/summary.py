"""The task of a first look at a dataset."""

from mecuco_app.results.calculations import looked_at
from mecuco_app.work.jobs import Report
from mecuco_app.work.placing import placed
from mecuco_app.work.tasks import Task
from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.summary import Summary

SUMMARY_SECONDS_PER_CELL = 2e-7


def summary_task(dataset: Dataset) -> Task[Summary]:
    """Take a first look at the dataset."""
    key = (dataset.fingerprint, dataset.name)
    seconds = 0.2 + SUMMARY_SECONDS_PER_CELL * dataset.table.size

    def work(report: Report) -> Summary:
        return placed(looked_at, dataset, report=report, seconds=seconds)

    return Task("summary", "First look", seconds, key, work)
