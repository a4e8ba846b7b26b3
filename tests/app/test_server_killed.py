"""The server is killed in the middle of its work, and started again."""

import os
import signal

import pytest

from mecuco_core.neighbors.store import GraphStore
from tests.browser.keeper import running_app, server_process
from tests.light_visitor import LightVisitor
from tests.waiting import until, workers

pytestmark = pytest.mark.long

QUERY = "data=manifold:sphere&with=n_points=40000,ambient_dimension=40,seed=1&map=umap"


def seen_until(visitor, phrase, seconds=400.0):
    """Return all that the page said until it said `phrase`."""
    said = []

    def says():
        visitor.again()
        said.extend(visitor.texts)
        return any(phrase in text for text in visitor.texts)

    until(says, seconds)
    return " ".join(said)


def test_after_a_kill_the_next_start_works_and_uses_what_was_finished(tmp_path):
    cache = str(tmp_path / "cache")

    # Killed while it searches: nothing is kept.
    with running_app(MECUCO_CACHE_DIR=cache) as address:
        visitor = LightVisitor(address)
        visitor.open("Explore", QUERY)
        seen_until(visitor, "Searching")
        os.kill(server_process(address), signal.SIGKILL)
        until(lambda: not workers(), 20)
    graphs = tmp_path / "cache" / "graphs"
    assert not list(graphs.glob("*.graph"))

    # Killed while UMAP runs: the neighbours are kept.
    with running_app(MECUCO_CACHE_DIR=cache) as address:
        visitor = LightVisitor(address)
        visitor.open("Explore", QUERY)
        assert "Searching" in seen_until(visitor, "UMAP\\: epoch")
        os.kill(server_process(address), signal.SIGKILL)
        until(lambda: not workers(), 20)
    (kept,) = graphs.glob("*.graph")
    before = kept.read_bytes()

    # The next start finds them, and they are whole.
    with running_app(MECUCO_CACHE_DIR=cache) as address, LightVisitor(address) as visitor:
        visitor.open("Explore", QUERY)
        assert "Searching" not in seen_until(visitor, "UMAP\\: epoch")
        assert visitor.exceptions == []
    assert kept.read_bytes() == before
    fingerprint, _, k = kept.stem.rpartition("-")
    found = GraphStore(graphs).load(fingerprint, int(k))
    assert found is not None
    assert found.indices.shape == (40_000, int(k))
