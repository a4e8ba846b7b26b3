"""The browser's own Back and Forward: one step each, whatever was drawn on the way."""

import pytest
from playwright.sync_api import expect


def move_k(visitor):
    visitor.page.get_by_role("slider", name="Neighbours k").focus()
    visitor.page.keyboard.press("ArrowRight")


@pytest.mark.thorough
def test_back_and_forth_lead_through_pages_and_views(arrive):
    visitor = arrive()  # a browser counts the steps of one tab to fifty only
    visitor.open("/Explore?map=pca&data=bundled:wine")
    visitor.sees("haar, k = 7")
    move_k(visitor)
    visitor.sees("haar, k = 8")
    entries = visitor.page.evaluate("history.length")
    visitor.page.get_by_role("link", name="Method", exact=True).click()
    visitor.sees("The score: scatter and alignment")
    assert visitor.page.evaluate("history.length") == entries + 1
    visitor.page.go_back()
    visitor.sees("haar, k = 8")
    visitor.wait_drawn("map")
    for step, k in ((visitor.page.go_back, "7"), (visitor.page.go_forward, "8")):
        step()
        visitor.sees(f"haar, k = {k}")
        expect(visitor.page.get_by_role("slider", name="Neighbours k")).to_have_value(k)
    move_k(visitor)
    visitor.page.wait_for_url("**k=9**")
    visitor.page.go_back()  # at once: nothing else was asked of the server since
    visitor.sees("haar, k = 8")
    assert visitor.parameters["k"] == "8"
    visitor.no_traceback()


@pytest.mark.parametrize("path", ["/", "/Explore?map=pca&data=bundled:wine"])
def test_one_step_back_leads_to_where_the_visitor_came_from(arrive, path):
    visitor = arrive()
    visitor.open("/_stcore/health")
    visitor.open(path)
    visitor.page.wait_for_url("**v=3**")
    visitor.page.go_back()
    expect(visitor.page).to_have_url(visitor.address + "/_stcore/health")


SLOW_LINE = """
const Quick = window.WebSocket;
window.WebSocket = class extends Quick {
    addEventListener(kind, heard, options) {
        const late = event => setTimeout(() => heard(event), window.lateness ?? 0);
        return super.addEventListener(kind, kind === 'message' ? late : heard, options);
    }
};
"""


@pytest.mark.thorough
def test_on_a_slow_line_no_change_is_undone(arrive):
    visitor = arrive()
    visitor.page.add_init_script(SLOW_LINE)
    visitor.open("/Explore?map=pca&data=bundled:wine")
    visitor.sees("haar, k = 7")
    visitor.wait_drawn("map")
    visitor.page.evaluate("window.lateness = 2000")
    move_k(visitor)
    expect(visitor.page.get_by_role("slider", name="Neighbours k")).to_have_value("8")
    visitor.page.wait_for_timeout(1500)  # the answer is on its way
    visitor.page.get_by_role("radio", name="Lasso").click()
    visitor.wait("plot._fullLayout.dragmode === 'lasso'", "map")
    visitor.sees("haar, k = 8")
    expect(visitor.page.get_by_role("slider", name="Neighbours k")).to_have_value("8")
    assert visitor.parameters["k"] == "8"


WALK = {
    "Explore": "score by",
    "Agreement": "How far do two modes agree",
    "Method": "The score: scatter and alignment",
}


@pytest.mark.thorough
@pytest.mark.parametrize("pause", [50, 300])  # milliseconds: runs of a page are ended, or end
def test_many_steps_back_at_once_end_where_they_lead_and_leave_the_steps_ahead(arrive, pause):
    visitor = arrive()
    visitor.open("/?data=bundled:wine&map=pca")
    visitor.wait_drawn("home-map")
    for name, sentence in WALK.items():
        visitor.page.get_by_role("link", name=name, exact=True).first.click()
        visitor.sees(sentence)
        if name == "Explore":
            move_k(visitor)
            visitor.sees("haar, k = 8")
            visitor.choose("Dataset", "iris")
            visitor.sees("iris · score by haar")
            visitor.wait_drawn("map")
    entries = visitor.page.evaluate("history.length")
    for _ in range(5):  # Agreement, iris, wine with k = 8, wine, Home
        visitor.page.evaluate("history.back()")
        visitor.page.wait_for_timeout(pause)
    visitor.sees("Quick look: wine")
    visitor.wait_drawn("home-map")
    assert "k" not in visitor.parameters
    for sentence in ("haar, k = 7", "haar, k = 8", "iris · score by haar"):
        visitor.page.evaluate("history.forward()")
        visitor.sees(sentence)
    for name in ("Agreement", "Method"):
        visitor.page.evaluate("history.forward()")
        visitor.sees(WALK[name])
    assert visitor.page.url.startswith(f"{visitor.address}/Method")
    assert visitor.page.evaluate("history.length") == entries
    visitor.no_traceback()
