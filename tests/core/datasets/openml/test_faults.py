"""Every way a server can fail is one sentence, in time, and leaves the cache as it was."""

import os
import re
import subprocess
import sys
import time

import pytest

from mecuco_core.datasets.openml import ServerError, describe_openml, load_openml, search_openml
from mecuco_core.errors import DataError
from tests.openml_server import OpenMLServer, iris

FAULTS = [
    ("500", "HTTP 500"),
    ("503", "HTTP 503"),
    ("404", "HTTP 404"),
    ("412", "Database connection error|HTTP 412"),
    ("captive", "not OpenML's|checksum"),
    ("cut", "not OpenML's|checksum"),
    ("cut-packed", "hung up before the end"),
    ("empty", "not OpenML's|checksum"),
    ("hang-up", "hung up before the end"),
    ("reset", "hung up before the end"),
    ("silent", "did not answer within 0.5 seconds"),
    ("stall", "did not answer within 0.5 seconds"),
    ("dribble", "did not answer within 0.5 seconds"),
]
PATIENT = """
import time
from mecuco_core.datasets.base import DataError
from mecuco_core.datasets.openml import load_openml
start = time.monotonic()
try:
    load_openml("iris")
except DataError as error:
    print(time.monotonic() - start, error)
"""
SEEN_BY_WAITING = ("silent", "stall", "dribble")
LIST, DESCRIPTION, FILE = "data/list", r"data/\d+$", "download"

# Longer than any time-out in these tests, and a third of what is promised.
IN_TIME = 5.0


@pytest.fixture
def before(server):
    """What was loaded before the fault, with patience."""
    return load_openml("iris")


@pytest.fixture
def fault(request, monkeypatch):
    """The fault of a test; patience is short only where the test has to wait for its end."""
    if request.param in SEEN_BY_WAITING:
        monkeypatch.setenv("MECUCO_OPENML_TIMEOUT", "0.5")
    return request.param


each_fault = pytest.mark.parametrize(("fault", "sentence"), FAULTS, indirect=["fault"])


def check_sentence(error):
    text = str(error.value)
    assert "127.0.0.1" in text or "OpenML" in text
    assert "\n" not in text
    assert len(text) < 300


@each_fault
@pytest.mark.parametrize("path", [LIST, DESCRIPTION, FILE])
def test_a_fault_while_loading_is_one_sentence(server, stored, path, fault, sentence):
    server.fail(path, fault)
    start = time.monotonic()
    with pytest.raises(ServerError, match=sentence) as error:
        load_openml("iris")
    assert time.monotonic() - start < IN_TIME
    check_sentence(error)
    assert stored() == {}


@pytest.mark.thorough
@pytest.mark.parametrize(("fault", "sentence"), FAULTS[:-2], indirect=["fault"])
@pytest.mark.parametrize("path", [LIST, DESCRIPTION, FILE])
def test_a_stored_copy_serves_through_every_fault(server, before, said, path, fault, sentence):
    server.add(iris(40, version=7))  # older by its id, so that the stored one will not do
    server.fail(path, fault)
    start = time.monotonic()
    after = load_openml("iris", notify=said.append)
    assert time.monotonic() - start < IN_TIME
    assert after.fingerprint == before.fingerprint
    assert re.search(sentence, said[-1])
    assert "; the copy of iris@1 (OpenML 61) stored on 2" in said[-1]


@pytest.mark.thorough
@each_fault
@pytest.mark.parametrize("ask", [search_openml, lambda: describe_openml("iris")])
def test_a_fault_while_asking_is_one_sentence(server, stored, ask, fault, sentence):
    server.fail("data/", fault)
    start = time.monotonic()
    with pytest.raises(ServerError, match=sentence) as error:
        ask()
    assert time.monotonic() - start < IN_TIME
    check_sentence(error)
    assert stored() == {}


@pytest.mark.parametrize(
    "ask", [search_openml, lambda: describe_openml(61), lambda: load_openml(61)]
)
def test_a_port_where_nobody_listens_is_one_sentence(server, ask):
    server.stop()
    with pytest.raises(
        ServerError, match="cannot be reached: check the network connection"
    ) as error:
        ask()
    check_sentence(error)


