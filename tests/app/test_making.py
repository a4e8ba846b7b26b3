"""Tasks: with what they need first, and one count of progress."""

import os

import pytest

from mecuco_app.results.making import task
from mecuco_app.work import execution
from tests.app import process_helpers as helpers


def noted(told):
    return lambda share, message: told.append((round(share, 6), message))


def work_of(name, steps):
    def work(*found, report):
        for step in range(1, steps + 1):
            report(step / steps, name)
        return (name, *found)

    return work


def test_what_a_task_needs_comes_first_and_progress_is_shared_by_the_time_it_takes():
    first = task("making one", "One", 1.0, ("shared",), work_of("one", 2), here=True)
    second = task(
        "making two", "Two", 3.0, ("shared",), work_of("two", 2), after=[first], here=True
    )
    assert second.seconds == 4.0
    told = []
    assert second.work(noted(told)) == ("two", ("one",))
    own = [one for one in told if one[1] == "two"]
    assert own == [(0.625, "two"), (1.0, "two")]  # 1/4 + 3/4 · 1/2
    assert max(share for share, message in told if message != "two") <= 0.25


def test_what_is_there_already_takes_no_time():
    first = task("making three", "", 50.0, ("there",), work_of("one", 1), here=True)
    first.run()
    second = task("making four", "", 2.0, ("there",), work_of("two", 1), after=[first], here=True)
    assert second.seconds == 2.0
    told = []
    second.work(noted(told))
    assert told[-1] == (1.0, "two")


def test_arguments_are_made_of_what_was_found():
    first = task("making five", "", 0.0, ("arguments",), work_of("one", 1), here=True)
    second = task(
        "making six", "", 0.0, ("arguments",), work_of("two", 1),
        lambda found: (found[0].upper(), 7), after=[first], here=True,
    )  # fmt: skip
    assert second.run() == ("two", "ONE", 7)


@pytest.mark.parametrize("here", [True, False])
def test_long_work_gets_a_process_unless_it_places_itself(here, monkeypatch):
    monkeypatch.setattr(execution, "PROCESS_SECONDS", 0.5)
    made = task(f"making where {here}", "", 1.0, (here,), helpers.where, here=here)
    assert (made.run()[0] == os.getpid()) is here
