"""Error bars by hand."""

import numpy as np
import pytest

from mecuco_core.kernels.surface.compiled_quadric import ACROSS, ALONG, DETERMINED, DOF, N_SUMMARY
from mecuco_core.surface.error_bars import error_bars, excess_curvature


def summary(along, across, dof=4.0, determined=1.0):
    row = np.zeros((1, N_SUMMARY))
    row[0, [ALONG, ACROSS, DOF, DETERMINED]] = along, across, dof, determined
    return row


def test_the_excess_is_what_a_plane_through_the_neighbours_is_above_the_point():
    mean = np.array([[1.0, 0.0], [3.0, 0.0], [-2.0, 0.0]])
    # The last points the other way and counts as -2: (3 - 1) / 4 + (-2 - 1) / 4.
    excess = excess_curvature(mean, np.array([[1, 2]]), np.array([[0.25, 0.25]]))
    assert excess == pytest.approx([-0.25])


def test_noise_along_moves_the_length_and_noise_across_lengthens_it():
    # Four degrees of freedom double the squares: 0.18 along; across 1 - sqrt(1 - 0.32).
    bar = error_bars(summary(0.3, 0.4), np.ones(1), np.zeros(1), 2, 10.0)
    assert bar == pytest.approx([np.sqrt(0.18 + (1.0 - np.sqrt(0.68)) ** 2)])


def test_noise_across_takes_no_more_than_the_whole_length():
    bar = error_bars(summary(0.0, 5.0), np.ones(1), np.zeros(1), 2, 10.0)
    assert bar == pytest.approx([1.0])


def test_without_noise_the_bar_is_the_share_of_the_excess():
    # (d + 2) / (d + 6) is a half for two dimensions.
    rows = np.vstack([summary(0.0, 0.0)] * 3)
    excess = np.array([0.2, -0.1, 0.0])
    bars = error_bars(rows, np.ones(3), excess, 2, 10.0)
    assert bars == pytest.approx([0.1, 0.05, 0.0])


def test_what_is_not_determined_has_an_infinite_bar():
    rows = np.vstack([summary(0.1, 0.0), summary(0.1, 0.0, determined=0.0)])
    bars = error_bars(rows, np.ones(2), np.zeros(2), 2, 10.0)
    assert np.isfinite(bars[0])
    assert np.isposinf(bars[1])
