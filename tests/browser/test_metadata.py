"""Texts and pictures of a visitor's own table, in a real browser: seen, escaped, never fetched."""

import io

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from playwright.sync_api import expect

HARM = "<b class=pwned>bold</b> ![x](http://evil.test/x.png) %{y} http://evil.test/auto"
N_ROWS = 80


def parquet():
    """A table of numbers, with an identifier, a text, a link and a picture for every row."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.standard_normal((N_ROWS, 4)), columns=list("abcd"))
    table["doc"] = [f"D{i:03d}" for i in range(N_ROWS)]
    table["text"] = [f"Line {i} of a text. {HARM} " + "More of it. " * 40 for i in range(N_ROWS)]
    table["url"] = [f"http://evil.test/{i}" for i in range(N_ROWS)]
    table["photo"] = [picture(i) for i in range(N_ROWS)]
    table.loc[7, "photo"] = b"\x89PNG\r\n\x1a\n and nothing more"
    file = io.BytesIO()
    table.to_parquet(file)
    return {
        "name": "documents.parquet", "mimeType": "application/octet-stream",
        "buffer": file.getvalue(),
    }  # fmt: skip


def picture(i):
    file = io.BytesIO()
    Image.new("RGB", (24, 16), (3 * i, 90, 200)).save(file, "PNG")
    return file.getvalue()


def found(visitor, words, says):
    box = visitor.page.get_by_role("textbox", name="Find rows")
    box.fill(words)
    box.press("Enter")
    visitor.sees(says)


@pytest.mark.thorough
def test_text_and_picture_of_a_point_are_seen_and_nothing_is_fetched(visitor):
    visitor.open("/?map=pca")
    visitor.wait_drawn("home-map")
    visitor.page.locator("input[type=file]").set_input_files(parquet())
    visitor.page.get_by_role("button", name="Load this table").click()
    visitor.sees("Quick look: documents")
    visitor.page.get_by_role("button", name="Explore →").click()
    visitor.wait_drawn("map")

    found(visitor, "line 12 of", "1 row with “line 12 of” · row 12 is ringed")
    visitor.sees("D012, row 12")
    visitor.sees("Line 12 of a text. <b class=pwned>bold</b> ![x](http://evil.test/x.png)")
    photo = visitor.page.get_by_role("img", name="Picture of row 12")
    expect(photo).to_be_visible()
    assert photo.evaluate("image => image.naturalWidth") == 24

    x, y = visitor.told("map", "[plot._fullData[0].x[12], plot._fullData[0].y[12]]")
    visitor.page.mouse.move(*visitor.place("map", x, y))
    expect(visitor.page.locator(".hoverlayer .hovertext").first).to_contain_text("doc: D")
    expect(visitor.page.locator(".hoverlayer .hovertext").first).to_contain_text("<b class=pw")

    found(visitor, "d007", "row 7 is ringed")
    visitor.sees("This picture cannot be read")

    shown = visitor.page.get_by_test_id("stDataFrame").last
    for name in ("doc", "photo"):  # what is further right is drawn when it is scrolled to
        expect(shown.locator("th", has_text=name).first).to_be_attached()
    found(visitor, "of a text", f"{N_ROWS} rows with “of a text”, selected")
    assert visitor.page.locator(".pwned, img[src*='evil.test'], a[href*='evil']").count() == 0
    assert visitor.abroad == []
    visitor.no_traceback()
