import threading

import pytest

from mecuco_app.jobs import Desk, Job, Stopped


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
