"""The intrinsic dimension and how sure it is."""

import numpy as np
import pytest

import mecuco as mc
from mecuco_core.datasets.manifolds import MANIFOLDS, sample_manifold
from mecuco_core.surface.intrinsic_dimension import _inverses, _mass


@pytest.mark.parametrize("name", MANIFOLDS)
def test_the_dimension_of_every_manifold_is_found(name):
    sample = sample_manifold(name, 3000)
    found = mc.intrinsic_dimension(sample.points)
    assert found.dimension == sample.shape.dimension
    assert found.confidence > 0.7
    assert abs(found.estimate - sample.shape.dimension) < 3 * found.error + 0.05


@pytest.mark.parametrize("dimension", [1, 2, 3, 4, 5])
def test_the_dimension_of_spheres_in_many_dimensions_is_found(dimension):
    sample = sample_manifold("d-sphere", 3000, dimension=dimension, ambient_dimension=50)
    assert mc.intrinsic_dimension(sample.points).dimension == dimension


def test_noise_as_wide_as_the_neighbourhoods_makes_it_less_sure():
    clean, noisy = (
        mc.intrinsic_dimension(sample_manifold("sphere", 3000, noise=noise).points)
        for noise in (0.0, 0.05)
    )
    assert clean.confidence > 0.95
    assert noisy.confidence < 0.8
    assert noisy.error > 3 * clean.error


def test_it_does_not_depend_on_motion_or_scale():
    points = sample_manifold("torus", 800).points
    own, moved = mc.intrinsic_dimension(points), mc.intrinsic_dimension(7.0 * points + 3.0)
    assert moved.estimate == pytest.approx(own.estimate, rel=1e-9)
    np.testing.assert_allclose(moved.local, own.local, rtol=1e-6)


def test_one_point_by_hand():
    # Distances 1, 2, 4: log(4/1) + log(4/2) = 3 log 2, over two: one over the dimension.
    inverse, count = _inverses(np.array([[1.0, 2.0, 4.0]]))
    assert inverse[0] == pytest.approx(1.5 * np.log(2.0))
    assert count[0] == 2
    # Coinciding neighbours say nothing and are not counted.
    inverse, count = _inverses(np.array([[0.0, 1.0, 2.0, 4.0]]))
    assert inverse[0] == pytest.approx(1.5 * np.log(2.0))
    assert np.isnan(_inverses(np.zeros((1, 4)))[0][0])


def test_the_confidence_is_a_normal_chance():
    assert _mass(1.5, 2.5, 2.0, 0.5) == pytest.approx(0.6827, abs=1e-4)  # one sigma each way
    assert _mass(1.5, 2.5, 2.1, 0.0) == 1.0
    assert _mass(1.5, 2.5, 2.6, 0.0) == 0.0


def test_auto_reports_how_the_dimension_was_found():
    points = sample_manifold("torus", 800).points
    result = mc.shape_operator(points, 20, dimension="auto")
    assert result.dimension == 2
    assert result.intrinsic.dimension == 2
    assert 0.5 < result.intrinsic.confidence <= 1.0
    np.testing.assert_array_equal(
        result.mean_curvature, mc.shape_operator(points, 20, dimension=2).mean_curvature
    )
    assert mc.shape_operator(points, 20, dimension=2).intrinsic is None


def test_what_has_no_dimension_gets_one_sentence():
    with pytest.raises(ValueError, match="give dimension as a number"):
        mc.shape_operator(np.ones((40, 3)), dimension="auto")
    with pytest.raises(ValueError, match="n_neighbors must be at least 4"):
        mc.intrinsic_dimension(np.random.default_rng(0).normal(size=(40, 3)), 3)
    with pytest.raises(ValueError, match="at least 2 features"):
        mc.intrinsic_dimension(np.arange(30.0)[:, None])
