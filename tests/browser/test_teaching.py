"""The teaching pages in a real browser, in a lecture hall and on a phone."""

import re

import pytest
from playwright.sync_api import expect

WIDE = "document.documentElement.scrollWidth"
HALL, PHONE = (1920, 1080), (390, 844)
PAGES = {
    "/Shape_operator?around=500": ("surface-scene", "surface-euler", "surface-parameters"),
    "/Ground_truth?n=500&patch=20": ("truth-true-map", "truth-quadric", "truth-knn"),
    "/Score_X-ray?data=bundled:wine&step=6": ("xray-gram", "xray-identity"),
    "/Null_space?m=16&null-k=7": ("null-histogram", "null-axes", "null-fast-errors"),
    "/Gauge?data=bundled:wine&mode=haar": ("change-before", "change-after", "change-overlap"),
}


def drawn(visitor, path, screen):
    """Open a page; check that its figures are there and nothing is wider than the screen."""
    visitor.resize(*screen)
    visitor.open(path)
    width = screen[0]
    for key in PAGES[path]:
        visitor.wait_drawn(key)
        visitor.wait("plot.getBoundingClientRect().right <= value", key, width)
    assert visitor.page.evaluate(WIDE) <= width
    expect(visitor.page.get_by_text("Try this", exact=True)).to_be_visible()
    visitor.no_traceback()
    assert visitor.abroad == []


@pytest.mark.thorough
@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_a_phone(visitor, path):
    drawn(visitor, path, PHONE)


@pytest.mark.thorough
def test_a_click_on_the_parameters_moves_the_point(visitor):
    drawn(visitor, "/Shape_operator?around=500", HALL)
    visitor.page.locator(".st-key-surface-parameters").scroll_into_view_if_needed()
    visitor.click_point("surface-parameters", *visitor.place("surface-parameters", 0.5, 0.5))
    visitor.page.wait_for_url(re.compile("at-v=0.5(&|$)"))
    assert visitor.parameters["at-u"] == "0.5"
    # On the inside of the ring one of the curvatures has changed its sign.
    visitor.wait("Math.max(...plot._fullData[0].y) > 0.7", "surface-euler")
    # Lecture mode makes figures and formulas larger.
    before = visitor.page.locator(".katex").first.bounding_box()["height"]
    visitor.page.get_by_text("Lecture mode").click()
    visitor.wait("plot._fullLayout.font.size > 18", "surface-euler")
    assert visitor.page.locator(".katex").first.bounding_box()["height"] > 1.2 * before
    visitor.no_traceback()


_VIEW = """{
    eye: plot._fullLayout.scene._scene.getCamera().eye,
    hidden: plot._fullData.filter((t) => t.visible === 'legendonly').map((t) => t.name),
}"""


def turned(visitor, key):
    """Turn a figure with the pointer; return where its camera is then."""
    before = visitor.told(key, "plot._fullLayout.scene._scene.getCamera().eye")
    frame = visitor.at_rest(visitor.page.locator(f".st-key-{key} .js-plotly-plot").first)
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    visitor.page.mouse.move(x, y)
    visitor.page.mouse.down()
    visitor.page.mouse.move(x + 60, y - 25, steps=6)
    visitor.page.mouse.up()
    camera = "plot._fullLayout.scene._scene.getCamera()"
    visitor.wait(f"Math.abs({camera}.eye.x - value.x) > 0.05", key, before)
    return visitor.told(key, "plot._fullLayout.scene._scene.getCamera().eye")


def to_scale(visitor, key):
    """Check on the drawn axes that a unit is equally long on each."""
    units = visitor.told(
        key,
        """['x', 'y', 'z'].map((axis) => {
            const scene = plot._fullLayout.scene, [low, high] = scene[axis + 'axis'].range;
            return scene._scene.glplot.getAspectratio()[axis] / (high - low);
        })""",
    )
    assert units == pytest.approx([units[0]] * 3, rel=1e-6)


