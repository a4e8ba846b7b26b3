"""The Explore page in every state."""

import base64
import threading
import time

import numpy as np
import pytest

import mecuco as mc
from mecuco_app.results import maps
from mecuco_app.screen.browser.viewport import Viewport
from mecuco_app.takeaway.report import report_html
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.measures import MEASURES
from mecuco_core.preparation.prepare import Preparation, prepare
from tests.app.rerunning import figures, settled, texts, unfolded
from tests.waiting import until

PAGE = "pages/1_Explore.py"


def numbers(array):
    if isinstance(array, dict):
        return np.frombuffer(base64.b64decode(array["bdata"]), dtype=array["dtype"])
    return np.asarray(array, dtype=float)


def parameter(app, name):
    """Return one parameter of the address, which AppTest gives as text or as a list."""
    value = app.query_params[name]
    return value[0] if isinstance(value, list) else value


def said(app):
    return texts(app).replace("\\", "")


def top_points(app):
    """Return the table of the highest points."""
    return next(frame.value for frame in app.dataframe if "why" in frame.value.columns)


def k_slider(app):
    return next(one for one in app.slider if one.label == "Neighbours k")


def points_of(app):
    return figures(app)["map"]["data"][0]


@pytest.fixture
def explore(opened):
    return opened(PAGE)


@pytest.fixture
def wine(opened):
    return opened(PAGE, data="bundled:wine")


@pytest.mark.parametrize(("key", "label"), [("map", "Layout"), ("preparation", "Scale")])
def test_a_closed_box_costs_nothing_and_stays_open_once_opened(wine, key, label):
    def shown():
        return label in [box.label for box in wine.selectbox]

    assert not shown()
    unfolded(wine, key)
    assert shown()
    k_slider(wine).set_value(9)
    settled(wine)
    assert shown()


def test_the_map_is_coloured_by_the_score(explore):
    scores = mc.curvature(prepare(load_bundled("digits")).points).values
    shown = numbers(points_of(explore)["marker"]["color"])
    np.testing.assert_array_equal(np.argsort(shown), np.argsort(scores))
    assert "coloured by Score κ (automatic: by rank)" in said(explore)
    assert "Automatic: by rank." in said(explore)
    assert "haar, k = 11" in said(explore)


def test_haar_is_the_first_mode_and_the_papers_choice_the_next(wine):
    modes = next(one for one in wine.radio if one.label == "Mode")
    assert modes.options[:2] == ["haar — from the data alone", "auto — as in the paper"]
    assert modes.value == "haar"
    assert "null-space basis" not in said(wine)  # of modes that are not shown nothing is said
    modes.set_value("auto")
    settled(wine)
    assert "auto chose exact (m = 13). k = 7 < m = 13: exact depends on the solver's" in said(wine)
    assert parameter(wine, "mode") == "auto"


def test_an_old_link_that_says_no_mode_opens_in_the_mode_it_was_made_with(opened):
    app = opened(PAGE, v="1", data="bundled:wine")
    assert "auto → exact, k = 7" in said(app)
    assert (parameter(app, "v"), parameter(app, "mode")) == ("3", "auto")


def test_captions_say_what_was_computed_from_what(explore):
    line = "digits · 1 797 × 64 · standardised as in the paper · haar, k = 11 · PCA"
    assert line in said(explore)


def test_a_scale_that_is_chosen_stays(opened):
    app = opened(PAGE, scale="robust")
    assert "72 points of 1 797 beyond take the end colours" in said(app)
    assert "Automatic: " not in said(app)
    k_slider(app).set_value(20)
    settled(app)
    assert "(percentiles 2 to 98)" in said(app)
    assert parameter(app, "scale") == "robust"


def test_moving_k_changes_map_histogram_and_table(explore):
    before = figures(explore)
    table = top_points(explore)
    k_slider(explore).set_value(20)
    settled(explore)
    after = figures(explore)
    assert after["map"]["data"][0]["marker"]["color"] != before["map"]["data"][0]["marker"]["color"]
    assert after["histogram"]["data"][0]["y"] != before["histogram"]["data"][0]["y"]
    assert (top_points(explore)["score"] != table["score"]).any()
    assert parameter(explore, "k") == "20"


