"""Figures of the Boundary points page, by what they hold."""

import numpy as np
import pytest

from mecuco_app.plots.boundary import (
    MOST_RIBBONS,
    overlap_matrix,
    rank_ribbons,
    removal_dots,
    split_map,
)
from mecuco_app.scene.look import OURS

K = np.array([4, 6, 9])
PERCENT = np.array([[10.0, 50, 90, 100], [20, 40, 80, 100], [30, 60, 70, 100]])
ROWS = np.array([11, 12, 13, 14])


def test_the_map_has_smooth_points_behind_boundary_points():
    coordinates = np.arange(8.0).reshape(4, 2)
    mask = np.array([False, True, False, True])
    figure = split_map(coordinates, mask, ROWS, np.array([1.0, 2, 3, 4]))
    smooth, boundary = figure.data
    assert (smooth.name, boundary.name) == ("smooth", "boundary")
    np.testing.assert_allclose(smooth.x, [0, 4])
    np.testing.assert_allclose(boundary.y, [3, 7])
    np.testing.assert_allclose(boundary.customdata, [[12, 2], [14, 4]])
    assert figure.layout.xaxis.showticklabels is False


def test_axes_that_mean_something_are_named():
    figure = split_map(np.zeros((2, 2)), np.array([True, False]), ROWS[:2], np.ones(2),
                       axes=("PC 1", "PC 2"))  # fmt: skip
    assert figure.layout.xaxis.title.text == "PC 1"
    assert figure.layout.xaxis.showticklabels is None


def test_every_removal_has_a_dot():
    means = np.array([0.1, 0.3, 0.2])
    figure = removal_dots(["a", "b", "c"], means, np.array([np.nan, np.nan, 0.05]), highlight=1)
    (dots,) = figure.data
    assert figure.layout.yaxis.dtick == 1  # every name is written
    np.testing.assert_allclose(dots.x, means)
    np.testing.assert_allclose(dots.error_x.array, [0, 0, 0.05])
    assert [colour == OURS for colour in dots.marker.color] == [False, True, False]
    assert figure.layout.shapes[0].x0 == pytest.approx(0.1)


def test_a_measure_without_a_baseline_has_no_line():
    figure = removal_dots(["a", "b"], np.array([np.nan, 0.3]), np.full(2, np.nan), highlight=1)
    assert len(figure.layout.shapes) == 0


def test_the_overlap_matrix_is_in_percent_and_marks_the_current_k():
    overlap = np.array([[1, 0.5, 0.2], [0.5, 1, 0.6], [0.2, 0.6, 1]])
    figure = overlap_matrix(K, overlap, current=6)
    np.testing.assert_allclose(figure.data[0].z, 100 * overlap, rtol=1e-6)
    assert list(figure.data[0].x) == ["4", "6", "9"]
    assert (figure.layout.shapes[0].x0, figure.layout.shapes[0].x1) == (0.5, 1.5)
    assert len(overlap_matrix(K, overlap, current=5).layout.shapes) == 0


def test_ribbons_show_the_list_as_a_band_and_single_points_as_lines():
    boundary = np.array([False, False, True, True])
    figure = rank_ribbons(K, PERCENT, ROWS, np.array([3, 0]), boundary, cut=75, current=6)
    band, first, second = figure.data
    np.testing.assert_allclose(band.y[:3], np.percentile(PERCENT[:, 2:], 90, axis=1))
    np.testing.assert_allclose(band.y[3:], np.percentile(PERCENT[:, 2:], 10, axis=1)[::-1])
    assert (first.name, second.name) == ("row 14", "row 11")
    assert figure.layout.legend.yref == "container"  # does not meet the title of the axis
    np.testing.assert_allclose(second.y, PERCENT[:, 0])


def test_at_most_a_dozen_lines_are_drawn_and_none_without_a_list():
    percent = np.tile(np.arange(40.0), (3, 1))
    figure = rank_ribbons(
        K, percent, np.arange(40), np.arange(40), np.zeros(40, dtype=bool), cut=75, current=6
    )
    assert len(figure.data) == MOST_RIBBONS
