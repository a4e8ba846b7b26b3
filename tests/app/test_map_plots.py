import numpy as np
import pytest

import mecuco as mc
from mecuco_app.data.classes import Classes
from mecuco_app.plots.distributions import brushed, from_axis, heavy_tailed, histogram, on_axis
from mecuco_app.plots.marks import MOST_VECTORS
from mecuco_app.plots.scatter import Focus, point_map
from mecuco_app.plots.theme import template
from mecuco_app.scene.colours import ramp
from mecuco_app.scene.look import OKABE_ITO, Look
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.preparation.prepare import prepare

POINTS = np.random.default_rng(0).standard_normal((50, 3)).astype(np.float32)
FLAT = POINTS[:, :2]
TWELVE = Classes(np.arange(50) % 12, tuple(f"<b>{i}</b>" for i in range(12)), np.full(12, 4))


def test_the_points_are_where_the_map_puts_them_in_binary():
    figure = point_map(FLAT, ramp(np.arange(50.0), "full"))
    trace = figure.data[0]
    np.testing.assert_array_equal(trace.x, FLAT[:, 0])
    assert trace.x.dtype == np.float32
    assert trace.marker.color.dtype == np.float32
    assert (trace.marker.cmin, trace.marker.cmax) == (0.0, 49.0)


@pytest.mark.parametrize(("n_points", "kind"), [(2500, "scatter"), (2501, "scattergl")])
def test_many_points_are_drawn_by_webgl_and_their_focus_above_them(n_points, kind):
    many = np.zeros((n_points, 2), dtype=np.float32)
    figure = point_map(many, None, focus=Focus(0, np.array([1, 2])))
    assert [trace.type for trace in figure.data] == [kind]
    assert [shape.type for shape in figure.layout.shapes] == ["path", "circle"]


def test_a_colour_bar_has_the_ticks_of_its_ramp():
    bar = point_map(FLAT, ramp(10.0 ** np.arange(50) % 7 + 1, "log"), title="s").data[0].marker
    assert bar.colorbar.title.text == "s"
    assert len(bar.colorbar.tickvals) == len(bar.colorbar.ticktext) > 0


def test_points_without_a_value_are_hollow():
    colour = ramp(np.array([1.0, np.nan, 3.0]), "full")
    figure = point_map(np.zeros((3, 2)), colour)
    assert list(figure.data[0].marker.symbol) == ["circle", "circle-open", "circle"]


def test_axes_of_names_have_names_escaped():
    ticks = [((0.0, 1.0), ("<b>x</b>", "y")), None]
    figure = point_map(np.zeros((3, 2)), None, axes=["city", "height"], ticks=ticks)
    assert list(figure.layout.xaxis.ticktext) == ["&lt;b&gt;x&lt;/b&gt;", "y"]
    assert figure.layout.yaxis.ticktext is None


def test_what_a_click_marks_dims_nothing():
    figure = point_map(np.zeros((3, 2)), None)
    points = figure.data[0]
    assert points.unselected.marker.opacity == points.selected.marker.opacity == 1.0


def test_what_is_not_selected_stays_and_turns_grey():
    look = Look()
    trace = point_map(FLAT, None, selected=np.array([3, 4]), look=look).data[0]
    assert list(trace.selectedpoints) == [3, 4]
    assert trace.unselected.marker.color == look.muted
    assert len(trace.x) == 50


def test_nothing_selected_and_no_rule_are_different():
    assert point_map(FLAT, None).data[0].selectedpoints is None
    assert len(point_map(FLAT, None, selected=np.array([], dtype=int)).data[0].selectedpoints) == 0


def named(n_classes):
    names = tuple(f"<b>{i}</b>" for i in range(n_classes))
    return Classes(np.arange(50) % n_classes, names, np.full(n_classes, 4))


def marks(figure):
    """Return the colour and the shape that stand for each class in the legend."""
    return [(entry.marker.color, entry.marker.symbol) for entry in figure.data[1:]]


