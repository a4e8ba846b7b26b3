import pytest

from tests.browser.visitor import COMPILING


def test_home_opens_on_the_coloured_map_of_digits_without_a_click(visitor):
    visitor.open()
    visitor.wait_drawn("home-map")
    visitor.wait("plot._fullData[0].marker.color.length === 1797", "home-map")
    visitor.sees("Quick look: digits")
    visitor.no_traceback()
    assert visitor.abroad == []


def test_a_map_stands_at_once_and_umap_replaces_it(visitor):
    visitor.open("/Explore?seed=5")  # a map that no other test asks for
    visitor.wait_drawn("map")
    visitor.sees("UMAP (15, 0.1, seed 5)", COMPILING)
    visitor.wait("plot._fullLayout.xaxis.title.text !== 'PC 1'", "map")
    assert len(visitor.trace("map", "x")) == 1797


@pytest.mark.thorough
def test_a_second_visitor_finds_the_whole_page_computed(visitor, arrive):
    visitor.open("/Explore")
    visitor.sees("UMAP (15, 0.1, seed 0)", COMPILING)
    second = arrive()
    second.open("/Explore")
    for key in ("map", "histogram"):
        second.wait_drawn(key)
    second.sees("UMAP (15, 0.1, seed 0)")
    second.sees("Top 200 of")
