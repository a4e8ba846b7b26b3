import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import mecuco as mc
from mecuco_app.plots.scatter import point_map
from mecuco_app.scene.colours import diverging_ramp, ramp
from mecuco_app.scene.look import DIFFERENCE_SCALE
from mecuco_app.view.settings import COLOUR_SCALES
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.preparation.prepare import prepare

values = arrays(np.float64, st.integers(1, 60), elements=st.floats(0, 1e6))


@pytest.mark.parametrize("scale", COLOUR_SCALES)
@given(values=values)
def test_every_ramp_has_a_length_and_holds_most_values(scale, values):
    found = ramp(values, scale)
    assert found.low < found.high
    assert found.values.shape == values.shape
    inside = (found.values >= found.low - 1e-9) & (found.values <= found.high + 1e-9)
    assert inside.mean() >= (0.9 if scale in ("robust", "auto") else 1.0) - 2 / len(values)


@pytest.mark.parametrize("scale", COLOUR_SCALES)
@given(values=values)
def test_a_ramp_keeps_the_order_of_the_values(scale, values):
    shown = ramp(values, scale).values
    order = np.argsort(values, kind="stable")
    assert (np.diff(shown[order]) >= -1e-9).all()


WIDE = np.exp(np.random.default_rng(0).standard_normal(500))  # three decades, no zeros


@pytest.mark.parametrize(
    ("shown", "scale"),
    [
        (np.linspace(1.0, 2.0, 500), "robust"),
        (np.linspace(0.0, 1.0, 500), "robust"),  # from next to nothing, and yet evenly spread
        (WIDE, "log"),
        (np.r_[WIDE, 0.0], "log"),
        (np.r_[WIDE**3, np.zeros(100)], "rank"),
        (-(WIDE**3), "rank"),
        (np.r_[WIDE, 1e-11], "rank"),  # on a logarithmic scale one point would take most colours
        (np.r_[np.zeros(400), WIDE], "rank"),
        (np.r_[np.zeros(600), WIDE**3], "robust"),  # no scale tells equal values in_process
    ],
)
def test_the_automatic_scale_is_the_one_that_spreads_the_values(shown, scale):
    found, named = ramp(shown, "auto"), ramp(shown, scale)
    assert found.scale == f"automatic: {named.scale}"
    np.testing.assert_array_equal(found.values, named.values)
    assert (found.low, found.high, found.note) == (named.low, named.high, named.note)


@pytest.mark.parametrize("name", ["digits", "breast-cancer", "iris"])
def test_scores_that_span_decades_are_not_all_of_one_colour(name):
    found = ramp(mc.curvature(prepare(load_bundled(name)).points).values, "auto")
    middle = np.median(found.values)
    assert 0.25 < (middle - found.low) / (found.high - found.low) < 0.75


def test_the_robust_scale_says_how_many_points_it_clips():
    found = ramp(np.arange(101.0), "robust")
    assert (found.low, found.high) == (2.0, 98.0)
    assert found.note.startswith("Colours cover percentiles 2–98; 4 points of 101 beyond")
    assert "(2 below 2.00, 2 above 98.0)" in found.note


def test_the_logarithmic_scale_has_ticks_in_raw_units_and_says_what_it_does_with_zeros():
    found = ramp(np.array([0.0, 1.0, 10.0, 100.0, 1000.0]), "log")
    assert found.texts == ("1.00", "10.0", "100", "1\u202f000")
    assert found.ticks == (0.0, 1.0, 2.0, 3.0)
    assert found.values[0] == 0.0
    assert found.note == "1 point at or below zero drawn in the lowest colour, as 1.00."


def test_a_logarithmic_scale_tells_negative_values_from_small_ones():
    found = ramp(np.array([-3.0, -2.0, 0.0, 1e-20, 1.0, 10.0]), "log")
    assert found.note.startswith("3 points at or below zero and 1 point above it, but too small")
    assert ramp(np.array([19_700.0, 19_800.0]), "log").note == ""
    assert "the full range is drawn" in ramp(np.array([-2.0, -1.0]), "log").note


def test_a_robust_scale_that_is_none_says_so():
    found = ramp(np.r_[np.zeros(500), 1.0], "robust")
    assert found.scale == "full range"
    assert found.note == "Most points have the value 0: the full range is drawn."


@pytest.mark.parametrize("scale", COLOUR_SCALES)
def test_points_without_a_value_are_counted(scale):
    found = ramp(np.array([1.0, np.nan, 2.0, 3.0, np.nan]), scale)
    assert found.note.endswith("2 points without a value drawn hollow.")


@pytest.mark.parametrize("scale", COLOUR_SCALES)
def test_names_stand_at_the_ticks(scale):
    names = ["a", "b", "c", "d"]
    found = ramp(np.arange(4.0), scale, lambda value: names[round(value)])
    assert set(found.texts) <= set(names)
    assert len(found.texts) == len(found.ticks) >= 2


def test_the_rank_scale_has_ticks_in_raw_units():
    found = ramp(np.array([1.0, 2.0, 3.0, 4.0, 1000.0]), "rank")
    assert found.texts[0] == "1.00"
    assert found.texts[-1] == "1\u202f000"


def test_missing_values_have_no_colour():
    assert ramp(np.array([np.nan, np.nan]), "robust").note == "There is no value to show."


@pytest.mark.parametrize("scale", COLOUR_SCALES)
@pytest.mark.parametrize(("value", "text"), [(0.0, "0"), (7.0, "7.00")])
def test_values_that_are_all_the_same_have_one_tick(scale, value, text):
    found = ramp(np.full(50, value), scale)
    assert found.texts == (text,)
    assert found.low < found.ticks[0] < found.high
    assert found.note == f"Every point has the same value, {text}."


def test_zero_is_in_the_middle_of_colours_for_both_sides():
    values = np.concatenate([np.linspace(-1.0, 5.0, 200), [np.nan]])
    found = diverging_ramp(values, "full")
    assert (found.low, found.high, found.diverging) == (-5.0, 5.0, True)
    robust = diverging_ramp(values, "auto")
    assert robust.low == -robust.high
    assert robust.high == pytest.approx(np.nanpercentile(values, 98))
    assert not diverging_ramp(values, "rank").diverging
    figure = point_map(np.zeros((201, 3)), found, selected=np.arange(5))
    shades = dict(figure.data[0].marker.colorscale)
    assert shades[1.0] == DIFFERENCE_SCALE[-1][1]  # also where the rest is grey
    flat = point_map(np.zeros((201, 2)), found).data[0].marker
    assert flat.colorscale[0][1] == DIFFERENCE_SCALE[0][1]
