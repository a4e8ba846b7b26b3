"""The task of finding rows by what stands in them."""

from mecuco_app.data.search import Found, found_rows
from mecuco_app.results.making import task
from mecuco_app.work.tasks import Task
from mecuco_core.datasets.base import Dataset

_SECONDS_PER_CELL = 1e-6


def finding_task(dataset: Dataset, words: str) -> Task[Found]:
    """Find the rows that hold the words."""
    seconds = _SECONDS_PER_CELL * dataset.table.size
    key = (dataset.fingerprint, words.casefold())
    return task("finding", "Search", seconds, key, found_rows, lambda: (dataset, words), here=True)
