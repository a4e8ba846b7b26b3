"""Maps of very many points: a density, and the points in a part of it."""

import base64
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from PIL import Image

from mecuco_app.data.classes import Classes
from mecuco_app.plots.backdrop import pixels
from mecuco_app.plots.scatter import point_map
from mecuco_app.scene import drawing
from mecuco_app.scene.colours import Ramp
from mecuco_app.scene.drawing import mapped_points
from mecuco_app.scene.look import LIGHT, Look
from mecuco_app.scene.raster import extent, in_regions, inside, raster

NONE = np.empty(0, dtype=np.int64)


def cloud(n_points, seed=0):
    return np.random.default_rng(seed).standard_normal((n_points, 2)).astype(np.float32)


def classes(codes, n_classes):
    codes = np.asarray(codes)
    names = tuple(f"c{i}" for i in range(n_classes))
    return Classes(codes, names, np.bincount(codes, minlength=n_classes))


def test_every_point_is_counted_once_in_its_cell():
    at = np.array([[0, 0], [0.9, 0.1], [1.5, 0.2], [2, 2], [np.nan, 1]], dtype=np.float32)
    found = raster(at, None, ((0.0, 2.0), (0.0, 2.0)), shape=(2, 2))
    np.testing.assert_array_equal(found.counts, [[2, 1], [0, 1]])  # row 0 is the lowest


@given(hnp.arrays(np.float32, (40, 2), elements=st.floats(-1e6, 1e6, width=32)))
def test_the_whole_map_loses_no_point(at):
    assert raster(at, None).counts.sum() == 40


def test_a_cell_has_the_mean_of_its_known_values_within_the_ramp():
    at = np.array([[0.1, 0.1]] * 4 + [[0.9, 0.1]], dtype=np.float32)
    colour = Ramp(np.array([1.0, 2.0, np.nan, 99.0, np.nan]), 0.0, 3.0)
    found = raster(at, colour, ((0.0, 1.0), (0.0, 1.0)), shape=(1, 2))
    np.testing.assert_array_equal(found.values, [[2.0, np.nan]])  # (1 + 2 + 3) / 3
    np.testing.assert_array_equal(found.counts, [[4, 1]])


def test_a_cell_has_its_most_frequent_class():
    at = np.array([[0.1, 0.1]] * 5 + [[0.9, 0.1]], dtype=np.float32)
    found = raster(at, classes([0, 2, 2, 1, 2, 0], 3), ((0.0, 1.0), (0.0, 1.0)), shape=(1, 2))
    np.testing.assert_array_equal(found.values, [[2, 0]])


def test_the_picture_has_the_colours_of_the_scale_and_is_stronger_where_more_points_lie():
    at = np.array([[0.1, 0.1]] * 50 + [[0.9, 0.9]], dtype=np.float32)
    colour = Ramp(np.array([0.0] * 50 + [1.0]), 0.0, 1.0)
    found = raster(at, colour, ((0.0, 1.0), (0.0, 1.0)), shape=(2, 2))
    image = pixels(found, colour, LIGHT, grey=False)
    low, high = image[1, 0], image[0, 1]  # the highest row comes first
    assert tuple(low[:3]) == (0, 34, 78)  # the ends of Cividis
    assert tuple(high[:3]) == (254, 232, 56)
    assert low[3] == 255 > high[3] > 0
    assert image[0, 0, 3] == image[1, 1, 3] == 0


@pytest.mark.parametrize("look", [LIGHT, Look(dark=True)])
def test_a_picture_with_a_selection_is_grey(look):
    at = cloud(100)
    colour = Ramp(np.arange(100.0), 0.0, 99.0)
    image = pixels(raster(at, colour), None, look, grey=True)
    assert len({tuple(pixel[:3]) for pixel in image[image[..., 3] > 0]}) == 1


