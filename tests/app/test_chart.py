"""Figures in the form in which a browser draws them once."""

import json

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest
from plotly.subplots import make_subplots

from mecuco_app.plots.distributions import histogram
from mecuco_app.plots.scatter import point_map
from mecuco_app.plots.theme import template
from mecuco_app.scene.colours import ramp
from mecuco_app.scene.look import Look
from mecuco_app.screen.browser.chart import MOST_NUMBERS, drawn_once

POINTS = np.random.default_rng(0).standard_normal((50, 3)).astype(np.float32)


def sent(figure, **options):
    """Return what a browser gets."""
    return json.loads(plotly.io.to_json(drawn_once(figure, **options).to_dict(), validate=False))


def test_no_number_is_changed():
    values = np.geomspace(1e-30, 1e30, 50)
    figure = point_map(POINTS[:, :2], ramp(values, "full"))
    figure.data[0].customdata = values.astype(np.float32)[:, np.newaxis]
    trace = sent(figure)["data"][0]
    np.testing.assert_array_equal(np.array(trace["x"], dtype=np.float32), POINTS[:, 0])
    np.testing.assert_array_equal(np.array(trace["y"], dtype=np.float32), POINTS[:, 1])
    shown = np.array(trace["customdata"], dtype=np.float32)
    np.testing.assert_array_equal(shown[:, 0], values.astype(np.float32))
    assert trace["marker"]["color"] == pytest.approx(values.tolist(), rel=1e-6)


def test_single_precision_is_written_short():
    figure = go.Figure(go.Scatter(x=np.array([0.1], dtype=np.float32), y=[0]))
    assert sent(figure)["data"][0]["x"] == [0.1]


def test_every_single_precision_number_stays_the_same():
    rng = np.random.default_rng(1)
    anything = rng.integers(0, 2**32, 40_000, dtype=np.uint32).view(np.float32)
    figure = go.Figure(go.Scatter(x=anything[:20_000], y=anything[20_000:]))
    for name in "xy":
        written = np.array(drawn_once(figure).to_dict()["data"][0][name], dtype=np.float32)
        np.testing.assert_array_equal(written, figure.data[0][name])


def test_what_is_missing_stays_missing():
    figure = go.Figure(go.Scatter(x=np.array([1.0, np.nan]), y=np.array(["a", None], dtype=object)))
    trace = sent(figure)["data"][0]
    assert (trace["x"], trace["y"]) == ([1.0, None], ["a", None])


def test_dates_stay_dates():
    days = np.array(["2020-01-02", "2021-03-04"], dtype="datetime64[ns]")
    trace = sent(go.Figure(go.Scatter(x=days, y=[0, 1])))["data"][0]
    assert [day[:10] for day in trace["x"]] == ["2020-01-02", "2021-03-04"]


def test_the_template_lies_beneath_what_the_figure_says():
    look = Look(lecture=True)
    figure = histogram(np.arange(1.0, 90.0), title="score", look=look)
    layout, given = sent(figure)["layout"], template(look).layout
    assert "template" not in layout
    assert layout["font"]["size"] == given.font.size
    assert layout["separators"] == given.separators
    assert layout["yaxis"]["nticks"] == 4  # its own
    assert layout["yaxis"]["gridcolor"] == given.yaxis.gridcolor
    assert layout["xaxis"]["title"] == {"text": "score", "standoff": 8}
    assert layout["margin"]["r"] == given.margin.r


def test_every_axis_of_several_has_the_template():
    figure = make_subplots(rows=1, cols=2)
    for column in (1, 2):
        figure.add_scatter(x=[0], y=[0], row=1, col=column)
    figure.update_layout(template=template())
    layout = sent(figure)["layout"]
    for name in ("xaxis", "yaxis", "xaxis2", "yaxis2"):
        assert layout[name]["gridcolor"] == Look().grid
        assert "domain" in layout[name]


def test_axes_that_nobody_described_have_the_template_too():
    layout = sent(go.Figure(go.Scatter(x=[0], y=[0]), {"template": template()}))["layout"]
    assert layout["xaxis"]["gridcolor"] == layout["yaxis"]["gridcolor"] == Look().grid


def test_a_spatial_figure_gets_no_flat_axes():
    layout = sent(point_map(POINTS, None))["layout"]
    assert "scene" in layout
    assert not {"xaxis", "yaxis"} & layout.keys()


def test_a_large_figure_stays_binary():
    figure = go.Figure(go.Scattergl(x=np.zeros(MOST_NUMBERS), y=np.zeros(1)))
    assert drawn_once(figure) is figure


@pytest.mark.parametrize(
    ("drag", "clicks"), [("pan", "event+select"), ("lasso", "event"), ("select", "event")]
)
def test_clicks_are_as_streamlit_wants_them(drag, clicks):
    figure = point_map(POINTS[:, :2], None, drag=drag)
    assert sent(figure, selectable=True)["layout"]["clickmode"] == clicks
