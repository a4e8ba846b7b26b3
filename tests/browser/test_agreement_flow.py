"""Agreement and Method in a real browser."""

import numpy as np
import pytest
from playwright.sync_api import expect

import mecuco as mc
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.preparation.prepare import prepare

WIDE = "document.documentElement.scrollWidth"


def test_two_modes_are_compared_on_digits(visitor):
    visitor.open("/Agreement")
    visitor.sees("order the points almost alike")
    visitor.sees("% low; fast took")
    points = prepare(load_bundled("digits")).points
    expected = mc.curvature(points, mode="fast").values
    visitor.wait("plot._fullData.at(-1).name === 'points'", "agreement-scatter")
    drawn = visitor.told("agreement-scatter", "plot._fullData.at(-1).y")
    np.testing.assert_allclose(drawn, expected, rtol=1e-5)
    for key in ("agreement-differences", "agreement-ranks", "agreement-overlap"):
        visitor.wait_drawn(key)
    visitor.choose("Compared with it", "haar")
    visitor.sees("Haar and exact order the points")
    assert visitor.parameters["second"] == "haar"
    visitor.no_traceback()
    assert visitor.abroad == []


@pytest.mark.thorough
def test_what_exact_can_be_is_drawn_for_wine(visitor):
    visitor.open("/Agreement?data=bundled:wine")
    visitor.sees("The null space of a neighbourhood has no preferred basis")
    visitor.wait_drawn("agreement-null-spread")
    visitor.wait("plot._fullData.length === 7", "agreement-null-spread")
    visitor.wait_drawn("agreement-scatter")
    visitor.wait("plot._fullData[1].name === 'random null-space bases'", "agreement-scatter")
    visitor.wait_drawn("agreement-null-one")
    visitor.no_traceback()


@pytest.mark.thorough
def test_a_figure_is_saved_as_a_page_that_needs_no_network(visitor):
    visitor.open("/Agreement?data=bundled:iris&k=4")
    visitor.wait_drawn("agreement-ranks")
    with visitor.page.expect_download() as download:
        visitor.page.locator(".st-key-agreement-ranks-save button").first.click()
    assert download.value.suggested_filename == "agreement-ranks.html"
    visitor.page.set_content(download.value.path().read_text(encoding="utf-8"))
    visitor.page.wait_for_function("document.querySelector('.js-plotly-plot')?._fullData?.length")
    visitor.sees("Rank against rank")
    visitor.sees("iris · 150 × 4 · standardised")
    assert visitor.abroad == []


@pytest.mark.thorough
def test_a_link_to_two_modes_opens_the_same_comparison(visitor, arrive):
    first = visitor
    first.open("/Agreement?data=bundled:iris&k=4")
    first.sees("Fast and exact order")
    first.choose("Compared with it", "haar")
    first.sees("Haar and exact order")
    sentence = first.page.get_by_text("Haar and exact order").first.text_content()
    second = arrive()
    second.open(first.page.url)
    second.sees("Haar and exact order")
    again = second.page.get_by_text("Haar and exact order").first.text_content()
    assert sentence.split(";")[0] == again.split(";")[0]  # the rest are measured times


@pytest.mark.thorough
def test_the_method_page_shows_formulas_and_the_numbers_of_the_dataset(visitor):
    visitor.open("/Method?data=bundled:wine&mode=haar")
    visitor.sees("rank correlation of κ with τ")
    for key in ("method-ratio", "method-scatter", "method-fast-figure", "method-change"):
        visitor.wait_drawn(key)
    expect(visitor.page.locator(".katex").first).to_be_visible()
    visitor.page.get_by_role("radio", name="Whiten").click()
    visitor.sees("whitening changes a score by")
    visitor.no_traceback()
    assert visitor.abroad == []


@pytest.mark.thorough
def test_both_pages_fit_a_phone(visitor):
    visitor.resize(390, 844)
    for path, key in (
        ("/Agreement?data=bundled:wine", "agreement-null-spread"),
        ("/Method?data=bundled:wine", "method-ratio"),
        ("/Boundary_points?data=bundled:iris&map=pca", "boundary-map"),
    ):
        visitor.open(path)
        visitor.wait_drawn(key)
        assert visitor.page.evaluate(WIDE) <= 390
        visitor.wait("plot.getBoundingClientRect().width < 390", key)
        visitor.no_traceback()
