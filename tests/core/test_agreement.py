"""Agreement of two scores: laws, values by hand, errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import mecuco as mc
from tests.core import samples


@given(seed=st.integers(0, 2**32 - 1))
def test_a_score_agrees_with_itself(seed):
    a = np.random.default_rng(seed).exponential(size=50)
    result = mc.compare(a, a)
    assert (result.mae, result.relative_error, result.bias) == (0, 0, 0)
    assert result.spearman == pytest.approx(1)
    assert result.chatterjee == pytest.approx(1 - 3 / 51)  # the largest ξ of 50 distinct values
    assert all(result.top_overlap(q) == 1 for q in (1, 10, 33, 100))


@given(seed=st.integers(0, 2**32 - 1))
def test_rank_measures_do_not_change_under_increasing_maps(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.exponential(size=(2, 40))
    plain, mapped = mc.compare(a, b), mc.compare(np.exp(a), b**3)
    assert mapped.spearman == pytest.approx(plain.spearman)
    assert mapped.chatterjee == pytest.approx(plain.chatterjee)
    assert mapped.top_overlap(25) == plain.top_overlap(25)


def test_values_by_hand():
    result = mc.compare([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 4.0, 2.5])
    assert result.mae == pytest.approx(2.5 / 4)
    assert result.relative_error == pytest.approx(0.25)
    assert result.bias == pytest.approx(-0.05)
    # Ranks 1 2 3 4 against 1 2 4 3: ρ = 1 - 6·2 / (4·15).
    assert result.spearman == pytest.approx(0.8)
    # ξ = 1 - 3 (|2-1| + |4-2| + |3-4|) / (16 - 1).
    assert result.chatterjee == pytest.approx(0.2)
    # Top half: {3, 2} by both; top quarter: 3 by a, 2 by b.
    assert result.top_overlap(50) == 1.0
    assert result.top_overlap(25) == 0.0


def test_correlations_are_scipys():
    a, b = np.random.default_rng(0).normal(size=(2, 300))
    result = mc.compare(a, a + b)
    assert result.spearman == pytest.approx(stats.spearmanr(a, a + b).statistic)
    assert result.chatterjee == pytest.approx(stats.chatterjeexi(a, a + b).statistic)


def test_results_of_the_engine_can_be_compared_directly():
    points = samples.gaussian(0, 60, 60)
    fast, haar = mc.curvature(points, 8, mode="fast"), mc.curvature(points, 8, mode="haar")
    assert mc.compare(haar, fast).bias < 0  # published fast is low
    assert mc.compare(haar, fast).spearman > 0.9


def test_constant_scores_have_no_correlation():
    result = mc.compare(np.zeros(5), np.zeros(5))
    assert result.mae == result.relative_error == 0
    assert np.isnan(result.spearman)


@pytest.mark.parametrize(
    ("a", "b", "error", "message"),
    [
        ([1.0, 2.0], [1.0], ValueError, "the same points, got 2 and 1"),
        ([], [], ValueError, "a must be 1-D and not empty"),
        ([[1.0]], [[1.0]], ValueError, "a must be 1-D"),
        ([1.0], [np.nan], ValueError, "b must be finite, got nan at position 0"),
        (["x"], [1.0], TypeError, "a must be numbers"),
    ],
)
def test_bad_scores_are_refused(a, b, error, message):
    with pytest.raises(error, match=message):
        mc.compare(a, b)


def test_what_is_no_array_of_numbers_is_named():
    with pytest.raises(ValueError, match="a must be an array of numbers"):
        mc.compare([[1], [1, 2]], [1, 2])
    with pytest.raises(ValueError, match=r"b must be finite.*masked"):
        mc.compare([1, 2, 3], np.ma.array([1, 2, 99], mask=[0, 0, 1]))
    with pytest.raises(TypeError, match="q must be a number, got '5'"):
        mc.compare([1.0, 2.0], [1.0, 2.0]).top_overlap("5")


@pytest.mark.parametrize("q", [0, -1, 101, float("nan")])
def test_a_share_outside_a_hundred_percent_is_refused(q):
    with pytest.raises(ValueError, match="q must be a percentage"):
        mc.compare([1.0, 2.0], [1.0, 2.0]).top_overlap(q)
