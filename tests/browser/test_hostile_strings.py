"""Names, labels and values that are markup somewhere: on every page they appear as text.

`window.pwned` would be called by any of them that runs; what makes an element, a picture or a link
would be seen in the page; what fetches would be among the requests abroad.
"""

import io

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import TimeoutError, expect

from tests.browser.conftest import DESK
from tests.browser.visitor import Visitor
from tests.hostile_strings import FORMULAS, STRINGS

pytestmark = pytest.mark.long

NOTICE = "window.pwnedTimes = 0; window.pwned = () => { window.pwnedTimes += 1; };"
HARM = """() => {
    const found = [];
    if (window.pwnedTimes) found.push('a script ran');
    const made = [
        '.pwned', '[onerror]', '[onload]', '[srcdoc]', 'img[src*="evil.test"]',
        'a[href^="javascript"]', 'iframe[src^="javascript"]', 'base',
    ];
    for (const kind of made) {
        for (const one of document.querySelectorAll(kind)) found.push(kind + one.outerHTML);
    }
    // By where they lead: our own links between pages hold the names, as parameters.
    for (const one of document.links) {
        if (one.hostname.includes('evil')) found.push(one.outerHTML);
    }
    // What Markdown makes of them. Our own bold names hold escaped text, never a part of one.
    for (const one of document.querySelectorAll('em, del, blockquote, h1, h2, h3, h4, .katex')) {
        if (/^\\s*(\\w+ )?pwned/.test(one.textContent)) found.push(one.outerHTML);
    }
    for (const one of document.querySelectorAll('strong, code, li')) {
        if (/^(bold|code|item) pwned$/.test(one.textContent.trim())) found.push(one.outerHTML);
    }
    return found;
}"""


def table():
    """Every string as the name of a column, as a label, and as a value."""
    rng = np.random.default_rng(0)
    n_rows = 10 * len(STRINGS)
    frame = pd.DataFrame(rng.standard_normal((n_rows, len(STRINGS))), columns=STRINGS)
    frame["text"] = [STRINGS[(i + 7) % len(STRINGS)] for i in range(n_rows)]
    frame["class"] = [STRINGS[i % len(STRINGS)] for i in range(n_rows)]
    return frame


@pytest.fixture
def watched(browser, address):
    """A visitor whose page notices what must not happen."""
    contexts = []

    def new():
        context = browser.new_context(viewport=DESK, accept_downloads=True)
        contexts.append(context)
        context.add_init_script(NOTICE)
        visitor = Visitor(context.new_page(), address)
        visitor.page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
        return visitor

    yield new
    for context in contexts:
        context.close()


def unharmed(visitor):
    assert visitor.page.evaluate(HARM) == []
    assert visitor.abroad == []
    visitor.no_traceback()


def spots(page, count):
    """Return where some points of the map are, in its own units."""
    return page.evaluate(
        """count => {
            const trace = document.querySelector('.st-key-map .js-plotly-plot')._fullData[0];
            return [...Array(count).keys()].map(i => [trace.x[i * 17], trace.y[i * 17]]);
        }""",
        count,
    )


def uploaded(visitor):
    file = io.BytesIO()
    table().to_parquet(file)
    visitor.open("/?map=pca")
    visitor.wait_drawn("home-map")
    name = "<img src=x onerror=pwned() class=pwned>.parquet".replace("/", "")
    visitor.page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": file.getvalue()}
    )
    button = visitor.page.get_by_role("button", name="Load this table")
    button.wait_for()
    unharmed(visitor)
    button.click()
    visitor.sees("Quick look: <img")
    visitor.wait_drawn("home-map")
    unharmed(visitor)


def test_the_corpus_is_large():
    assert len(set(STRINGS)) >= 50


