import time

from playwright.sync_api import expect


def test_home_opens_on_the_coloured_map_of_digits_without_a_click(visitor):
    started = time.monotonic()
    visitor.open()
    visitor.wait_drawn("home-map")
    visitor.wait("plot._fullData[0].marker.color.length === 1797", "home-map")
    assert time.monotonic() - started < 60  # 15 s on a machine that does nothing else
    visitor.sees("Quick look: digits")
    visitor.no_traceback()
    assert visitor.abroad == []


def test_a_map_stands_at_once_and_umap_replaces_it(visitor):
    visitor.open("/Explore?seed=5")  # a map that no other test asks for
    visitor.wait_drawn("map")
    expect(visitor.page.get_by_text("UMAP (15, 0.1, seed 5)").first).to_be_visible(timeout=90_000)
    visitor.wait("plot._fullLayout.xaxis.title.text !== 'PC 1'", "map")
    assert len(visitor.trace("map", "x")) == 1797


def test_a_second_visitor_with_warm_caches_has_the_whole_page_soon(visitor, arrive):
    visitor.open("/Explore")
    expect(visitor.page.get_by_text("UMAP (15, 0.1, seed 0)").first).to_be_visible(timeout=90_000)
    second = arrive()
    started = time.monotonic()
    second.open("/Explore")
    for key in ("map", "histogram"):
        second.wait_drawn(key)
    second.sees("UMAP (15, 0.1, seed 0)")
    second.sees("Top points")
    assert time.monotonic() - started < 45  # 3 s on a machine that does nothing else
