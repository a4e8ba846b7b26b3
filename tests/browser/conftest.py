"""The app in a real browser: one server and one Chromium for all tests of this folder.

Without a browser the tests are skipped, loudly; with MECUCO_REQUIRE_BROWSER=1 they fail instead.
"""

import os
import shutil

import pytest

from tests.browser.keeper import shared_address
from tests.browser.visitor import Visitor

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DESK = {"width": 1440, "height": 1500}
FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    # No other host is ever reached.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]


def launched(playwright):
    """Return a browser: Playwright's own, or one that is installed; None when there is none."""
    from playwright.sync_api import Error

    chosen = os.environ.get("MECUCO_BROWSER")
    found = chosen or next(filter(None, map(shutil.which, BROWSERS)), None)
    for path in (found, None):
        try:
            return playwright.chromium.launch(executable_path=path, args=FLAGS)
        except Error:
            continue
    return None


@pytest.fixture(scope="session")
def browser():
    def absent(why: str) -> None:
        sentence = f"NO BROWSER TESTS: {why}; install Chromium, or set MECUCO_BROWSER to its path"
        if os.environ.get("MECUCO_REQUIRE_BROWSER") == "1":
            pytest.fail(sentence)
        pytest.skip(sentence)

    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        absent("the package playwright is not installed")
    with sync_playwright() as playwright:
        running = launched(playwright)
        if running is None:
            absent("no Chromium or Chrome was found")
        yield running
        running.close()


@pytest.fixture(scope="session")
def address(browser, tmp_path_factory):
    """The address of the running app, started the way `mecuco app` starts it."""
    folder = tmp_path_factory.getbasetemp()
    return shared_address(folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder)


@pytest.fixture
def arrive(browser, address):
    """Return a function that opens the app in a new browser, with nothing kept from another."""
    contexts = []

    def new() -> Visitor:
        context = browser.new_context(viewport=DESK, accept_downloads=True)
        contexts.append(context)
        return Visitor(context.new_page(), address)

    yield new
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def tab(browser):
    """A tab that stays: what it loaded and compiled of the app serves every test."""
    context = browser.new_context(viewport=DESK, accept_downloads=True)
    yield context.new_page()
    context.close()


@pytest.fixture
def visitor(tab, address):
    one = Visitor(tab, address)
    yield one
    one.leave()
    tab.set_viewport_size(DESK)
