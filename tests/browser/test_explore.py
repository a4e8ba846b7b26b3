import numpy as np
import pytest
from playwright.sync_api import expect

import mecuco as mc
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.preparation.prepare import prepare
from mecuco_core.score.ranks import rank_percent
from tests.browser.visitor import COMPILING


def test_moving_k_changes_map_histogram_and_table_together(visitor):
    visitor.open("/Explore?map=pca")
    for key in ("map", "histogram"):
        visitor.wait_drawn(key)
    before = {key: visitor.trace(key, name) for key, name in
              (("map", "marker.color"), ("histogram", "y"))}  # fmt: skip
    top = visitor.cell(0, 2).text_content()
    slider = visitor.page.get_by_role("slider", name="Neighbours k")
    slider.focus()
    visitor.page.keyboard.press("ArrowRight")
    visitor.sees("haar, k = 12")
    visitor.wait("plot._fullData[0].marker.color[0] !== value", "map", before["map"][0])
    visitor.wait("plot._fullData[0].y.join() !== value.join()", "histogram", before["histogram"])
    expect(visitor.cell(0, 2)).not_to_have_text(top)
    assert visitor.parameters["k"] == "12"
    # Values that span decades open on a scale by rank.
    expected = rank_percent(mc.curvature(prepare(load_bundled("digits")).points, 12).values)
    np.testing.assert_allclose(visitor.trace("map", "marker.color"), expected, rtol=1e-6)


def test_the_title_of_an_axis_stands_below_its_numbers(visitor):
    visitor.open("/Explore?map=pca")  # with a colour bar above the map
    visitor.wait_drawn("map")
    numbers, title = visitor.page.evaluate("""() => {
        const frames = (kind) => [...document.querySelectorAll(`.st-key-map ${kind}`)]
            .map((part) => part.getBoundingClientRect());
        return [Math.max(...frames('.xtick text').map((frame) => frame.bottom)),
                frames('.xtitle')[0].top];
    }""")
    assert title > numbers


OUTLINES = """() => {
    window.outlines = {};
    const own = Element.prototype.setAttribute;
    Element.prototype.setAttribute = function (name, value) {
        if (name === 'd' && this.matches('path.point')) {
            const key = this.closest('[class*=st-key-]').className.match(/st-key-[\\w-]+/)[0];
            window.outlines[key] = (window.outlines[key] ?? 0) + 1;
        }
        return own.call(this, name, value);
    };
}"""
ONCE = 2 * 1797  # Plotly gives a point its outline when it places it, and again when it colours it


@pytest.mark.parametrize(
    ("kind", "line", "title"), [("pca", "· PCA ·", "PC 1"), ("umap", "UMAP (15, 0.1, seed 0)", "")]
)
def test_a_figure_is_drawn_once_when_k_moves(visitor, kind, line, title):
    visitor.open(f"/Explore?k=20&map={kind}")
    visitor.sees(line, COMPILING)
    visitor.wait("(plot._fullLayout.xaxis.title.text ?? '') === value", "map", title)
    visitor.page.evaluate(OUTLINES)
    colour = visitor.trace("map", "marker.color")[0]
    visitor.page.get_by_role("slider", name="Neighbours k").focus()
    visitor.page.keyboard.press("ArrowRight")
    visitor.wait("plot._fullData[0].marker.color[0] !== value", "map", colour)
    visitor.wait("plot.layout.width === plot._fullLayout.width", "map")  # Streamlit is done too
    visitor.page.evaluate("() => new Promise((done) => requestIdleCallback(done))")
    assert visitor.page.evaluate("window.outlines['st-key-map']") == ONCE


# Long, and so not in CI: where a browser gets the style of the page late, figures are drawn anew.
@pytest.mark.long
@pytest.mark.parametrize(
    ("page", "keys"),
    [
        ("/Method", ["method-scatter", "method-fast-figure", "method-change"]),
        ("/Boundary_points?map=pca", ["boundary-map"]),
        ("/Explore?map=pca&colour=label", ["map"]),
    ],
)
def test_figures_of_many_points_are_drawn_once(arrive, page, keys):
    visitor = arrive()
    visitor.page.add_init_script(f"({OUTLINES})()")
    for _ in range(2):  # the first time figures may be others until all is computed
        visitor.open(page)
        for key in keys:
            visitor.wait("plot.layout.width === plot._fullLayout.width", key)
    visitor.page.evaluate("() => new Promise((done) => requestIdleCallback(done))")
    assert visitor.page.evaluate("window.outlines") == {f"st-key-{key}": ONCE for key in keys}


