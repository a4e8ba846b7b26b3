"""A visitor who takes random steps, and looks after each at what belongs together."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Error, Page, TimeoutError

from mecuco_app.data.sources import loaded
from mecuco_app.view.settings import DataChoice
from mecuco_core.datasets.files import read_with_notes
from mecuco_core.types import MODES

FILE = "a,b,c,kind\n" + "".join(f"{i},{i * i % 11},{i % 7},{i % 2}\n" for i in range(60))
PATIENCE = 60.0
QUICK = 10.0

# What is on the page at rest: its words, the list of recent datasets excepted, and how many points.
_SHOWN = """() => {
    const app = document.querySelector('[data-testid=stApp]');
    if (app?.dataset.testScriptState !== 'notRunning') return null;
    const recent = document.querySelector('.st-key-recent')?.innerText ?? '';
    const text = document.querySelector('[data-testid=stMain]').innerText.replace(recent, '');
    const keys = ['map', 'home-map'].map(key => `.st-key-${key} .js-plotly-plot`);
    const traces = document.querySelector(keys.join())?._fullData ?? [];
    const points = traces.find(one => one.mode?.includes('markers') && one.x?.length > 20);
    return { text, points: points?.x.length ?? null };
}"""
PAGES = ("Explore", "Method", "Boundary points")


@dataclass(frozen=True)
class Expected:
    """What belongs to one dataset."""

    name: str
    n_points: int
    fingerprint: str


def expected() -> dict[str, Expected]:
    """Return what belongs to each address of the three datasets."""
    found = {}
    for name in ("iris", "wine"):
        dataset = loaded(DataChoice("bundled", name)).dataset
        found[f"bundled:{name}"] = Expected(name, dataset.n_rows, dataset.fingerprint[:16])
    mine = read_with_notes(FILE.encode(), name="mine.csv", find_target=True).dataset
    found["file:mine.csv"] = Expected("mine", mine.n_rows, mine.fingerprint[:16])
    return found


class Walk:
    """One visitor, three datasets, and a seed.

    Parameters
    ----------
    visitor : Visitor
    random : random.Random
    """

    def __init__(self, visitor, random):
        self.visitor, self.random = visitor, random
        self.expected = expected()
        self.tabs: list[Page] = [visitor.page]
        self.taken: list[str] = []
        visitor.open("/?map=pca&data=bundled:wine")
        visitor.page.set_default_timeout(1000 * QUICK)
        self.check()
        self.take(self.upload)
        # A load that gives way to another choice ends: the file is to be there first.
        visitor.page.wait_for_url("**data=file%3Amine.csv**")
        self.check()

    @property
    def page(self) -> Page:
        """The tab that is looked at."""
        return self.tabs[-1]

    def go(self, steps: int) -> None:
        """Take so many steps."""
        ways = [
            *3 * [self.navigate], *2 * [self.back], self.forward, *2 * [self.reload],
            *2 * [self.move_k], self.mode, *2 * [self.choose], self.recent, self.select,
            self.upload, self.second_tab,
        ]  # fmt: skip
        for _ in range(steps):
            way = self.random.choice(ways)
            self.taken.append(way.__name__)
            try:
                self.take(way)
                self.page.wait_for_timeout(self.random.choice((0, 50, 400)))
                if self.random.random() < 0.7:  # else the next step comes before this one is done
                    self.check()
            except (AssertionError, TimeoutError) as error:
                raise AssertionError(f"after {self.taken}: {error}") from error
        self.check()

    def take(self, way: Callable[[], None]) -> None:
        """Take a step; once more where the page went elsewhere under it, by a step before."""
        try:
            way()
        except TimeoutError:
            self.check()
            way()

    def check(self) -> None:
        """Wait until the page is at rest; name, address, points and fingerprint belong together."""
        page, until = self.page, time.monotonic() + PATIENCE
        while True:
            found = self._found(page)
            if found is not None and found[0] == found[1]:
                return
            assert time.monotonic() < until, f"shown {found}, at {page.url}"
            page.wait_for_timeout(100)

    def _found(self, page: Page):
        """Return what the page shows and what its address stands for; None before it is there."""
        if page.url == "about:blank":  # back beyond the first step
            page.go_forward()
            return None
        address = parse_qs(urlsplit(page.url).query)
        data = address.get("data", [""])[0]
        try:
            shown = page.evaluate(_SHOWN)
        except Error:  # the page is being left
            return None
        if shown is None or data not in self.expected:
            return None
        want, text = self.expected[data], shown["text"]
        assert "digits · " not in text, text[:300]
        assert "Quick look: digits" not in text, text[:300]
        named = re.findall(r"Quick look: (\w+)|^(\w+) · (?:score by|\d+ × )", text, re.MULTILINE)
        sizes = {int(rows) for rows in re.findall(r"^\w+ · (\d+) × ", text, re.MULTILINE)}
        if not named:
            return None
        names = {one or other for one, other in named}
        points = sizes | ({shown["points"]} if shown["points"] else set())
        told = re.findall(r"fingerprint ([0-9a-f]{16})", text)
        if not told and urlsplit(page.url).path == "/":
            return None
        # Of a bundled set only Home tells it.
        prints = {*told, *address.get("print", ())} or {want.fingerprint}
        return (names, points, prints), ({want.name}, {want.n_points}, {want.fingerprint})

    def navigate(self) -> None:
        name = self.random.choice(("Home", *PAGES))
        self.page.get_by_role("link", name=name, exact=True).first.click()

    def back(self) -> None:
        self.page.evaluate("history.back()")

    def forward(self) -> None:
        self.page.evaluate("history.forward()")

    def reload(self) -> None:
        self.page.reload()

    def second_tab(self) -> None:
        if len(self.tabs) > 1:
            self.tabs.pop().close()
            return
        page = self.page.context.new_page()
        page.set_default_timeout(1000 * QUICK)
        page.goto(self.visitor.address + self.random.choice(("/", "/Explore")))
        self.tabs.append(page)

    def upload(self) -> None:
        self._at("Home")
        self.page.locator("input[type=file]").first.set_input_files(
            {"name": "mine.csv", "mimeType": "text/csv", "buffer": FILE.encode()}
        )
        reading = self.page.locator("details", has_text="How mine.csv is read")
        button = self.page.get_by_role("button", name="Load this table")
        reading.wait_for()
        if reading.get_attribute("open") is None:  # the file is the one that is shown
            reading.locator("summary").click()
        button.click()

    def choose(self) -> None:
        self._at("Home")
        self.page.get_by_role("radio", name=self.random.choice(("iris", "wine"))).click()

    def recent(self) -> None:
        self._at("Home")
        buttons = self.page.locator(".st-key-recent").get_by_role("button", name="Open")
        if buttons.count():
            buttons.first.click()

    def move_k(self) -> None:
        self._at("Explore")
        self.page.get_by_role("slider", name="Neighbours k").focus()
        self.page.keyboard.press(self.random.choice(("ArrowRight", "ArrowLeft")))

    def mode(self) -> None:
        self._at("Explore")
        modes = self.page.get_by_role("radiogroup", name="Mode").get_by_role("radio")
        modes.nth(self.random.randrange(len(MODES))).focus()
        self.page.keyboard.press("ArrowDown")

    def select(self) -> None:
        self._at("Explore")
        table = self.page.locator("[data-testid=stDataFrame]").first
        table.locator("[aria-rowindex='2']").first.wait_for(state="attached")
        area = table.bounding_box()
        self.page.mouse.click(area["x"] + 18, area["y"] + 35 * self.random.randint(1, 4) + 17)

    def _at(self, name: str) -> None:
        """Be on a page, at rest."""
        until = time.monotonic() + PATIENCE
        self.check()
        while (urlsplit(self.page.url).path.strip("/") or "Home") != name:
            assert time.monotonic() < until, f"at {self.page.url}, not on {name}"
            self.page.get_by_role("link", name=name, exact=True).first.click()
            self.page.wait_for_timeout(200)  # a click on what is being drawn anew is lost
            self.check()
