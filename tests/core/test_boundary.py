"""Boundary points: the highest scores, in order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mecuco as mc


@given(seed=st.integers(0, 2**32 - 1), percentile=st.floats(0, 100))
def test_boundary_points_are_those_above_the_threshold_in_descending_order(seed, percentile):
    values = np.random.default_rng(seed).exponential(size=60)
    boundary = mc.boundary_points(values, percentile=percentile)
    assert boundary.threshold == pytest.approx(np.percentile(values, percentile))
    assert set(boundary.indices) == set(np.flatnonzero(values > boundary.threshold))
    assert boundary.mask.sum() == len(boundary.indices)
    assert (np.diff(values[boundary.indices]) <= 0).all()


def test_default_is_the_upper_quarter():
    boundary = mc.boundary_points(np.arange(100.0))
    assert len(boundary.indices) == 25
    assert boundary.indices[0] == 99


def test_equal_scores_are_ordered_by_index_and_all_equal_give_none():
    boundary = mc.boundary_points([1.0, 3.0, 2.0, 3.0, 0.0], percentile=50)
    assert boundary.indices.tolist() == [1, 3]
    assert len(mc.boundary_points(np.ones(9)).indices) == 0


def test_a_percentile_that_is_no_number_is_refused():
    with pytest.raises(TypeError, match="percentile must be a number, got None"):
        mc.boundary_points([1.0, 2.0], percentile=None)


@pytest.mark.parametrize("percentile", [-1, 100.5, float("nan")])
def test_a_percentile_out_of_range_is_refused(percentile):
    with pytest.raises(ValueError, match=r"percentile must be in \[0, 100\]"):
        mc.boundary_points([1.0, 2.0], percentile=percentile)
