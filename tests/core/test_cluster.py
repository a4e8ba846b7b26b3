"""Scores on a cluster: those of one machine, whatever the blocks and whoever dies."""

import os
import signal
import subprocess
import sys
import time

import dask
import dask.array as da
import numpy as np
import pytest
from distributed import wait

import mecuco as mc
from mecuco_core.cluster import tasks
from mecuco_core.types import MODES
from tests.core import samples


def assert_same(result, expected):
    for name in ("values", "scatter", "alignment", "covariance_rank"):
        np.testing.assert_allclose(getattr(result, name), getattr(expected, name), rtol=1e-9)
    assert (result.mode, result.n_neighbors) == (expected.mode, expected.n_neighbors)
    graph, true = result.graph, expected.graph
    np.testing.assert_array_equal(graph.indices, true.indices)
    np.testing.assert_array_equal(graph.distances, true.distances)
    assert (graph.method, graph.seed, graph.recall) == (true.method, true.seed, true.recall)


def tenths(n_side):
    """Grid of tenths in 3-D: squared distances a last digit apart share one root."""
    axis = np.arange(n_side) / 10
    grid = np.stack(np.meshgrid(axis, axis, axis), axis=-1).reshape(-1, 3)
    return np.random.default_rng(0).permutation(grid)


def far_and_near():
    """Blocks of 20 rows over two hundred decades: at the scale of all, the small ones tie."""
    points = samples.gaussian(3, 80, 4)
    points[:20] *= 1e-100
    points[40:60] *= 1e120
    return points


CHUNKS = {
    "even": (20, -1),
    "one": (-1, -1),
    "columns too": (30, 2),
    "uneven": ((1, 2, 30, 0, 5, 42), -1),
    "smaller than k": (4, -1),
}


@pytest.mark.parametrize("chunks", CHUNKS.values(), ids=CHUNKS)
def test_blocks_of_any_shape_give_the_scores_of_one_machine(here, chunks):
    points = samples.gaussian(0, 80, 5)
    assert_same(mc.curvature(da.from_array(points, chunks=chunks), 7), mc.curvature(points, 7))


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_is_that_of_one_machine(here, mode):
    points = samples.gaussian(1, 60, 6)
    array = da.from_array(points, chunks=(25, -1))
    assert_same(mc.curvature(array, mode=mode), mc.curvature(points, mode=mode))


TIES = {
    "copies": np.repeat(samples.gaussian(2, 12, 4), 6, axis=0)[::-1],
    "whole numbers": samples.integers(2, 80, 3),
    "tenths": tenths(5),
    "equal": np.ones((30, 3)),
    "tiny": samples.tiny(2, 60),
    "huge": samples.huge(2, 60),
    "offset": samples.offset(2, 60),
    "far and near": far_and_near(),
}


@pytest.mark.thorough
@pytest.mark.parametrize("points", TIES.values(), ids=TIES)
def test_ties_and_extremes_are_resolved_as_on_one_machine(here, points):
    array = da.from_array(points, chunks=(20, -1))
    assert_same(mc.curvature(array, 6, mode="haar"), mc.curvature(points, 6, mode="haar"))


@pytest.mark.thorough
def test_lists_are_merged_by_squares_because_roots_tie_where_squares_do_not(here):
    points = tenths(5)
    squares = ((points[:, None] - points) ** 2).sum(axis=2)
    assert len(np.unique(squares)) > len(np.unique(np.sqrt(squares)))
    array = da.from_array(points, chunks=(25, -1))
    for k in (7, 12, 20):
        assert_same(mc.curvature(array, k, mode="haar"), mc.curvature(points, k, mode="haar"))


@pytest.mark.parametrize("dtype", ["float32", "int16", "bool", "object"])
def test_any_real_type_is_taken(here, dtype):
    points = samples.integers(4, 50, 6).astype(dtype)
    assert_same(mc.curvature(da.from_array(points, chunks=(20, 3)), 5), mc.curvature(points, 5))


def test_an_array_of_unknown_length_is_measured_and_left_as_it_was(here):
    points = samples.gaussian(5, 60, 3)
    array = da.from_array(points, chunks=(20, -1))
    array = array[array[:, 0] < 1]
    assert_same(mc.curvature(array, 5), mc.curvature(points[points[:, 0] < 1], 5))
    assert np.isnan(array.shape[0])


def test_threads_of_this_machine_give_the_same():
    points = samples.gaussian(6, 90, 5)
    with dask.config.set(scheduler="threads"):
        assert_same(mc.curvature(da.from_array(points, chunks=(30, -1))), mc.curvature(points))


@pytest.mark.thorough
@pytest.mark.parametrize("k", [5, 30])
def test_no_task_gets_more_rows_than_two_blocks(here, monkeypatch, k):
    points, rows = samples.gaussian(7, 240, 8), []

    def searching(block, queries, *others):
        rows.append(len(block) + len(queries))
        return cluster_nearest(block, queries, *others)

    def scoring(picked, graph, *others):
        rows.append(len(picked))
        # What was picked is needed, every row of it.
        np.testing.assert_array_equal(np.unique(graph.indices), np.arange(len(picked)))
        return cluster_scored(picked, graph, *others)

    cluster_nearest, cluster_scored = tasks.nearest, tasks.scored
    expected = mc.curvature(points, k, mode="haar")
    monkeypatch.setattr(tasks, "nearest", searching)
    monkeypatch.setattr(tasks, "scored", scoring)
    assert_same(mc.curvature(da.from_array(points, chunks=(30, -1)), k, mode="haar"), expected)
    assert len(rows) > 64 + 2 * 8  # 8 blocks in 64 pairs, each scored in several groups
    assert max(rows) <= 2 * 30


