"""What is looked at before a dataset is loaded, as tasks."""

from mecuco_app.results.making import task
from mecuco_app.work.jobs import Report
from mecuco_app.work.tasks import Task
from mecuco_app.work.uploads import looked_at_file
from mecuco_core.datasets.files import ReadOptions, Sniffed
from mecuco_core.datasets.openml import Description, Listing, describe_openml, search_openml

MOST_FOUND = 100


def search_task(words: str) -> Task[tuple[list[Listing], list[str]]]:
    """Find datasets by their names; returns what there is to say, too."""

    def search(*, report: Report) -> tuple[list[Listing], list[str]]:
        report(0.0, "Asking OpenML")
        notes: list[str] = []
        return search_openml(words, limit=MOST_FOUND, notify=notes.append), notes

    return task("openml search", "Search on OpenML", 2.0, (words.casefold(),), search, here=True)


def description_task(number: int) -> Task[Description]:
    """Read what a dataset is."""

    def describe(*, report: Report) -> Description:
        report(0.0, "Asking OpenML")
        return describe_openml(number)

    return task("openml description", "Description on OpenML", 2.0, (number,), describe, here=True)


def sniff_task(number: str, content: bytes, name: str, options: ReadOptions) -> Task[Sniffed]:
    """Find out how a file is to be read; `number` is what its upload is known by."""

    def look(*, report: Report) -> Sniffed:
        return looked_at_file(content, name, options, report)

    return task("sniff", "Looking at the file", 1.0, (number, options), look, here=True)
