"""Files of visitors are read in processes of their own, whatever they do there."""

import json
import logging
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from mecuco_app.data.sources import from_file
from mecuco_app.work import uploads
from mecuco_app.work.jobs import Job, Stopped, silent
from mecuco_app.work.limits import LIMITS
from mecuco_app.work.uploads import Spare, looked_at_file, read_file
from mecuco_app.work.wire import from_options, from_reading, from_sniffed, to_reading, to_sniffed
from mecuco_core.datasets.files import ReadOptions, read_with_notes, sniff
from mecuco_core.errors import DataError
from tests.app.rerunning import figures
from tests.core.datasets.files import fingerprints
from tests.core.datasets.files.examples import EXAMPLES, VECTORS, parquet_bytes, with_vectors
from tests.waiting import processes_with, until

MARK = f"marked-{os.getpid()}"  # other tests of this machine may start such processes too
BAD = (sys.executable, "-m", "tests.app.bad_reader", MARK)
GOOD = b"a,b\n" + b"".join(b"%d,%d\n" % (i, i * i % 11) for i in range(40))
SECONDS = 3


@pytest.fixture(autouse=True)
def _limits(monkeypatch):
    few = replace(LIMITS, file_seconds=SECONDS, job_megabytes=600)
    monkeypatch.setattr(uploads, "LIMITS", few)


@pytest.fixture
def spare(monkeypatch):
    """Readers that hurt where a file says so; none is left when the test ends."""
    spare = Spare(BAD)
    monkeypatch.setattr(uploads, "spare", spare)
    yield spare
    spare.close()
    assert processes_with(MARK) == []


def hurting(deed: str) -> bytes:
    return f"{deed}\n1\n2\n3\n".encode()


ENDED = r"could not be read: it is damaged, or takes more than .* of memory\. Save it again"
LATE = r"was not read within 3 s: it is damaged, or too large for this server"


@pytest.mark.parametrize("act", [looked_at_file, read_file])
@pytest.mark.parametrize(
    ("deed", "sentence", "seconds"),
    [
        ("exit", ENDED, 1),
        ("crash", ENDED, 1),
        ("loop", LATE, SECONDS),
        ("sleep", LATE, SECONDS),
        pytest.param(
            "bloat", "not enough memory|" + ENDED, 30,
            marks=pytest.mark.skipif(sys.platform != "linux", reason="no limit kept elsewhere"),
        ),
        ("fault", ENDED, 1),
    ],
)  # fmt: skip
def test_a_file_that_hurts_its_reader_is_one_sentence(
    spare, caplog, monkeypatch, act, deed, sentence, seconds
):
    caplog.set_level(logging.CRITICAL)
    if deed == "bloat":  # it shall not be its time that is over first
        monkeypatch.setattr(uploads, "LIMITS", replace(uploads.LIMITS, file_seconds=seconds))
    spare.get_ready()
    pid = spare._waiting.pid
    started = time.monotonic()
    with pytest.raises(DataError, match=sentence) as caught:
        act(hurting(deed), "mine.csv", ReadOptions(header=True, delimiter=","), silent)
    assert time.monotonic() - started < seconds + 15  # the start of a process on a busy machine
    assert "\n" not in str(caught.value)
    until(lambda: pid not in processes_with(MARK))
    assert len(processes_with(MARK)) == 1  # the spare one, for the next file
    assert read_file(GOOD, "good.csv", ReadOptions(), silent).dataset.n_rows == 40


@pytest.mark.parametrize("deed", ["loop", "bloat"])
def test_another_visitor_is_answered_meanwhile(spare, opened, deed, monkeypatch):
    monkeypatch.setattr(uploads, "LIMITS", replace(uploads.LIMITS, file_seconds=60))
    said = []

    def hurt(report):
        with pytest.raises((DataError, Stopped)):
            read_file(hurting(deed), "bad.csv", ReadOptions(header=True, delimiter=","), report)
        said.append(deed)

    job = Job("reading", hurt)
    until(lambda: job.message == "Reading the file")
    app = opened("app.py", data="bundled:iris")
    assert figures(app)
    found = from_file(GOOD, ReadOptions(), "good.csv", report=silent)
    assert found.dataset.n_rows == 40
    assert deed == "bloat" or not said
    job.stop()
    assert job.wait(10)


def test_a_reader_that_is_ready_has_the_seconds_of_the_file_and_no_more(spare):
    process, request = spare.take(), {"name": "a.csv", "options": from_options(ReadOptions())}
    process.ask({"act": "look", **request}, (b"a,b\n1,2\n3,4\n",), silent, "", 20.0)
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        process.ask({"act": "look", **request}, (b"sleep\n1\n",), silent, "", 0.5)
    process.close()
    assert time.monotonic() - started < 5


def test_a_stop_ends_the_process_at_once(spare):
    job = Job("reading", lambda report: read_file(hurting("sleep"), "a", ReadOptions(), report))
    until(lambda: len(processes_with(MARK)) == 2)
    started = time.monotonic()
    job.stop()
    assert job.wait(10)
    assert time.monotonic() - started < 1
    assert job.status == "stopped"
    until(lambda: len(processes_with(MARK)) == 1)


def test_what_a_library_prints_does_not_come_between(spare):
    options = ReadOptions(header=True, delimiter=",")
    assert read_file(hurting("chat"), "a", options, silent).dataset.n_rows == 3


