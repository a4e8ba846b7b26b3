"""A visitor's own file in a real browser: nothing ever takes its place."""

import random

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.test_history import SLOW_LINE
from tests.browser.walk import Walk

SLIDE = 300_000  # milliseconds: a large file is read, searched and scored


def table(n_rows, n_features):
    """A table of numbers with a label, as a file a browser sends."""
    values = np.random.default_rng(0).standard_normal((n_rows, n_features))
    lines = [",".join([*(f"f{i}" for i in range(n_features)), "label"])]
    lines += [",".join([*(f"{v:.4f}" for v in row), "ab"[i % 2]]) for i, row in enumerate(values)]
    return {"name": "mine.csv", "mimeType": "text/csv", "buffer": "\n".join(lines).encode()}


@pytest.fixture(scope="module")
def large():
    return table(30_000, 30)


def load(visitor, file):
    visitor.open("/?map=pca")
    visitor.sees("Quick look: digits")
    visitor.page.locator("input[type=file]").first.set_input_files(file)
    visitor.page.get_by_role("button", name="Load this table").click()


def leave_for_explore(visitor, arrive):
    visitor.page.get_by_role("link", name="Explore", exact=True).first.click()
    return visitor.page


def follow_the_link_of_the_page(visitor, arrive):
    link = visitor.page.get_by_role("link", name="Explore this map")
    if link.count():
        link.first.click(timeout=3000)
    else:
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
        leave_for_explore,
        follow_the_link_of_the_page,
        go_and_come_back,
        reload,
        open_a_second_tab,
    )
}

# From the first moment after the click on; what was sent before stands in the address bar.
NEVER_ANOTHER = """async () => {
    const names = new Set();
    while (true) {
        const heads = [...document.querySelectorAll('h1, h2, h3')].map(one => one.innerText);
        for (const head of heads) if (/digits/.test(head)) names.add(head);
        if (names.size || heads.some(head => /mine/.test(head))) return [...names];
        await new Promise(requestAnimationFrame);
    }
}"""


def check_never_another(visitor, arrive, file, action, delay, *, slow=False):
    if slow:
        visitor.page.add_init_script(SLOW_LINE)
    load(visitor, file)
    if slow:
        visitor.page.evaluate("window.lateness = 1500")
    visitor.page.wait_for_timeout(1000 * delay)  # the moment is what is tried
    page = ACTIONS[action](visitor, arrive)
    page.set_default_timeout(SLIDE)
    expect(page.get_by_test_id("stMain")).not_to_contain_text("Quick look: digits")
    assert page.evaluate(NEVER_ANOTHER) == []
    page.wait_for_function("location.search.includes('data=file%3Amine.csv')")
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
