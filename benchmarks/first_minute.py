"""What a visitor waits for, in a real browser: `python -m benchmarks.first_minute`.

First on a server that starts as on a fresh machine, with nothing compiled; then on one that finds
all compiled, as after `make setup`, in browsers that are new and that were here before. Needs
Chromium, as the browser tests do. Writes benchmarks/results/first_minute.md.
"""

import datetime
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd
from playwright.sync_api import Browser, expect, sync_playwright

from benchmarks.__main__ import RESULTS, as_markdown
from tests.browser.conftest import launched
from tests.browser.keeper import running_app
from tests.browser.visitor import Visitor

REPEATS = 3
SIZE = {"width": 1440, "height": 900}


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


def arrive(browser: Browser, address: str) -> Visitor:
    """Come with a browser that was never here."""
    return Visitor(browser.new_context(viewport=SIZE).new_page(), address)


def open_home(visitor: Visitor) -> None:
    """Open Home and wait for the coloured map of digits."""
    visitor.open()
    visitor.wait("plot._fullData[0].marker.color.length === 1797", "home-map")


def open_explore(visitor: Visitor) -> None:
    """Open Explore and wait for all of it."""
    visitor.open("/Explore")
    whole_page(visitor)


def measure_fresh(browser: Browser, address: str, watch: Watch) -> None:
    """Be the first visitor on a machine."""
    first = arrive(browser, address)
    watch.start()
    open_home(first)
    watch.note("fresh machine: Home, coloured map of digits", 15)
    open_explore(first)
    watch.note("fresh machine: Explore with UMAP, compiled on the way")
    first.page.context.close()


def measure_warm(browser: Browser, address: str, watch: Watch) -> None:
    """Be later visitors, and one who comes back."""
    open_explore(arrive(browser, address))
    for _ in range(REPEATS):
        visitor = arrive(browser, address)
        watch.start()
        open_home(visitor)
        watch.note("warm server, new browser: Home", 3)
        open_explore(visitor)
        watch.start()
        open_home(visitor)
        watch.note("warm server, browser that was here before: Home", 3)
        watch.start()
        open_explore(visitor)
        watch.note("warm server, browser that was here before: Explore, whole page", 3)
        for _ in range(2):
            move_k(visitor, watch)
        visitor.page.context.close()


def move_k(visitor: Visitor, watch: Watch) -> None:
    """Move the slider one step and wait for map, histogram and table."""
    slider = visitor.page.get_by_role("slider", name="Neighbours k")
    colour = visitor.trace("map", "marker.color")[0]
    counts = visitor.trace("histogram", "y")
    top = visitor.cell(0, 2).text_content() or ""
    slider.focus()
    watch.start()
    visitor.page.keyboard.press("ArrowRight")
    visitor.wait("plot._fullData[0].marker.color[0] !== value", "map", colour)
    visitor.wait("plot._fullData[0].y.join() !== value.join()", "histogram", counts)
    # Looked at in every frame: `expect` would look a few times a second only.
    visitor.page.wait_for_function(
        "([cell, top]) => cell.isConnected && cell.textContent !== top",
        arg=[visitor.cell(0, 2).element_handle(), top],
    )
    watch.note("moving k: map, histogram and table redrawn", 1)


def main() -> None:
    """Measure, print, write."""
    watch = Watch()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = launched(playwright)
        if browser is None:
            sys.exit("no Chromium or Chrome was found")
        caches = {"NUMBA_CACHE_DIR": f"{folder}/numba", "MECUCO_CACHE_DIR": f"{folder}/cache"}
        with running_app(**caches) as address:
            measure_fresh(browser, address, watch)
        subprocess.run(
            [sys.executable, "-m", "mecuco_app.results.warming"],
            env={**os.environ, **caches},
            check=True,
        )
        with running_app(**caches) as address:
            measure_warm(browser, address, watch)
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