@pytest.mark.thorough
def test_a_scene_stays_turned_and_its_parts_hidden_while_a_slider_moves(visitor):
    key = "surface-scene"
    drawn(visitor, "/Shape_operator?around=500", HALL)
    visitor.wait("plot._fullData.some((t) => t.name === 'neighbours')", key)  # the last drawing
    to_scale(visitor, key)
    eye = turned(visitor, key)
    visitor.page.locator("input[aria-label='Direction θ of t']").press("ArrowRight")
    visitor.page.wait_for_url(re.compile("angle=40(&|$)"))
    visitor.wait("Math.abs(plot.layout.scene.camera.eye.x - value.x) < 1e-6", key, eye)
    legend = visitor.page.locator(f".st-key-{key} .legend .traces")
    legend.filter(has_text="tangent plane").first.locator(".legendtoggle").click()
    visitor.wait("plot._fullData.some((t) => t.visible === 'legendonly')", key)
    visitor.page.locator("input[aria-label='u']").press("ArrowRight")
    visitor.page.wait_for_url(re.compile("at-u=0.95(&|$)"))
    visitor.wait("plot.data.some((t) => t.visible === 'legendonly')", key)
    after = visitor.told(key, _VIEW)
    assert after["hidden"] == ["tangent plane"]
    assert after["eye"] == pytest.approx(eye, abs=1e-6)
    visitor.no_traceback()


@pytest.mark.thorough
def test_a_map_of_ground_truth_stays_turned_while_k_changes(visitor):
    key = "truth-true-map"
    drawn(visitor, "/Ground_truth?n=500&patch=20", HALL)
    to_scale(visitor, key)
    eye = turned(visitor, key)
    before = visitor.told(key, "plot.data[0].x")
    visitor.page.locator("input[aria-label='Points n']").press("ArrowRight")
    visitor.wait("plot.data[0].x.length !== value", key, len(before))
    after = visitor.told(key, "plot._fullLayout.scene._scene.getCamera().eye")
    assert after == pytest.approx(eye, abs=1e-6)


@pytest.mark.thorough
def test_a_guided_step_of_ground_truth_changes_density_and_link(visitor):
    drawn(visitor, "/Ground_truth?n=500&patch=20", HALL)
    visitor.page.get_by_role("button", name="2 · Change the density, not the shape").click()
    visitor.sees("it shows where points are sparse")
    visitor.page.wait_for_url(re.compile("density=0.8"))
    visitor.no_traceback()


@pytest.mark.thorough
def test_the_steps_of_a_score_lead_to_its_trace(visitor):
    drawn(visitor, "/Score_X-ray?data=bundled:wine&step=6", HALL)
    visitor.page.get_by_role("button", name="Next").click()
    visitor.wait_drawn("xray-shares")
    visitor.sees("It is not a mean curvature")
    assert visitor.parameters["step"] == "7"
    visitor.no_traceback()


@pytest.mark.thorough
def test_a_point_of_explore_is_taken_to_the_x_ray(visitor):
    visitor.open("/Explore?data=bundled:wine&map=pca&point=5")
    visitor.page.get_by_role("button", name="X-ray").click()
    visitor.sees("The 7 points nearest to this one")
    assert visitor.parameters["point"] == "5"
    visitor.no_traceback()


@pytest.mark.thorough
def test_more_neighbours_than_features_leave_no_null_space(visitor):
    drawn(visitor, "/Null_space?m=16&null-k=7", HALL)
    visitor.page.get_by_role("button", name="2 · Take the freedom away").click()
    visitor.sees("no basis is left to choose")
    visitor.no_traceback()


@pytest.mark.thorough
def test_whitening_is_tried_and_the_link_opens_it_again(visitor, arrive):
    first, second = visitor, arrive()
    drawn(first, "/Gauge?data=bundled:wine&mode=haar", HALL)
    first.page.get_by_text("Whiten", exact=True).click()
    first.sees("stay on top after whitening")
    sentence = first.page.get_by_text("stay on top after whitening").first.text_content()
    second.open(first.page.url)
    second.sees("stay on top after whitening")
    again = second.page.get_by_text("stay on top after whitening").first.text_content()
    assert sentence == again
