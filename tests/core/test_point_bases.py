"""One neighbourhood in many bases, and the two errors of published fast."""

import numpy as np
import pytest

import mecuco as mc
from mecuco_core.diagnostics.null_bases.one_point import axis_closeness, point_bases, series_row
from mecuco_core.diagnostics.null_bases.published_fast import fast_errors
from mecuco_core.diagnostics.null_bases.scores import null_basis_scores


@pytest.fixture(scope="module")
def cloud():
    points = np.random.default_rng(3).standard_normal((80, 20))
    return points, mc.knn_graph(points, 8)


def test_closeness_is_one_along_the_axes_and_least_where_all_entries_are_equal():
    assert axis_closeness(np.eye(5)[:, :2]) == 1.0
    hadamard = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]) / 2
    assert axis_closeness(hadamard) == pytest.approx(1 / 4)


def test_scores_are_those_of_the_engine_and_bases_span_the_null_space(cloud):
    points, graph = cloud
    found = point_bases(points, graph=graph, position=4, n_bases=30, seed=1)
    spread = null_basis_scores(points, graph=graph, n_bases=30, seed=1, rows=[4])
    np.testing.assert_allclose(found.spread.draws, spread.draws)
    assert found.scores()["haar"] == pytest.approx(mc.curvature(points, 8, mode="haar")[4])
    assert found.n_null == 20 - 7
    patch = points[graph.indices[4]] - points[graph.indices[4]].mean(axis=0)
    for basis in found.bases.values():
        assert basis.shape == (20, 13)
        np.testing.assert_allclose(basis.T @ basis, np.eye(13), atol=1e-10)
        np.testing.assert_allclose(patch @ basis, 0.0, atol=1e-10)


def test_the_measured_closeness_belongs_to_the_basis_that_was_scored(cloud):
    points, graph = cloud
    found = point_bases(points, graph=graph, position=4, n_bases=30, seed=1)
    patch = points[graph.indices[4]] - points[graph.indices[4]].mean(axis=0)
    _, s, Vt = np.linalg.svd(patch, full_matrices=False)
    V, lam = Vt[:7].T, s[:7] ** 2 / 7
    W = np.hstack([V, found.bases["random"]])
    score = 0.5 * lam @ ((V.T @ W**2) ** 2).sum(axis=1) + 0.5 * lam.sum()
    assert found.spread.draws[0, 0] == pytest.approx(score)
    assert found.random_closeness[0] == pytest.approx(axis_closeness(found.bases["random"]))


def test_no_error_is_haar_and_both_are_fast(cloud):
    points, graph = cloud
    costs = fast_errors(points, graph=graph)
    haar = mc.curvature(points, graph=graph, mode="haar").values
    np.testing.assert_allclose(costs.haar, haar, rtol=1e-12)
    fast = mc.curvature(points, graph=graph, mode="fast").values
    np.testing.assert_allclose(np.abs(costs.both), fast, rtol=1e-12)
    assert costs.bias(costs.haar) == 0.0


def test_each_error_is_the_change_of_one_term(cloud):
    # n0 = 13: the null share is divided by 13, not 15, and so 15/13 as large.
    points, graph = cloud
    costs = fast_errors(points, graph=graph)
    V = np.linalg.svd(points[graph.indices[0]] - points[graph.indices[0]].mean(axis=0))[2][:7].T
    patch = points[graph.indices[0]] - points[graph.indices[0]].mean(axis=0)
    sigma = patch.T @ patch / 7
    P = np.eye(20) - V @ V.T
    null = (np.diag(P) @ sigma @ np.diag(P) + 2 * (sigma * P**2).sum()) / 15
    assert costs.divisor[0] - costs.haar[0] == pytest.approx(0.5 * null * (15 / 13 - 1))
    weighted = float(np.diag(sigma) @ (1 - np.diag(P)))
    apart = 0.5 * 2 * (-2) * (np.trace(sigma) - weighted) / 15
    assert costs.middle[0] - costs.haar[0] == pytest.approx(apart)


def test_a_neighbourhood_that_spans_the_space_leaves_no_error():
    points = np.random.default_rng(0).standard_normal((60, 4))
    costs = fast_errors(points, graph=mc.knn_graph(points, 10))
    np.testing.assert_allclose(costs.both, costs.haar)


def test_a_row_of_the_series_is_relative_to_haar(cloud):
    points, graph = cloud
    spread = null_basis_scores(points, graph=graph, n_bases=20, rows=[1, 2, 3])
    ratio, m, k, random, _, leaned, fast = series_row(spread)
    assert (ratio, m, k) == (2.5, 20, 8)
    assert random == pytest.approx(np.median(spread.sd / spread.haar))
    assert leaned == pytest.approx(np.median(spread.axis_aligned / spread.haar - 1))
    assert fast == pytest.approx(np.median(spread.fast / spread.haar - 1))
