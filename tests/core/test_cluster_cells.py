"""The approximate search on a cluster: most neighbours, the recall told, whoever dies."""

import os
import signal

import dask.array as da
import numpy as np
import pytest

import mecuco as mc
from mecuco_core.cluster import cells, curvature_of
from tests.core import samples

pytestmark = pytest.mark.thorough


def clustered(n_points=2000, seed=0):
    """Points in clumps, near a surface of four dimensions in twelve."""
    rng = np.random.default_rng(seed)
    points = rng.normal(scale=3, size=(8, 12))[rng.integers(0, 8, n_points)]
    points += rng.standard_normal((n_points, 4)) @ rng.standard_normal((4, 12))
    return points + 0.1 * rng.standard_normal(points.shape)


def assert_approximate(result, points, least):
    graph = result.graph
    truth = mc.knn_graph(points, graph.n_neighbors, search="exact")
    hits = [len(np.intersect1d(a, b)) for a, b in zip(graph.indices, truth.indices, strict=True)]
    assert np.mean(hits) / graph.n_neighbors >= least
    assert graph.method == "approximate"
    assert abs(graph.recall - np.mean(hits) / graph.n_neighbors) < 0.03
    assert not (graph.indices == np.arange(len(points))[:, np.newaxis]).any()
    away = np.linalg.norm(points[graph.indices] - points[:, np.newaxis], axis=2)
    np.testing.assert_allclose(graph.distances, away, rtol=1e-12, atol=1e-12)
    assert (np.diff(graph.distances, axis=1) >= 0).all()
    one = mc.curvature(points, mode="haar", graph=graph)
    np.testing.assert_allclose(result.values, one.values, rtol=1e-9)


def test_the_approximate_search_finds_most_neighbours_and_says_how_many(here, monkeypatch):
    monkeypatch.setattr(cells, "CELL_ROWS", 50)
    points = clustered()
    searched = []
    real = cells.CellRun.partners
    monkeypatch.setattr(
        cells.CellRun, "partners", lambda run, i: searched.append(len(real(run, i))) or real(run, i)
    )
    result = curvature_of(
        da.from_array(points, chunks=(450, 5)), 9, mode="haar", search="approximate"
    )
    assert_approximate(result, points, cells.LEAST_RECALL - 0.02)
    assert max(searched) < 40  # not all of the cells
    again = curvature_of(
        da.from_array(points, chunks=(1500, -1)), 9, mode="haar", search="approximate"
    )
    np.testing.assert_array_equal(again.graph.indices, result.graph.indices)


def test_more_cells_are_taken_until_the_recall_serves(here, monkeypatch):
    monkeypatch.setattr(cells, "CELL_ROWS", 50)
    monkeypatch.setattr(cells, "FIRST_PARTNERS", 1)
    points = clustered(1000, seed=1)
    result = curvature_of(
        da.from_array(points, chunks=(700, -1)), 9, mode="haar", search="approximate"
    )
    assert_approximate(result, points, 0.95)


@pytest.mark.parametrize("make", [samples.gaussian, lambda seed, n, m: np.zeros((n, m))])
def test_few_points_and_equal_ones_are_searched_approximately_too(here, make):
    points = make(0, 30, 3)
    result = curvature_of(
        da.from_array(points, chunks=(7, -1)), 12, mode="haar", search="approximate"
    )
    assert result.graph.indices.shape == (30, 12)
    assert result.graph.recall == 1 or not points.any()


@pytest.mark.long
def test_a_worker_killed_in_an_approximate_search_costs_time_only(client, monkeypatch):
    monkeypatch.setattr(cells, "CELL_ROWS", 200)
    points = clustered(6000, seed=2)
    killed = []

    def kill_once(done, total):
        if not killed and done > 0:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    array = da.from_array(points, chunks=(1500, -1))
    result = curvature_of(array, 9, mode="haar", progress=kill_once, search="approximate")
    assert killed
    assert_approximate(result, points, 0.95)


def test_a_search_that_takes_too_long_is_approximate(here, monkeypatch):
    monkeypatch.setattr("mecuco_core.neighbors.choice.LONGEST_EXACT_SEARCH", 0.0)
    result = mc.curvature(da.from_array(clustered(500), chunks=(200, -1)), 7, mode="haar")
    assert result.graph.method == "approximate"