def test_a_host_that_does_not_exist_is_one_sentence(server, monkeypatch):
    monkeypatch.setenv("MECUCO_OPENML_SERVER", "http://nowhere.invalid")
    with pytest.raises(ServerError, match=r"nowhere\.invalid (cannot be reached|did not answer)"):
        load_openml(61)


@pytest.fixture(scope="module", autouse=True)
def patient_process(tmp_path_factory):
    """A process that meets a silent server with the default patience, while the tests go on."""
    with OpenMLServer(iris()) as silent:
        silent.fail("data/", "silent")
        environment = {**os.environ, "MECUCO_OPENML_SERVER": silent.address}
        environment["MECUCO_CACHE_DIR"] = str(tmp_path_factory.mktemp("patient"))
        environment.pop("MECUCO_OPENML_TIMEOUT", None)
        process = subprocess.Popen(
            [sys.executable, "-c", PATIENT],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with process:
            yield process
            process.kill()


def test_a_slow_server_is_waited_for(server):
    server.fail("", "busy")
    assert load_openml("iris").n_rows == 60


def test_a_size_that_is_not_told_is_unknown_and_no_fault(server, monkeypatch):
    monkeypatch.setenv("MECUCO_OPENML_TIMEOUT", "1")
    server.fail("download", "silent")
    start = time.monotonic()
    assert describe_openml("iris").n_bytes is None
    assert time.monotonic() - start < IN_TIME


@pytest.mark.thorough
@each_fault
def test_after_a_fault_the_next_question_is_answered(server, monkeypatch, fault, sentence):
    server.fail("data/", fault)
    with pytest.raises(ServerError, match=sentence):
        describe_openml(61)
    server.heal()
    monkeypatch.delenv("MECUCO_OPENML_TIMEOUT", raising=False)
    assert describe_openml(61).id == 61


def test_a_file_that_is_refused_comes_as_parquet(server, said, parquet):
    server.add(iris(62, name="twin", parquet=parquet))
    server.fail("download", "404")
    dataset = load_openml(62, notify=said.append)
    assert said == [
        f"127.0.0.1:{server.server_port} does not give the data file (HTTP 404): try again later; "
        "the Parquet file is used"
    ]
    server.heal()
    server.add(iris(63, name="twin"))
    assert dataset.fingerprint == load_openml(63).fingerprint


@pytest.mark.thorough
@each_fault
def test_a_fault_of_the_parquet_file_is_one_sentence(server, stored, parquet, fault, sentence):
    server.add(iris(62, name="twin", parquet=parquet))
    server.fail("download", "404")
    server.fail(r"\.pq$", fault)
    start = time.monotonic()
    unreadable = r"twin@1 \(OpenML 62\) cannot be read"  # there is no checksum to compare with
    with pytest.raises(DataError, match=f"{sentence}|{unreadable}") as error:
        load_openml(62)
    assert time.monotonic() - start < IN_TIME
    check_sentence(error)
    assert stored() == {}


def test_a_page_instead_of_a_file_without_checksum_is_not_kept(server, stored):
    server.add(iris(62, name="unchecked", md5=None))
    server.fail("download", "captive")
    with pytest.raises(DataError, match=r"unchecked@1 \(OpenML 62\) cannot be read: ") as error:
        load_openml(62)
    assert "\n" not in str(error.value)
    assert stored() == {}
    server.heal()
    assert load_openml(62).n_rows == 60


@pytest.mark.parametrize("checksum", ["0" * 32, "not a checksum"])
def test_a_wrong_checksum_is_one_sentence(server, stored, checksum):
    server.add(iris(62, name="wrong", md5=checksum))
    with pytest.raises(ServerError, match=r"wrong@1 \(OpenML 62\) does not have the checksum"):
        load_openml(62)
    assert stored() == {}


def test_two_servers_do_not_share_their_ids(server, monkeypatch):
    load_openml(61)
    with OpenMLServer(iris(61, name="other")) as other:
        monkeypatch.setenv("MECUCO_OPENML_SERVER", other.address)
        assert load_openml(61).name == "other"


def test_with_the_default_patience_silence_is_told_within_15_seconds(patient_process):
    output, errors = patient_process.communicate(timeout=60)
    seconds, sentence = output.split(" ", 1)
    assert 7.9 < float(seconds) < 15
    assert "did not answer within 8 seconds" in sentence
    assert errors == ""
