"""A visitor's own file in a real browser: nothing ever takes its place."""

import random
import time

import numpy as np
import pytest
from playwright.sync_api import TimeoutError, expect

from tests.browser.test_history import SLOW_LINE
from tests.browser.walk import Walk

PATIENCE = 300.0  # seconds: a large file is read, searched and scored
REDRAWN = (
    3000  # milliseconds: from a new address to a page without the former data, where much runs
)
SPEECHLESS = 5000  # milliseconds: between two pieces of work, on a slow line


def table(n_rows, n_features):
    """A table of numbers with a label, as a file a browser sends."""
    values = np.random.default_rng(0).standard_normal((n_rows, n_features))
    lines = [",".join([*(f"f{i}" for i in range(n_features)), "label"])]
    lines += [",".join([*(f"{v:.4f}" for v in row), "ab"[i % 2]]) for i, row in enumerate(values)]
    return {"name": "mine.csv", "mimeType": "text/csv", "buffer": "\n".join(lines).encode()}


@pytest.fixture(scope="module")
def large():
    return table(30_000, 30)


def choose(visitor, file):
    visitor.open("/?map=pca")
    visitor.sees("Quick look: digits")
    visitor.page.locator("input[type=file]").first.set_input_files(file)
    visitor.page.get_by_role("button", name="Load this table").wait_for()


def load(visitor, file):
    choose(visitor, file)
    visitor.page.get_by_role("button", name="Load this table").click()


def on_every_page(page, script):
    """Run a script on a page, and on every page that its browser opens from now on."""
    page.context.add_init_script(script)
    page.evaluate(script)


def stay(visitor, arrive):
    return visitor.page


def leave_for_explore(visitor, arrive):
    visitor.page.get_by_role("link", name="Explore", exact=True).first.click()
    return visitor.page


def follow_the_link_of_the_page(visitor, arrive):
    try:
        visitor.page.get_by_role("button", name="Explore →").first.click(timeout=500)
    except TimeoutError:  # it has gone with the former data
        visitor.page.get_by_role("link", name="Boundary points").first.click()
    return visitor.page


def go_and_come_back(visitor, arrive):
    visitor.page.get_by_role("link", name="Explore", exact=True).first.click()
    visitor.page.wait_for_url("**/Explore?**")
    visitor.page.go_back()
    return visitor.page


def reload(visitor, arrive):
    visitor.page.reload()
    return visitor.page


def open_a_second_tab(visitor, arrive):
    page = visitor.page.context.new_page()
    page.goto(visitor.address + "/Explore")
    return page


ACTIONS = {
    action.__name__: action
    for action in (
        stay,
        leave_for_explore,
        follow_the_link_of_the_page,
        go_and_come_back,
        reload,
        open_a_second_tab,
    )
}

# What a page has shown since the file was to be loaded:
# names    datasets whose map or scores are named now
# again    whether the former one was named after it had gone
# mixed    longest time that the former one was named under the new address
# told     whether progress and Stop were seen while nothing was named
# silent   longest time that nothing was named and no progress was shown
WATCH = """
// A line of the list of recent datasets ends after its numbers, a caption goes on.
const NAMED = /Quick look: (\\w+)|^(\\w+) · (?:score by|no score|[^ ·]+ × [^ ·\\n]+ · [^n])/gm;
const watch = window.watch = { names: [], again: false, mixed: 0, told: false, silent: 0 };
const since = {};
let gone = false;
function last(what, holds) {
    const now = performance.now();
    since[what] = holds ? since[what] ?? now : undefined;
    if (holds) watch[what] = Math.max(watch[what], now - since[what]);
}
setInterval(() => {
    const app = document.querySelector('[data-testid=stApp]');
    if (!window.sent || !app) return;
    const text = document.querySelector('[data-testid=stMain]')?.innerText ?? '';
    watch.names = [...text.matchAll(NAMED)].map(found => found[1] ?? found[2]);
    const former = watch.names.includes('digits'), none = watch.names.length === 0;
    watch.again ||= gone && former;
    gone ||= !former;
    last('mixed', former && location.search.includes('data=file%3Amine.csv'));
    const stops = [...app.querySelectorAll('button')].some(one => one.innerText === 'Stop');
    const moves = stops && app.querySelector('[data-testid=stProgress]') !== null;
    watch.told ||= none && moves;
    last('silent', none && !moves);
}, 50);
"""


