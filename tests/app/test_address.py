"""Back and forth in the browser: the view follows the address, unless the address is late."""

from unittest.mock import patch

import pytest

from mecuco_app.screen.browser import address
from tests.app.rerunning import figures, settled, standing, texts

PAGE = "pages/1_Explore.py"


def k_slider(app):
    return next(slider for slider in app.slider if slider.label == "Neighbours k")


def show(app, parameters):
    """Let the browser show another address."""
    app.query_params.clear()
    for name, value in parameters.items():
        app.query_params[name] = value
    return settled(app)


def go_to(app, parameters):
    """Take a step back or forth."""
    with patch.object(address, "went_back", lambda: True):
        return show(app, parameters)


@pytest.fixture
def moved(opened):
    """Explore with k moved by one, and the address from before."""
    app = opened(PAGE)
    before = standing(app)
    k_slider(app).set_value(k_slider(app).value + 1)
    return settled(app), before


def test_the_former_address_brings_the_former_view(moved):
    app, before = moved
    after = standing(app)
    assert k_slider(app).value == 12
    assert after["k"] == "12"
    settled(app)  # the browser is seen with what was written
    go_to(app, before)
    assert k_slider(app).value == 11
    assert standing(app) == before
    go_to(app, after)
    assert k_slider(app).value == 12


def test_an_address_that_is_merely_late_changes_nothing(moved):
    app, before = moved
    after = standing(app)
    show(app, before)
    assert k_slider(app).value == 12
    assert standing(app) == after


def test_what_is_moved_wins_over_a_late_address(moved):
    app, before = moved
    k_slider(app).set_value(13)
    show(app, before)
    assert k_slider(app).value == 13
    assert standing(app)["k"] == "13"


def test_links_inside_the_app_carry_no_data(opened):
    app = opened(PAGE, data="bundled:wine")
    links = app.get("page_link")
    assert len(links) > 4
    assert not [link.proto.query_string for link in links if link.proto.query_string]


def test_the_page_is_changed_and_the_data_stay(opened):
    app = opened("app.py", data="bundled:wine")
    app.query_params.clear()  # as a link inside the app does
    app.switch_page(PAGE)
    settled(app)
    assert "wine" in texts(app)
    assert standing(app)["data"] == "bundled:wine"


def test_another_dataset_comes_back_with_its_view(opened):
    app = opened(PAGE, data="bundled:wine", mode="haar", k="9")
    wine = standing(app)
    settled(app)
    go_to(app, {"v": "2", "data": "bundled:iris", "mode": "haar", "map": "pca"})
    assert "iris" in texts(app)
    go_to(app, wine)
    assert "wine" in texts(app)
    assert k_slider(app).value == 9
    assert standing(app) == wine


def test_what_the_points_cannot_show_is_put_right_and_said(opened):
    app = settled(opened(PAGE, data="bundled:iris"))
    go_to(app, {**standing(app), "point": "4000"})
    assert "point=4000" in "".join(one.value for one in app.warning).replace("\\", "")
    assert "point" not in standing(app)


def test_a_file_of_this_visit_comes_back_with_its_view(opened):
    app = opened("app.py", data="bundled:iris")
    iris = standing(app)
    content = b"a,b,kind\n" + b"".join(b"%d,%d,%d\n" % (i, i * i % 11, i % 2) for i in range(40))
    app.file_uploader(key="upload").set_value(("mine.csv", content, "text/csv"))
    settled(app)
    app.button(key="upload:load").click()
    settled(app)
    mine = standing(settled(app))
    assert mine["data"] == "file:mine.csv"
    go_to(app, iris)
    assert "Quick look: iris" in texts(app)
    go_to(settled(app), mine | {"scaling": "none", "k": "4"})
    assert "Quick look: mine" in texts(app)
    assert standing(app) == mine | {"scaling": "none", "k": "4"}
    assert not app.error


def test_a_link_to_a_file_stays_in_the_address_and_nothing_stands_in(opened):
    link = {"v": "1", "data": "file:mine.csv", "print": "0123456789abcdef", "k": "5"}
    app = settled(opened(PAGE, **link))
    assert "only its owner has" in texts(app)
    assert standing(app)["data"] == "file:mine.csv"
    assert not figures(app)
    assert "digits" not in texts(app)


def test_a_step_that_ended_a_page_early_is_followed_by_the_next(opened, monkeypatch):
    app = opened(PAGE, data="bundled:iris")
    first = standing(app)
    k_slider(app).set_value(9)
    second = standing(settled(app))
    k_slider(app).set_value(12)
    settled(settled(app))
    with monkeypatch.context() as patch:
        patch.setattr(address, "write", lambda session: None)  # the run does not get that far
        go_to(app, second)
    go_to(app, first)
    assert standing(app) == first
    assert "k" not in first


def test_a_file_that_is_gone_is_asked_for_and_the_others_are_a_click_away(opened):
    app = settled(opened(PAGE, data="bundled:iris"))
    before = standing(app)
    gone = before | {"data": "file:table.csv", "print": "0123456789abcdef"}
    go_to(app, gone)
    assert "upload it on Home" in texts(app)
    assert standing(app)["data"] == gone["data"]
    assert not figures(app)
    next(button for button in app.button if button.label == "Open").click()
    settled(app)
    assert "iris" in texts(app)
    assert standing(app) == before
