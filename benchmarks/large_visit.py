"""A large table in a real browser: `python -m benchmarks.large_visit FILE [ROWS]`.

From "Load this table" to the map coloured by the score, to the first picture of UMAP and to the
finished map. FILE is a .parquet of numbers; it is sent as the .npy file of ROWS rows it holds.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import expect, sync_playwright

from tests.browser.conftest import launched
from tests.browser.keeper import running_app
from tests.browser.visitor import Visitor

LONGEST = 600_000  # milliseconds
SIZE = {"width": 1440, "height": 900}


def main() -> None:
    """Measure and print."""
    table = pd.read_parquet(sys.argv[1]).select_dtypes("number")
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else len(table)
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        running_app() as address,
    ):
        file = Path(folder) / "large.npy"
        np.save(file, table.to_numpy()[:rows].astype(np.uint8))
        browser = launched(playwright)
        assert browser is not None, "no Chromium or Chrome was found"
        visitor = Visitor(browser.new_context(viewport=SIZE).new_page(), address)
        page = visitor.page
        page.set_default_timeout(LONGEST)
        visitor.open("/")
        visitor.wait("plot._fullData[0].marker.color.length === 1797", "home-map")
        page.locator("input[type=file]").first.set_input_files(file)
        button = page.get_by_role("button", name="Load this table")
        expect(button).to_be_enabled(timeout=LONGEST)
        button.click()
        started = time.perf_counter()

        def note(what: str) -> None:
            print(f"{time.perf_counter() - started:6.1f} s  {what}", flush=True)

        page.get_by_text("Quick look: large").first.wait_for(timeout=LONGEST)
        note("the points are there")
        visitor.wait("plot._fullData[0].marker.color?.length > 10000", "home-map")
        note("the map is coloured by the score")
        umap = page.get_by_text("UMAP (15, 0.1, seed 0)").first
        first = page.get_by_text("UMAP so far").first
        first.or_(umap).first.wait_for(timeout=LONGEST)
        note("the first picture of UMAP")
        umap.wait_for(timeout=LONGEST)
        note("UMAP is finished")
        browser.close()


if __name__ == "__main__":
    main()
