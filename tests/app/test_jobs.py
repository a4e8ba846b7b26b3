import threading

import pytest

from mecuco_app.screen.connection import open_tabs
from mecuco_app.work.jobs import Desk, Flights, Job, Stopped, silent
from tests.waiting import until


def test_a_job_gives_its_result_and_its_progress():
    def work(report):
        report(0.5, "half")
        return 42

    job = Job("count", work)
    assert job.wait(5)
    assert (job.status, job.result, job.share, job.message) == ("done", 42, 1.0, "half")
    assert job.seconds >= 0


def test_a_stopped_job_keeps_nothing():
    begun, stopped = threading.Event(), threading.Event()

    def work(report):
        begun.set()
        stopped.wait(5)
        report(0.9, "nearly")
        return "too late"

    job = Job("count", work)
    begun.wait(5)
    job.stop()
    stopped.set()
    assert job.wait(5)
    assert (job.status, job.result) == ("stopped", None)


def test_a_stop_in_the_last_moment_counts():
    asked = threading.Event()

    def work(report):
        asked.wait(5)
        return "finished without a report"

    job = Job("count", work)
    job.stop()
    asked.set()
    assert job.wait(5)
    assert (job.status, job.result) == ("stopped", None)


def test_a_failed_job_keeps_its_error():
    def work(report):
        raise ValueError("no such column")

    job = Job("count", work)
    assert job.wait(5)
    assert (job.status, str(job.error)) == ("failed", "no such column")


def test_a_new_job_of_a_name_stops_the_old_one():
    release = threading.Event()

    def work(report):
        release.wait(5)
        report(0.5, "")

    desk = Desk()
    first = desk.start("map", "first", work)
    second = desk.start("map", "second", work)
    assert desk.job("map") is second
    release.set()
    assert first.wait(5)
    assert second.wait(5)
    assert (first.status, second.status) == ("stopped", "done")


def test_closing_the_desk_stops_everything():
    ended = []

    def work(report):
        try:
            while True:
                report(0.1, "")
        except Stopped:
            ended.append(True)
            raise

    desk = Desk()
    jobs = [desk.start(name, name, work) for name in ("a", "b")]
    desk.close()
    assert all(job.wait(5) for job in jobs)
    assert ended == [True, True]
    assert desk.job("a") is None


@pytest.mark.parametrize("share", [-1.0, 2.0])
def test_progress_stays_between_nothing_and_all(share):
    job = Job("count", lambda report: report(share, ""))
    job.wait(5)
    assert 0.0 <= job.share <= 1.0


def test_two_who_ask_for_the_same_wait_for_the_same_work():
    flights, made, release = Flights(), [], threading.Event()

    def work(report):
        made.append(1)
        release.wait(5)
        return 42

    both = [
        Job("visitor", lambda report: flights.run("count", work, "key", report)) for _ in range(2)
    ]
    other = Job("visitor", lambda report: flights.run("count", lambda report: 7, "else", report))
    assert other.wait(5)
    release.set()
    assert all(job.wait(5) for job in both)
    assert [job.result for job in (*both, other)] == [42, 42, 7]
    assert made == [1]
    assert flights.run("count", lambda report: 43, "key", silent) == 43  # nothing is kept


def test_who_joins_work_under_way_sees_its_result_so_far():
    flights, release, seen = Flights(), threading.Event(), []

    def work(report):
        report(0.2, "begun", so_far="a part")
        release.wait(10)
        return "all"

    def look(share, message, so_far=None):
        seen.append((share, so_far))
        if so_far is not None:
            release.set()

    assert flights.run("Work", work, "key", look) == "all"
    assert (0.2, "a part") in seen


def test_shared_work_ends_when_the_last_has_left():
    flights, ended, begun = Flights(), threading.Event(), threading.Event()

    def work(report):
        try:
            while True:
                report(0.5, "working")
                begun.set()
        except Stopped:
            ended.set()
            raise

    first, second = (
        Job("visitor", lambda report: flights.run("count", work, "key", report)) for _ in range(2)
    )
    begun.wait(5)
    first.stop()
    assert first.wait(5)
    assert not ended.wait(0.3)
    assert second.running
    second.stop()
    assert second.wait(5)
    assert ended.wait(5)


def test_a_measurement_waits_for_other_work_but_not_for_ever():
    flights, gate, told = Flights(), threading.Event(), []

    def work(report):
        gate.wait()
        return 1

    def report(share, message):
        told.append(message)

    other = threading.Thread(target=flights.run, args=("UMAP", work, ("umap",), silent))
    other.start()
    until(lambda: flights._jobs)
    flights.wait_for_others(("umap",), 60.0, report)  # its own kind is no other work
    assert not told
    flights.wait_for_others(("pair",), 0.2, report)
    assert "Waiting for UMAP" in told[0]
    gate.set()
    flights.wait_for_others(("pair",), 60.0, report)
    other.join()


def test_everyone_is_told_of_an_error():
    flights, release = Flights(), threading.Event()

    def work(report):
        release.wait(5)
        raise ValueError("no such column")

    both = [
        Job("visitor", lambda report: flights.run("count", work, "key", report)) for _ in range(2)
    ]
    release.set()
    assert all(job.wait(5) for job in both)
    assert [str(job.error) for job in both] == ["no such column"] * 2


def test_the_desk_of_a_visitor_who_left_is_closed_after_a_while():
    def work(report):
        while True:
            report(0.5, "working")

    here, away = Desk(), Desk()
    jobs = [desk.start("map", "map", work) for desk in (here, away)]
    desks = {here: "a", away: "b"}
    gone = open_tabs.close_abandoned(desks, "a".__eq__, {}, 100.0)
    assert gone == {"b": 100.0}
    gone = open_tabs.close_abandoned(desks, "a".__eq__, gone, 100.0 + open_tabs.GRACE - 1)
    assert jobs[1].running
    assert not open_tabs.close_abandoned(desks, "ab".__contains__, gone, 200.0)  # a reload
    gone = open_tabs.close_abandoned(desks, "a".__eq__, gone, 100.0 + open_tabs.GRACE)
    assert jobs[1].wait(5)
    assert jobs[1].status == "stopped"
    assert jobs[0].running
    assert list(desks) == [here]
    here.close()
    assert jobs[0].wait(5)
