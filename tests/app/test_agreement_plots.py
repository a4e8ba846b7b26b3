"""Figures of the Agreement and Method pages, by what they hold."""

import numpy as np
import pytest

import mecuco as mc
from mecuco_app.plots.agreement import (
    Band,
    bland_altman,
    differences,
    heavy_tailed,
    mode_colour,
    mode_scatter,
    overlap_figure,
    rank_rank,
)
from mecuco_app.plots.lessons.null_space import null_spread, one_neighborhood
from mecuco_app.plots.method import ratio_histogram, score_over_scatter
from mecuco_app.scene.look import OURS, PAPER, Look
from mecuco_core.diagnostics.null_bases.scores import null_basis_scores

A = np.array([1.0, 2.0, 4.0])
B = np.array([1.1, 1.8, 4.4])
ROWS = np.array([5, 7, 9])


@pytest.fixture(scope="module")
def spread():
    points = np.random.default_rng(0).standard_normal((30, 9))
    return null_basis_scores(points, graph=mc.knn_graph(points, 5), n_bases=20)


def test_the_scatter_holds_both_scores_the_rows_and_the_line_of_equality():
    figure = mode_scatter(A, B, ROWS, names=("exact", "fast"), unit="a.u.")
    line, points = figure.data
    np.testing.assert_allclose(points.x, A)
    np.testing.assert_allclose(points.y, B, rtol=1e-6)
    assert points.customdata.tolist() == [5, 7, 9]
    np.testing.assert_array_equal(line.x, line.y)
    assert (line.x[0], line.x[1]) == (1.0, 4.4)
    assert "exact" in figure.layout.xaxis.title.text
    assert "fast" in figure.layout.yaxis.title.text


@pytest.mark.parametrize("axis", ["x", "y"])
def test_the_band_is_one_segment_a_point_along_the_axis_of_exact(axis):
    band = Band(np.array([[0.9, 1.2], [3.8, 4.1]]), np.array([1.1, 4.4]), axis)
    figure = mode_scatter(A, B, ROWS, names=("exact", "fast"), unit="a.u.", band=band)
    segments = figure.data[1]
    along, across = (segments.x, segments.y) if axis == "x" else (segments.y, segments.x)
    np.testing.assert_allclose(along, [0.9, 1.2, np.nan, 3.8, 4.1, np.nan], rtol=1e-6)
    np.testing.assert_allclose(across, [1.1] * 3 + [4.4] * 3, rtol=1e-6)


def test_heavy_tails_are_drawn_on_logarithmic_axes():
    tailed = np.append(np.ones(20), 100.0)
    assert heavy_tailed(tailed)
    assert not heavy_tailed(A)
    assert not heavy_tailed(np.append(tailed, 0.0))
    rows = np.arange(21)
    figure = mode_scatter(tailed, tailed, rows, names=("exact", "haar"), unit="a.u.")
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert mode_scatter(A, B, ROWS, names=("exact", "haar"), unit="").layout.xaxis.type is None


def test_differences_by_hand():
    middle, difference, rows = differences(A, B, ROWS, relative=False)
    np.testing.assert_allclose(middle, [1.05, 1.9, 4.2])
    np.testing.assert_allclose(difference, [0.1, -0.2, 0.4])
    assert rows is ROWS
    _, relative, _ = differences(A, B, ROWS, relative=True)
    np.testing.assert_allclose(relative, [100 * 0.1 / 1.05, -20 / 1.9, 40 / 4.2])


def test_relative_differences_leave_out_points_where_both_scores_are_zero():
    _, difference, rows = differences(
        np.array([0.0, 1]), np.array([0.0, 3]), ROWS[:2], relative=True
    )
    np.testing.assert_allclose(difference, [100.0])
    assert rows.tolist() == [7]
    nothing = differences(np.zeros(2), np.zeros(2), ROWS[:2], relative=True)[1]
    np.testing.assert_array_equal(nothing, [0.0, 0.0])


def test_bland_altman_draws_zero_bias_and_limits():
    figure = bland_altman(A, B, ROWS, names=("exact", "fast"), relative=False, unit="a.u.")
    heights = sorted(shape.y0 for shape in figure.layout.shapes)
    difference = B - A
    bias, sd = difference.mean(), difference.std()
    np.testing.assert_allclose(heights, sorted([0, bias, bias - 1.96 * sd, bias + 1.96 * sd]))


