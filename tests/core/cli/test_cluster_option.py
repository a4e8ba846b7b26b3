"""`mecuco score --cluster`: the table of one machine, or one sentence."""

import io
import socket
import sys

import pandas as pd
import pytest
from distributed import LocalCluster

from mecuco_core import cluster
from mecuco_core.cli.commands import main


@pytest.fixture
def scheduler_without_workers():
    with LocalCluster(
        n_workers=0, processes=False, protocol="tcp", dashboard_address=None
    ) as workers:
        yield workers


def refused(capsys, *words):
    """Run `mecuco score`, which must refuse; return what it says."""
    assert main(["score", "iris", "-q", *words]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    return printed.err


@pytest.mark.long
def test_the_table_is_that_of_one_machine(capsys, scheduler_without_workers):
    scheduler_without_workers.scale(1)
    tables = []
    for words in ([], ["--cluster", scheduler_without_workers.scheduler_address]):
        assert main(["score", "iris", "-q", "-k", "9", "-m", "haar", *words]) == 0
        tables.append(pd.read_csv(io.StringIO(capsys.readouterr().out)))
    pd.testing.assert_frame_equal(*tables, rtol=1e-9)


@pytest.mark.long
def test_a_cluster_without_workers_is_said(capsys, monkeypatch, scheduler_without_workers):
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 1)
    said = refused(capsys, "--cluster", scheduler_without_workers.scheduler_address)
    assert "has no workers" in said


def test_an_address_where_nobody_answers_is_said(capsys, monkeypatch):
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 1)
    with socket.socket() as taken:  # bound, but not listening
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        assert f"no cluster answers at '{address}'" in refused(capsys, "--cluster", address)


@pytest.mark.parametrize("address", ["", "somewhere", "tcp://", "ftp://a:1", "a:b", "http://a:1/"])
def test_what_is_no_address_is_said(capsys, address):
    said = refused(capsys, "--cluster", address)
    assert f"like tcp://HOST:PORT, got {address!r}" in said


@pytest.mark.parametrize(
    "address", ["a:1", "tcp://10.0.0.1:8786", "tls://host.example:8786", "tcp://[::1]:8786"]
)
def test_what_is_an_address_is_known(address):
    assert cluster.ADDRESS.fullmatch(address)


@pytest.mark.parametrize("package", ["dask", "distributed"])
def test_a_missing_package_is_named(capsys, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    assert "pip install 'mecuco[cluster]'" in refused(capsys, "--cluster", "a:1")


def test_a_surface_is_not_for_a_cluster(capsys):
    said = refused(capsys, "--cluster", "a:1", "-m", "quadric")
    assert "--cluster is for the scores of the paper only, got mode quadric" in said
