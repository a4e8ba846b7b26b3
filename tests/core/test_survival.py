"""Which top points stay on top in other coordinates."""

import numpy as np
import pytest

import mecuco as mc
from mecuco_core.diagnostics.coordinates import gauge_change
from mecuco_core.diagnostics.survival import places, survival, top, top_size


@pytest.fixture(scope="module")
def points():
    return np.random.default_rng(5).standard_normal((60, 6)) * np.arange(1, 7)


def test_the_top_by_hand():
    values = np.array([3.0, 9.0, 1.0, 9.0, 5.0])
    np.testing.assert_array_equal(top(values, 40), [False, True, False, True, False])
    np.testing.assert_array_equal(top(values, 1), [False, True, False, False, False])
    assert top_size(200, 2.5) == 5


def test_places_count_from_the_highest(points):
    change = gauge_change(points, mc.curvature(points, 8, mode="haar"))
    found = places(change)
    assert found[np.argmax(change.after.values)] == 0
    assert found[np.argmin(change.after.values)] == 59


def test_the_share_is_the_mean_over_single_changes(points):
    before = mc.curvature(points, 8, mode="haar")
    told = []
    found = survival(
        points, before, gauge="rotation", seeds=(3, 4), progress=lambda *count: told.append(count)
    )
    single = [
        places(gauge_change(points, before, gauge="rotation", seed=seed)) < 6 for seed in (3, 4)
    ]
    np.testing.assert_allclose(found.share(6), np.mean(single, axis=0))
    assert found.share(6).sum() == pytest.approx(6)
    assert told == [(1, 2), (2, 2)]


def test_nothing_changes_under_whitening_of_white_data():
    rng = np.random.default_rng(0)
    white = np.linalg.qr(rng.standard_normal((80, 4)))[0]
    white -= white.mean(axis=0)
    white = np.linalg.svd(white, full_matrices=False)[0] * np.sqrt(79)
    before = mc.curvature(white, 10, mode="exact")
    found = survival(white, before, gauge="whitening", seeds=(0,))
    assert (found.share(8)[top(before.values, 10)] == 1.0).all()
