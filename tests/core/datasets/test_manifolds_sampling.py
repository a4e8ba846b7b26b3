"""Points fall where the area is, and carry the curvature of the place they fall on."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from scipy.stats import beta, chisquare, kstest

from mecuco_core.datasets.manifolds import MANIFOLDS, ParametricSurface, sample_manifold
from mecuco_core.runtime.haar import random_frame

SURFACES = [name for name, m in MANIFOLDS.items() if issubclass(m.kind, ParametricSurface)]
OTHER_SIZES = {
    "ellipsoid": {"a": 0.3, "b": 2.0, "c": 5.0},
    "torus": {"R": 3.0, "r": 2.5},
    "catenoid": {"c": 0.5, "w": 2.5},
    "moebius": {"R": 2.0, "w": 1.9},
    "swiss-roll": {"a": 0.2, "turns": 3.0},
    "monkey-saddle": {"a": 2.0, "w": 2.0},
}
CASES = [pytest.param(name, {}, id=name) for name in SURFACES] + [
    pytest.param(name, sizes, id=f"{name}-other") for name, sizes in OTHER_SIZES.items()
]


def differences(shape, u, v, h=1e-4):
    """First and second derivatives of `point` by central differences, fourth order."""

    def first(f, du, dv):
        return (8 * (f(du, dv) - f(-du, -dv)) - (f(2 * du, 2 * dv) - f(-2 * du, -2 * dv))) / 12

    def at(du, dv):
        return shape.point(u + du, v + dv)

    p_u, p_v = first(at, h, 0) / h, first(at, 0, h) / h
    p_uu = (at(h, 0) - 2 * at(0, 0) + at(-h, 0)) / h**2
    p_vv = (at(0, h) - 2 * at(0, 0) + at(0, -h)) / h**2
    p_uv = (at(h, h) - at(h, -h) - at(-h, h) + at(-h, -h)) / (4 * h**2)
    return p_u, p_v, p_uu, p_uv, p_vv


def by_differences(shape, u, v):
    """Area element, |H| and K from `point` alone."""
    p_u, p_v, *second = differences(shape, u, v)
    cross = np.cross(p_u, p_v)
    area = np.linalg.norm(cross, axis=-1)
    L, M, N = ((cross * p).sum(axis=-1) / area for p in second)
    E, F, G = ((p * q).sum(axis=-1) for p, q in ((p_u, p_u), (p_u, p_v), (p_v, p_v)))
    H = (E * N - 2 * F * M + G * L) / (2 * area**2)
    return area, np.abs(H), (L * N - M**2) / area**2


def nodes_of(low, high, n_cells, per_cell=16):
    """Gauss-Legendre nodes and weights, cell by cell, (n_cells, per_cell)."""
    x, weights = np.polynomial.legendre.leggauss(per_cell)
    half = (high - low) / n_cells / 2
    starts = low + 2 * half * np.arange(n_cells)
    return starts[:, None] + half * (x + 1), np.tile(half * weights, (n_cells, 1))


def mesh_of(shape, n_cells):
    """Nodes (cells, cells, nodes, nodes) of both parameters, and their weights."""
    (u, weights_u), (v, weights_v) = (nodes_of(*ends, n_cells) for ends in shape.domain)
    weights = weights_u[:, None, :, None] * weights_v[None, :, None, :]
    return *np.broadcast_arrays(u[:, None, :, None], v[None, :, None, :]), weights


def cells_of(shape, parameters, n_cells):
    counts, _ = np.histogramdd(parameters, bins=n_cells, range=shape.domain)
    return counts


@pytest.mark.thorough
@pytest.mark.parametrize("density", [0.0, 0.7])
@pytest.mark.parametrize(("name", "sizes"), CASES)
def test_every_part_of_a_surface_gets_its_share_of_points(name, sizes, density):
    sample = sample_manifold(name, 20_000, density=density, seed=1, **sizes)
    shape, n_cells = sample.shape, 6
    u, v, weights = mesh_of(shape, n_cells)
    area, _, _ = by_differences(shape, u, v)
    low, high = shape.domain[0]
    turn = (u - low) / (high - low)
    closes = name in {"torus", "cylinder", "catenoid", "moebius"}
    place = -np.cos(2 * np.pi * turn) if closes else 2 * turn - 1
    share = ((1 + density * place) * area * weights).sum(axis=(2, 3)).ravel()
    counts = cells_of(shape, sample.parameters, n_cells).ravel()
    assert counts.sum() == 20_000
    assert chisquare(counts, 20_000 * share / share.sum()).pvalue > 1e-3


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "sizes"), CASES)
def test_mean_of_the_true_curvature_is_its_surface_integral(name, sizes):
    n_points = 20_000
    sample = sample_manifold(name, n_points, seed=2, **sizes)
    u, v, weights = mesh_of(sample.shape, 20)
    area, H, K = by_differences(sample.shape, u, v)
    for true, field in ((sample.truth.mean, H), (sample.truth.gaussian, K)):
        integral = (field * area * weights).sum() / (area * weights).sum()
        standard_error = true.std() / np.sqrt(n_points)
        # Constant curvature has no sampling error; differences are good to seven digits.
        assert abs(true.mean() - integral) < 4 * standard_error + 1e-6 * (1 + np.abs(field).max())


@pytest.mark.parametrize("density", [0.0, 0.7])
def test_helix_is_uniform_by_length_or_follows_the_gradient(density):
    sample = sample_manifold("helix", 5000, density=density, seed=3)
    steps = np.linalg.norm(np.diff(sample.points[np.argsort(sample.points[:, 2])], axis=0), axis=1)
    height = sample.points[:, 2] / 3  # three turns of pitch one
    # Density 1 + d (2 t - 1) on [0, 1], integrated.
    assert kstest(height, lambda t: t + density * (t**2 - t)).pvalue > 1e-3
    # The whole length is that of three turns: 3 sqrt((2 pi)^2 + 1).
    assert steps.sum() == pytest.approx(3 * np.hypot(2 * np.pi, 1), rel=0.01)
    assert sample.truth.mean == pytest.approx(1 / (1 + (2 * np.pi) ** -2))
    assert sample.truth.gaussian is None


@pytest.mark.parametrize("dimension", [1, 2, 7])
def test_d_sphere_is_uniform_along_every_axis(dimension):
    sample = sample_manifold("d-sphere", 5000, seed=4, dimension=dimension, R=3.0)
    # (1 + x / R) / 2 of a uniform direction in R^(d+1) is Beta(d/2, d/2).
    for coordinate in sample.points.T:
        assert (
            kstest((1 + coordinate / 3) / 2, beta(dimension / 2, dimension / 2).cdf).pvalue > 1e-3
        )
    np.testing.assert_allclose(np.linalg.norm(sample.points, axis=1), 3.0)
    assert sample.truth.mean == pytest.approx(1 / 3)
    if dimension == 2:
        assert sample.truth.gaussian == pytest.approx(1 / 9)
    else:
        assert sample.truth.gaussian is None


def test_d_sphere_gradient_follows_the_first_coordinate():
    sample = sample_manifold("d-sphere", 20_000, seed=5, density=0.8, dimension=2, R=2.0)
    # z of an ordinary sphere is uniform; with the gradient its density is (1 + 0.8 s) / 2.
    distribution = kstest(sample.points[:, 0] / 2, lambda s: (s + 1) / 2 + 0.2 * (s**2 - 1))
    assert distribution.pvalue > 1e-3


def test_the_sphere_has_as_many_points_in_every_slice_of_one_thickness():
    # Archimedes: an argument that needs no area element.
    sample = sample_manifold("sphere", 20_000, seed=6, R=2.0)
    counts, _ = np.histogram(sample.points[:, 2], bins=20, range=(-2, 2))
    assert chisquare(counts).pvalue > 1e-3


@pytest.mark.parametrize("name", MANIFOLDS)
def test_rotation_into_more_dimensions_keeps_all_distances(name):
    own = sample_manifold(name, 60, seed=7)
    turned = sample_manifold(name, 60, seed=7, ambient_dimension=12)
    assert turned.points.shape == (60, 12)
    np.testing.assert_allclose(pdist(turned.points), pdist(own.points), rtol=1e-10)
    np.testing.assert_array_equal(turned.parameters, own.parameters)
    np.testing.assert_array_equal(turned.truth.mean, own.truth.mean)
    # Turned indeed: no coordinate is left at zero.
    assert (np.abs(turned.points).max(axis=0) > 1e-6).all()


def test_random_frames_are_orthonormal_and_have_no_preferred_direction():
    rng = np.random.default_rng(8)
    frames = np.array([random_frame(4, 2, rng) for _ in range(4000)])
    np.testing.assert_allclose(frames[0].T @ frames[0], np.eye(2), atol=1e-12)
    # A coordinate of a uniform unit vector in R^4: (1 + x) / 2 is Beta(3/2, 3/2).
    for coordinate in frames.reshape(4000, -1).T:
        assert kstest((1 + coordinate) / 2, beta(1.5, 1.5).cdf).pvalue > 1e-3


@pytest.mark.parametrize("ambient_dimension", [None, 3, 6])
def test_noise_has_the_asked_spread_in_every_coordinate_and_leaves_the_truth(ambient_dimension):
    calm, noisy = (
        sample_manifold("torus", 5000, noise=noise, ambient_dimension=ambient_dimension, seed=9)
        for noise in (0.0, 0.05)
    )
    gaps = (noisy.points - calm.points) / 0.05
    # The sd of n normal values is off by 1 / sqrt(2 n) = 0.01, the correlation by 0.014.
    assert gaps.std(axis=0) == pytest.approx(1, abs=0.05)
    assert np.abs(np.corrcoef(gaps.T) - np.eye(gaps.shape[1])).max() < 0.07
    np.testing.assert_array_equal(noisy.truth.mean, calm.truth.mean)
    np.testing.assert_array_equal(noisy.truth.gaussian, calm.truth.gaussian)
    np.testing.assert_array_equal(noisy.parameters, calm.parameters)


def test_noise_and_points_are_independent():
    # Both are made of normal values here, so that a shared stream would show.
    calm, noisy = (sample_manifold("d-sphere", 4000, noise=noise, seed=12) for noise in (0.0, 1.0))
    together = np.corrcoef((noisy.points - calm.points).T, calm.points.T)[:4, 4:]
    assert np.abs(together).max() < 5 / np.sqrt(4000)


@pytest.mark.parametrize("name", MANIFOLDS)
def test_the_manifolds_own_dimension_means_no_rotation(name):
    own = sample_manifold(name, 20)
    asked = sample_manifold(name, 20, ambient_dimension=own.shape.ambient_dimension)
    np.testing.assert_array_equal(asked.points, own.points)


@pytest.mark.parametrize("name", MANIFOLDS)
def test_points_truth_and_edge_distance_belong_to_the_parameters(name):
    sample = sample_manifold(name, 50, seed=10)
    shape, parameters = sample.shape, sample.parameters
    low, high = np.array(shape.domain).T
    assert (parameters >= low).all()
    assert (parameters <= high).all()
    np.testing.assert_array_equal(sample.points, shape.points(parameters))
    np.testing.assert_array_equal(sample.truth.mean, shape.mean_curvature(parameters))
    np.testing.assert_array_equal(sample.edge_distance, shape.edge_distance(parameters))
    assert np.isfinite(sample.edge_distance).all() == MANIFOLDS[name].has_edge
    assert (sample.truth.mean >= 0).all()


@pytest.mark.parametrize("name", MANIFOLDS)
def test_fewer_points_are_the_first_of_more(name):
    options = {"noise": 0.1, "density": 0.5, "ambient_dimension": 6, "seed": 11}
    many, few = (sample_manifold(name, n, **options) for n in (5000, 40))
    # Matrix products of another size may round differently.
    np.testing.assert_allclose(few.points, many.points[:40], rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(few.parameters, many.parameters[:40])
