"""The shape operator: invariance, frames, orientation, warnings and errors."""

import dataclasses
import sys

import numpy as np
import pytest

import mecuco as mc
from mecuco_core.datasets.manifolds import sample_manifold
from tests.core.oracles import random_orthogonal

TORUS = sample_manifold("torus", 2000, noise=0.005)


@pytest.fixture(scope="module")
def torus():
    return mc.shape_operator(TORUS.points, 30, dimension=2)


def test_rigid_motions_change_nothing(torus):
    rng = np.random.default_rng(0)
    rotation = random_orthogonal(rng, 3)
    moved = mc.shape_operator(TORUS.points @ rotation.T + [5.0, -3.0, 2.0], 30, dimension=2)
    for name in ("mean_curvature", "error", "fit", "principal_curvatures"):
        np.testing.assert_allclose(getattr(moved, name), getattr(torus, name), rtol=1e-8, atol=1e-8)
    vector = torus.mean_curvature_vector @ rotation.T
    np.testing.assert_allclose(moved.mean_curvature_vector, vector, atol=1e-8)
    np.testing.assert_allclose(moved.normals, torus.normals @ rotation.T, atol=1e-8)


def test_a_rotation_does_not_change_the_chosen_number_of_neighbours():
    rotation = random_orthogonal(np.random.default_rng(1), 3)
    own, moved = (mc.shape_operator(p) for p in (TORUS.points, TORUS.points @ rotation.T))
    assert own.n_neighbors == moved.n_neighbors
    np.testing.assert_allclose(own.mean_curvature, moved.mean_curvature, rtol=1e-8)


@pytest.mark.thorough
@pytest.mark.parametrize("scale", [1e-3, 7.0, 1e100])
def test_scaling_by_s_divides_curvatures_by_s(torus, scale):
    scaled = mc.shape_operator(TORUS.points * scale, 30, dimension=2)
    for name in ("mean_curvature", "error", "principal_curvatures"):
        np.testing.assert_allclose(getattr(scaled, name) * scale, getattr(torus, name), rtol=1e-8)
    np.testing.assert_allclose(scaled.fit, torus.fit, rtol=1e-8)
    assert mc.shape_operator(TORUS.points * scale).n_neighbors == (
        mc.shape_operator(TORUS.points).n_neighbors
    )


def test_more_ambient_dimensions_change_nothing(torus):
    frame = random_orthogonal(np.random.default_rng(0), 12)[:, :3]
    wide = mc.shape_operator(TORUS.points @ frame.T, 30, dimension=2)
    np.testing.assert_allclose(wide.mean_curvature, torus.mean_curvature, rtol=1e-8)
    assert wide.normals is None
    assert wide.gaussian_curvature is None


def test_frames_are_orthonormal_and_curvatures_belong_together(torus):
    tangents, directions = torus.tangents, torus.principal_directions
    for rows in (tangents, directions):
        gram = np.einsum("iaj,ibj->iab", rows, rows)
        np.testing.assert_allclose(gram, np.broadcast_to(np.eye(2), gram.shape), atol=1e-12)
    for rows in (tangents, directions):
        assert np.abs(np.einsum("iaj,ij->ia", rows, torus.normals)).max() < 1e-12
    k = torus.principal_curvatures
    assert np.all(k[:, 0] >= k[:, 1])
    np.testing.assert_allclose(torus.gaussian_curvature, k[:, 0] * k[:, 1])
    expected = k.mean(axis=1)[:, None] * torus.normals
    np.testing.assert_allclose(torus.mean_curvature_vector, expected, atol=1e-9)
    np.testing.assert_allclose(torus.mean_curvature, np.abs(k.mean(axis=1)), atol=1e-9)


def test_principal_directions_of_a_torus_run_around_the_tube_and_the_axis():
    sample = sample_manifold("torus", 4000)
    result = mc.shape_operator(sample.points, dimension=2)
    around_axis, around_tube = sample.shape.tangents(*sample.parameters.T)
    for j, way in ((0, around_tube), (1, around_axis)):  # the tube is the more curved way
        way = way / np.linalg.norm(way, axis=1, keepdims=True)
        cosine = np.abs((result.principal_directions[:, j] * way).sum(axis=1))
        assert np.median(cosine) > 0.9999


def test_normals_of_a_closed_surface_all_point_inwards():
    sample = sample_manifold("ellipsoid", 3000)
    result = mc.shape_operator(sample.points, dimension=2)
    outward = sample.shape.normal(*sample.parameters.T)
    assert np.all((result.normals * outward).sum(axis=1) < -0.9)
    assert np.all(result.principal_curvatures > 0.0)


def test_two_bodies_apart_are_each_turned_to_bend_towards_their_normals():
    ball = sample_manifold("sphere", 800).points
    result = mc.shape_operator(np.vstack([ball, 2.0 * ball + 10.0]), dimension=2)
    np.testing.assert_allclose(result.principal_curvatures[:800], 1.0, rtol=1e-3)
    np.testing.assert_allclose(result.principal_curvatures[800:], 0.5, rtol=1e-3)


def test_a_given_graph_is_used_and_cut_to_its_nearest_columns(torus):
    graph = mc.knn_graph(TORUS.points, 40)
    cut = mc.shape_operator(TORUS.points, 30, dimension=2, graph=graph)
    np.testing.assert_array_equal(cut.mean_curvature, torus.mean_curvature)
    whole = mc.shape_operator(TORUS.points, graph=graph.indices, dimension=2)
    assert whole.n_neighbors == 40


