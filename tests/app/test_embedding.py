import threading

import numpy as np
import pytest

import mecuco as mc
from mecuco_app.results import embedding
from mecuco_app.results.embedding import umap_coordinates, with_self
from mecuco_app.results.principal import principal_coordinates
from mecuco_app.work.jobs import Stopped

pytestmark = pytest.mark.filterwarnings("ignore")  # of numba and umap, in threads of their own

POINTS = np.random.default_rng(0).standard_normal((120, 6))
GRAPH = mc.knn_graph(POINTS, 20)
CHOICES = {"dimension": 2, "n_neighbors": 10, "min_dist": 0.1, "seed": 0}


@pytest.fixture(scope="module")
def coordinates():
    return umap_coordinates(POINTS, GRAPH, **CHOICES)


def test_the_point_itself_is_its_first_neighbour_and_k_columns_are_given():
    indices, distances = with_self(GRAPH, 10)
    assert indices.shape == distances.shape == (120, 10)
    np.testing.assert_array_equal(indices[:, 0], np.arange(120))
    np.testing.assert_array_equal(distances[:, 0], 0)
    np.testing.assert_array_equal(indices[:, 1:], GRAPH.indices[:, :9])


def test_the_same_seed_gives_the_same_map(coordinates):
    assert coordinates.shape == (120, 2)
    np.testing.assert_array_equal(umap_coordinates(POINTS, GRAPH, **CHOICES), coordinates)


def test_it_is_the_map_umap_makes_by_itself(coordinates):
    import umap

    indices, distances = with_self(GRAPH, 10)
    model = umap.UMAP(
        n_neighbors=10, min_dist=0.1, random_state=0, n_jobs=1,
        precomputed_knn=(indices, distances),
    )  # fmt: skip
    np.testing.assert_array_equal(model.fit_transform(POINTS), coordinates)


def test_progress_goes_up_to_the_end(coordinates):
    shares = []
    umap_coordinates(POINTS, GRAPH, **CHOICES, report=lambda share, _: shares.append(share))
    assert shares == sorted(shares)
    assert shares[-1] > 0.95


def test_a_stop_ends_it_and_the_next_map_in_another_thread_is_fine(coordinates):
    def stop(share, message):
        if share > 0.3:
            raise Stopped

    with pytest.raises(Stopped):
        umap_coordinates(POINTS, GRAPH, **CHOICES, report=stop)
    found = []
    thread = threading.Thread(
        target=lambda: found.append(umap_coordinates(POINTS, GRAPH, **CHOICES)), daemon=True
    )
    thread.start()
    thread.join(60)
    np.testing.assert_array_equal(found[0], coordinates)


def test_many_points_start_from_pca_and_are_shown_while_they_move(monkeypatch):
    monkeypatch.setattr(embedding, "MANY_POINTS", 100)
    monkeypatch.setattr(embedding, "_SECONDS", 0.0)
    seen = []

    def look(share, message, so_far=None):
        if so_far is not None:
            seen.append(so_far)

    found = umap_coordinates(POINTS, GRAPH, **CHOICES, report=look)
    pca = principal_coordinates(POINTS, 2)
    np.testing.assert_allclose(seen[0], 10 * pca / np.abs(pca).max(), rtol=1e-5)
    assert all(one.shape == found.shape for one in seen)
    moved = [np.abs(one - found).max() for one in (seen[1], seen[-1])]
    assert moved[1] < 0.1 * moved[0]  # the last one is nearly the map
    np.testing.assert_array_equal(umap_coordinates(POINTS, GRAPH, **CHOICES), found)


def test_few_points_are_not_shown_while_they_move(coordinates):
    def look(share, message, **more):
        assert not more

    umap_coordinates(POINTS, GRAPH, **CHOICES, report=look)


def test_points_along_one_line_have_a_map(monkeypatch):
    monkeypatch.setattr(embedding, "MANY_POINTS", 100)
    for points in (POINTS[:, :1], POINTS[:, :1] * [1.0, 0.0]):
        found = umap_coordinates(points, mc.knn_graph(points, 20), **CHOICES)
        assert np.isfinite(found).all()


@pytest.mark.parametrize("n_points", [5, 6, 13])
@pytest.mark.parametrize("dimension", [2, 3])
def test_few_points_have_a_map(n_points, dimension):
    points = POINTS[:n_points]
    graph = mc.knn_graph(points, min(4, n_points - 1))
    found = umap_coordinates(points, graph, **{**CHOICES, "dimension": dimension})
    assert found.shape == (n_points, dimension)
    assert np.isfinite(found).all()


def test_fewer_than_five_points_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="at least 5 points, got 4"):
        umap_coordinates(POINTS[:4], mc.knn_graph(POINTS[:4], 3), **CHOICES)