@pytest.mark.thorough
def test_a_slider_moved_quickly_ends_where_it_was_left(visitor):
    visitor.open("/Explore?map=pca&data=bundled:wine")
    visitor.wait_drawn("map")
    visitor.page.get_by_role("slider", name="Neighbours k").focus()
    for _ in range(8):
        visitor.page.keyboard.press("ArrowRight")
    visitor.sees("haar, k = 15")
    expect(visitor.page.get_by_role("slider", name="Neighbours k")).to_have_value("15")
    visitor.no_traceback()


@pytest.mark.thorough
def test_what_the_wheel_zoomed_to_stays_when_k_moves_and_a_point_is_clicked(visitor):
    def ranges():
        return visitor.told("map", "['xaxis', 'yaxis'].flatMap((n) => plot._fullLayout[n].range)")

    visitor.open("/Explore?map=pca")
    visitor.wait_drawn("map")
    whole = ranges()
    x, y = (visitor.trace("map", axis) for axis in "xy")
    visitor.page.mouse.move(*visitor.place("map", x[0], y[0]))
    visitor.wait("plot.on('plotly_relayout', () => { plot.zoomed = true; })", "map")
    visitor.page.mouse.wheel(0, -400)
    visitor.wait("plot.zoomed", "map")
    zoomed = ranges()
    assert zoomed != whole
    visitor.page.mouse.click(*visitor.place("map", x[0], y[0]))  # at once: no time to tell before
    stays = "plot._fullLayout.xaxis.range[0] === value"
    visitor.wait(f"plot._fullLayout.shapes.length === 2 && {stays}", "map", zoomed[0])
    assert ranges() == zoomed
    colour = visitor.trace("map", "marker.color")[0]
    visitor.page.get_by_role("slider", name="Neighbours k").focus()
    visitor.page.keyboard.press("ArrowRight")
    visitor.wait("plot._fullData[0].marker.color[0] !== value", "map", colour)
    assert ranges() == zoomed
    visitor.page.get_by_role("button", name="Reset view").click()
    visitor.wait("plot._fullLayout.xaxis.range[0] === value", "map", whole[0])


@pytest.mark.thorough
def test_a_spatial_map_stays_turned_when_k_moves(visitor):
    def eye():
        camera = "plot._fullLayout.scene._scene.getCamera()"
        return visitor.told("map-3d", f"Object.values({camera}.eye)")

    visitor.open("/Explore?map=pca&dim=3&data=bundled:wine")
    visitor.wait_drawn("map-3d")
    usual = eye()
    area = visitor.at_rest(visitor.page.locator(".st-key-map-3d .js-plotly-plot"))
    visitor.page.mouse.move(area["x"] + 200, area["y"] + 200)
    visitor.page.mouse.down()
    visitor.page.mouse.move(area["x"] + 320, area["y"] + 260, steps=6)
    visitor.page.mouse.up()
    visitor.wait("plot._fullLayout.scene._scene.getCamera().eye.x !== value", "map-3d", usual[0])
    turned, colour = eye(), visitor.trace("map-3d", "marker.color")[0]
    visitor.page.get_by_role("slider", name="Neighbours k").focus()
    visitor.page.keyboard.press("ArrowRight")
    visitor.wait("plot._fullData[0].marker.color[0] !== value", "map-3d", colour)
    visitor.wait("plot._fullLayout.scene._scene", "map-3d")
    assert eye() == pytest.approx(turned)


@pytest.mark.thorough
def test_what_a_link_asks_is_shown_though_the_map_comes_while_the_browser_loads(arrive):
    for seed in (71, 72):
        visitor = arrive()
        visitor.open(f"/Explore?data=bundled:wine&seed={seed}")
        expect(visitor.page.get_by_text(f"seed {seed})").first).to_be_visible(timeout=COMPILING)
        visitor.wait_drawn("map")
        expect(visitor.page.get_by_role("radio", name="Click")).to_be_checked()
        slider = visitor.page.get_by_role("slider", name="Neighbours k")
        expect(slider).to_have_value("7")
        slider.focus()
        visitor.page.keyboard.press("ArrowRight")
        visitor.sees("haar, k = 8")
        assert visitor.parameters["data"] == "bundled:wine"
        assert visitor.parameters["seed"] == str(seed)


