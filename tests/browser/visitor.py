"""What a visitor of the app does and sees; waits for conditions, never for time."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import FloatRect, Locator, Page, Request, TimeoutError, WebSocket, expect

PATIENCE = 90_000  # milliseconds
COMPILING = 300_000  # UMAP, the first time on a machine that does other things too
_LOCAL = ("http://127.0.0.1", "ws://127.0.0.1", "file:", "data:", "blob:")
_PLOT = "document.querySelector('.st-key-' + key + ' .js-plotly-plot')"


class Visitor:
    """One page, and with it one session of the app.

    Attributes
    ----------
    abroad : list of str
        Requests to anywhere but this machine; the browser finds no other host.
    """

    def __init__(self, page: Page, address: str) -> None:
        self.address = address
        self.abroad: list[str] = []
        self.page = page
        # Listening only: a route would keep the browser from using what it has already loaded.
        for event in ("request", "websocket"):
            self.page.on(event, self._note)
        self.page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)

    def _note(self, request: Request | WebSocket) -> None:
        if not request.url.startswith(_LOCAL):
            self.abroad.append(request.url)

    def leave(self) -> None:
        """Look no more at the page, which another visitor takes: it knows nothing of this one."""
        for event in ("request", "websocket"):
            self.page.remove_listener(event, self._note)
        self.page.goto("about:blank")
        self.page.context.clear_cookies()

    def resize(self, width: int, height: int) -> None:
        """Take another screen."""
        self.page.set_viewport_size({"width": width, "height": height})

    def open(self, path: str = "/") -> None:
        """Open a page of the app, or a whole address."""
        self.page.goto(path if path.startswith("http") else self.address + path)

    @property
    def parameters(self) -> dict[str, str]:
        """What the address bar holds."""
        return {name: values[0] for name, values in parse_qs(urlsplit(self.page.url).query).items()}

    def wait_drawn(self, key: str) -> None:
        """Wait until a figure is drawn."""
        self.wait("true", key)

    def wait(self, condition: str, key: str, value: Any = None) -> None:
        """Wait until an expression in `value` and `plot`, the figure of that key, is true."""
        self.page.wait_for_function(
            f"""([key, value]) => {{
                const plot = {_PLOT};
                return plot && plot._fullLayout && plot.calcdata && ({condition});
            }}""",
            arg=[key, value],
        )

    def trace(self, key: str, name: str, number: int = 0) -> Any:
        """Return one attribute of a trace of a figure, as plain values."""
        path = "value.reduce((part, name) => part?.[name], plot._fullData)"
        return self.told(key, path, [number, *name.split(".")])

    def told(self, key: str, expression: str, value: Any = None) -> Any:
        """Return an expression in `value` and `plot`, as `wait` takes it, as plain values.

        Of a figure that is drawn, and in one step: between two it may be drawn anew.
        """
        text = self.page.wait_for_function(
            f"""([key, value]) => {{
                const plot = {_PLOT};
                if (!plot?._fullLayout || !plot.calcdata) return null;
                const plain = (_, part) => ArrayBuffer.isView(part) ? Array.from(part) : part;
                return JSON.stringify(({expression}) ?? null, plain);
            }}""",
            arg=[key, value],
        ).json_value()
        return json.loads(text)

    def place(self, key: str, x: float, y: float) -> tuple[float, float]:
        """Return where on the screen a point of a figure is."""
        self.at_rest(self.page.locator(f".st-key-{key} .js-plotly-plot").first)
        at = self.page.wait_for_function(
            f"""([key, x, y]) => {{
                const plot = {_PLOT};
                if (!plot?._fullLayout?.xaxis || !plot.calcdata) return null;
                const frame = plot.getBoundingClientRect();
                const across = plot._fullLayout.xaxis, up = plot._fullLayout.yaxis;
                return [frame.x + across._offset + across.l2p(x), frame.y + up._offset + up.l2p(y)];
            }}""",
            arg=[key, x, y],
        ).json_value()
        return at[0], at[1]

    def click_point(self, key: str, x: float, y: float) -> None:
        """Click a point at a place of the screen, as soon as the figure tells what is there."""
        self.page.mouse.move(x - 3, y)
        self.page.mouse.move(x, y)
        self.wait("plot._hoverdata?.length", key)
        self.page.mouse.click(x, y)

    def cell(self, row: int, column: int) -> Locator:
        """Return a cell of the first table of the page."""
        return self.page.locator(
            f"[data-testid=stDataFrame] [aria-rowindex='{row + 2}'] [aria-colindex='{column + 1}']"
        ).first

    def at_rest(self, part: Locator) -> FloatRect:
        """Return where a part of the page is, once what comes above it no longer moves it."""
        part.evaluate("""async (part) => {
            let before, still = 0;
            while (still < 5) {
                await new Promise(requestAnimationFrame);
                const { x, y } = part.getBoundingClientRect(), place = `${x} ${y}`;
                still = place === before ? still + 1 : 0;
                before = place;
            }
        }""")
        area = part.bounding_box()
        assert area is not None
        return area

    def tick(self, table: Locator, row: int = 0) -> None:
        """Tick a row of a table, once its rows are there."""
        table.locator(f"[aria-rowindex='{row + 2}']").first.wait_for(state="attached")
        area = self.at_rest(table)
        self.page.mouse.click(area["x"] + 18, area["y"] + 35 * (row + 1) + 17)

    def drag(self, key: str, *corners: tuple[float, float]) -> None:
        """Draw a line through places given as shares of the width and height of a figure."""
        area = self.at_rest(self.page.locator(f".st-key-{key} .nsewdrag").first)
        way = [(area["x"] + area["width"] * x, area["y"] + area["height"] * y) for x, y in corners]
        self.page.mouse.move(*way[0])
        self.page.mouse.down()
        for x, y in way[1:]:
            self.page.mouse.move(x, y, steps=8)
        self.page.mouse.up()

    def choose(self, label: str, option: str) -> None:
        """Choose an option of a list."""
        wanted = self.page.get_by_role("option", name=option, exact=True)
        self.page.get_by_role("combobox", name=label, exact=True).click()
        try:
            wanted.wait_for(timeout=3000)
        except TimeoutError:  # what was still moving when it was clicked closes its list
            self.page.get_by_role("combobox", name=label, exact=True).click()
        wanted.click()

    def sees(self, text: str, patience: int = PATIENCE) -> None:
        """Wait until a text is on the page."""
        expect(self.page.get_by_text(text).first).to_be_visible(timeout=patience)

    def no_traceback(self) -> None:
        """Check that the page shows no exception."""
        expect(self.page.get_by_test_id("stException")).to_have_count(0)
        expect(self.page.get_by_text("Traceback")).to_have_count(0)