def test_a_colour_these_points_do_not_have_gives_way_to_the_score(opened):
    app = opened(PAGE, data="manifold:sphere", colour="label", map="pca")
    assert "colorbar" in points_of(app)["marker"]
    assert "colour" not in app.query_params


def test_a_browser_that_has_not_drawn_the_way_to_drag_changes_nothing(explore):
    explore.session_state["drag"] = None
    settled(explore)
    assert not explore.exception
    assert figures(explore)["map"]["layout"]["dragmode"] == "pan"


def test_a_list_without_ticks_changes_in_place(explore):
    def identity():
        return next(one.proto.id for one in explore.dataframe if "why" in one.value.columns)

    before = identity()
    k_slider(explore).set_value(20)
    settled(explore)
    assert identity() == before


def test_settings_survive_a_visit_to_another_page(explore):
    for value in (8, 9):  # twice: a control without a key loses every second change
        k_slider(explore).set_value(value)
        settled(explore)
    explore.switch_page("app.py")
    settled(explore)
    explore.switch_page(PAGE)
    settled(explore)
    assert k_slider(explore).value == 9
    assert "k = 9" in said(explore)


def test_every_colour_can_be_chosen(wine):
    shown = {}
    without = {"surface", "hypersurface", "truth"}
    names = [name for name, one in MEASURES.items() if without.isdisjoint(one.needs)]
    assert len(names) > 8
    for by in [*names, "label", "column"]:
        wine.selectbox(key="colour.by").set_value(by)
        settled(wine)
        shown[by] = points_of(wine)["marker"]
        assert len(numbers(shown[by]["color"])) == 178, by
    assert numbers(shown["alignment_ratio"]["color"]).min() >= 0.5
    assert numbers(shown["alignment_ratio"]["color"]).max() <= 1.0
    assert set(numbers(shown["label"]["color"])) == {0, 1, 2}


def test_the_fidelity_of_the_map_comes_beside_the_page_on_a_scale_that_fits(opened, monkeypatch):
    released, own = threading.Event(), maps.kept_neighbors

    def late(*arguments, report):
        while not released.wait(0.02):
            report(0.5, "Waiting")
        return own(*arguments, report=report)

    monkeypatch.setattr(maps, "kept_neighbors", late)
    wine = opened(PAGE, data="bundled:wine", k="6")
    wine.selectbox(key="colour.by").set_value("map_fidelity")
    wine.run()
    assert "Map fidelity is not there yet, and so no colour." in said(wine)
    assert wine.button(key="stop:measure")
    assert "colorbar" not in points_of(wine)["marker"]
    released.set()
    settled(wine)
    marker = points_of(wine)["marker"]
    kept = numbers(marker["color"])
    np.testing.assert_allclose(kept * 6, np.round(kept * 6), atol=1e-5)  # shares of 6 neighbours
    ends = np.percentile(kept, (2, 98))
    assert (marker["cmin"], marker["cmax"]) == pytest.approx(tuple(ends))
    assert f"a point keeps {100 * kept.mean():.0f} % on this map" in said(wine)
    assert "by chance it would keep 3.4 %" in said(wine)  # 6 of 177 others
    assert any(box.label == "Colour scale" for box in wine.selectbox)


def test_the_fidelity_of_the_map_can_be_stopped(opened, monkeypatch):
    def never(*arguments, report):
        while True:
            report(0.5, "Waiting")
            time.sleep(0.01)

    monkeypatch.setattr(maps, "kept_neighbors", never)
    wine = opened(PAGE, data="bundled:wine", k="5")
    wine.selectbox(key="colour.by").set_value("map_fidelity")
    wine.run()
    wine.button(key="stop:measure").click()
    settled(wine)
    assert "Map fidelity: stopped. Nothing was kept." in texts(wine)
    assert "Map fidelity is not there yet, and so no colour." in said(wine)


