"""Back and forth in the browser: the view follows the address, unless the address is late."""

from itertools import count
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from mecuco_app import address, loading
from mecuco_app.settings import DataChoice
from mecuco_app.state import Session
from mecuco_core.datasets.base import Dataset
from tests.app.rerunning import settled, standing, texts

PAGE = "pages/1_Explore.py"


def k_slider(app):
    return next(slider for slider in app.slider if slider.label == "Neighbours k")


def go_to(app, parameters):
    app.query_params.clear()
    for name, value in parameters.items():
        app.query_params[name] = value
    return settled(app)


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


def test_an_address_from_before_the_last_was_seen_changes_nothing(moved):
    app, before = moved
    go_to(app, before)
    assert k_slider(app).value == 12
    settled(app)
    assert k_slider(app).value == 12


def test_what_is_moved_wins_over_an_old_address(moved):
    app, before = moved
    settled(app)
    k_slider(app).set_value(13)
    go_to(app, before)
    assert k_slider(app).value == 13
    assert standing(app)["k"] == "13"


@pytest.mark.parametrize("shown", ["written", "another"])
def test_a_browser_that_is_asked_tells_whether_it_went_elsewhere(monkeypatch, shown):
    reruns = []
    fake = SimpleNamespace(
        query_params=SimpleNamespace(to_dict=lambda: {"k": shown}), rerun=lambda: reruns.append(1)
    )
    monkeypatch.setattr(address, "st", fake)
    session, calls = Session(address={"k": "written"}), count()
    address._ask(session, calls)  # while the page itself is drawn
    assert not session.address_seen
    for _ in range(3):
        address._ask(session, calls)
    assert session.address_seen
    assert reruns == ([1] if shown == "another" else [])


def test_another_dataset_comes_back_with_its_view(opened):
    app = opened(PAGE, data="bundled:wine", mode="haar", k="9")
    wine = standing(app)
    settled(app)
    go_to(app, {"v": "2", "data": "bundled:iris", "map": "pca"})
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


def test_the_newest_files_that_fit_are_kept(monkeypatch):
    monkeypatch.setattr(loading, "MOST_KEPT", 100)
    files = [
        (Dataset(name, pd.DataFrame(np.ones((n_rows, 2)))), DataChoice("file", name))
        for name, n_rows in (("a", 20), ("b", 20), ("c", 30), ("d", 60))
    ]
    kept = ()
    for file in files[:3]:
        kept = loading._within(file, kept)
    assert [choice.identifier for _, choice in kept] == ["c", "b"]
    assert [choice.identifier for _, choice in loading._within(files[1], kept)] == ["b", "c"]
    assert loading._within(files[3], kept) == ()


def test_a_link_to_a_file_stays_in_the_address_until_something_is_changed(opened):
    link = {"v": "1", "data": "file:mine.csv", "print": "0123456789abcdef", "k": "5"}
    app = settled(opened(PAGE, **link))
    assert "only its owner has" in texts(app)
    assert standing(app) == link | {"map": "pca"}
    k_slider(app).set_value(k_slider(app).value + 1)
    settled(app)
    assert standing(app)["data"] == "bundled:digits"


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


def test_a_file_that_is_gone_is_asked_for_and_nothing_is_lost(opened):
    app = settled(opened(PAGE, data="bundled:iris"))
    before = standing(app)
    go_to(app, {"v": "1", "data": "file:table.csv", "print": "0123456789abcdef"})
    assert "To go back to table.csv, upload it again." in texts(app).replace("\\", "")
    assert standing(app) == before
