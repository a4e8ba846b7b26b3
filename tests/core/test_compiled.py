"""The compiled kernels against their readable twins, through the public door."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import mecuco as mc
from mecuco_core.kernels.linalg.small_eigen import descending_eigh
from mecuco_core.kernels.score.compiled_exact import scaled_eigenbasis
from mecuco_core.kernels.score.exact import exact_score, score_in_basis
from mecuco_core.kernels.score.fast import fast_score
from mecuco_core.kernels.score.haar import haar_score
from mecuco_core.types import MODES
from tests.core import samples

TWINS = {"fast": fast_score, "haar": haar_score}
kinds = st.sampled_from(sorted(samples.EVERY_KIND))
seeds = st.integers(0, 2**32 - 1)


def readable(kernel, points, graph):
    splits = [kernel(points[row]) for row in graph.indices]
    return np.array([s[:2] for s in splits]), np.array([s.rank for s in splits])


def equal_to_its_twin(points, k, mode):
    graph = mc.knn_graph(points, k)
    result = mc.curvature(points, mode=mode, graph=graph)
    halves, rank = readable(TWINS[mode], points, graph)
    tolerance = 1e-9 * halves[:, 0]
    np.testing.assert_array_equal(result.covariance_rank, rank)
    assert np.all(np.abs(result.scatter - halves[:, 0]) <= tolerance)
    assert np.all(np.abs(result.alignment - halves[:, 1]) <= tolerance)


@settings(max_examples=150, deadline=None)
@example(kind="ill_conditioned", seed=3_708_037, k=3, mode="fast")
@given(kind=kinds, seed=seeds, k=st.integers(2, 13), mode=st.sampled_from(sorted(TWINS)))
def test_compiled_scores_equal_their_readable_twins(kind, seed, k, mode):
    equal_to_its_twin(samples.EVERY_KIND[kind](seed), k, mode)


@settings(max_examples=25, deadline=None)
@example(n_features=64, n_differing=64, levels=0, k=40, mode="haar", seed=0)  # by pairs
@example(n_features=64, n_differing=64, levels=0, k=20, mode="haar", seed=0)  # by T
@example(n_features=64, n_differing=30, levels=0, k=50, mode="fast", seed=0)  # few features differ
@example(n_features=20, n_differing=15, levels=0, k=50, mode="fast", seed=0)  # and spanned
@given(
    n_features=st.integers(1, 80),
    n_differing=st.integers(0, 80),
    levels=st.integers(0, 4),
    k=st.integers(14, 70),
    mode=st.sampled_from(sorted(TWINS)),
    seed=seeds,
)
def test_so_they_do_with_many_neighbours(n_features, n_differing, levels, k, mode, seed):
    points = samples.gaussian(seed, 90, n_features)
    if levels:  # as pixels have
        points = np.clip(np.round(points), -levels, levels)
    points[:, n_differing:] = 0.1
    equal_to_its_twin(points, k, mode)


@pytest.mark.parametrize("mode", sorted(TWINS))
@pytest.mark.parametrize("exponent", [*range(-290, -230, 3), *range(230, 290, 3)])
def test_scores_know_no_scale_where_squares_of_squares_run_out_of_range(mode, exponent):
    points = samples.gaussian(0, 60, 30)
    graph = mc.knn_graph(points, 24)
    scaled = mc.curvature(np.ldexp(points, exponent), mode=mode, graph=graph).values
    expected = np.ldexp(mc.curvature(points, mode=mode, graph=graph).values, 2 * exponent)
    np.testing.assert_allclose(scaled, expected, rtol=1e-9)


@settings(max_examples=60, deadline=None)
@given(kind=kinds.filter(lambda kind: kind in samples.SPANNING), seed=seeds, k=st.integers(7, 13))
def test_compiled_exact_equals_its_readable_twin_where_the_space_is_spanned(kind, seed, k):
    points = samples.EVERY_KIND[kind](seed)
    graph = mc.knn_graph(points, k)
    result = mc.curvature(points, mode="exact", graph=graph)
    halves, _ = readable(exact_score, points, graph)
    full = result.covariance_rank == points.shape[1]
    assert full.sum() > 20
    np.testing.assert_allclose(result.values[full], halves.sum(axis=1)[full], rtol=1e-9)


@settings(max_examples=40, deadline=None)
@given(kind=kinds.filter(lambda kind: kind != "wider_than_a_tile"), seed=seeds)
def test_compiled_exact_is_the_score_in_the_orthonormal_basis_it_used(kind, seed):
    points = samples.EVERY_KIND[kind](seed)
    m = points.shape[1]
    graph = mc.knn_graph(points, 6)
    result = mc.curvature(points, mode="exact", graph=graph)
    for i in range(0, len(points), 5):
        lam, W, rank, exponent = scaled_eigenbasis(points, graph.indices[i])
        np.testing.assert_allclose(W.T @ W, np.eye(m), atol=1e-12)
        patch = points[graph.indices[i]] - points[graph.indices[i, 0]]
        sigma = np.cov(np.ldexp(patch, -exponent), rowvar=False)
        np.testing.assert_allclose((W * lam) @ W.T, sigma, atol=1e-12)
        assert rank == result.covariance_rank[i]
        in_basis = 0.5 * (score_in_basis(lam, W) + lam.sum())
        assert result.values[i] == pytest.approx(np.ldexp(in_basis, 2 * exponent), rel=1e-9)


@pytest.mark.parametrize("mode", ["original", "exact", "fast", "haar"])
@pytest.mark.parametrize("kind", sorted(samples.EVERY_KIND))
def test_one_and_two_threads_give_the_same_bits(mode, kind):
    points = samples.EVERY_KIND[kind](7)[:, :40]
    one = mc.curvature(points, 6, mode=mode, n_jobs=1)
    two = mc.curvature(points, 6, mode=mode, n_jobs=2)
    np.testing.assert_array_equal(one.values, two.values)
    np.testing.assert_array_equal(one.graph.indices, two.graph.indices)


@pytest.mark.parametrize("kind", sorted(samples.SPANNING))
def test_original_exact_and_haar_agree_where_neighbours_span_the_space(kind):
    for seed in range(10):
        points = samples.SPANNING[kind](seed)
        graph = mc.knn_graph(points, 11)
        modes = {m: mc.curvature(points, mode=m, graph=graph) for m in MODES if m != "auto"}
        full = modes["haar"].covariance_rank == points.shape[1]
        assert full.sum() > 20
        for mode in ("original", "exact"):
            np.testing.assert_allclose(
                modes[mode].values[full], modes["haar"].values[full], rtol=1e-10
            )


def test_near_duplicates_and_collinear_points_stay_within_bounds():
    line = np.linspace(0, 1, 30)[:, None] * [1.0, 2.0, -1.0, 0.5]
    nearly = np.repeat(samples.gaussian(0, 10, 4), 4, axis=0)
    nearly = nearly * (1 + 1e-15 * np.arange(len(nearly))[:, None])
    for points in (line, nearly):
        for mode in ("original", "exact", "haar"):
            result = mc.curvature(points, 7, mode=mode)
            assert np.isfinite(result.values).all()
            assert np.all(result.values >= result.scatter)
            assert np.all(result.values <= 2 * result.scatter)


@settings(max_examples=200, deadline=None)
@given(seed=seeds, n=st.integers(2, 32), rank=st.integers(0, 40), whole=st.booleans())
def test_small_eigendecomposition_is_as_good_as_lapacks(seed, n, rank, whole):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((n, rank)) * 10.0 ** rng.uniform(-4, 4, (n, 1))
    S = np.round(A) @ np.round(A).T if whole else A @ A.T
    squares, rows = descending_eigh(S.copy(), True)
    size = max(np.abs(S).max(), 1e-300)
    np.testing.assert_allclose(rows @ rows.T, np.eye(n), atol=1e-13)
    np.testing.assert_allclose(rows.T @ (squares[:, None] * rows), S, atol=1e-13 * size * n)
    np.testing.assert_allclose(squares, np.linalg.eigvalsh(S)[::-1], atol=1e-13 * size * n)


@pytest.mark.parametrize("places", [range(40), range(960, 1000), range(0, 1000, 25)])
def test_features_in_which_no_neighbours_differ_change_nothing(places):
    # The compiled kernel leaves them out, whole tiles of them too; its readable twin does not.
    points = samples.gaussian(5, 80, 40)
    graph = mc.knn_graph(points, 9)
    wide = np.full((80, 1000), 3.0)
    wide[:, places] = points
    for mode, twin in TWINS.items():
        scores = mc.curvature(wide, mode=mode, graph=graph)
        halves, rank = readable(twin, wide, graph)
        np.testing.assert_allclose(scores.scatter, halves[:, 0], rtol=1e-12)
        np.testing.assert_allclose(scores.alignment, halves[:, 1], rtol=1e-11)
        np.testing.assert_array_equal(scores.covariance_rank, rank)
