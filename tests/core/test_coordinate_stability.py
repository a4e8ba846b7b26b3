"""How often each point stays in the top q percent after a change of coordinates."""

import numpy as np
import pytest

import mecuco as mc
from mecuco_core.diagnostics.coordinates import (
    coordinate_change,
    coordinate_stability,
    ranks_after,
)
from mecuco_core.score.ranks import in_top, top_size


@pytest.fixture(scope="module")
def points():
    return np.random.default_rng(5).standard_normal((60, 6)) * np.arange(1, 7)


def test_the_top_by_hand():
    values = np.array([3.0, 9.0, 1.0, 9.0, 5.0])
    np.testing.assert_array_equal(in_top(values, 40), [False, True, False, True, False])
    np.testing.assert_array_equal(in_top(values, 1), [False, True, False, False, False])
    assert top_size(200, 2.5) == 5


def test_ranks_count_from_the_highest(points):
    change = coordinate_change(points, mc.curvature(points, 8, mode="haar"))
    found = ranks_after(change)
    assert found[np.argmax(change.after.values)] == 0
    assert found[np.argmin(change.after.values)] == 59


def test_the_share_is_the_mean_over_single_changes(points):
    before = mc.curvature(points, 8, mode="haar")
    reported = []
    found = coordinate_stability(
        points,
        before,
        kind="rotation",
        seeds=(3, 4),
        progress=lambda *count: reported.append(count),
    )
    single = [
        ranks_after(coordinate_change(points, before, kind="rotation", seed=seed)) < 6
        for seed in (3, 4)
    ]
    np.testing.assert_allclose(found.share(6), np.mean(single, axis=0))
    assert found.share(6).sum() == pytest.approx(6)
    assert reported == [(1, 2), (2, 2)]


def test_nothing_changes_under_whitening_of_white_data():
    rng = np.random.default_rng(0)
    white = np.linalg.qr(rng.standard_normal((80, 4)))[0]
    white -= white.mean(axis=0)
    white = np.linalg.svd(white, full_matrices=False)[0] * np.sqrt(79)
    before = mc.curvature(white, 10, mode="exact")
    found = coordinate_stability(white, before, kind="whitening", seeds=(0,))
    assert (found.share(8)[in_top(before.values, 10)] == 1.0).all()
