"""The scale that suits each feature, so that none outweighs the others and none makes outliers.

The unit is the standard deviation of an ordinary column of numbers: two different categories, yes
and no, the two ends of a nearly constant column are one such unit apart, or less.
"""

import numpy as np

from mecuco_core.preparation.scaling import halve_extremes, mean_and_deviation
from mecuco_core.types import BoolArray, FloatArray

LEVEL = 0.5**0.5  # two rows of different categories differ in two features: distance 1
MARK = 0.5  # of a value that was missing: it was filled, and is not known to be odd

_MIDDLE = (0.05, 0.5, 0.95)
_NORMAL_WIDTH = 3.2897072539029444  # of the middle nine tenths, in standard deviations
_HEAVY = 1.5  # times the deviation that the middle nine tenths tell


def scale_suited(values: FloatArray) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Scale each row of `values` in place by what it is.

    Ordinary features come to mean 0 and standard deviation 1. Where far values make the standard
    deviation more than 1.5 times what the middle nine tenths of the values tell, it is that of the
    middle nine tenths, and the median comes to 0. Two values, or a column with one value in the
    middle nine tenths, come to the range from 0 to 1. Constant features become 0.

    Parameters
    ----------
    values : ndarray of shape (n_features, n_points)
        Finite, C-contiguous.

    Returns
    -------
    constant, robust, ends : ndarray of shape (n_features,)
        Features that are constant, scaled by the middle nine tenths, and by their ends.
    """
    low, high = values.min(axis=1), values.max(axis=1)
    constant: BoolArray = low == high
    halve_extremes(values, low, high)
    mean, deviation = mean_and_deviation(values, constant)
    lower, median, upper = np.quantile(values, _MIDDLE, axis=1)
    width = (upper - lower) / _NORMAL_WIDTH
    is_end = (values == low[:, np.newaxis]) | (values == high[:, np.newaxis])
    ends: BoolArray = (is_end.all(axis=1) | (upper == lower)) & ~constant
    robust: BoolArray = (deviation > _HEAVY * width) & ~ends & ~constant
    centre = np.where(ends, low, np.where(robust, median, mean))
    spread = np.where(ends, high - low, np.where(robust, width, deviation))
    spread[constant] = 1.0
    values -= centre[:, np.newaxis]
    values /= spread[:, np.newaxis]
    values[constant] = 0.0
    return constant, robust, ends