def test_classes_beyond_the_colours_share_one():
    at = np.array([[0.1, 0.1], [0.9, 0.9]], dtype=np.float32)
    colour = classes([len(LIGHT.classes) + 3, len(LIGHT.classes) + 1], 30)
    density = raster(at, colour)
    image = pixels(density, colour, LIGHT, grey=False)
    (shade,) = {tuple(pixel[:3]) for pixel in image[image[..., 3] > 0]}
    figure = point_map(at, colour, density=density, every_label=True)  # a picture has no shapes
    assert figure.data[-1].name == "other"
    assert "#{:02x}{:02x}{:02x}".format(*shade) == figure.data[-1].marker.color


def test_twenty_classes_have_colours_of_their_own_on_a_density():
    at = np.column_stack([np.arange(20.0), np.zeros(20)]).astype(np.float32)
    colour = classes(list(range(20)), 20)
    image = pixels(raster(at, colour), colour, LIGHT, grey=False)
    assert len({tuple(pixel[:3]) for pixel in image[image[..., 3] > 0]}) == 20


@given(
    hnp.arrays(np.float32, (30, 2), elements=st.floats(-2, 2, width=32)),
    hnp.arrays(np.float64, (6, 2), elements=st.floats(-2, 2)),
)
def test_a_lasso_takes_what_an_independent_rule_takes(at, corners):
    found = in_regions(at, {"lasso": [{"x": corners[:, 0].tolist(), "y": corners[:, 1].tolist()}]})
    for i, (x, y) in enumerate(at.astype(np.float64)):
        crossings, near = 0, False
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            if (a[1] > y) != (b[1] > y):
                side = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
                near |= abs(side) < 1e-9
                crossings += (side < 0) == (b[1] < a[1])
        if not near:  # on a side, rounding decides
            assert (i in found) == (crossings % 2 == 1)


def test_a_box_may_be_drawn_from_any_corner():
    at = np.array([[0, 0], [1, 1], [3, 3]], dtype=np.float32)
    for x, y in (([0, 2], [0, 2]), ([2, 0], [2, 0])):
        assert in_regions(at, {"box": [{"x": x, "y": y}]}).tolist() == [0, 1]


def test_many_points_are_a_density_and_few_of_them_are_points(monkeypatch):
    monkeypatch.setattr(drawing, "MOST_FLAT", 500)
    monkeypatch.setattr(drawing, "DENSE", 700)
    monkeypatch.setattr(drawing, "MOST_OVER", 200)
    at, values = cloud(2000), np.arange(2000.0)
    whole = mapped_points(at, None, None, values, np.array([3, 1999]))
    assert whole.dense
    assert {3, 1999} <= set(whole.positions.tolist())
    assert 200 <= len(whole.positions) <= 202
    assert "2 000 points as a density" in whole.note.replace("\N{NARROW NO-BREAK SPACE}", " ")
    window = ((-0.3, 0.3), (-0.5, 0.5))
    part = mapped_points(at, window, None, values, NONE)
    assert not part.dense
    np.testing.assert_array_equal(part.positions, inside(at, window))
    assert "all are drawn" in part.note
    middle = mapped_points(at, ((-0.9, 0.9), (-0.9, 0.9)), None, values, NONE)
    assert (middle.dense, len(middle.positions)) == (True, 200) or len(middle.positions) == 500


def test_points_over_a_density_are_seen_only_where_selected():
    at = cloud(50)
    colour = Ramp(np.arange(50.0), 0.0, 49.0)
    density = raster(at, colour)
    figure = point_map(at, colour, density=density, selected=np.array([1, 2]))
    points, bar = figure.data
    assert points.marker.opacity == 0
    assert points.unselected.marker.opacity == 0
    assert points.selected.marker.opacity > 0.5
    assert (points.marker.showscale, bar.marker.showscale) == (False, True)
    (image,) = figure.layout.images
    (left, right), (_, high) = extent(at)
    assert (image.x, image.y, image.sizex) == (left, high, right - left)
    assert tuple(figure.layout.xaxis.range) == (left, right)
    head, _, data = image.source.partition(",")
    assert head == "data:image/png;base64"
    assert Image.open(io.BytesIO(base64.b64decode(data))).size == density.counts.shape[::-1]
