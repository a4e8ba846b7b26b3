"""The app in a real browser: one server and one Chromium for all tests of this folder.

Without a browser the tests are skipped, loudly; with MECUCO_REQUIRE_BROWSER=1 they fail instead.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.browser.visitor import Visitor
from tests.openml_server import OpenMLServer, iris

ROOT = Path(__file__).resolve().parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage"]
START_SECONDS = 180.0  # the first start on a machine compiles the kernels


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


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
def openml():
    with OpenMLServer(iris()) as running:
        yield running


@pytest.fixture(scope="session")
def address(browser, openml, tmp_path_factory):
    """The address of a running app, started the way `mecuco app` starts it."""
    port, folder = free_port(), tmp_path_factory.mktemp("server")
    environment = {
        **os.environ,
        "MECUCO_OPENML_SERVER": openml.address,
        "MECUCO_CACHE_DIR": str(folder / "cache"),
    }
    command = [sys.executable, "-m", "mecuco_app.launch", f"--server.port={port}"]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            _wait_for(f"http://127.0.0.1:{port}/_stcore/health", process, folder / "server.log")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(20)


def _wait_for(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(url, timeout=1) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"the server did not start: {log.read_text(errors='replace')[-2000:]}")


@pytest.fixture
def arrive(browser, address):
    """Return a function that opens the app in a new browser, with nothing kept from another."""
    contexts = []

    def new(width: int = 1440, height: int = 1500) -> Visitor:
        context = browser.new_context(
            viewport={"width": width, "height": height}, accept_downloads=True
        )
        contexts.append(context)
        return Visitor(context.new_page(), address)

    yield new
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def tab(browser):
    """A tab that stays: what it loaded and compiled of the app serves every test."""
    context = browser.new_context(viewport={"width": 1440, "height": 1500}, accept_downloads=True)
    yield context.new_page()
    context.close()


@pytest.fixture
def visitor(tab, address):
    yield Visitor(tab, address)
    tab.unroute_all()
    tab.goto("about:blank")