def test_the_layout_so_far_is_shown_while_umap_works(opened, monkeypatch):
    released = threading.Event()

    def late(points, graph, *, report, **settings):
        layout = np.random.default_rng(0).standard_normal((len(points), 2)).astype(np.float32)
        while not released.wait(0.02):
            report(0.5, "Waiting", so_far=layout)
        return layout

    monkeypatch.setattr(maps, "umap_coordinates", late)
    wine = opened(PAGE, data="bundled:wine", map="pca")
    unfolded(wine, "map").selectbox(key="map.kind").set_value("umap").run()
    until(lambda: wine.run().get("image"))
    (picture,) = wine.get("image")
    assert picture.proto.imgs[0].caption == "UMAP so far"
    released.set()
    settled(wine)
    assert not wine.get("image")
    assert "UMAP (15, 0.1, seed 0)" in said(wine)


@pytest.mark.parametrize("scale", ["auto", "log", "rank", "full"])
def test_every_colour_scale_can_be_chosen(wine, scale):
    wine.selectbox(key="colour.scale").set_value(scale)
    settled(wine)
    assert wine.session_state["mecuco"].view.colour.scale == scale
    assert not np.isnan(numbers(points_of(wine)["marker"]["color"])).any()


def test_a_colour_scale_is_offered_for_numbers_only(opened, monkeypatch):
    table = load_bundled("iris").table.assign(kind=["a", "b", "c"] * 50)
    monkeypatch.setattr("mecuco_app.data.sources.load_bundled", lambda name: Dataset(name, table))
    for column, offered in (("kind", False), (table.columns[0], True)):
        app = opened(PAGE, data="bundled:iris", colour="column", column=column)
        assert any(box.label == "Colour scale" for box in app.selectbox) == offered


def test_the_ten_classes_of_digits_have_ten_colours(opened):
    app = opened(PAGE, colour="label")
    points, *legend = figures(app)["map"]["data"]
    assert set(numbers(points["marker"]["color"])) == set(range(10))
    assert [entry["name"] for entry in legend] == list("0123456789")


def test_a_rule_in_the_address_selects(opened):
    app = opened(PAGE, select="top:10", data="bundled:wine")
    values = mc.curvature(prepare(load_bundled("wine")).points).values
    assert sorted(numbers(points_of(app)["selectedpoints"]).astype(int)) == sorted(
        np.argsort(-values, kind="stable")[:18]
    )
    assert "18 points" in texts(app)
    assert len(top_points(app)) == 18
    assert sum(numbers(figures(app)["histogram"]["data"][1]["y"])) == 18


def test_the_zoom_to_a_selection_stays_when_k_is_moved(opened):
    app = opened(PAGE, data="bundled:wine", select="top:5")
    assert "range" not in figures(app)["map"]["layout"]["xaxis"]
    app.button(key="zoom").click()
    settled(app)
    drawn = figures(app)["map"]
    points = drawn["data"][0]
    chosen = numbers(points["selectedpoints"]).astype(int)
    for axis in "xy":
        low, high = drawn["layout"][f"{axis}axis"]["range"]
        inside = numbers(points[axis])[chosen]
        assert low < inside.min() < inside.max() < high
    k_slider(app).set_value(9)
    settled(app)
    assert figures(app)["map"]["layout"]["xaxis"]["range"] == drawn["layout"]["xaxis"]["range"]
    app.button(key="unzoom").click()
    settled(app)
    assert "range" not in figures(app)["map"]["layout"]["xaxis"]


def test_clear_selects_nothing(opened):
    app = opened(PAGE, select="top:10")
    app.button(key="clear").click()
    settled(app)
    assert "Nothing selected" in texts(app)
    assert "select" not in app.query_params


def test_the_point_in_the_address_is_explained(opened):
    app = opened(PAGE, point="1264")
    told = said(app)
    assert "Row 1264, label 1" in told
    assert "local rank" in told
    assert "label disagreement 73 %" in told
    assert "Why: " in told