def test_progress_counts_points_searched_then_scored(here):
    told = []
    points = da.from_array(samples.gaussian(8, 80, 4), chunks=(20, -1))
    mc.curvature(points, progress=lambda done, total: told.append((done, total)))
    done, totals = zip(*told, strict=True)
    assert set(totals) == {160}
    assert list(done) == sorted(set(done))
    assert {20, 40, 60, 80, 160} <= set(done)


@pytest.mark.long
@pytest.mark.parametrize("phase", ["search", "scores"])
def test_a_cluster_whose_worker_is_killed_gives_the_same(client, phase):
    points = samples.gaussian(9, 600, 5)
    kill_at = {"search": 100, "scores": 800}[phase]
    client.wait_for_workers(2, timeout=30)
    victims = list(client.run(os.getpid).values())[:1]
    killed = []

    def progress(done, total):
        if done >= kill_at and victims:
            killed.append((victims.pop(), done, total))
            os.kill(killed[0][0], signal.SIGKILL)

    array = da.from_array(points, chunks=(100, -1))
    assert_same(mc.curvature(array, 8, progress=progress), mc.curvature(points, 8))
    ((pid, done, total),) = killed
    assert done < total
    assert pid not in client.run(os.getpid).values()


def tasks_of(client):
    """Return the keys the scheduler knows."""
    return client.run_on_scheduler(lambda dask_scheduler: {str(k) for k in dask_scheduler.tasks})


def assert_nothing_new(client, before):
    deadline = time.monotonic() + 10
    while new := tasks_of(client) - before:
        assert time.monotonic() < deadline, new
        time.sleep(0.05)


class StoppedError(Exception):
    pass


@pytest.mark.long
@pytest.mark.parametrize("after", [100, 700])
def test_progress_that_raises_cancels_and_leaves_only_what_the_caller_holds(client, after):
    def progress(done, total):
        if done >= after:
            raise StoppedError

    array = da.from_array(samples.gaussian(10, 600, 5), chunks=(100, -1)).persist()
    wait(array)
    before = tasks_of(client)
    assert len(before) >= 6
    with pytest.raises(StoppedError) as raised:
        mc.curvature(array, 8, progress=progress)
    assert_nothing_new(client, before)
    assert raised.tb is not None  # all that the traceback refers to is still alive
    np.testing.assert_allclose(array.sum().compute(), samples.gaussian(10, 600, 5).sum())


@pytest.mark.long
def test_nothing_is_left_on_the_cluster_after_a_result(client):
    points, before = samples.gaussian(11, 300, 4), tasks_of(client)
    result = mc.curvature(da.from_array(points, chunks=(100, -1)), 6, mode="fast")
    assert_same(result, mc.curvature(points, 6, mode="fast"))
    assert_nothing_new(client, before)


def with_entry(value, row=33, column=2):
    points = samples.gaussian(12, 60, 4)
    points[row, column] = value
    return points


BAD = {
    "nan": with_entry(np.nan),
    "infinite": with_entry(-np.inf),
    "too large": with_entry(1e160),
    "complex": samples.gaussian(12).astype(complex),
    "words": np.full((20, 2), "a"),
    "objects": np.full((20, 2), "a", dtype=object),
    "1-D": np.zeros(20),
    "3-D": np.zeros((20, 2, 2)),
    "two rows": np.zeros((2, 3)),
    "no columns": np.zeros((5, 0)),
}


@pytest.mark.parametrize("points", BAD.values(), ids=BAD)
def test_bad_points_are_refused_with_the_sentence_of_one_machine(here, points):
    with pytest.raises((TypeError, ValueError)) as expected:
        mc.curvature(points, 5)
    with pytest.raises(expected.type) as raised:
        mc.curvature(da.from_array(points, chunks=20), 5)
    assert str(raised.value) == str(expected.value)


@pytest.mark.parametrize("n_neighbors", [1, 60, 61, 2.5, "many"])
def test_bad_k_is_refused_with_the_sentence_of_one_machine(here, n_neighbors):
    points = samples.gaussian(13, 60, 3)
    with pytest.raises((TypeError, ValueError)) as expected:
        mc.curvature(points, n_neighbors)
    with pytest.raises(expected.type) as raised:
        mc.curvature(da.from_array(points, chunks=(20, -1)), n_neighbors)
    assert str(raised.value) == str(expected.value)


def test_a_graph_is_not_taken_with_a_dask_array(here):
    points = samples.gaussian(14, 60, 3)
    with pytest.raises(ValueError, match="graph cannot be given with a dask array"):
        mc.curvature(da.from_array(points, chunks=20), graph=mc.knn_graph(points, 5))


def test_only_a_dask_array_is_taken(here):
    with pytest.raises(TypeError, match="points must be a dask array, got Delayed"):
        mc.curvature(dask.delayed(samples.gaussian)(1))


def test_a_slow_mode_warns_where_it_was_called(here, monkeypatch):
    monkeypatch.setattr(sys.modules["mecuco_core.score.curvature"], "SLOW_SECONDS", 0.0)
    with pytest.warns(mc.SlowModeWarning) as warned:
        mc.curvature(da.from_array(samples.gaussian(15), chunks=20), mode="exact")
    assert warned[0].filename == __file__


@pytest.mark.thorough
def test_dask_is_not_imported_without_a_dask_array():
    code = (
        "import sys, numpy as np, mecuco as mc, mecuco_core.cli.commands;"
        "mc.curvature(np.eye(9)); sys.exit('dask' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
