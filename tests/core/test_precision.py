"""Scores of hard neighbourhoods against fifty digits; see `tests/core/precision.py`."""

import numpy as np
import pytest

import mecuco as mc
from tests.core.precision import KINDS, MODES, K, compared, neighbourhoods


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [4, pytest.param(1000, marks=pytest.mark.long)])
def test_scores_are_right_to_the_last_digits(kind, count):
    outcomes = compared(kind, count, seed=count)
    assert max(outcome.compared for outcome in outcomes.values()) > count / 4
    for mode, outcome in outcomes.items():
        assert outcome.share <= 1, (mode, outcome)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_the_same_bits_on_any_number_of_threads_and_every_time(kind):
    for points, graph in neighbourhoods(kind, 200):
        for mode in MODES:
            first, *others = (
                mc.curvature(points.copy(), K, mode=mode, graph=graph, n_jobs=n_jobs).values
                for n_jobs in (1, 2, 2)
            )
            for other in others:
                np.testing.assert_array_equal(first, other)


@pytest.mark.parametrize("value", [1e151, -1e300, np.finfo(float).max])
def test_numbers_whose_squares_overflow_are_refused_with_a_sentence(value):
    points = np.random.default_rng(0).standard_normal((30, 3))
    points[7, 1] = value
    with pytest.raises(ValueError, match=r"points must lie within ±1e\+150"):
        mc.curvature(points, 5)
