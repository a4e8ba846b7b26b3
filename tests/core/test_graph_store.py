"""Graphs on disk: what was kept comes back, what is damaged does not."""

import os
import time
from dataclasses import replace

import numpy as np
import pytest

import mecuco as mc
from mecuco_core.neighbors import store as graph_store
from mecuco_core.neighbors.store import GraphStore
from tests.core import samples


@pytest.fixture
def graph():
    found = mc.knn_graph(samples.gaussian(1, 200, 4), 9)
    return replace(found, method="approximate", seed=3, recall=0.985)


def test_a_graph_comes_back_as_it_was(tmp_path, graph):
    assert GraphStore(tmp_path / "new").save("print", graph)
    found = GraphStore(tmp_path / "new").load("print", 9)
    np.testing.assert_array_equal(found.indices, graph.indices)
    np.testing.assert_array_equal(found.distances, graph.distances)
    assert found.indices.dtype == graph.indices.dtype
    assert (found.method, found.seed, found.recall) == ("approximate", 3, graph.recall)


def test_other_points_and_another_k_are_not_answered(tmp_path, graph):
    store = GraphStore(tmp_path)
    store.save("print", graph)
    assert store.load("other", 9) is None
    assert store.load("print", 8) is None


@pytest.mark.parametrize("damage", ["cut", "one bit", "empty", "version", "words"])
def test_what_is_damaged_is_removed(tmp_path, graph, damage, monkeypatch):
    store = GraphStore(tmp_path)
    store.save("print", graph)
    (path,) = tmp_path.iterdir()
    content = bytearray(path.read_bytes())
    if damage == "cut":
        content = content[:-100]
    elif damage == "one bit":
        content[len(content) // 2] ^= 4
    elif damage == "empty":
        content = bytearray()
    elif damage == "words":
        content = bytearray(b"hello\nworld")
    else:
        monkeypatch.setattr(graph_store, "VERSION", 3)
    path.write_bytes(content)
    assert store.load("print", 9) is None
    assert list(tmp_path.iterdir()) == []


def test_the_graphs_used_longest_ago_make_room(tmp_path, graph):
    size = len(graph_store._packed(graph))
    store = GraphStore(tmp_path, largest=2 * size + 10)
    for age, name in enumerate(("first", "second")):
        store.save(name, graph)
        os.utime(tmp_path / f"{name}-9.graph", (age, age))
    assert store.load("first", 9) is not None  # used again, so that the second is the oldest
    store.save("third", graph)
    assert [store.load(name, 9) is not None for name in ("first", "second", "third")] == [
        True, False, True,
    ]  # fmt: skip
    assert not GraphStore(tmp_path, largest=size - 1).save("fourth", graph)


def test_what_was_kept_just_now_stays_though_the_clock_was_set_back(tmp_path, graph):
    store = GraphStore(tmp_path, largest=len(graph_store._packed(graph)) + 10)
    store.save("of tomorrow", graph)
    (path,) = tmp_path.iterdir()
    os.utime(path, (time.time() + 86_400,) * 2)
    store.save("of today", graph)
    assert store.load("of today", 9) is not None
    assert store.load("of tomorrow", 9) is None


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path, graph, caplog):
    (tmp_path / "file").write_text("")
    assert not GraphStore(tmp_path / "file" / "graphs").save("print", graph)
    assert "could not be kept" in caplog.text


def test_what_a_killed_process_left_is_cleared_away(tmp_path):
    store = GraphStore(tmp_path)
    old, new = tmp_path / ".part-a", tmp_path / ".part-b"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    assert store.save("points", mc.knn_graph(np.random.default_rng(0).random((20, 2)), 3))
    assert (old.exists(), new.exists()) == (False, True)  # the other may still be written
