"""One entry in the table of measures, and every part of the product has it."""

import io
import json
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest

import mecuco as mc
from mecuco_app.data.sources import loaded
from mecuco_app.page.explore import distribution_panel
from mecuco_app.plots import of_scene
from mecuco_app.takeaway.export import Contents, score_table
from mecuco_app.view import links
from mecuco_app.view.settings import ColourSettings, DataChoice, SelectionRule, View
from mecuco_core.cli.commands import main
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.measures import MEASURES, Measure
from mecuco_core.preparation.prepare import prepare
from tests.app.rerunning import figures, settled, texts
from tests.app.test_takeaways import scene_of

PAGE = "pages/1_Explore.py"


@pytest.fixture
def entry(monkeypatch):
    """A measure that the product does not have, entered in the one place."""
    made = Measure(
        name="nearest_distance",
        title="Nearest distance",
        explanation="Distance to the nearest neighbour: finds repeated rows, sees nothing else.",
        needs=("graph",),
        compute=lambda graph: graph.distances[:, 0],
    )
    monkeypatch.setitem(MEASURES, made.name, made)
    return made


@pytest.fixture
def nearest():
    return mc.knn_graph(prepare(load_bundled("wine")).points, 7).distances[:, 0]


def colour_menu(app):
    return app.selectbox(key="colour.by")


def histogram_of(app):
    """Return the choice of what the histogram shows; its key says how many data there were."""
    return next(one for one in app.segmented_control if one.key.startswith("histogram:of"))


def exported(app):
    """Return the choice of the measures that are exported."""
    return next(one for one in app.multiselect if one.key.startswith("export:measures"))


def test_a_new_measure_is_a_colour_with_hover_column_card_and_histogram(opened, entry, nearest):
    app = opened(PAGE, data="bundled:wine", point="5")
    assert entry.title in colour_menu(app).options
    assert entry.name not in app.dataframe[0].value
    colour_menu(app).set_value(entry.name)
    settled(app)

    points = figures(app)["map"]["data"][0]
    assert f"nearest distance {nearest[5]:.4g}" in points["hovertext"][5]
    assert points["marker"]["colorbar"]["title"]["text"] == entry.title
    assert f"coloured by {entry.title}" in texts(app)
    table = next(one.value for one in app.dataframe if "why" in one.value.columns)
    np.testing.assert_array_equal(table[entry.name], nearest[table["row"]])
    assert f"nearest distance {nearest[5]:.3g}" in texts(app).replace("\\", "")

    histogram_of(app).set_value(entry.name)
    settled(app)
    axis = figures(app)["histogram"]["layout"]["xaxis"]
    assert axis["title"]["text"].startswith("nearest distance")

    assert entry.title in exported(app).options


def test_a_new_measure_is_in_links(opened, entry):
    view = View(colour=ColourSettings(entry.name))
    address = links.encoded(view)
    assert address["colour"] == entry.name
    assert links.decoded(address) == links.Opened(view)
    app = opened(PAGE, data="bundled:wine", colour=entry.name)
    assert colour_menu(app).value == entry.name
    assert f"coloured by {entry.title}" in texts(app)


def test_a_new_measure_is_exported_by_app_and_command_line(opened, entry, nearest, capsys):
    scene, result = scene_of(loaded(DataChoice("bundled", "wine")))
    table = score_table(scene, result, Contents(measures=("score", entry.name)))
    np.testing.assert_array_equal(table[entry.name], nearest)

    assert main(["score", "wine", "--measures", f"score,{entry.name}"]) == 0
    written = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert list(written.columns) == ["row", "score", entry.name]
    np.testing.assert_allclose(written[entry.name], nearest, rtol=1e-12)

    assert main(["measures"]) == 0
    assert entry.explanation in " ".join(capsys.readouterr().out.split())
    assert main(["measures", "--json"]) == 0
    assert entry.name in [one["name"] for one in json.loads(capsys.readouterr().out)]


def test_a_brush_on_another_measure_selects_the_points_it_meant(opened, entry, nearest):
    app = opened(PAGE, data="bundled:wine", colour=entry.name)
    histogram_of(app).set_value(entry.name)
    settled(app)
    assert f"median of all {np.median(nearest):.3g}" in texts(app)
    shown = scene_of(
        loaded(DataChoice("bundled", "wine")), View(colour=ColourSettings(entry.name))
    )[0]
    figure = of_scene.measure_histogram(shown, entry.name)
    assert sum(figure.data[0].y) == 178
    assert not figure.layout.shapes  # the quarter of the paper is one of scores

    rules = []
    ends = {"selection": {"box": [{"x": [2.0, 3.0]}]}}
    with (
        patch.object(distribution_panel, "choose", rules.append),
        patch.object(distribution_panel.state, "widget", lambda key: ends),
    ):
        distribution_panel._brush(shown, entry.name)
    inside = np.flatnonzero((nearest >= 2.0) & (nearest <= 3.0))
    assert 0 < len(inside) < 178
    assert rules == [SelectionRule("rows", rows=tuple(inside.tolist()))]


def test_points_without_a_value_are_left_out_of_a_histogram_and_drawn_hollow(monkeypatch, opened):
    def compute(score):
        return np.where(score.values > 5.0, np.nan, score.values)

    one = Measure("some", "Some of them", "Low scores only.", ("score",), compute)
    monkeypatch.setitem(MEASURES, one.name, one)
    app = opened(PAGE, data="bundled:wine", colour=one.name)
    histogram_of(app).set_value(one.name)
    settled(app)
    high = int((mc.curvature(prepare(load_bundled("wine")).points).values > 5.0).sum())
    assert 0 < high < 178
    said = texts(app).replace("\\", "")
    assert f"{high} points without a value left out" in said
    assert f"{high} points without a value drawn hollow" in said


@pytest.mark.parametrize(
    ("data", "absent"),
    [
        ("bundled:wine", {"true_mean_curvature", "mean_curvature", "gaussian_curvature"}),
        ("bundled:diabetes", {"label_disagreement", "true_mean_curvature", "mean_curvature"}),
        ("manifold:torus", {"label_disagreement", "label", "mean_curvature"}),
    ],
)
def test_a_measure_that_these_points_cannot_have_is_not_offered(opened, data, absent):
    app = opened(PAGE, data=data)
    titles = set(colour_menu(app).options)
    assert not titles & {MEASURES[name].title if name in MEASURES else "Label" for name in absent}
    others = {"label_disagreement", "true_mean_curvature"} - absent
    assert {MEASURES[name].title for name in others} <= titles
    name = min(absent & set(MEASURES))
    app = opened(PAGE, data=data, colour=name)
    assert colour_menu(app).value == "score"
    assert f"colour={name}" in app.warning[0].value.replace("\\", "")


def test_the_usual_measures_alone_are_written_unless_others_are_chosen(opened):
    # No other test has computed the fidelity of a map for this k.
    app = opened(PAGE, data="bundled:wine", colour="stability", k="19")
    box = exported(app)
    assert box.value == [
        "score", "scatter", "alignment", "covariance_rank", "knn_distance", "percentile",
    ]  # fmt: skip
    assert MEASURES["stability"].title in box.options  # it colours the map, so it is there
    assert MEASURES["map_fidelity"].title not in box.options
    box.set_value(["score", "stability"])
    settled(app)
    assert exported(app).value == ["score", "stability"]
