"""Bringing features to a common scale."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler

from mecuco_core.preparation.scaling import COMMON_SCALES, scale_features

FEATURES = arrays(np.float64, (3, 12), elements=st.integers(-50, 50).map(float))


def scaled(values, scale):
    values = np.array(values, dtype=np.float64, ndmin=2)
    scale_features(values, scale)
    return values


@settings(deadline=None)
@given(FEATURES, st.sampled_from(["standard", "robust", "min-max"]), st.integers(-3, 3))
def test_shifting_and_stretching_a_feature_changes_nothing(values, scale, power):
    stretched = 2.0**power * values + 32.0
    np.testing.assert_allclose(scaled(stretched, scale), scaled(values, scale), atol=1e-12)


@settings(deadline=None)
@given(FEATURES, st.sampled_from(COMMON_SCALES))
def test_a_feature_does_not_depend_on_the_others(values, scale):
    together = scaled(values, scale)
    apart = np.vstack([scaled(row, scale) for row in values])
    np.testing.assert_array_equal(together, apart)


@settings(deadline=None)
@given(FEATURES, st.sampled_from(["standard", "robust", "min-max"]))
def test_scaled_values_keep_their_order(values, scale):
    after = scaled(values, scale)
    for before_row, after_row in zip(values, after, strict=True):
        assert (np.diff(after_row[np.argsort(before_row)]) >= 0).all()


@pytest.mark.parametrize(
    ("scale", "scaler"),
    [("standard", StandardScaler()), ("robust", RobustScaler()), ("min-max", MinMaxScaler())],
)
def test_scaling_is_that_of_scikit_learn(scale, scaler):
    values = np.random.default_rng(0).gamma(1.0, 50.0, size=(5, 201))
    np.testing.assert_allclose(scaled(values, scale), scaler.fit_transform(values.T).T, rtol=1e-12)


# Mean 4, deviations -3 -1 0 4, variance (9 + 1 + 0 + 16) / 4 = 6.5.
def test_standard_by_hand():
    expected = np.array([[-3.0, -1.0, 0.0, 4.0]]) / np.sqrt(6.5)
    np.testing.assert_allclose(scaled([1, 3, 4, 8], "standard"), expected, rtol=1e-15)


# Quartiles of 1 2 3 4 9 are 2, 3, 4: (x - 3) / 2.
def test_robust_by_hand():
    np.testing.assert_array_equal(scaled([1, 2, 3, 4, 9], "robust"), [[-1, -0.5, 0, 0.5, 3]])


def test_min_max_by_hand():
    np.testing.assert_array_equal(scaled([2, 4, 10], "min-max"), [[0.0, 0.25, 1.0]])


# Quartiles 0 0 0; mean 1, squares of deviations 4 * 1 + 16 = 20, deviation 2.
def test_robust_divides_by_the_standard_deviation_where_the_quartiles_are_equal():
    values = np.array([[0.0, 0.0, 0.0, 0.0, 5.0], [1.0, 2.0, 3.0, 4.0, 9.0]])
    constant, by_deviation = scale_features(values, "robust")
    np.testing.assert_array_equal(values[0], [0.0, 0.0, 0.0, 0.0, 2.5])
    assert by_deviation.tolist() == [True, False]
    assert not constant.any()


@pytest.mark.parametrize("scale", ["standard", "robust", "min-max"])
@pytest.mark.parametrize("value", [0.0, 0.1, -7.0, 1e300, 1e-300])
def test_constant_features_become_zero(scale, value):
    values = np.full((1, 7), value)
    constant, by_deviation = scale_features(values, scale)
    assert constant.tolist() == [True]
    assert not by_deviation.any()
    assert (values == 0.0).all()


def test_rounding_is_no_variation():
    values = np.array([[1e8, np.nextafter(1e8, 2e8)] * 50])
    constant, _ = scale_features(values, "standard")
    assert constant.all()
    assert (values == 0.0).all()


def test_none_leaves_every_value():
    values = np.array([[3.0, 3.0], [1.0, 1e300]])
    constant, _ = scale_features(values, "none")
    assert values.tolist() == [[3.0, 3.0], [1.0, 1e300]]
    assert constant.tolist() == [True, False]


@pytest.mark.parametrize("scale", ["standard", "robust", "min-max"])
@pytest.mark.parametrize("size", [2.0**1020, 2.0**-1040])
def test_values_near_the_ends_of_the_floats_scale_like_any_others(scale, size):
    values = np.array([1.0, 2.0, 5.0, 7.0, 11.0])
    np.testing.assert_allclose(scaled(values * size, scale), scaled(values, scale), rtol=1e-12)
