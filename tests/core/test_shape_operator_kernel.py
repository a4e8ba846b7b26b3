"""The compiled quadric against its readable twin, and the twin against hand-made patches."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mecuco as mc
from mecuco_core.datasets.manifolds import sample_manifold
from mecuco_core.kernels.surface import compiled_quadric as column
from mecuco_core.kernels.surface.quadric import fewest_neighbors, fits_cubic, quadric_fit
from mecuco_core.surface.local_quadrics import local_quadrics
from tests.core import samples


def bent(seed):
    return sample_manifold("torus", 60, noise=0.01, seed=seed % 2**31).points


def bent_in_many_dimensions(seed):
    return sample_manifold("saddle", 60, noise=0.01, ambient_dimension=30, seed=seed % 2**31).points


# Where outliers or ten decades of scale leave a patch without digits, both are right and differ.
MAKERS = {
    name: maker
    for name, maker in samples.EVERY_KIND.items()
    if name not in ("ill_conditioned", "heavy_tailed", "wider_than_a_tile")
} | {f.__name__: f for f in (bent, bent_in_many_dimensions)}


@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from(sorted(MAKERS)),
    seed=st.integers(0, 2**32 - 1),
    d=st.integers(1, 3),
    more=st.integers(0, 20),
)
def test_compiled_quadrics_equal_their_readable_twins(kind, seed, d, more):
    points = np.ascontiguousarray(MAKERS[kind](seed))
    d = min(d, points.shape[1] - 1)
    k = min(fewest_neighbors(d) + more, len(points) - 1)
    indices = mc.knn_graph(points, k).indices
    shapes = local_quadrics(points, points, indices, d, 1)
    for i in range(0, len(points), 6):
        fit = quadric_fit(points[[i, *indices[i]]], d)
        summary = shapes.summary[i]
        assert bool(summary[column.DETERMINED]) == fit.determined
        if not fit.determined:
            continue  # one of many quadrics, and not the same one
        assert summary[column.RADIUS] == pytest.approx(fit.radius, rel=1e-9)
        assert summary[column.DOF] == fit.dof
        size = max(float(np.linalg.norm(fit.mean)), fit.along, fit.across, 1.0 / fit.radius)
        close = {"rtol": 0.0, "atol": 1e-9 * size}
        np.testing.assert_allclose(shapes.mean[i], fit.mean, **close)
        np.testing.assert_allclose(summary[column.ALONG], fit.along, **close)
        np.testing.assert_allclose(summary[column.ACROSS], fit.across, **close)
        np.testing.assert_allclose(summary[column.RESIDUAL], fit.residual, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(summary[column.REACH], fit.reach, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(shapes.weights[i], fit.weights, atol=1e-9)
        ours, theirs = shapes.tangents[i], fit.tangents
        np.testing.assert_allclose(ours.T @ ours, theirs.T @ theirs, atol=1e-9)
        if d == points.shape[1] - 1:
            side = 1.0 if shapes.normals[i] @ fit.normal > 0.0 else -1.0
            np.testing.assert_allclose(shapes.normals[i], side * fit.normal, atol=1e-9)
            expected = np.sort(side * fit.principal)[::-1]
            np.testing.assert_allclose(shapes.principal[i], expected, **close)


def test_a_patch_of_a_parabola_by_hand():
    # y = x² / 2 in one dimension: curvature 1 at the bottom, normal (0, 1). The terms of fourth
    # degree that curvature 1 implies, x⁴ / 8, are taken off a curve that has none: the fit turns
    # them into curvature, but only with the square of the width.
    errors = []
    for width in (0.2, 0.1):
        x = np.r_[0.0, np.linspace(-width, width, 9)]
        fit = quadric_fit(np.column_stack([x, x**2 / 2]), 1)
        np.testing.assert_allclose(np.abs(fit.normal), [0.0, 1.0], atol=1e-12)
        np.testing.assert_allclose(np.abs(fit.tangents), [[1.0, 0.0]], atol=1e-12)
        errors.append(abs(abs(fit.principal[0]) - 1.0))
    assert errors[0] < 0.03
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


def test_a_patch_of_a_circle_is_exact():
    angle = np.r_[0.0, np.linspace(-0.4, 0.4, 9)]
    fit = quadric_fit(2.0 * np.column_stack([np.sin(angle), np.cos(angle)]), 1)
    np.testing.assert_allclose(fit.mean, [0.0, -0.5], atol=1e-3)
    assert fit.reach == pytest.approx(np.sin(0.4) ** 2, rel=1e-2)


def test_third_degree_is_fitted_where_rows_are_half_as_many_again():
    # 10 unknowns for d = 2: 15 rows are the point and 14 neighbours.
    assert not fits_cubic(13, 2)
    assert fits_cubic(14, 2)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_one_and_two_threads_give_the_same_bits(d):
    points = sample_manifold("torus", 500, noise=0.02, ambient_dimension=6).points
    one, two = (mc.shape_operator(points, 25, dimension=d, n_jobs=n_jobs) for n_jobs in (1, 2))
    for name in ("mean_curvature_vector", "error", "fit", "tangents"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    chosen = [
        mc.shape_operator(points, None, dimension=d, n_jobs=n_jobs).n_neighbors for n_jobs in (1, 2)
    ]
    assert chosen[0] == chosen[1]
