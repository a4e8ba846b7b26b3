"""What a browser tells of a zoom is used only where it makes sense."""

import pytest

from mecuco_app.screen.browser.viewport import Viewport, viewport_from

CAMERA = {
    "eye": {"x": 1, "y": 2, "z": 3},
    "center": {"x": 0, "y": 0, "z": 0},
    "up": {"x": 0, "y": 0, "z": 1},
}


def test_a_window_and_a_camera_are_taken_as_they_come():
    assert viewport_from({"x": [1, 2.5], "y": [-3, 4]}) == Viewport(
        window=((1.0, 2.5), (-3.0, 4.0))
    )
    assert viewport_from(CAMERA) == Viewport(
        camera=((1.0, 2.0, 3.0), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    )


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"x": [1, 2]},
        {"x": [1, float("nan")], "y": [1, 2]},
        {"x": ["<b>", 2], "y": [1, 2]},
        {"x": [1], "y": [1, 2]},
        {"x": None, "y": 7},
        {"x": {"a": 1}, "y": {"b": 2}},
        {**CAMERA, "eye": {"x": 1, "y": 2}},
        {**CAMERA, "up": [0, 0, float("inf")]},
    ],
)
def test_what_makes_no_sense_shows_the_whole_map(told):
    assert viewport_from(told) == Viewport()
