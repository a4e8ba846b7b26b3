"""The Paper page in a real browser."""

import pytest
from playwright.sync_api import expect


@pytest.mark.thorough
def test_the_tables_open_and_a_dataset_is_run_again(visitor):
    visitor.open("/Paper?data=bundled:iris&map=pca")
    visitor.sees("Table 2: scores scaled to [0, 1]")
    expect(visitor.page.get_by_test_id("stDataFrame").first).to_be_visible()
    for key in ("paper-error", "paper-speed-up", "paper-time-n", "paper-time-m"):
        visitor.wait_drawn(key)
    visitor.page.locator(".st-key-paper-again button").first.click()
    visitor.sees("New: scored here, data from the dataset you are looking at.")
    visitor.page.get_by_test_id("stExpander").get_by_text("What made these numbers").click()
    visitor.sees("mecuco reproduce --source DIR")
    visitor.no_traceback()
    assert visitor.abroad == []


@pytest.mark.thorough
def test_a_row_that_is_ticked_is_the_dataset_and_opens_in_explore(visitor):
    visitor.open("/Paper?data=bundled:iris&map=pca&table=1&paper=digits")
    visitor.sees("Table 1: raw scores")
    expect(visitor.page.get_by_text("1\u202f797 × 64")).to_be_visible()
    visitor.tick(visitor.page.get_by_test_id("stDataFrame").first)
    expect(visitor.page.get_by_text("150 × 4")).to_be_visible()
    visitor.page.wait_for_url("**/Paper?**table=1**")
    assert "paper" not in visitor.parameters  # iris is the default
    visitor.page.get_by_role("button", name="Open in Explore").click()
    visitor.page.wait_for_url("**/Explore**")
    visitor.wait_drawn("map")
    assert visitor.parameters["data"] == "bundled:iris"
    visitor.no_traceback()


@pytest.mark.thorough
@pytest.mark.parametrize("more", ["", "&table=3&show=quartiles"])
def test_nothing_is_wider_than_a_phone(visitor, more):
    visitor.resize(390, 844)
    visitor.open(f"/Paper?data=bundled:iris&map=pca{more}")
    visitor.wait_drawn("paper-time-m")
    visitor.page.wait_for_function(
        "[document.documentElement, document.querySelector('[data-testid=stMain]')]"
        ".every(part => part.scrollWidth <= 390)"
    )
    visitor.no_traceback()
