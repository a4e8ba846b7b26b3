"""One neighbourhood taken apart."""

import numpy as np
import pytest

import mecuco as mc
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.diagnostics import xray as module
from mecuco_core.diagnostics.xray import xray
from mecuco_core.preparation.prepare import prepare

MODES = ("original", "exact", "fast", "haar")


@pytest.fixture(scope="module")
def wine():
    points = prepare(load_bundled("wine")).points
    return points, mc.knn_graph(points)


CLOUD = np.random.default_rng(3).standard_normal((60, 7))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("k", [5, 7, 20])
def test_the_steps_end_in_the_score_of_the_engine_in_every_mode(mode, k):
    graph = mc.knn_graph(CLOUD, k)
    score = mc.curvature(CLOUD, graph=graph, mode=mode)
    for position in (0, 31):
        found = xray(CLOUD, graph=graph, position=position)
        assert found.rank == score.covariance_rank[position]
        halves = found.halves(mode)
        assert halves[0] == pytest.approx(score.scatter[position], rel=1e-12)
        assert halves[1] == pytest.approx(score.alignment[position], rel=1e-10)
        # The matrix each mode has for H Hᵀ, and the shares of the eigenvectors, say the same.
        covariance = (found.basis * found.eigenvalues) @ found.basis.T
        traced = np.trace(found.product(mode) @ covariance)
        assert abs(traced) == pytest.approx(score[position], rel=1e-10)


@pytest.mark.parametrize("mode", ["exact", "fast", "haar"])
def test_the_steps_end_in_the_score_on_data_too(wine, mode):
    points, graph = wine
    score = mc.curvature(points, graph=graph, mode=mode)
    ours = [
        sum(xray(points, graph=graph, position=position).halves(mode))
        for position in range(0, 178, 7)
    ]
    np.testing.assert_allclose(ours, score.values[::7], rtol=1e-9)


def test_the_product_by_haar_is_the_mean_over_random_bases():
    graph = mc.knn_graph(CLOUD, 5)
    found = xray(CLOUD, graph=graph, position=0)
    V, N = np.split(found.basis, [found.rank], axis=1)
    rng = np.random.default_rng(0)
    draws = []
    for _ in range(4000):
        Q, _ = np.linalg.qr(rng.standard_normal((found.n_null, found.n_null)))
        W2 = np.hstack([V, N @ Q]) ** 2
        draws.append(0.5 * (W2 @ W2.T + np.eye(7)))
    error = np.std(draws, axis=0) / np.sqrt(len(draws))
    off = np.abs(np.mean(draws, axis=0) - found.product("haar"))
    assert (off < 4.5 * error).all()


def test_the_identity_holds_to_rounding_and_the_basis_is_that_of_the_covariance(wine):
    points, graph = wine
    found = xray(points, graph=graph, position=5)
    assert found.identity_error < 1e-14
    assert found.orthogonality < 1e-13
    covariance = found.patch.T @ found.patch / (len(found.neighbors) - 1)
    rebuilt = (found.basis * found.eigenvalues) @ found.basis.T
    np.testing.assert_allclose(rebuilt, covariance, atol=1e-12)
    assert found.trace == pytest.approx(np.trace(covariance))


def test_a_broken_basis_breaks_the_identity(wine):
    points, graph = wine
    found = xray(points, graph=graph, position=5)
    found.basis[0, 0] += 0.1
    assert found.identity_error > 1e-3


def test_a_rectangle_by_hand():
    # Neighbours (±2, ±1) of the origin: Σ = diag(16/3, 4/3), W = I, H = [1 0 0; 0 1 0],
    # H Hᵀ = I and κ = 20/3, half of it scatter.
    points = np.array([[0, 0], [2, 1], [2, -1], [-2, 1], [-2, -1]], dtype=float)
    found = xray(points, graph=mc.knn_graph(points, 4), position=0)
    np.testing.assert_allclose(found.eigenvalues, [16 / 3, 4 / 3])
    np.testing.assert_allclose(np.abs(found.products), [[1, 0, 0], [0, 1, 0]], atol=1e-12)
    np.testing.assert_allclose(found.gram, np.eye(2), atol=1e-12)
    assert found.halves("exact") == pytest.approx((10 / 3, 10 / 3))
    assert found.traced == pytest.approx(20 / 3)


def test_many_features_form_neither_the_whole_basis_nor_all_products(wine, monkeypatch):
    points, graph = wine
    whole = xray(points, graph=graph, position=5)
    monkeypatch.setattr(module, "LARGEST_PRODUCTS", 3 * whole.n_products)
    some = xray(points, graph=graph, position=5)
    assert some.products.shape == (3, whole.n_products)
    assert np.isnan(some.traced)
    monkeypatch.setattr(module, "LARGEST_BASIS", 5)
    narrow = xray(points, graph=graph, position=5)
    assert narrow.basis.shape == (13, narrow.rank)
    assert not narrow.complete
    assert np.isnan(sum(narrow.halves("exact")))
    for mode in ("fast", "haar"):
        assert narrow.halves(mode) == pytest.approx(whole.halves(mode))
        np.testing.assert_allclose(narrow.product(mode), some.product(mode), atol=1e-12)
    assert narrow.trace == pytest.approx(whole.trace)


def test_a_position_outside_the_points_is_refused(wine):
    with pytest.raises(ValueError, match=r"position must be in \[0, 177\], got 178"):
        xray(wine[0], graph=wine[1], position=178)
