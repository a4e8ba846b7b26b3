"""Estimate and scores against a known mean curvature."""

import numpy as np
import pytest
from scipy import stats

import mecuco_core as mc
from mecuco_core.datasets.manifolds import sample_manifold
from mecuco_core.ground_truth import Convergence, convergence, following, ground_truth
from mecuco_core.shape_operator import shape_operator


def test_everything_is_measured_on_the_same_neighbours():
    sample = sample_manifold("torus", 500)
    found = ground_truth(sample, 20, ("exact", "haar"))
    graph = mc.knn_graph(sample.points, 20)
    np.testing.assert_allclose(
        found.shape.values, shape_operator(sample.points, neighbors=graph).values
    )
    score = mc.curvature(sample.points, mode="haar", neighbors=graph)
    np.testing.assert_allclose(found.scores["haar"].values, score.values)
    np.testing.assert_allclose(found.scatter, 2 * score.scatter)
    np.testing.assert_allclose(found.distance, graph.distances[:, -1])
    assert found.inner.all()


def test_points_whose_patch_reaches_the_edge_are_not_inner():
    sample = sample_manifold("saddle", 500)
    found = ground_truth(sample, 20, ("exact",))
    np.testing.assert_array_equal(found.inner, sample.edge_distance > found.distance)
    assert 0.2 < found.inner.mean() < 0.95


def test_following_by_hand():
    truth = np.array([1.0, 2.0, 4.0, 8.0])
    values = np.array([1.1, 2.0, 3.0, 100.0])
    kept = np.array([True, True, True, False])
    found = following(values, truth, kept)
    # Errors 0.1, 0, 1: relative 0.1, 0, 0.25; the order is kept.
    assert found.relative_error == pytest.approx(0.1)
    assert found.absolute_error == pytest.approx(0.1)
    assert found.spearman == pytest.approx(1.0)
    assert found.n_points == 3


def test_a_truth_that_is_zero_or_constant_has_no_relative_error_or_rank():
    zero = following(np.array([0.1, 0.2]), np.zeros(2), np.ones(2, dtype=bool))
    assert np.isnan(zero.relative_error)
    assert np.isnan(zero.spearman)
    assert zero.absolute_error == pytest.approx(0.15)
    assert not ground_truth(sample_manifold("sphere", 100), 12, ("exact",)).varies


def test_the_rate_is_the_slope_of_the_logarithms():
    n = np.array([100, 200, 400, 800])
    blank = np.full(4, np.nan)
    found = Convergence(n, 3.0 * n**-0.5, blank, n, blank, blank, True, 10, "exact")
    assert found.rate(found.fixed) == pytest.approx(-0.5)
    assert np.isnan(found.rate(np.full(4, 1e-12)))


def test_the_error_falls_with_more_points_and_the_score_does_not_follow():
    told = []
    samples = [sample_manifold("torus", n) for n in (500, 1000, 2000)]
    found = convergence(samples, 20, progress=lambda done, total: told.append((done, total)))
    assert found.chosen[-1] < found.chosen[0]
    assert found.quadric[-1] > 0.99
    direct = mc.curvature(samples[-1].points, 20, "exact").values
    rho = stats.spearmanr(direct, samples[-1].truth.mean).statistic
    assert found.score[-1] == pytest.approx(rho)
    assert told == [(500, 3500), (1500, 3500), (3500, 3500)]
