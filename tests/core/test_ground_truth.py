"""Estimate and scores against a known mean curvature."""

import numpy as np
import pytest
from scipy import stats

import mecuco as mc
from mecuco_core.datasets.manifolds import sample_manifold
from mecuco_core.diagnostics.ground_truth import Convergence, convergence, following, ground_truth
from mecuco_core.surface.shape_operator import shape_operator


def test_everything_is_measured_on_the_same_neighbours():
    sample = sample_manifold("torus", 500)
    found = ground_truth(sample, 20, ("exact", "haar"))
    graph = mc.knn_graph(sample.points, 20)
    np.testing.assert_allclose(
        found.shape.values, shape_operator(sample.points, graph=graph).values
    )
    score = mc.curvature(sample.points, mode="haar", graph=graph)
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


SIZES = np.array([500, 1000, 2000, 4000, 8000, 16_000])


def law_of(errors):
    n = SIZES[-len(errors) :]
    blank = np.full(len(n), np.nan)
    found = Convergence(n, np.array(errors), blank, n, blank, blank, True, 10, "exact")
    return found.law(found.fixed)


def test_a_power_law_is_fitted_where_it_holds_and_says_where():
    errors = 3.0 / SIZES
    whole = law_of(errors)
    assert (whole.first, whole.last) == (500, 16_000)
    assert (whole.rate, whole.low, whole.high) == pytest.approx((-1.0, -1.0, -1.0))
    assert whole.factor == pytest.approx(3.0)
    errors[0] *= 10  # too few points for the law: the line through all six would say -1.5
    later = law_of(errors)
    assert later.first == 1000
    assert later.rate == pytest.approx(-1.0)


def test_the_interval_of_a_rate_holds_the_rate_that_made_the_errors():
    rng = np.random.default_rng(0)
    laws = [law_of(SIZES**-0.5 * np.exp(0.05 * rng.standard_normal(6))) for _ in range(200)]
    assert np.mean([law.low <= -0.5 <= law.high for law in laws]) > 0.9
    assert np.median([law.high - law.low for law in laws]) < 0.3


@pytest.mark.parametrize(
    "errors",
    [
        [0.3, 0.2, 0.1, 0.4, 0.1, 0.3],  # up and down
        [0.1, 0.11, 0.09, 0.1],  # neither up nor down
        [0.4, 0.2, 0.1],  # too few
        [1e-12] * 6,  # rounding
    ],
)
def test_where_errors_follow_no_power_there_is_no_law(errors):
    assert law_of(errors) is None


def test_the_rate_on_the_torus_is_that_of_its_larger_samples():
    # At n = 500 patches of 30 points are wider than the ring is bent: eight times off the line.
    samples = [sample_manifold("torus", n) for n in SIZES[:-1]]
    found = convergence(samples, 30, "haar")
    law = found.law(found.fixed)
    assert law.first == 1000
    least_squares = np.polyfit(np.log(SIZES[1:-1]), np.log(found.fixed[1:]), 1)[0]
    assert law.low <= least_squares <= law.high
    assert -1.2 < law.rate < -0.9


def test_the_error_falls_with_more_points_and_the_score_does_not_follow():
    told = []
    samples = [sample_manifold("torus", n) for n in (500, 1000, 2000)]
    found = convergence(samples, 20, progress=lambda done, total: told.append((done, total)))
    assert found.chosen[-1] < found.chosen[0]
    assert found.quadric[-1] > 0.99
    direct = mc.curvature(samples[-1].points, 20, mode="exact").values
    rho = stats.spearmanr(direct, samples[-1].truth.mean).statistic
    assert found.score[-1] == pytest.approx(rho)
    assert told == [(500, 3500), (1500, 3500), (3500, 3500)]
