"""One count of progress over several stages of work."""

from mecuco_core.types import Progress


class Stages:
    """Stages that come one after the other, and count as one.

    Parameters
    ----------
    progress : callable or None
        Called with (done, total); None where nobody watches.
    total : int
        What all stages count together.
    """

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._before = progress, total, 0

    def next(self, size: int) -> Progress:
        """Return the progress of the next stage: it counts `size`, whatever its own total is."""
        before = self._before
        self._before += size

        def report(done: int, total: int) -> None:
            if self._progress is not None:
                self._progress(before + size * done // max(1, total), self._total)

        return report

    def rest(self) -> Progress:
        """Return the progress of the last stage, which counts all that is left."""
        return self.next(self._total - self._before)

    def passed(self, size: int = 1) -> None:
        """Say that the next stage is done."""
        self.next(size)(1, 1)
