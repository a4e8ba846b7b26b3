"""Bring features to a common scale, in place."""

from typing import Literal, get_args

import numpy as np

from mecuco_core.types import BoolArray, FloatArray

CommonScale = Literal["standard", "robust", "min-max", "none"]
COMMON_SCALES: tuple[CommonScale, ...] = get_args(CommonScale)

Scale = Literal["standard", "robust", "min-max", "none", "suited"]
SCALES: tuple[Scale, ...] = get_args(Scale)
"""How features are scaled: all alike, or "suited": each by what it is, see `scale_suited`."""

_HUGE, _TINY = 1e100, 1e-100  # squares stay within the range of a float
_NO_SPREAD = 1e-150


def scale_features(values: FloatArray, scale: CommonScale) -> tuple[BoolArray, BoolArray]:
    """Scale each row of `values` in place.

    Parameters
    ----------
    values : ndarray of shape (n_features, n_points)
        Finite, C-contiguous. What comes out for a feature does not depend on the other ones.
    scale : {"standard", "robust", "min-max", "none"}
        "standard": mean 0, population standard deviation 1. "robust": median 0, interquartile
        range 1; where half of the values or more are one value and that range is 0, the standard
        deviation takes its place. "min-max": from 0 to 1. Constant features become 0 under each of
        them. "none": left as they are.

    Returns
    -------
    constant : ndarray of shape (n_features,)
        Features with one value, or (where they are scaled) varying by no more than rounding.
    by_deviation : ndarray of shape (n_features,)
        Features that "robust" divided by their standard deviation.
    """
    low, high = values.min(axis=1), values.max(axis=1)
    constant: BoolArray = low == high
    by_deviation = np.zeros(len(values), dtype=bool)
    if scale == "none":
        return constant, by_deviation
    halve_extremes(values, low, high)
    if scale == "min-max":
        centre, spread = low, high - low
    else:
        mean, deviation = mean_and_deviation(values, constant)
        centre, spread = mean, deviation
        if scale == "robust":
            lower, centre, upper = np.quantile(values, [0.25, 0.5, 0.75], axis=1)
            by_deviation = (upper - lower <= _NO_SPREAD) & ~constant
            spread = np.where(by_deviation, deviation, upper - lower)
    spread[constant] = 1.0
    values -= centre[:, np.newaxis]
    if scale == "standard":
        values -= values.mean(axis=1, keepdims=True)  # what rounding left of the mean
    values /= spread[:, np.newaxis]
    values[constant] = 0.0
    return constant, by_deviation


def mean_and_deviation(values: FloatArray, constant: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Return mean and deviation of each feature, and mark in `constant` those that do not vary."""
    mean: FloatArray = values.mean(axis=1)
    deviation = _deviation(values, mean)
    # The bound of scikit-learn's StandardScaler: what the mean cannot tell from rounding.
    constant |= deviation <= values.shape[1] * np.finfo(np.float64).eps * np.abs(mean)
    return mean, deviation


def halve_extremes(values: FloatArray, low: FloatArray, high: FloatArray) -> None:
    """Multiply features too large or too small to be squared by a power of two, which is exact."""
    largest = np.maximum(np.abs(low), np.abs(high))
    extreme = (largest > _HUGE) | ((largest < _TINY) & (largest > 0.0))
    if extreme.any():
        exponent = -np.frexp(largest[extreme])[1]
        values[extreme] = np.ldexp(values[extreme], exponent[:, np.newaxis])
        low[extreme], high[extreme] = (
            np.ldexp(low[extreme], exponent),
            np.ldexp(high[extreme], exponent),
        )


def _deviation(values: FloatArray, mean: FloatArray) -> FloatArray:
    centred = values - mean[:, np.newaxis]
    left = centred.mean(axis=1)
    variance: FloatArray = np.square(centred, out=centred).mean(axis=1) - left**2
    return np.sqrt(np.maximum(variance, 0.0))
