"""Estimates of time: of the right order, growing where the work grows."""

import numpy as np
import pytest

import mecuco as mc
from mecuco_core.neighbors.choice import resolved_search
from mecuco_core.neighbors.graph import estimated_auto_search_seconds
from mecuco_core.types import MODES


@pytest.mark.parametrize("mode", MODES)
def test_estimates_grow_with_every_size(mode):
    base = mc.estimated_seconds(1000, 40, 10, mode)
    assert base > 0
    assert mc.estimated_seconds(2000, 40, 10, mode) == pytest.approx(2 * base)
    assert mc.estimated_seconds(1000, 45, 10, mode) > base
    assert mc.estimated_seconds(1000, 40, 12, mode) > base


def test_auto_costs_what_it_stands_for():
    assert mc.estimated_seconds(100, 49, 8, "auto") == mc.estimated_seconds(100, 49, 8, "exact")
    assert mc.estimated_seconds(100, 50, 8, "auto") == mc.estimated_seconds(100, 50, 8, "fast")


def test_modes_are_ordered_as_their_exponents_for_many_features():
    original, exact, fast = (
        mc.estimated_seconds(1000, 500, 10, mode) for mode in ("original", "exact", "fast")
    )
    assert original > 10 * exact > 100 * fast


# Processor microseconds a point on one thread of an AMD EPYC, the best of nine runs, taken as
# `benchmarks.calibrate` takes them, while both processors were busy.
ORIGINAL = {4: 38.9, 10: 50.8, 20: 110.0, 30: 238.4, 40: 409.1, 50: 706.5, 64: 3419.7, 80: 5721.6,
            100: 11470.8, 130: 16313.1, 160: 31573.0, 200: 54656.7}  # fmt: skip


@pytest.mark.parametrize("m", ORIGINAL)
def test_original_is_estimated_within_a_factor_of_two_of_what_it_took(m):
    k = 11 if m in (64, 80) else 8
    ratio = mc.estimated_seconds(1, m, k, "original", n_jobs=1) / (ORIGINAL[m] * 1e-6)
    assert 0.7 < ratio < 1.9


def test_threads_share_the_work():
    one = mc.estimated_seconds(1000, 64, 10, "fast", n_jobs=1)
    assert mc.estimated_seconds(1000, 64, 10, "fast", n_jobs=4) == pytest.approx(one / 4)


def test_the_type_of_a_size_is_no_matter():
    for whole in (np.int32, np.int64, np.uint8):
        found = mc.estimated_seconds(np.int32(50), np.int32(3000), whole(200), "haar")
        assert found == mc.estimated_seconds(50, 3000, 200, "haar")
    every = mc.estimated_seconds(100, 10, 5, "exact", n_jobs=None)
    assert mc.estimated_seconds(100, 10, 5, "exact", n_jobs=-1) == every


def test_bad_sizes_are_refused():
    with pytest.raises(ValueError, match="m must be at least 1, got 0"):
        mc.estimated_seconds(10, 0, 3, "fast")
    with pytest.raises(TypeError, match="n must be an integer, got nan"):
        mc.estimated_seconds(float("nan"), 3, 3, "fast")
    with pytest.raises(ValueError, match="n_jobs must be"):
        mc.estimated_seconds(10, 3, 3, "fast", n_jobs=0)
    with pytest.raises(ValueError, match="mode must be one of"):
        mc.estimated_seconds(10, 3, 3, "slow")


def test_the_search_auto_takes_is_the_one_whose_time_is_told():
    assert resolved_search("auto", 1000, 50, 10) == "exact"
    assert estimated_auto_search_seconds(1000, 50) == mc.estimated_search_seconds(1000, 50)
    assert resolved_search("auto", 10**6, 50, 16) == "approximate"
    short, long = (estimated_auto_search_seconds(10**6, 50, k) for k in (16, 60))
    assert short < long < mc.estimated_search_seconds(10**6, 50)