def check_never_another(visitor, arrive, file, action, delay, *, slow=False):
    visitor.page.context.add_init_script(SLOW_LINE + WATCH if slow else WATCH)
    choose(visitor, file)
    on_every_page(visitor.page, "window.sent = true")
    if slow:
        on_every_page(visitor.page, "window.lateness = 1500")
    visitor.page.get_by_role("button", name="Load this table").click()
    visitor.page.wait_for_timeout(1000 * delay)  # the moment is what is tried
    page = ACTIONS[action](visitor, arrive)
    until = time.monotonic() + PATIENCE
    while "mine" not in (seen := page.evaluate("window.watch"))["names"]:
        assert time.monotonic() < until, f"mine is not shown: {seen}, at {page.url}"
        page.wait_for_timeout(100)
    assert not seen["again"]
    assert seen["mixed"] < REDRAWN
    assert seen["silent"] < SPEECHLESS
    if delay < 1 and not slow and action not in ("reload", "open_a_second_tab"):
        assert seen["told"]  # later, or on a page that is opened first, it may all be there
    page.wait_for_url("**data=file%3Amine.csv**")
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.thorough
@pytest.mark.parametrize("action", ACTIONS)
def test_a_file_on_its_way_is_never_another_dataset(arrive, large, action):
    check_never_another(arrive(), arrive, large, action, 0.2)


@pytest.mark.long
@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("delay", np.geomspace(0.2, 15, 20).round(2).tolist())
def test_at_no_moment_it_is_another_dataset(arrive, large, action, delay, slow):
    check_never_another(arrive(), arrive, large, action, delay, slow=slow)


@pytest.mark.thorough
@pytest.mark.parametrize("link", ["Method", "Home"])
def test_a_link_opened_in_a_new_tab_shows_the_data_of_its_page(arrive, link):
    visitor = arrive()
    visitor.open("/Explore?map=pca&data=bundled:iris")
    visitor.sees("iris · score by")
    other = visitor.page.context.new_page()
    other.goto(visitor.address + "/?map=pca&data=bundled:wine")
    expect(other.get_by_text("Quick look: wine")).to_be_visible()
    with visitor.page.context.expect_page() as opened:
        visitor.page.get_by_role("link", name=link, exact=True).first.click(button="middle")
    page = opened.value
    page.wait_for_url("**data=bundled%3Airis**")
    expect(page.get_by_test_id("stMain")).to_contain_text("iris")
    expect(page.get_by_test_id("stMain")).not_to_contain_text("Quick look: wine")
    # A click in the app changes the page, and the data stay, also where they came after the link.
    visitor.page.get_by_role("link", name=link, exact=True).first.click()
    visitor.page.wait_for_url(f"**{'/Method' if link == 'Method' else '/'}?**")
    assert visitor.parameters["data"] == "bundled:iris"


@pytest.mark.thorough
def test_a_token_is_of_no_use_to_others(arrive):
    visitor = arrive()
    load(visitor, table(40, 3))
    visitor.sees("Quick look: mine")
    visitor.page.wait_for_url("**print=**")
    (cookie,) = [
        one for one in visitor.page.context.cookies() if one["name"].startswith("mecuco-visit")
    ]
    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Lax"
    assert cookie["value"] not in visitor.page.content() + visitor.page.url
    other = arrive()
    forged = cookie["value"][:-1] + ("0" if cookie["value"][-1] != "0" else "1")
    other.page.context.add_cookies([{**cookie, "value": forged}])
    other.open(f"{visitor.page.url}&{cookie['name']}={cookie['value']}")
    other.sees("only its owner has")
    issued = {one["value"] for one in other.page.context.cookies()}
    assert forged not in issued
    # Forgotten is forgotten, whoever shows the token.
    visitor.page.get_by_role("button", name="Forget").first.click()
    visitor.sees("This dataset was forgotten")
    third = arrive()
    third.page.context.add_cookies([cookie])
    third.open(visitor.page.url)
    third.sees("only its owner has")


@pytest.mark.thorough
def test_forty_random_steps_never_mix_data(arrive):
    Walk(arrive(), random.Random(0)).go(40)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 50))
def test_random_steps_never_mix_data(arrive, seed):
    Walk(arrive(), random.Random(seed)).go(40)
