"""Very many points, from the file to the map, while others use the app too."""

import os
import signal

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

from tests.browser.keeper import running_app
from tests.browser.visitor import Visitor
from tests.light_visitor import LightVisitor
from tests.waiting import until, workers

pytestmark = pytest.mark.long

N_ROWS, N_COLUMNS = 200_000, 50
DESK = {"width": 1440, "height": 1000}
LONG = 600_000  # milliseconds


@pytest.fixture(scope="module")
def large_file(tmp_path_factory):
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 12, N_ROWS)
    points = rng.normal(scale=3, size=(12, N_COLUMNS))[kinds]
    points += 0.6 * rng.normal(size=(N_ROWS, 6)) @ rng.normal(size=(6, N_COLUMNS))
    points += rng.normal(scale=0.3, size=points.shape)
    table = pd.DataFrame(points.round(5), columns=[f"f{i}" for i in range(N_COLUMNS)])
    table["class"] = [f"kind {kind}" for kind in kinds]
    path = tmp_path_factory.mktemp("large") / "large.csv"
    table.to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def server(browser, tmp_path_factory):
    with running_app(MECUCO_CACHE_DIR=str(tmp_path_factory.mktemp("cache"))) as address:
        yield address


@pytest.fixture
def arrive_there(browser, server):
    contexts = []

    def new():
        contexts.append(browser.new_context(viewport=DESK))
        visitor = Visitor(contexts[-1].new_page(), server)
        visitor.page.set_default_timeout(LONG)
        return visitor

    yield new
    for context in contexts:
        context.close()


def answer_seconds(other):
    """Return how long another visitor waits for the whole answer to a click, at most."""
    return max(other.set("Neighbours k", k) for k in (7, 8, 9))


def test_two_hundred_thousand_rows_from_the_file_to_the_map(arrive_there, server, large_file):
    other = LightVisitor(server)  # a second browser would slow the first one, not the server
    other.open("Explore", "data=bundled:digits&map=pca")
    assert "k \\= 11" in " ".join(other.texts)

    visitor = arrive_there()
    visitor.open("/")
    visitor.sees("Quick look")
    visitor.page.locator("input[type=file]").set_input_files(large_file)
    visitor.page.get_by_role("button", name="Load this table").click()
    visitor.sees("Quick look: large", LONG)
    visitor.page.get_by_role("link", name="Explore").first.click()
    visitor.page.wait_for_function(
        "document.querySelector('.st-key-map .js-plotly-plot')?.layout?.images?.length === 1"
    )
    visitor.sees("points as a density")
    visitor.sees("neighbours approximate")
    waits = [answer_seconds(other)]
    while workers():
        waits.append(answer_seconds(other))
    print("another visitor waited at most", max(waits), "s")
    assert max(waits) < 1.0

    # A box takes every point within, not only those the pointer finds.
    visitor.page.get_by_text("Box", exact=True).click()
    visitor.wait("plot._fullLayout.dragmode === 'select'", "map")
    visitor.drag("map", (0.3, 0.3), (0.5, 0.5))
    zoom = visitor.page.get_by_role("button", name="Zoom to selection")
    expect(zoom).to_be_enabled(timeout=LONG)
    zoom.click()
    visitor.sees("points lie here, and all are drawn")
    drawn = visitor.trace("map", "x")
    assert 20_000 < len(drawn) < 100_000
    assert visitor.page.evaluate(
        "(document.querySelector('.st-key-map .js-plotly-plot').layout.images ?? []).length === 0"
    )
    visitor.no_traceback()

    # The map by UMAP, stopped on the way.
    visitor.page.get_by_role("button", name="Reset view").click()
    visitor.page.get_by_role("button", name="Start", exact=True).click()
    visitor.sees("UMAP: epoch", LONG)
    assert len(workers()) == 1
    waits = [answer_seconds(other) for _ in range(6)]
    print("while UMAP runs another visitor waited", np.round(waits, 2), "s")
    assert max(waits) < 1.0
    visitor.page.get_by_role("button", name="Stop", exact=True).click()
    print("gone after", until(lambda: not workers(), 3.0), "s")
    visitor.sees("UMAP: stopped. Nothing was kept.")

    # A worker that the system kills costs a sentence, nothing else.
    visitor.page.get_by_role("button", name="Start again").click()
    visitor.sees("UMAP: epoch", LONG)
    os.kill(workers()[0], signal.SIGKILL)
    visitor.sees("There is not enough memory for this")
    visitor.no_traceback()

    # Who leaves stops the work.
    visitor.page.get_by_role("button", name="Try again").click()
    visitor.sees("UMAP: epoch", LONG)
    assert len(workers()) == 1
    visitor.page.context.close()
    print("after the visitor left:", until(lambda: not workers(), 60.0), "s")
    assert answer_seconds(other) < 1.0
    assert other.exceptions == []
    other.close()
