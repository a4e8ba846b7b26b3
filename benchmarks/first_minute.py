"""What a visitor waits for, in a real browser: `python -m benchmarks.first_minute`.

The server starts as on a fresh machine, with nothing compiled. Needs Chromium, as the browser tests
do. Writes benchmarks/results/first_minute.md.
"""

import datetime
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
from playwright.sync_api import Browser, expect, sync_playwright

from benchmarks.__main__ import RESULTS, as_markdown
from tests.browser.conftest import launched
from tests.browser.keeper import running_app
from tests.browser.visitor import Visitor

REPEATS = 3
SIZE = {"width": 1440, "height": 900}


@contextmanager
def fresh_server() -> Iterator[str]:
    """Run the app with empty caches; yield its address once it answers."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_app(
            NUMBA_CACHE_DIR=f"{folder}/numba", MECUCO_CACHE_DIR=f"{folder}/cache"
        ) as address,
    ):
        yield address


class Watch:
    """Collects what took how long."""

    def __init__(self) -> None:
        self.table: list[dict[str, object]] = []
        self.started = time.perf_counter()

    def start(self) -> None:
        """Start to count."""
        self.started = time.perf_counter()

    def note(self, what: str, goal: float | None = None) -> None:
        """Note the seconds since the start."""
        took = time.perf_counter() - self.started
        self.table.append({"what": what, "seconds": took, "goal": goal or "–"})
        print(f"{took:6.2f} s  {what}", flush=True)


def whole_page(visitor: Visitor) -> None:
    """Wait until map, histogram and table of Explore are there, the map by UMAP."""
    expect(visitor.page.get_by_text("UMAP (15, 0.1, seed 0)").first).to_be_visible(timeout=180_000)
    for key in ("map", "histogram"):
        visitor.wait_drawn(key)
    visitor.sees("Top points")


def measure(browser: Browser, address: str, watch: Watch) -> None:
    """Be the first visitor, then later ones."""

    def arrive() -> Visitor:
        return Visitor(browser.new_context(viewport=SIZE).new_page(), address)

    first = arrive()
    watch.start()
    first.open()
    first.wait("plot._fullData[0].marker.color.length === 1797", "home-map")
    watch.note("fresh machine: Home, coloured map of digits", 15)
    first.open("/Explore")
    whole_page(first)
    watch.note("fresh machine: Explore with UMAP, compiled on the way")
    for _ in range(REPEATS):
        visitor = arrive()
        watch.start()
        visitor.open()
        visitor.wait("plot._fullData[0].marker.color.length === 1797", "home-map")
        watch.note("warm server, new browser: Home", 3)
        visitor.open("/")
        watch.start()
        visitor.open("/Explore")
        whole_page(visitor)
        watch.note("warm server, same browser: Explore, whole page", 3)
        slider = visitor.page.get_by_role("slider", name="Neighbours k")
        for _ in range(2):
            colour = visitor.trace("map", "marker.color")[0]
            counts = visitor.trace("histogram", "y")
            slider.focus()
            watch.start()
            visitor.page.keyboard.press("ArrowRight")
            visitor.wait("plot._fullData[0].marker.color[0] !== value", "map", colour)
            visitor.wait("plot._fullData[0].y.join() !== value.join()", "histogram", counts)
            watch.note("moving k: map and histogram redrawn", 1)
        visitor.page.context.close()


def main() -> None:
    """Measure, print, write."""
    watch = Watch()
    with sync_playwright() as playwright:
        browser = launched(playwright)
        if browser is None:
            sys.exit("no Chromium or Chrome was found")
        with fresh_server() as address:
            measure(browser, address, watch)
        browser.close()
    table = pd.DataFrame(watch.table).groupby(["what", "goal"], sort=False)["seconds"]
    summary = table.agg(["min", "median", "max"]).reset_index()
    lines = [
        "# The first minute, in Chromium",
        "",
        f"{datetime.date.today()} · Python {platform.python_version()} · "
        f"{os.cpu_count()} processors for server and browser together, no graphics card.",
        "",
        as_markdown(summary),
    ]
    path: Path = RESULTS / "first_minute.md"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
