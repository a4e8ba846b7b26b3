"""How every task is made: with what it needs first, one count of progress, and a place."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from mecuco_app.work.execution import executed
from mecuco_app.work.jobs import Report, stretch
from mecuco_app.work.tasks import Task

T = TypeVar("T")


def task(
    kind: str,
    title: str,
    seconds: float,
    key: tuple[Any, ...],
    function: Callable[..., T],
    arguments: Callable[..., tuple[Any, ...]] = lambda *found: found,
    options: Callable[..., dict[str, Any]] = lambda *found: {},
    *,
    after: Sequence[Task[Any]] = (),
    here: bool = False,
) -> Task[T]:
    """Return the task of a function that takes `report`; those of the engine do in `Counted`.

    Parameters
    ----------
    kind, title, key
        As of `Task`.
    seconds : float
        How long the function alone will take, estimated.
    function : callable
        Called with `arguments` and `report`; where that takes long, in a process of its own.
    arguments : callable
        Called with the results of the tasks in `after`; returns those of the function.
    options : callable
        Likewise; returns those that the function takes by name.
    after : sequence of Task
        Tasks whose results are needed, in this order.
    here : bool
        Whether the function is called in this process, whatever it takes: one that is quick, or
        that finds a place for its work itself.
    """
    waits = [0.0 if one.ready() is not None else one.seconds for one in after]
    total = max(sum(waits) + seconds, 1e-9)

    def work(report: Report) -> T:
        found, done = [], 0.0
        for one, wait in zip(after, waits, strict=True):
            found.append(one.run(stretch(report, done / total, (done + wait) / total)))
            done += wait
        rest = stretch(report, done / total, 1.0)
        if here:
            return function(*arguments(*found), report=rest, **options(*found))
        return executed(
            function, *arguments(*found), report=rest, seconds=seconds, **options(*found)
        )

    return Task(kind, title, sum(waits) + seconds, key, work)
