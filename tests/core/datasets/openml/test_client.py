import logging
import socket
import threading
import time

import openml
import openml._api_calls
import pytest
import requests

from mecuco_core.datasets.openml import (
    NotOnServerError,
    ServerError,
    client,
    describe_openml,
    load_openml,
    search_openml,
    transport,
)
from mecuco_core.datasets.openml.settings import current_settings
from mecuco_core.errors import DataError
from tests.openml_server import iris


def test_no_key_is_ever_sent(server, monkeypatch):
    monkeypatch.setattr(openml.config, "apikey", "c0ffee")
    search_openml()
    describe_openml("iris")
    load_openml("iris")
    assert len(server.log) == 7  # so something was looked at below
    assert not [line for line in server.log if "c0ffee" in line or "api_key" in line]
    assert not [headers for headers in server.headers if "c0ffee" in headers]


@pytest.mark.parametrize("fault", [None, "500", "cut"])
def test_the_client_is_given_back_as_it_was(server, fault):
    if fault:
        server.fail("data/61", fault)
    before = dict(vars(openml.config))
    handlers = list(logging.getLogger().handlers)
    try:
        describe_openml(61)
    except ServerError:
        assert fault
    assert dict(vars(openml.config)) == before
    assert openml._api_calls.requests is requests
    assert logging.getLogger().handlers == handlers


@pytest.mark.parametrize("packs", [True, False])
def test_the_client_logs_nothing_and_sets_up_no_logging(server, packs, monkeypatch, caplog):
    server.packs = packs
    load_openml(61)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    describe_openml(61)
    assert root.handlers == []


def test_the_client_leaves_no_files_and_no_pickles(server, tmp_path, monkeypatch, stored):
    monkeypatch.setattr(openml.config, "_root_cache_directory", tmp_path / "theirs")
    load_openml(61)
    assert not (tmp_path / "theirs").exists()
    assert [name.rsplit(".")[-1] for name in stored()] == ["arff", "json"]


def test_questions_of_several_threads_do_not_mix(server):
    for number in range(1, 9):
        server.add(iris(number, name=f"name-{number}"))
    settings = current_settings()
    answers = {}

    def ask(number):
        answers[number] = client.dataset_description(settings, number).name

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert answers == {number: f"name-{number}" for number in range(1, 9)}


def test_a_name_is_quoted_on_its_way_into_the_address(server):
    server.add(iris(5, name="a b/c?d=e#f%20"))
    assert describe_openml("a b/c?d=e#f%20").id == 5


def test_a_missing_package_is_named(server, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openml", None)
    with pytest.raises(DataError, match=r"OpenML needs the package 'openml': install it with pip"):
        load_openml(61)


def test_a_host_that_is_never_found_is_told_in_time(server, hasty, monkeypatch):
    give_up = threading.Event()

    def never(*_, **__):
        give_up.wait(30)
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", never)
    monkeypatch.setattr(transport, "MARGIN", 0.2)
    start = time.monotonic()
    with pytest.raises(ServerError, match=r"did not answer within 0\.5 seconds"):
        describe_openml(61)
    assert time.monotonic() - start < 5
    give_up.set()


def test_an_answer_without_end_is_not_kept_in_memory(server, monkeypatch):
    monkeypatch.setattr(transport, "ANSWER_LIMIT", 300)
    with pytest.raises(ServerError):
        describe_openml(61)


def test_an_answer_that_goes_on_and_on_is_given_up(server, hasty, monkeypatch):
    monkeypatch.setattr(transport, "SLOWEST", 0)
    monkeypatch.setattr(transport, "MARGIN", 60)
    server.fail("data/61", "dribble")
    start = time.monotonic()
    with pytest.raises(ServerError, match=r"did not answer within 0\.5 seconds"):
        describe_openml(61)
    assert time.monotonic() - start < 5


def test_a_private_dataset_is_said_to_be_private(server):
    server.add(iris(7, status="private"))
    with pytest.raises(NotOnServerError, match="keeps this dataset private: dataset 7"):
        describe_openml(7)