def test_a_chosen_point_is_ringed_and_nothing_is_said_to_be_unselected(opened):
    app = opened(PAGE, point="3", data="bundled:wine")
    assert "One point chosen, ringed on the map" in texts(app)
    assert "Nothing selected" not in texts(app)
    assert points_of(app).get("selectedpoints") is None
    assert [shape["type"] for shape in figures(app)["map"]["layout"]["shapes"]] == [
        "path",
        "circle",
    ]
    app.button(key="clear").click()
    settled(app)
    assert "Nothing selected" in texts(app)
    assert "shapes" not in figures(app)["map"]["layout"]


def test_a_way_back_is_there_once_the_browser_tells_that_the_map_is_zoomed(opened):
    app = opened(PAGE, data="bundled:wine")
    key = app.session_state["mecuco"].memory["map:drawn"].made_from[0]
    app.session_state["mecuco"].memory["map:seen"] = key, Viewport(window=((0.0, 1.0), (0.0, 1.0)))
    before = figures(settled(app))["map"]["layout"]
    assert "range" not in before["xaxis"]  # only the browser knows
    (back,) = (button for button in app.button if button.label == "Reset view")
    back.click()
    settled(app)
    assert "Reset view" not in [button.label for button in app.button]
    assert figures(app)["map"]["layout"] != before  # so that the browser draws it anew


def test_the_score_of_a_point_is_the_sum_of_its_halves(opened):
    app = opened(PAGE, point="5", data="bundled:iris")
    result = mc.curvature(prepare(load_bundled("iris")).points)
    frame = top_points(app)
    np.testing.assert_allclose(frame["scatter"] + frame["alignment"], frame["score"])
    assert frame["score"].iloc[0] == result.values.max()
    assert "Its 7 neighbours" in [box.proto.popover.label for box in app.get("popover")]


def test_columns_can_be_the_map(opened):
    app = opened(
        PAGE, map="columns", data="bundled:iris", axes="petal length (cm),sepal width (cm)"
    )
    table = load_bundled("iris").table
    np.testing.assert_allclose(numbers(points_of(app)["x"]), table["petal length (cm)"], rtol=1e-6)
    np.testing.assert_allclose(numbers(points_of(app)["y"]), table["sepal width (cm)"], rtol=1e-6)


def test_columns_that_tell_nothing_are_not_the_first_choice(opened):
    app = opened(PAGE, map="columns", data="bundled:digits")
    axes = figures(app)["map"]["layout"]
    titles = [axes[axis]["title"]["text"] for axis in ("xaxis", "yaxis")]
    table = load_bundled("digits").table
    assert titles == [name for name in table.columns if table[name].nunique() > 1][:2]


def test_points_without_a_place_are_counted(opened, monkeypatch):
    table = load_bundled("iris").table.copy()
    table.iloc[:7, 0] = np.nan
    monkeypatch.setattr("mecuco_app.data.sources.load_bundled", lambda name: Dataset(name, table))
    app = opened(PAGE, map="columns", data="bundled:iris")
    assert "7 of 150 points have no value in one of these columns, and no place here." in said(app)


def test_three_dimensions_are_drawn_from_a_stated_sample(opened):
    app = opened(PAGE, data="manifold:sphere", **{"with": "n_points=12000"}, dim="3")
    cloud = figures(app)["map-3d"]["data"][0]
    assert len(numbers(cloud["z"])) == 10_000
    assert "10 000 of 12 000 points are drawn" in texts(app)


def test_the_truth_of_a_manifold_is_a_colour(opened):
    app = opened(PAGE, data="manifold:torus", colour="truth")
    assert len(numbers(points_of(app)["marker"]["color"])) == 2000


def test_three_points_are_enough_for_a_page(opened, tmp_path):
    app = opened(PAGE, data="manifold:sphere", **{"with": "n_points=4"}, map="umap")
    assert "UMAP needs at least 5 points: this is PCA" in said(app)
    assert len(numbers(points_of(app)["x"])) == 4