def test_bland_altman_says_of_what_its_percent_are():
    figure = bland_altman(A, B, ROWS, names=("exact", "fast"), relative=True, unit="a.u.")
    assert figure.layout.yaxis.title.text == "fast minus exact (% of their mean)"


def test_long_titles_have_two_lines_in_lecture_mode():
    figure = bland_altman(
        A, B, ROWS, names=("original", "haar"), relative=True, unit="a.u.", look=Look(lecture=True)
    )
    assert figure.layout.yaxis.title.text == "haar minus original<br>(% of their mean)"


def test_ranks_are_drawn_against_the_diagonal():
    figure = rank_rank(A, B, ROWS, names=("one", "other"))
    assert tuple(figure.data[0].x) == (0.0, 100.0)
    np.testing.assert_allclose(figure.data[1].y, B, rtol=1e-6)


def test_overlap_is_drawn_in_percent_beside_chance():
    figure = overlap_figure(np.linspace(0.5, 1, 100), colour=OURS)
    curve, chance = figure.data
    assert (curve.y[0], curve.y[-1]) == (50.0, 100.0)
    np.testing.assert_array_equal(chance.x, chance.y)
    assert figure.layout.xaxis.range[1] > 100  # else there is no room for its number


def test_modes_have_the_colours_of_their_role():
    look = Look()
    assert mode_colour("fast", look) == PAPER
    assert mode_colour("haar", look) == OURS
    assert mode_colour("exact", look) not in (PAPER, OURS)


def test_the_spread_has_a_box_for_every_way_to_choose_a_basis(spread):
    figure = null_spread(spread)
    assert figure.layout.yaxis.dtick == 1  # every name is written
    boxes = {box.name: box for box in figure.data}
    assert set(boxes) == {
        "random bases", "exact, as it is here", "LAPACK ev", "LAPACK evd", "LAPACK evr",
        "axis-aligned", "fast, as published",
    }  # fmt: skip
    aligned = 100 * (spread.axis_aligned / spread.haar - 1)
    assert boxes["axis-aligned"].median[0] == pytest.approx(np.median(aligned))
    draws = 100 * (spread.draws / spread.haar[:, None] - 1)
    assert boxes["random bases"].lowerfence[0] == pytest.approx(np.percentile(draws, 2.5))


def test_one_neighbourhood_shows_its_draws_and_every_other_answer(spread):
    figure = one_neighborhood(spread, 3)
    np.testing.assert_array_equal(figure.data[0].x, spread.draws[3])
    named = ", ".join(note.text for note in figure.layout.annotations).split(", ")
    assert sorted(named) == ["axis-aligned", "ev", "evd", "evr", "exact", "fast", "haar"]
    places = {shape.x0 for shape in figure.layout.shapes}
    assert any(abs(place - spread.haar[3]) < 1e-6 for place in places)


def test_score_over_scatter_lies_between_its_two_lines():
    tau = np.array([1.0, 10.0, 0.0])
    figure = score_over_scatter(tau, 0.7 * tau, np.arange(3))
    half, whole, points = figure.data
    np.testing.assert_allclose(half.y, 0.5 * np.asarray(half.x))
    np.testing.assert_allclose(whole.y, whole.x)
    assert points.customdata.tolist() == [
        0,
        1,
    ]  # a point without scatter has no place on a log axis
    np.testing.assert_allclose(points.marker.color, 0.7, rtol=1e-6)


def test_scores_that_are_all_zero_are_drawn_on_plain_axes():
    figure = score_over_scatter(np.zeros(3), np.zeros(3), np.arange(3))
    assert figure.layout.xaxis.type is None
    assert len(figure.data[2].x) == 3


def test_the_ratio_histogram_counts_every_point_and_marks_both_bounds():
    figure = ratio_histogram(np.array([0.45, 0.6, 0.6, 0.99]))
    assert sum(figure.data[0].y) == 4
    assert sorted(shape.x0 for shape in figure.layout.shapes) == [0.5, 1.0]