@pytest.mark.thorough
def test_no_process_outlives_its_server(tmp_path):
    code = (
        "from mecuco_app.work import uploads\n"
        "from mecuco_core.datasets.files import ReadOptions\n"
        f"uploads.spare.command = {BAD!r}\n"
        "uploads.read_file(b'sleep\\n1\\n2\\n', 'x', ReadOptions(), lambda *told: None)\n"
    )
    server = subprocess.Popen([sys.executable, "-c", code])
    try:
        until(lambda: len(processes_with(MARK)) == 2)
    finally:
        server.kill()
        server.wait()
    until(lambda: processes_with(MARK) == [])


def test_a_small_table_is_there_in_half_a_second(spare):
    spare.get_ready()
    read_file(GOOD, "good.csv", ReadOptions(), silent)
    times = []
    while len(times) < 8 and min(times, default=1.0) >= 0.5:  # other tests run beside it
        waiting = spare._waiting
        until(lambda waiting=waiting: _is_idle(waiting.pid))
        started = time.monotonic()
        looked_at_file(GOOD, "good.csv", ReadOptions(), silent)
        times.append(time.monotonic() - started)
    if min(times) >= 0.5 and os.getloadavg()[0] > (os.cpu_count() or 1):
        pytest.skip("the machine has other work")
    assert min(times) < 0.5


def _is_idle(pid: int) -> bool:
    """Whether a process has loaded what it needs, and waits for its work."""
    tasks = list(Path(f"/proc/{pid}/task").iterdir())
    asleep = {(task / "stat").read_text().rsplit(")")[1].split()[0] for task in tasks} == {"S"}
    return asleep and len(tasks) > 1 and "libarrow" in Path(f"/proc/{pid}/maps").read_text()


def test_the_process_loads_what_reads_files_and_nothing_else():
    code = (
        "import sys, mecuco_app.work.file_worker\n"
        "print({name.partition('.')[0] for name in sys.modules} & "
        "{'numba', 'sklearn', 'scipy', 'streamlit', 'plotly', 'openml', 'umap'})\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "set()"


def sent(message):
    """Return words as JSON brings them, and bytes in one piece."""
    words, body = message
    return json.loads(json.dumps(words)), bytearray(b"".join(body))


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_look_and_a_table_come_over_as_they_are(name):
    here = sniff(EXAMPLES[name], name)
    there = to_sniffed(*sent(from_sniffed(here)))
    pd.testing.assert_frame_equal(there.preview, here.preview)
    for field in ("format", "compression", "options", "notes", "n_bytes", "suggested_target",
                  "members", "sheets", "variables", "vector_columns"):  # fmt: skip
        assert getattr(there, field) == getattr(here, field)
    options = replace(here.options, target=here.suggested_target)
    here = read_with_notes(EXAMPLES[name], options, name)
    there = to_reading(*sent(from_reading(here)))
    assert there.dataset.fingerprint == here.dataset.fingerprint
    assert (there.options, there.notes) == (here.options, here.notes)
    assert there.dataset.name == here.dataset.name
    assert there.dataset.provenance == here.dataset.provenance
    assert there.dataset.target_name == here.dataset.target_name
    assert there.dataset.vectors == here.dataset.vectors


@pytest.mark.thorough
def test_the_table_of_every_file_comes_over_with_its_fingerprint():
    for name, raw, options in fingerprints.cases():
        here = read_with_notes(raw, options, name)
        there = to_reading(*sent(from_reading(here)))
        assert there.dataset.fingerprint == here.dataset.fingerprint, name


def test_two_files_sent_together_come_back_as_one_dataset(spare):
    points, metadata = EXAMPLES["npy"], b"name,label\n" + b"".join(b"n%d,a\n" % i for i in range(6))
    found = read_file(points, "v.npy", ReadOptions(), silent, (metadata, "t.csv")).dataset
    here = read_with_notes(points, None, "v.npy", metadata=metadata, find_target=True).dataset
    assert found.fingerprint == here.fingerprint
    assert (found.target_name, found.vectors.name) == ("label", "v")
    assert found.table["name"].tolist() == [f"n{i}" for i in range(6)]
    with pytest.raises(DataError, match="they must be the same rows in the same order"):
        read_file(points, "v.npy", ReadOptions(), silent, (b"name\na\nb\n", "t.csv"))


def test_vectors_come_over_as_one_matrix_and_without_a_copy():
    table = with_vectors(list(VECTORS), "e").drop(columns=["tags", "seen"])
    raw = parquet_bytes(pd.concat([table] * 40, ignore_index=True))
    words, body = from_reading(read_with_notes(raw))
    assert words["table"]["matrices"] == [(1, 20, "<f4")]
    assert [len(part) for part in body[1:]] == [200 * 20 * 4]
    there = to_reading(*sent((words, body))).dataset
    components = there.table[list(there.vectors.columns)]
    assert components.to_numpy().flags.c_contiguous
    with pytest.raises(ValueError, match="of another size than it says"):
        to_reading(words, bytearray(b"".join(body) + bytes(8)))


def test_pictures_are_known_as_such_on_the_other_side():
    names = [f"pixel{i}" for i in range(16)]
    rows = "\n".join([",".join(names), *(",".join(map(str, range(16))),) * 3])
    here = read_with_notes(rows.encode())
    assert to_reading(*sent(from_reading(here))).dataset.image_shape == (4, 4)
