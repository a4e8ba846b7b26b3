"""Where tasks run: on a scheduler of this machine, or on a cluster."""

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from mecuco_core.validation import available_processors


def task_of(function: Any) -> Any:
    """Return a function that makes tasks of its calls."""
    from dask.delayed import delayed

    return delayed(function, pure=False)


class LocalWork:
    """Tasks on a scheduler of this machine, some items at a time.

    An item is a label with tasks of which the last needs the others. Its value is taken to us;
    the others are held where they are, for tasks to come.
    """

    def n_threads(self) -> int:
        """Return the number of tasks that can run side by side."""
        return available_processors()

    def blocks(self, array: Any) -> list[Any]:
        """Tasks of the blocks of an array, top to bottom."""
        return list(array.to_delayed().ravel())

    def held(self, tasks: list[Any]) -> list[Any]:
        """Compute tasks and keep what they give where it is."""
        from dask.base import persist

        return list(persist(*tasks))

    def results(
        self, items: Iterable[tuple[Any, tuple[Any, ...]]], tasks_each: int
    ) -> Iterator[tuple[Any, tuple[Any, ...], Any]]:
        """Yield label, held tasks and value of every item, as they finish."""
        from dask.base import persist

        waiting = iter(items)
        while batch := list(islice(waiting, self._width(tasks_each))):
            held = iter(persist(*(task for _, tasks in batch for task in tasks)))
            for label, tasks in batch:
                *kept, last = islice(held, len(tasks))
                yield label, tuple(kept), last.compute(scheduler="synchronous")

    def _width(self, tasks_each: int) -> int:
        """Items under way that keep every thread busy, not many more."""
        return math.ceil(2 * self.n_threads() / tasks_each) + 1


class ClusterWork(LocalWork):
    """Tasks on a cluster; what was held or under way is gone after `close`."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.futures: set[Any] = set()

    def n_threads(self) -> int:  # noqa: D102 - as above
        return max(1, int(sum(self.client.nthreads().values())))

    def blocks(self, array: Any) -> list[Any]:  # noqa: D102 - as above
        loaded = self.client.persist(array)
        self.futures.update(self.client.futures_of(loaded))
        return super().blocks(loaded)

    def held(self, tasks: list[Any]) -> list[Any]:  # noqa: D102 - as above
        kept = self.client.persist(tasks)
        self.futures.update(self.client.futures_of(kept))
        return list(kept)

    def results(  # noqa: D102 - as above
        self, items: Iterable[tuple[Any, tuple[Any, ...]]], tasks_each: int
    ) -> Iterator[tuple[Any, tuple[Any, ...], Any]]:
        from distributed import as_completed

        waiting, finished = iter(items), as_completed()
        under_way: dict[Any, tuple[Any, tuple[Any, ...]]] = {}

        def start(count: int) -> None:
            for label, tasks in islice(waiting, count):
                *kept, last = self.client.persist(list(tasks))
                (future,) = self.client.futures_of(last)
                self.futures.update(self.client.futures_of(kept), [future])
                under_way[future] = label, tuple(kept)
                finished.add(future)

        start(self._width(tasks_each))
        for future in finished:
            value = future.result()
            label, kept = under_way.pop(future)
            self.futures.discard(future)
            start(1)
            yield label, kept, value

    def close(self) -> None:
        """Let go of everything: what nobody else holds is cancelled, or forgotten."""
        # Not `client.cancel`: the scheduler stumbles over dependents that no client asked for.
        for future in self.futures:
            future.release()


@contextmanager
def current_work() -> Iterator[LocalWork]:
    """Return the work of the current scheduler."""
    from dask.base import get_scheduler

    client = getattr(get_scheduler(), "__self__", None)
    if not type(client).__module__.startswith("distributed."):
        yield LocalWork()
        return
    work = ClusterWork(client)
    try:
        yield work
    finally:
        work.close()
