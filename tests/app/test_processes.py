"""Long computations in processes of their own."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import mecuco as mc
from mecuco_app.results.scores import scored
from mecuco_app.screen.waiting import spoken
from mecuco_app.text.escape import unmarked
from mecuco_app.work import processes
from mecuco_app.work.execution import Counted
from mecuco_app.work.jobs import Job, Stopped, silent
from mecuco_app.work.limits import LIMITS, Limits
from mecuco_app.work.processes import Queue, WorkerError, in_process
from tests.app import process_helpers as helpers
from tests.waiting import until


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_result_comes_back_with_its_progress():
    told = []
    values = np.arange(5.0)
    found = in_process(helpers.doubled, values, factor=3, report=lambda *told_: told.append(told_))
    np.testing.assert_array_equal(found, 3 * values)
    assert (0.5, "half way") in told


def test_a_result_so_far_comes_back_before_the_end():
    job = Job("Work", lambda report: in_process(helpers.unfinished, np.arange(5.0), report=report))
    assert job.wait(60)
    np.testing.assert_array_equal(job.so_far, [0.0, 1.0])
    np.testing.assert_array_equal(job.result, np.arange(5.0))


def test_scores_are_those_of_this_process():
    points = np.random.default_rng(0).standard_normal((200, 6))
    graph = in_process(Counted(mc.knn_graph, "Searching"), points, 12, report=silent)
    here = mc.knn_graph(points, 12)
    np.testing.assert_array_equal(graph.indices, here.indices)
    found = in_process(scored, points, 9, "haar", graph, report=silent)
    np.testing.assert_array_equal(
        found.values, mc.curvature(points, 9, mode="haar", graph=here).values
    )


def test_it_is_another_process_and_gives_way_to_the_server():
    pid, niceness, has_streamlit = in_process(helpers.where, report=silent)
    assert pid != os.getpid()
    assert niceness >= 10
    assert not has_streamlit  # it takes seconds to import, and is not needed
    assert not is_alive(pid)


def test_what_libraries_print_does_not_come_between():
    assert in_process(helpers.chatty, report=silent) == 7


def test_errors_come_back_as_they_are():
    with pytest.raises(ValueError, match="points must be finite"):
        in_process(helpers.refused, report=silent)


def test_an_error_that_cannot_be_sent_is_still_an_error():
    with pytest.raises(Exception, match="second"):
        in_process(helpers.unlucky, report=silent)


def test_a_killed_process_is_an_error_with_a_sentence():
    with pytest.raises(WorkerError) as caught:
        in_process(helpers.killed, report=silent)
    assert "not enough memory" in spoken(caught.value)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep this limit")
def test_no_more_memory_is_taken_than_allowed():
    limit = LIMITS.job_bytes
    assert in_process(helpers.greedy, 2**20, report=silent) == 2**17
    with pytest.raises(MemoryError):
        in_process(helpers.greedy, limit + 2**20, report=silent)


def test_a_stop_ends_the_process_at_once(tmp_path):
    note = tmp_path / "pid"
    job = Job("endless", lambda report: in_process(helpers.endless, note, report=report))
    until(lambda: job.message == "for ever")
    pid = int(note.read_text())
    assert is_alive(pid)
    started = time.monotonic()
    job.stop()
    assert job.wait(10)
    assert not is_alive(pid)
    assert time.monotonic() - started < 3
    assert job.status == "stopped"


@pytest.mark.thorough
def test_the_process_ends_with_its_server(tmp_path):
    note = tmp_path / "pid"
    code = (
        "import pathlib, sys\n"
        "from tests.app import process_helpers\n"
        "from mecuco_app.work.processes import in_process\n"
        "in_process(process_helpers.endless, pathlib.Path(sys.argv[1]), report=lambda *_: None)\n"
    )
    server = subprocess.Popen([sys.executable, "-c", code, str(note)])
    try:
        until(lambda: note.exists() and note.read_text())
    finally:
        server.kill()
        server.wait()
    until(lambda: not is_alive(int(note.read_text())))


def test_the_queue_is_first_come_first_served_and_says_the_place():
    line = Queue(1)
    told, order, gates = {}, [], [threading.Event() for _ in range(3)]

    def visit(number):
        def report(share, message):
            told[number] = message

        with line.place(report):
            order.append(number)
            gates[number].wait(10)

    visitors = []
    for number in range(3):
        visitors.append(threading.Thread(target=visit, args=(number,)))
        visitors[-1].start()
        if number == 0:
            until(lambda: order == [0])
        else:
            until(lambda number=number: number in told)
    assert "next in line" in told[1]
    assert "number 2 in line" in told[2]
    assert order == [0]
    gates[0].set()
    until(lambda: order == [0, 1])
    until(lambda: "next in line" in told[2])
    gates[1].set()
    gates[2].set()
    for visitor in visitors:
        visitor.join(10)
    assert order == [0, 1, 2]


def test_who_leaves_the_queue_does_not_hold_it_up():
    line = Queue(1)
    held, release = threading.Event(), threading.Event()

    def hold():
        with line.place(silent):
            held.set()
            release.wait(10)

    def impatient(share, message):
        raise Stopped

    first = threading.Thread(target=hold)
    first.start()
    held.wait(10)
    with pytest.raises(Stopped), line.place(impatient):
        pytest.fail("there was no place")
    release.set()
    first.join(10)
    with line.place(impatient):  # at once, nothing to report
        pass


def test_at_most_so_many_run_at_once(monkeypatch, tmp_path):
    monkeypatch.setattr(processes, "_queue", Queue(1))
    first = Job("a", lambda report: in_process(helpers.endless, tmp_path / "a", report=report))
    until(lambda: first.message == "for ever")
    second = Job("b", lambda report: in_process(helpers.endless, tmp_path / "b", report=report))
    until(lambda: "next in line" in second.message)
    assert not (tmp_path / "b").exists()
    first.stop()
    until(lambda: second.message == "for ever")
    second.stop()
    assert second.wait(10)


@pytest.mark.parametrize("given", ["0", "-3", "many", "1.5"])
def test_a_limit_that_is_no_number_is_refused(monkeypatch, given):
    monkeypatch.setenv("MECUCO_JOBS", given)
    with pytest.raises(ValueError, match=f"MECUCO_JOBS must be .* got '{given}'"):
        Limits()


def test_limits_are_taken_from_the_environment(monkeypatch):
    monkeypatch.setenv("MECUCO_JOBS", "7")
    monkeypatch.setenv("MECUCO_JOB_MB", "300")
    monkeypatch.setenv("MECUCO_CACHE_MB", " ")
    limits = Limits()
    assert (limits.jobs, limits.job_bytes) == (7, 300 * 2**20)
    assert limits.cache_bytes == LIMITS.cache_bytes


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        ("www.openml.org does not answer", "www.openml.org does not answer"),
        ("n_neighbors must be in [2, 9]", "n_neighbors must be in [2, 9]"),
        ("there is no column of that name", "There is no column of that name"),
    ],
)
def test_a_name_that_begins_a_sentence_keeps_its_letters(error, sentence):
    assert unmarked(spoken(ValueError(error))).replace("\u200b", "") == sentence