def test_without_frames_the_curvature_is_the_same(torus):
    bare = mc.shape_operator(TORUS.points, 30, dimension=2, frames=False)
    np.testing.assert_array_equal(bare.mean_curvature, torus.mean_curvature)
    np.testing.assert_array_equal(bare.error, torus.error)
    assert bare.tangents is None
    assert bare.principal_directions is None


def test_the_result_is_frozen_and_acts_as_the_array_of_mean_curvature(torus):
    np.testing.assert_array_equal(np.asarray(torus), torus.mean_curvature)
    assert len(torus) == 2000
    assert torus[3] == torus.values[3]
    assert torus.mode == "quadric"
    with pytest.raises(dataclasses.FrozenInstanceError):
        torus.dimension = 3


def test_a_poor_fit_says_so(torus):
    assert torus.poor.mean() < 0.01
    assert torus.fit.min() > 0.99
    cloud = mc.shape_operator(np.random.default_rng(0).standard_normal((500, 3)), 30, dimension=2)
    assert cloud.poor.mean() > 0.9
    assert np.median(cloud.fit) < 0.7


def test_progress_counts_search_and_fits_and_may_stop_the_work():
    seen = []
    mc.shape_operator(
        TORUS.points, 20, dimension=2, progress=lambda done, total: seen.append((done, total))
    )
    assert seen[-1] == (4000, 4000)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)

    def stop(done, total):
        if done > 2000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mc.shape_operator(TORUS.points, 20, dimension=2, progress=stop)


DEGENERATE = {
    "equal points": np.ones((40, 3)),
    "points in a line": np.linspace(0.0, 1.0, 60)[:, None] * [1.0, 2.0, -1.0],
    "points in a line in R^50": np.linspace(0.0, 1.0, 60)[:, None] * np.linspace(1, 3, 50),
    "two clumps": np.repeat([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]], 30, axis=0),
    "every point five times": np.repeat(np.random.default_rng(0).normal(size=(12, 3)), 5, axis=0),
    "one point apart": np.vstack([np.zeros((39, 3)), [[1.0, 0.0, 0.0]]]),
}


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("k", [12, None])
def test_what_determines_no_surface_is_flagged_and_free_of_nan(name, k):
    result = mc.shape_operator(DEGENERATE[name], k, dimension=2)
    assert result.poor.all()
    assert np.isposinf(result.error).all()
    assert not result.fit.any()
    assert np.isfinite(result.mean_curvature_vector).all()
    gram = np.einsum("iaj,ibj->iab", result.tangents, result.tangents)
    np.testing.assert_allclose(gram, np.broadcast_to(np.eye(2), gram.shape), atol=1e-12)
    if result.normals is not None:
        assert np.isfinite(result.gaussian_curvature).all()
        np.testing.assert_allclose(np.linalg.norm(result.normals, axis=1), 1.0)


def test_a_flat_grid_is_flat_in_spite_of_all_its_ties():
    x, y = np.meshgrid(np.arange(8.0), np.arange(8.0))
    result = mc.shape_operator(
        np.column_stack([x.ravel(), y.ravel(), 0 * y.ravel()]), 12, dimension=2
    )
    assert result.mean_curvature.max() < 1e-12
    assert not result.poor.any()


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"dimension": 3}, ValueError, r"dimension must be in \[1, 2\] for points with 3 features"),
        ({"dimension": 0}, ValueError, "got 0"),
        ({"dimension": 1.5}, TypeError, "dimension must be a whole number or 'auto', got 1.5"),
        ({"dimension": True}, TypeError, "got True"),
        ({"dimension": "two"}, TypeError, "got 'two'"),
        ({"n_neighbors": 7}, ValueError, "at least 8 for a quadric of dimension 2, .*got 7"),
        ({"n_neighbors": 100}, ValueError, r"n_neighbors must be in \[2, 49\]"),
        ({"n_neighbors": "log2"}, TypeError, "n_neighbors must be a whole number or None"),
        ({"n_jobs": 0}, ValueError, "n_jobs"),
        ({"graph": np.zeros((50, 2), dtype=int)}, ValueError, "graph must not contain"),
    ],
)
def test_bad_arguments_get_one_sentence(arguments, error, sentence):
    with pytest.raises(error, match=sentence):
        mc.shape_operator(TORUS.points[:50], **arguments)


def test_bad_points_get_one_sentence():
    with pytest.raises(ValueError, match="at least 2 features"):
        mc.shape_operator(np.arange(30.0)[:, None], dimension=1)
    with pytest.raises(ValueError, match="at least 9 rows for a quadric of dimension 2, got 8"):
        mc.shape_operator(TORUS.points[:8])
    with pytest.raises(ValueError, match="finite"):
        mc.shape_operator(np.full((30, 3), np.nan))


def test_frames_that_do_not_fit_in_memory_are_refused(monkeypatch):
    module = sys.modules[
        "mecuco_core.surface.shape_operator"
    ]  # the function hides it under this name
    monkeypatch.setattr(module, "LARGEST_FRAME_BYTES", 1000)
    with pytest.raises(ValueError, match="pass frames=False"):
        mc.shape_operator(TORUS.points, 20, dimension=2)
    mc.shape_operator(TORUS.points[:50], 20, dimension=2, frames=False)