@pytest.mark.parametrize("look", [Look(), Look(dark=True)])
def test_up_to_twenty_classes_have_a_colour_and_a_shape_of_their_own(look):
    figure = point_map(FLAT, named(20), look=look)
    points, *legend = figure.data
    assert [entry.name for entry in legend] == [f"&lt;b&gt;{i}&lt;/b&gt;" for i in range(20)]
    assert len({shade for shade, _ in marks(figure)}) == 20
    assert len({shape for _, shape in marks(figure)[:20:8]}) == 3
    assert legend[0].marker.color == OKABE_ITO[0]
    # A point looks as its class does in the legend.
    shades = [shade for _, shade in points.marker.colorscale][::2]
    drawn = [(shades[code], points.marker.symbol[i]) for i, code in enumerate(points.marker.color)]
    assert drawn == [marks(figure)[i % 20] for i in range(50)]


def test_classes_beyond_twenty_are_other_unless_asked_for():
    figure = point_map(FLAT, named(25))
    points, *legend = figure.data
    assert points.marker.color.max() == 20  # the shade of all others
    assert [entry.name for entry in legend[20:]] == ["other"]
    assert points.marker.symbol[22] == legend[20].marker.symbol == "circle"
    every = point_map(FLAT, named(25), every_label=True)
    assert len(set(marks(every))) == 25
    assert len({(code, shape) for code, shape in zip(
        every.data[0].marker.color, every.data[0].marker.symbol, strict=True)}) == 25  # fmt: skip


# Machado, Oliveira and Fernandes (2009): what remains of linear red, green and blue.
BLIND = {
    "no": np.eye(3),
    "green": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "red": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
}


@pytest.mark.parametrize("blind", list(BLIND))
@pytest.mark.parametrize("dark", [False, True])
def test_the_colours_of_classes_are_told_apart_by_the_colour_blind(dark, blind):
    shades = np.array([[int(shade[i : i + 2], 16) for i in (1, 3, 5)] for shade in
                       Look(dark=dark).classes]) / 255  # fmt: skip
    light = np.where(shades <= 0.04045, shades / 12.92, ((shades + 0.055) / 1.055) ** 2.4)
    seen = np.clip(light @ np.transpose(BLIND[blind]), 0, 1)
    to_xyz = [[0.4339, 0.3763, 0.1899], [0.2127, 0.7152, 0.0722], [0.0178, 0.1095, 0.8730]]
    x, y, z = np.cbrt(seen @ np.transpose(to_xyz)).T  # CIELAB, good enough above the darkest
    lab = np.column_stack([116 * y, 500 * (x - y), 200 * (y - z)])
    apart = np.linalg.norm(lab[:, None] - lab, axis=2) + 1000 * np.eye(20)
    assert apart.min() > 12


def test_three_dimensions_are_drawn_and_selected_points_are_larger():
    trace = point_map(POINTS, None, selected=np.array([7])).data[0]
    assert trace.type == "scatter3d"
    assert np.argmax(trace.marker.size) == 7


def test_numbers_of_axes_in_three_dimensions_are_few_and_grow_in_a_lecture():
    scene, lecture = (
        point_map(POINTS, None, axes=("a", "b", "c"), look=look).layout.scene
        for look in (Look(), Look(lecture=True))
    )
    assert {scene.xaxis.nticks, scene.yaxis.nticks, scene.zaxis.nticks} == {4}
    assert lecture.zaxis.tickfont.size > scene.zaxis.tickfont.size
    # Plotly's own eye is at 1.25 along each axis, where names of axes are cut off.
    assert min(scene.camera.eye.x, scene.camera.eye.y, scene.camera.eye.z) > 1.25


