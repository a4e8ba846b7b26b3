"""The score in other coordinates, and what it is made of."""

import numpy as np
import pytest

import mecuco as mc
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.diagnostics.coordinates import (
    CHANGE_KINDS,
    coordinate_change,
    rescaled,
    rotated,
    score_facts,
    whitened,
)
from mecuco_core.preparation.prepare import prepare


def cloud(n: int = 80, m: int = 6) -> np.ndarray:
    return np.random.default_rng(1).standard_normal((n, m)) * np.linspace(1, 5, m)


@pytest.mark.parametrize("shape", [(80, 6), (9, 40)])
def test_a_rotation_keeps_every_distance(shape: tuple[int, int]) -> None:
    points = cloud(*shape)
    turned = rotated(points, seed=4)
    assert turned.shape == shape
    np.testing.assert_allclose(turned @ turned.T, points @ points.T, rtol=1e-9, atol=1e-9)
    assert np.abs(turned - points).max() > 0.1


@pytest.mark.parametrize("shape", [(8, 4), (4, 8)])
def test_a_rotated_point_lies_in_every_direction_alike(shape: tuple[int, int]) -> None:
    points = np.zeros(shape)
    points[:, 0] = 1.0
    turned = np.array([rotated(points, seed)[0] for seed in range(2000)])
    m = shape[1]
    # Mean 0 with error 1/√(2000 m), mean square 1/m with error at most 1/m √(2/2000).
    assert np.abs(turned.mean(axis=0)).max() < 5 / np.sqrt(2000 * m)
    assert np.abs((turned**2).mean(axis=0) - 1 / m).max() < 5 / m * np.sqrt(2 / 2000)


@pytest.mark.parametrize("mode", ["exact", "fast", "haar"])
def test_a_rotation_changes_the_score_but_not_the_scatter(mode: str) -> None:
    points = cloud()
    before = mc.curvature(points, 9, mode=mode)  # type: ignore[arg-type]
    change = coordinate_change(points, before, kind="rotation", seed=2)
    np.testing.assert_allclose(change.after.scatter, before.scatter, rtol=1e-10)
    assert change.median_scatter_change < 1e-12
    assert change.median_change > 0.01
    assert change.after.graph is before.graph
    assert change.after.mode == mode


def test_whitening_makes_the_covariance_the_identity() -> None:
    np.testing.assert_allclose(np.cov(whitened(cloud()).T), np.eye(6), atol=1e-10)


def test_whitening_leaves_out_directions_without_variance() -> None:
    points = np.hstack([cloud(), np.full((80, 1), 7.0), cloud()[:, :1]])
    eigenvalues = np.linalg.eigvalsh(np.cov(whitened(points).T))
    np.testing.assert_allclose(eigenvalues, [0, 0, 1, 1, 1, 1, 1, 1], atol=1e-10)
    assert not whitened(np.ones((5, 3))).any()


def test_rescaling_multiplies_features_by_factors_between_a_half_and_two() -> None:
    points = cloud(5, 200)
    factors = rescaled(points, 3) / points
    np.testing.assert_allclose(factors, np.broadcast_to(factors[0], factors.shape))
    assert 0.5 <= factors.min() < 0.55
    assert 1.8 < factors.max() <= 2.0


@pytest.mark.parametrize("kind", CHANGE_KINDS)
def test_the_seed_decides_the_change(kind: str) -> None:
    points = cloud()
    before = mc.curvature(points, 9, mode="haar")
    first, again = (coordinate_change(points, before, kind=kind, seed=5) for _ in range(2))  # type: ignore[arg-type]
    np.testing.assert_array_equal(first.after.values, again.after.values)
    other = coordinate_change(points, before, kind=kind, seed=6)  # type: ignore[arg-type]
    assert np.allclose(first.after.values, other.after.values) == (kind == "whitening")


def test_a_change_of_units_alone_is_no_change() -> None:
    # Two features of equal factor cannot be drawn, so one feature: then rescaling is a unit.
    points = cloud(60, 1)
    change = coordinate_change(
        points, mc.curvature(points, 5, mode="haar"), kind="rescaling", seed=1
    )
    assert change.median_change < 1e-12
    assert change.agreement.spearman == pytest.approx(1.0)
    assert not np.allclose(change.after.values, change.before.values)


def test_overlap_and_correlation_compare_before_with_after() -> None:
    points = cloud()
    before = mc.curvature(points, 9, mode="haar")
    change = coordinate_change(points, before, kind="whitening")
    assert change.agreement.spearman == mc.compare(before, change.after).spearman
    assert 0 <= change.agreement.top_overlap(10) <= 1


def test_facts_of_a_score_with_known_halves() -> None:
    points = cloud(40, 3)
    score = mc.curvature(points, 8, mode="exact")
    facts = score_facts(score, 3)
    ratio = score.values / (2 * score.scatter)
    assert facts.ratio_quantiles[0] == pytest.approx(ratio.min())
    assert facts.ratio_quantiles[2] == pytest.approx(np.median(ratio))
    assert facts.ratio_quantiles[4] == pytest.approx(ratio.max())
    assert 0.5 <= facts.ratio_quantiles[0] <= facts.ratio_quantiles[4] <= 1.0
    assert facts.outside_band == 0
    assert facts.deficient_share == 0.0
    assert facts.median_rank == 3.0


def test_facts_tell_deficient_neighbourhoods_and_scores_out_of_the_band() -> None:
    points = cloud(40, 30)
    score = mc.curvature(points, 12, mode="fast")
    facts = score_facts(score, 30)
    assert facts.deficient_share == 1.0
    assert facts.median_rank == 11.0
    ratio = score.values / (2 * score.scatter)
    assert facts.outside_band == ((ratio < 0.5) | (ratio > 1)).sum()


def test_facts_without_any_scatter_are_not_numbers() -> None:
    facts = score_facts(mc.curvature(np.zeros((6, 2)), 3, mode="haar"), 2)
    assert np.isnan(facts.spearman_with_scatter)
    assert np.isnan(facts.ratio_quantiles).all()
    assert facts.deficient_share == 1.0


def test_points_without_scatter_do_not_stop_a_change() -> None:
    points = np.zeros((6, 2))
    change = coordinate_change(points, mc.curvature(points, 3, mode="haar"), kind="whitening")
    assert change.median_change == 0.0


def test_on_real_data_score_and_scatter_order_points_nearly_alike() -> None:
    points = prepare(load_bundled("breast-cancer")).points
    before = mc.curvature(points, mode="haar")
    assert 0.97 < score_facts(before, 30).spearman_with_scatter < 0.998
    assert 0.04 < coordinate_change(points, before).median_change < 0.13


def test_wrong_arguments_are_named() -> None:
    points = cloud()
    before = mc.curvature(points, 9, mode="haar")
    with pytest.raises(ValueError, match="kind must be one of rotation, rescaling, whitening"):
        coordinate_change(points, before, kind="shear")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="before must score the 79 points, it has 80 values"):
        coordinate_change(points[1:], before)