def test_every_string_is_text_on_every_page(watched, tmp_path):
    visitor = watched()
    page = visitor.page
    uploaded(visitor)
    page.get_by_role("link", name="Explore", exact=True).click()
    visitor.wait_drawn("map")
    unharmed(visitor)

    page.get_by_test_id("stSidebar").get_by_text("Map", exact=True).click()

    # Legend and pointer: every label.
    visitor.choose("Colour", "Label")
    page.get_by_text("Every class").click()
    visitor.wait("plot._fullData.length > 60", "map")
    hovered = set()
    for x, y in spots(page, 40):
        page.mouse.move(*visitor.place("map", x, y))
        page.locator(".hoverlayer .hovertext").first.wait_for()
        hovered |= set(page.locator(".hoverlayer .hovertext").all_text_contents())
        unharmed(visitor)
    assert len(hovered) > 20

    # Titles of colour bars and axes: every name.
    visitor.choose("Colour", "A column")
    title = "plot._fullData[0].marker.colorbar?.title?.text"
    shown = set()
    for _ in STRINGS:
        visitor.wait(f"{title} && !value.includes({title})", "map", sorted(shown))
        shown.add(visitor.trace("map", "marker.colorbar.title.text"))
        unharmed(visitor)
        if len(shown) == len(STRINGS):
            break
        page.get_by_role("combobox", name="Column", exact=True).click()
        page.get_by_role("option").first.wait_for()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
    else:
        pytest.fail("not every name was shown")
    visitor.choose("Layout", "Columns as they came")
    visitor.wait("plot._fullLayout.xaxis.title.text.length > 0", "map")
    unharmed(visitor)

    # One point: its row with every name, its label, its neighbours.
    for x, y in spots(page, 12):
        visitor.wait_drawn("map")
        page.mouse.click(*visitor.place("map", x, y))
        visitor.sees("Why:")
        unharmed(visitor)

    # Everything that can be taken along.
    visitor.choose("Select", "Top 25 %")
    expect(page.get_by_role("button", name="Clear selection")).to_be_enabled()
    page.get_by_role("button", name="Export").click()
    for label in ("Map as HTML", "Report of the session"):
        with page.expect_download() as download:
            page.get_by_role("button", name=label).click()
        path = tmp_path / f"{label}.html"
        download.value.save_as(path)
        reader = watched()
        reader.page.goto(path.as_uri())
        reader.page.wait_for_function("document.querySelector('.js-plotly-plot')?.calcdata")
        unharmed(reader)
    with page.expect_download() as download:
        page.get_by_role("button", name="Scores as CSV").click()
    text = download.value.path().read_text(encoding="utf-8")
    cells = pd.read_csv(io.StringIO(text))["label"].astype(str)
    assert not cells.str.match(r"\s*[=+\-@]").any()
    assert cells.str.contains("cmd", regex=False).sum() == 10 * sum(
        "cmd" in one for one in FORMULAS
    )

    for name in ("Agreement", "Boundary points", "Method", "Paper"):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading").first).to_be_visible()
        page.wait_for_function("document.querySelector('.js-plotly-plot')?.calcdata")
        unharmed(visitor)
    for name in ("Score X-ray", "Null space", "Change of coordinates"):
        page.get_by_role("link", name="Home", exact=True).click()
        visitor.wait_drawn("home-map")
        lesson = page.get_by_role("link", name=name, exact=True)
        try:
            lesson.click(timeout=3000)
        except TimeoutError:  # the list of lessons is closed, as it should be on Home
            page.get_by_text("Lessons").first.click()
            lesson.click()
        page.wait_for_function("document.querySelector('.js-plotly-plot')?.calcdata")
        unharmed(visitor)


PARAMETERS = ("data", "mode", "k", "map", "colour", "select", "focus", "scale", "v")


def test_every_string_is_text_in_the_address(watched):
    from urllib.parse import quote

    visitor = watched()
    for number, text in enumerate(STRINGS):
        for prefix in ("", "bundled:", "file:"):
            # One of the three ways to name data for each string: all ways over the corpus.
            if number % 3 != ("", "bundled:", "file:").index(prefix):
                continue
            query = "&".join(
                f"{name}={quote((prefix if name == 'data' else '') + text)}" for name in PARAMETERS
            )
            visitor.open(f"/Explore?{query}")
            visitor.wait_drawn("map")
            unharmed(visitor)