def test_a_link_opens_the_same_view_in_another_browser(visitor, arrive):
    visitor.open("/Explore?map=pca&k=7&mode=haar&colour=ratio&scale=full&select=top:5")
    visitor.wait_drawn("map")
    visitor.sees("90 points")
    visitor.page.get_by_role("button", name="Copy link").click()
    link = visitor.page.get_by_test_id("stCode").first.inner_text().strip()
    second = arrive()
    second.open(link)
    second.wait_drawn("map")
    second.sees("score by haar, k = 7")
    second.sees("90 points")
    for name in ("marker.color", "selectedpoints", "x"):
        assert second.trace("map", name) == visitor.trace("map", name), name
    assert second.parameters == visitor.parameters


def test_umap_can_be_stopped_and_started_again(visitor):
    visitor.open("/Explore?data=manifold:swiss-roll&with=n_points%3D6000")
    visitor.wait_drawn("map")
    visitor.page.get_by_role("button", name="Stop").click()
    visitor.sees("UMAP: stopped. Nothing was kept.", COMPILING)
    visitor.sees("This is PCA; UMAP was not made.")
    visitor.page.get_by_role("button", name="Start again").click()
    expect(visitor.page.get_by_role("button", name="Stop")).to_be_visible()
    visitor.page.get_by_role("button", name="Stop").click()
    visitor.sees("UMAP: stopped. Nothing was kept.")


def test_on_a_phone_nothing_is_wider_than_the_screen(visitor):
    visitor.resize(390, 844)
    for path, key in (("/", "home-map"), ("/Explore?map=pca", "map")):
        visitor.open(path)
        visitor.wait_drawn(key)
        wide = visitor.page.evaluate(
            "document.querySelector('[data-testid=stMain]').scrollWidth - window.innerWidth"
        )
        assert wide <= 0, path
        visitor.no_traceback()
    assert visitor.abroad == []


@pytest.mark.thorough
def test_map_and_report_are_pages_that_need_no_network(visitor, arrive, tmp_path):
    visitor.open("/Explore?map=pca&data=bundled:wine&select=top:10")
    visitor.wait_drawn("map")
    visitor.page.get_by_role("button", name="Export").click()
    for label, n_figures in (("Map as HTML", 1), ("Report of the session", 2)):
        with visitor.page.expect_download() as download:
            visitor.page.get_by_role("button", name=label).click()
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        reader = arrive()
        reader.page.goto(path.as_uri())
        reader.page.wait_for_function(
            "n => [...document.querySelectorAll('.js-plotly-plot')].filter(p => p.calcdata)"
            ".length === n",
            arg=n_figures,
        )
        reader.sees("wine · 178 × 13")
        assert reader.abroad == []


@pytest.mark.thorough
def test_lecture_mode_stays_on_over_pages(visitor):
    visitor.open("/Explore?map=pca&data=bundled:wine")
    visitor.wait_drawn("map")
    visitor.page.get_by_text("Lecture mode").click()
    visitor.wait("plot._fullLayout.font.size > 18", "map")
    visitor.page.get_by_role("link", name="Home", exact=True).click()
    visitor.wait_drawn("home-map")
    expect(visitor.page.get_by_role("switch", name="Lecture mode")).to_be_checked()
    visitor.wait("plot._fullLayout.font.size > 18", "home-map")


@pytest.mark.thorough
def test_data_changed_while_umap_runs_have_a_k_of_their_own(visitor):
    for seed in (9, 10):  # the browser may or may not have asked in between
        visitor.open(f"/Explore?data=manifold:swiss-roll&with=n_points%3D6000&seed={seed}")
        visitor.sees("k = 13")  # round(log2 n)
        expect(visitor.page.get_by_role("button", name="Stop").first).to_be_visible()
        visitor.choose("Dataset", "wine")
        visitor.sees("wine · score by haar")
        visitor.wait("plot._fullData[0].x.length === 178", "map")
        visitor.sees("k = 7")
        assert "k" not in visitor.parameters