def test_what_is_not_selected_is_grey_in_three_dimensions_too():
    look, rest = Look(), np.arange(50) != 7
    one = point_map(POINTS, None, selected=np.array([7]), look=look).data[0].marker
    assert set(np.array(one.color)[rest]) == {look.muted}
    assert one.color[7] == look.labels[0]
    classes = point_map(POINTS, TWELVE, selected=np.array([7]), look=look).data[0].marker
    assert set(classes.color[rest]) == {21}
    assert classes.colorscale[-1][1] == look.muted
    assert classes.colorscale[-3][1] == look.other != look.muted  # of classes without a colour
    assert classes.color[7] == 7
    points, bar = point_map(POINTS, ramp(np.arange(50.0), "full"), selected=np.array([7])).data
    shades = points.marker.colorscale
    place = (points.marker.color - points.marker.cmin) / (points.marker.cmax - points.marker.cmin)
    assert (place[rest] == 0).all()
    assert shades[0][1] == shades[1][1] == look.muted
    assert 0.5 <= place[7] <= 1  # where the colours of the score are
    assert not points.marker.showscale
    assert bar.marker.showscale
    assert (bar.marker.cmin, bar.marker.cmax) == (0.0, 49.0)


def test_the_point_looked_at_is_ringed_and_tied_to_its_neighbours():
    figure = point_map(FLAT, None, focus=Focus(5, np.array([6, 7])))
    star, ring = figure.layout.shapes
    assert (ring.xanchor, ring.yanchor) == tuple(FLAT[5].tolist())
    ends = [[tuple(map(float, end.split(","))) for end in line.split("L")]
            for line in star.path.split("M")[1:]]  # fmt: skip
    assert ends == [[tuple(FLAT[i].tolist()) for i in (5, near)] for near in (6, 7)]


def test_in_space_it_is_ringed_and_tied_too():
    _, lines, ring = point_map(POINTS, None, focus=Focus(5, np.array([6, 7]))).data
    assert ring.z[0] == POINTS[5, 2]
    assert lines.x[[1, 4]].tolist() == POINTS[[6, 7], 0].tolist()
    assert np.isnan(lines.x[2])


def test_no_line_leads_to_a_neighbour_without_a_place():
    places = FLAT.copy()
    places[[6, 8]] = np.nan
    star, _ = point_map(places, None, focus=Focus(5, np.array([6, 7]))).layout.shapes
    assert star.path.count("M") == 1
    assert len(point_map(places, None, focus=Focus(8, np.array([7]))).layout.shapes) == 0


def test_hover_texts_are_escaped_and_names_are_not_in_the_template():
    trace = point_map(
        FLAT, None, hover=[np.arange(50.0)], hover_names=["row"], texts=[["%{y}<a href='x'>"] * 50]
    ).data[0]
    assert trace.hovertext[7] == "row 7<br>%{y}&lt;a href='x'&gt;"
    assert trace.hovertemplate == "%{hovertext}<extra></extra>"


def test_of_many_points_the_pointer_gets_numbers():
    many = np.zeros((MOST_VECTORS + 1, 2))
    rows = np.arange(len(many), dtype=float)
    labels = ["%{y}<a href='x'>"] * len(many)
    options = {"hover": [rows, rows / 3], "hover_names": ["row", "score"], "texts": [labels]}
    trace = point_map(many, None, **options).data[0]
    assert trace.text[0] == "%{y}&lt;a href='x'&gt;"
    assert trace.hovertemplate.startswith("row %{customdata[0]:d}<br>score %{customdata[1]:.4~g}")
    np.testing.assert_array_equal(trace.customdata[:, 0], rows)
    few = point_map(many[:8], None, hover=[rows[:8], rows[:8] / 3], hover_names=["row", "score"])
    assert few.data[0].hovertext[7] == "row 7<br>score 2.333"


def test_axis_titles_are_escaped():
    figure = point_map(FLAT, None, axes=("<i>a</i>", "b"))
    assert figure.layout.xaxis.title.text == "&lt;i&gt;a&lt;/i&gt;"


def test_the_histogram_counts_every_point_and_the_selected_ones():
    values = np.random.default_rng(0).exponential(size=500)
    figure = histogram(values, selected=np.arange(40), cut=1.0, brush=(0.5, 2.0))
    everything, chosen = figure.data
    assert everything.y.sum() == 500
    assert chosen.y.sum() == 40
    assert len(figure.layout.shapes) == 2


