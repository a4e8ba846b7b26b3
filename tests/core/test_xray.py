"""One neighbourhood taken apart."""

import numpy as np
import pytest

import mecuco_core as mc
from mecuco_core import xray as module
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.datasets.preparation import prepare
from mecuco_core.xray import xray


@pytest.fixture(scope="module")
def wine():
    points = prepare(load_bundled("wine")).points
    return points, mc.knn_graph(points)


def test_the_score_is_that_of_the_engine_in_every_mode(wine):
    points, graph = wine
    found = xray(points, graph, 5)
    for mode in ("exact", "fast", "haar"):
        score = mc.curvature(points, neighbors=graph, mode=mode)
        assert sum(found.halves[mode]) == pytest.approx(score[5], rel=1e-10)
        assert found.halves[mode][0] == pytest.approx(score.scatter[5])
        assert found.rank == score.rank[5]
    assert found.traced == pytest.approx(mc.curvature(points, neighbors=graph, mode="original")[5])


def test_the_identity_holds_to_rounding_and_the_basis_is_that_of_the_covariance(wine):
    points, graph = wine
    found = xray(points, graph, 5)
    assert found.identity_error < 1e-14
    assert found.orthogonality < 1e-13
    covariance = found.patch.T @ found.patch / (len(found.neighbors) - 1)
    rebuilt = (found.basis * found.eigenvalues) @ found.basis.T
    np.testing.assert_allclose(rebuilt, covariance, atol=1e-12)
    assert found.trace == pytest.approx(np.trace(covariance))


def test_a_broken_basis_breaks_the_identity(wine):
    points, graph = wine
    found = xray(points, graph, 5)
    found.basis[0, 0] += 0.1
    assert found.identity_error > 1e-3


def test_a_rectangle_by_hand():
    # Neighbours (±2, ±1) of the origin: Σ = diag(16/3, 4/3), W = I, H = [1 0 0; 0 1 0],
    # H Hᵀ = I and κ = 20/3, half of it scatter.
    points = np.array([[0, 0], [2, 1], [2, -1], [-2, 1], [-2, -1]], dtype=float)
    found = xray(points, mc.knn_graph(points, 4), 0)
    np.testing.assert_allclose(found.eigenvalues, [16 / 3, 4 / 3])
    np.testing.assert_allclose(np.abs(found.products), [[1, 0, 0], [0, 1, 0]], atol=1e-12)
    np.testing.assert_allclose(found.gram, np.eye(2), atol=1e-12)
    assert found.halves["exact"] == pytest.approx((10 / 3, 10 / 3))
    assert found.traced == pytest.approx(20 / 3)


def test_many_features_form_neither_the_whole_basis_nor_all_products(wine, monkeypatch):
    points, graph = wine
    whole = xray(points, graph, 5)
    monkeypatch.setattr(module, "LARGEST_PRODUCTS", 3 * whole.n_products)
    some = xray(points, graph, 5)
    assert some.products.shape == (3, whole.n_products)
    assert np.isnan(some.traced)
    monkeypatch.setattr(module, "LARGEST_BASIS", 5)
    narrow = xray(points, graph, 5)
    assert narrow.basis.shape == (13, narrow.rank)
    assert not narrow.complete
    assert "exact" not in narrow.halves
    assert narrow.trace == pytest.approx(whole.trace)


def test_a_position_outside_the_points_is_refused(wine):
    with pytest.raises(ValueError, match=r"position must be in \[0, 177\], got 178"):
        xray(*wine, 178)
