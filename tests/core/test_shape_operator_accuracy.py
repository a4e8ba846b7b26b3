"""The shape operator against surfaces whose curvature is known, and its error bars."""

import numpy as np
import pytest
from scipy.stats import spearmanr

import mecuco as mc
from mecuco_core.datasets.manifolds import MANIFOLDS, sample_manifold

MINIMAL = ("plane", "catenoid", "helicoid")


def away_from_the_edge(sample, result):
    """Points farther from the edge than their farthest neighbour."""
    patch = result.graph.distances[:, -1]
    return sample.shape.edge_distance(sample.parameters) > patch


@pytest.mark.thorough
@pytest.mark.parametrize("name", MANIFOLDS)
def test_estimates_follow_the_true_mean_curvature(name):
    sample = sample_manifold(name, 10_000)
    result = mc.shape_operator(sample.points, dimension=sample.shape.dimension)
    inside = away_from_the_edge(sample, result)
    assert inside.mean() > 0.8
    true, estimate = sample.truth.mean[inside], result.mean_curvature[inside]
    assert not result.poor[inside].any()
    if name in MINIMAL:
        assert estimate.max() < 0.05
    else:
        bent = true > 1e-9
        assert np.median(np.abs(estimate - true)[bent] / true[bent]) <= 0.03
        if np.ptp(true) > 1e-9:
            assert spearmanr(estimate, true).statistic >= 0.99
    gaussian = sample.truth.gaussian
    if gaussian is not None and np.ptp(gaussian) > 1e-9:
        rank = spearmanr(result.gaussian_curvature[inside], gaussian[inside]).statistic
        assert rank >= 0.98


@pytest.mark.parametrize(("dimension", "within"), [(2, 0.05), (3, 0.05), (4, 0.05), (5, 0.1)])
def test_spheres_turned_into_fifty_dimensions_have_one_over_their_radius(dimension, within):
    sample = sample_manifold("d-sphere", 1000, dimension=dimension, R=3.0, ambient_dimension=50)
    result = mc.shape_operator(sample.points, dimension=dimension)
    np.testing.assert_allclose(result.mean_curvature, 1 / 3, rtol=within)
    inward = -sample.points / 9.0
    np.testing.assert_allclose(result.mean_curvature_vector, inward, atol=within / 3)


@pytest.mark.thorough
@pytest.mark.parametrize("k", [12, 30, 60])
@pytest.mark.parametrize("name", ["torus", "ellipsoid", "saddle"])
def test_any_number_of_neighbours_follows_the_truth(name, k):
    sample = sample_manifold(name, 4000)
    result = mc.shape_operator(sample.points, k, dimension=2)
    inside = away_from_the_edge(sample, result)
    true, estimate = sample.truth.mean[inside], result.mean_curvature[inside]
    assert spearmanr(estimate, true).statistic >= 0.99
    assert np.median(np.abs(estimate - true) / true) <= 0.06  # 12 have no terms of third degree


@pytest.mark.thorough
@pytest.mark.parametrize("noise", [0.002, 0.01, 0.05])
@pytest.mark.parametrize("name", ["sphere", "torus"])
def test_error_bars_cover_the_truth(name, noise):
    for k in (None, 40):
        sample = sample_manifold(name, 2000, noise=noise, seed=1)
        result = mc.shape_operator(sample.points, k, dimension=2)
        missed = np.abs(result.mean_curvature - sample.truth.mean)
        assert 0.9 <= np.mean(missed <= 2.0 * result.error) <= 0.99


def test_error_bars_grow_with_the_noise_and_tell_its_size():
    bars = []
    for noise in (0.002, 0.004):
        sample = sample_manifold("sphere", 2000, noise=noise)
        result = mc.shape_operator(sample.points, 40, dimension=2)
        missed = np.abs(result.mean_curvature - 1.0)
        bars.append(np.median(result.error))
        # 0.67 standard errors are the median of a normal variable.
        assert np.median(missed) / (0.67 * bars[-1]) == pytest.approx(1.0, abs=0.25)
    assert bars[1] / bars[0] == pytest.approx(2.0, rel=0.05)


def test_noise_asks_for_wider_patches():
    chosen = [
        mc.shape_operator(sample_manifold("torus", 4000, noise=noise).points).n_neighbors
        for noise in (0.0, 0.02)
    ]
    assert chosen[0] == 18  # three points an unknown
    assert chosen[1] > 40


def test_a_quadric_follows_the_truth_where_the_score_does_not():
    sample = sample_manifold("torus", 4000)
    score = mc.curvature(sample.points, 30, mode="exact")
    assert abs(spearmanr(score, sample.truth.mean).statistic) < 0.2
    assert spearmanr(mc.shape_operator(sample.points, 30), sample.truth.mean).statistic > 0.99