def test_a_logarithmic_histogram_is_drawn_on_logarithms_with_raw_ticks():
    values = np.array([0.0, 1.0, 10.0, 1000.0])
    figure = histogram(values, log=True)
    assert figure.data[0].y.sum() == 4
    assert "1\u202f000" in figure.layout.xaxis.ticktext
    assert from_axis(on_axis(values, True)[2], True) == pytest.approx(10.0)


@pytest.mark.parametrize("name", ["digits", "iris", "wine"])
@pytest.mark.parametrize("log", [False, True])
def test_a_brush_over_the_whole_axis_takes_the_highest_and_the_lowest_point(name, log):
    values = mc.curvature(prepare(load_bundled(name)).points).values
    at = on_axis(values, log)
    ends = at.min() + 1e-14, at.max() - 1e-14  # as a browser rounds them
    assert brushed(values, ends, log) == (values.min(), values.max())
    assert brushed(values, ends[::-1], log) == (values.min(), values.max())  # right to left


def test_a_brush_inside_the_axis_ends_where_it_was_drawn():
    assert brushed(np.array([1.0, 2.0, 3.0, 4.0]), (1.5, 3.2), False) == (1.5, 3.2)
    low, high = brushed(np.array([0.0, 1.0, 10.0, 100.0]), (-0.5, 1.5), True)
    assert low == 0.0  # zeros stand at the smallest positive value
    assert high == pytest.approx(10**1.5)


@pytest.mark.parametrize(("value", "text"), [(0.0, "0"), (7.0, "7.00")])
@pytest.mark.parametrize("log", [False, True])
def test_scores_that_are_all_the_same_are_one_bar_at_one_tick(value, text, log):
    figure = histogram(np.full(50, value), log=log, selected=np.arange(3), cut=value)
    everything, chosen = figure.data
    assert (list(everything.y), list(chosen.y)) == ([50], [3])
    assert list(figure.layout.xaxis.tickvals) == list(everything.x)
    if value or not log:
        assert list(figure.layout.xaxis.ticktext) == [text]


def test_heavy_tails_are_recognised():
    assert heavy_tailed(np.array([1.0, 1.0, 1.0, 100.0]))
    assert not heavy_tailed(np.array([1.0, 2.0, 3.0]))
    assert not heavy_tailed(np.zeros(3))


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out_from_the_paper(dark):
    look = Look(dark=dark)

    def light(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return np.dot([0.2126, 0.7152, 0.0722], linear)

    a, b = sorted((light(look.text), light(look.paper)))
    assert (b + 0.05) / (a + 0.05) > 4.5


def test_lecture_mode_makes_letters_larger_and_ticks_fewer():
    plain, large = template(Look()).layout, template(Look(lecture=True)).layout
    assert large.font.size == pytest.approx(1.35 * plain.font.size)
    assert large.xaxis.nticks < plain.xaxis.nticks
    for layout in (plain, large):  # half a number on the last tick has room
        assert layout.margin.t > 0.6 * layout.font.size
        assert layout.margin.r > 0.8 * layout.font.size


def test_thirty_classes_are_drawn_in_three_dimensions_without_flat_axes():
    points = np.random.default_rng(0).standard_normal((60, 3))
    classes = Classes(np.arange(60) % 30, tuple(f"c{i}" for i in range(30)), np.full(30, 2))
    figure = point_map(points, classes, every_label=True)
    assert {trace.type for trace in figure.data} == {"scatter3d"}


def test_the_row_of_a_point_is_shown_whole():
    figure = point_map(np.zeros((1, 2)), None, hover=[np.array([13219.0])], hover_names=["row"])
    assert figure.data[0].hovertext[0] == "row 13219"


def test_points_without_anything_to_say_show_nothing():
    trace = point_map(FLAT, None).data[0]
    assert (trace.hovertext, trace.hovertemplate) == (None, "<extra></extra>")