def test_work_of_minutes_is_asked_for_first(opened):
    app = opened(PAGE, data="manifold:sphere", **{"with": "n_points=2000,ambient_dimension=400"},
                 mode="original")  # fmt: skip
    assert "will take about" in app.info[0].value
    assert app.button(key="start:score")
    assert len(numbers(points_of(app)["x"])) == 2000  # the map is there all the same


def test_the_address_of_another_visitor_is_not_mine(opened):
    first, second = opened(PAGE, k="5"), opened(PAGE, k="9", data="bundled:iris")
    settled(first)
    assert parameter(first, "k") == "5"
    assert parameter(second, "k") == "9"
    assert parameter(first, "data") == "bundled:digits"


@pytest.mark.parametrize(
    "parameters",
    [
        {"k": "-1"}, {"k": "1000", "data": "bundled:iris"}, {"mode": "best"},
        {"map": "columns", "axes": "nothing,at all"}, {"colour": "column", "column": "nothing"},
        {"colour": "label", "data": "manifold:torus"}, {"colour": "truth"}, {"select": "rows:A"},
        {"select": "range:5:1"}, {"point": "999999"}, {"dim": "4"}, {"seed": "x"},
        {"without": "nothing"}, {"rows": "2"}, {"rows": "3"}, {"stratify": "1", "rows": "20"},
    ],
)  # fmt: skip
def test_no_address_breaks_the_page(opened, parameters):
    app = opened(PAGE, **parameters)
    assert not app.exception
    assert "map" in figures(app)


def test_the_caption_says_what_the_colours_are(opened):
    app = opened(PAGE, data="bundled:wine", map="pca", scale="log")
    assert "coloured by Score κ (logarithmic)" in said(app)
    app = opened(PAGE, data="bundled:wine", map="pca", colour="label")
    assert "coloured by Label" in said(app)


def test_in_space_a_selection_can_be_made_and_cleared(opened):
    app = opened(PAGE, data="bundled:wine", map="pca", dim="3", select="top:10")
    assert "18 points" in said(app)
    app.button(key="clear").click()
    settled(app)
    assert "Nothing selected" in said(app)
    app.selectbox(key="top:0#0").set_value(25.0)
    settled(app)
    assert parameter(app, "select") == "top:25"


def test_lecture_mode_is_kept_over_pages(explore):
    explore.toggle(key="lecture").set_value(True)
    settled(explore)
    assert figures(explore)["map"]["layout"]["font"]["size"] > 18
    explore.switch_page("app.py")
    settled(explore)
    assert explore.toggle(key="lecture").value is True


def test_what_the_address_asks_for_in_vain_is_said(opened):
    app = opened(PAGE, data="bundled:wine", k="900", colour="column", column="nope", point="9999")
    said = app.warning[0].value.replace("\\", "")
    for part in ("k=900 (60 is the most here)", "column=nope", "point=9999"):
        assert part in said
    assert k_slider(app).value == 60


def test_the_report_tells_what_other_pages_have_shown(opened):
    app = opened(PAGE, data="bundled:wine")
    for page in ("pages/2_Agreement.py", "pages/3_Boundary_points.py", "pages/4_Method.py"):
        settled(app.switch_page(page))
    kept = app.session_state["mecuco"].shown
    pages = {page for page, _ in kept}
    assert pages == {"Agreement", "Boundary points", "Method"}
    assert kept["Agreement", "agreement-scatter"].figure is not None
    summary = kept["Agreement", "How far they agree"]
    assert summary.table.loc[summary.table["figure"] == "Spearman ρ", "raw"].iloc[0]
    assert not any("**" in text or "\\" in text for one in kept.values() for text in one.sentences)
    report = report_html("wine", list(kept.values()))
    assert "<h2>Agreement: How far they agree</h2>" in report
    assert report.count('class="plotly-graph-div"') == sum(
        one.figure is not None for one in kept.values()
    )
    settled(app.switch_page("pages/1_Explore.py"))
    app.session_state["mecuco"].change("preparation", Preparation(scale="min-max"))
    assert settled(app).session_state["mecuco"].shown == {}
