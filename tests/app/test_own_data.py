"""What a visitor works on stays what it is: over pages, reloads, tabs and failures."""

import threading
import time

import pytest
from streamlit.testing.v1 import AppTest

from mecuco_app.data import sources
from mecuco_app.data.visits import Visit
from mecuco_app.page.home import upload
from mecuco_app.screen.connection import cookie, open_tabs
from tests.app.rerunning import ROOT, figures, settled, standing, texts

CSV = b"a,b,kind\n" + b"".join(b"%d,%d,%d\n" % (i, i * i % 11, i % 2) for i in range(40))
ONE_ROW = b"a,b\n1,2\n"
EXPLORE = "pages/1_Explore.py"


def arrived(script="app.py", **parameters):
    """Return the app after its first run, for whoever comes with this address."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in parameters.items():
        app.query_params[name] = value
    if script != "app.py":
        app.switch_page(script)
    return app.run()


@pytest.fixture
def tab(monkeypatch):
    """Return a function that opens another tab of one browser."""
    visit = Visit()
    monkeypatch.setattr(cookie, "visit", lambda: visit)
    return arrived


@pytest.fixture
def gate(monkeypatch):
    """Files are read when this is set."""
    gate = threading.Event()

    def slow(content, options, name, *, report):
        while not gate.wait(0.01):
            report(0.5, "Reading the file")
        return sources.from_file(content, options, name, report=report)

    monkeypatch.setattr(upload, "from_file", slow)
    monkeypatch.setattr("mecuco_app.screen.waiting.PATIENCE", 0.05)
    yield gate
    gate.set()


def sent(app, name="mine.csv", content=CSV):
    """Upload a file and press the button that loads it."""
    app.file_uploader(key="upload").set_value((name, content, "text/csv"))
    settled(app)
    app.button(key="upload:load").click()
    return app.run()


def heading(app):
    """Return the first line of Explore or Home that names data."""
    named = [one.value for one in (*app.subheader, *app.markdown) if "###" in one.value]
    return (named or [one.value for one in app.subheader] or [""])[0]


def _buttons(app, label):
    return [button for button in app.button if button.label == label]


def is_on_its_way(app):
    return any(button.key == "stop:load" for button in app.button)


def test_while_a_file_is_read_no_other_dataset_is_shown(tab, gate):
    app = sent(tab(map="pca"))
    for script in (EXPLORE, "pages/3_Boundary_points.py", "app.py"):
        app.query_params.clear()
        app.switch_page(script).run()
        assert is_on_its_way(app)
        assert not figures(app)
        assert standing(app)["data"] == "file:mine.csv"
    gate.set()
    settled(app)
    assert "Quick look: mine" in texts(app)


@pytest.mark.parametrize("moment", ["on its way", "there"])
def test_a_reload_finds_the_file(tab, gate, moment):
    app = sent(tab(map="pca"))
    if moment == "there":
        gate.set()
        settled(app)
    address = standing(app)
    again = tab(EXPLORE, **address)
    assert is_on_its_way(again) == (moment != "there")
    gate.set()
    settled(again)
    assert "mine" in heading(again)
    assert standing(again)["print"]


def test_a_reload_before_the_address_was_written_finds_the_file(tab, gate, monkeypatch):
    app = settled(tab(map="pca"))
    old = standing(app)
    sent(app)
    gate.set()
    app.session_state["mecuco"].visit.reloaded = time.monotonic()
    monkeypatch.setattr(open_tabs, "is_open", lambda tab: False)
    again = settled(tab(**old))
    assert "Quick look: mine" in texts(again)


def test_a_tab_without_an_address_shows_what_was_looked_at_last(tab):
    app = sent(tab(map="pca"))
    settled(app)
    second = settled(tab(EXPLORE))
    assert "mine" in heading(second)


def test_an_address_leads_to_its_data_whatever_other_tabs_show(tab):
    first = settled(tab(EXPLORE, data="bundled:iris"))
    settled(tab(map="pca", data="bundled:wine"))
    opened = settled(tab("pages/4_Method.py", **standing(first)))
    assert standing(opened)["data"] == "bundled:iris"
    assert opened.session_state["mecuco"].dataset.name == "iris"
    assert "iris" in heading(settled(first))


def test_another_browser_finds_nothing():
    app = sent(arrived(map="pca"))
    settled(app)
    other = arrived(**standing(app))
    assert "only its owner has" in texts(other)
    assert not figures(other)


def without_data(tab, gate, way):
    """Return Home after a file that could not be loaded, and the address before."""
    app = settled(tab(data="bundled:wine", map="pca"))
    before = standing(app)
    sent(app, content=CSV if way == "stopped" else ONE_ROW)
    if way == "stopped":
        app.button(key="stop:load").click().run()
    gate.set()
    return settled(app), before


def is_empty(app):
    """Whether the page shows no data, and says why."""
    why = "mine.csv is not here" in texts(app).replace("\\", "")
    named = [one for one in app.subheader if "Quick look" in one.value]
    return why and not named and not figures(app)


@pytest.mark.parametrize("way", ["stopped", "refused"])
def test_where_a_file_cannot_be_loaded_no_other_dataset_stands_in(tab, gate, way):
    app, _ = without_data(tab, gate, way)
    for script in ("app.py", EXPLORE, "pages/4_Method.py", "app.py"):
        app.query_params.clear()  # as a link inside the app does
        app.switch_page(script)
        settled(app)
        assert is_empty(app)
        assert standing(app)["data"] == "file:mine.csv"


@pytest.mark.parametrize("way", ["stopped", "refused"])
def test_one_click_leads_back_to_the_former_dataset_as_it_was(tab, gate, way):
    app, before = without_data(tab, gate, way)
    app.switch_page(EXPLORE)
    settled(app)
    _buttons(app, "Back to wine")[0].click()
    settled(app)
    assert "wine" in heading(app)
    assert standing(app) == before
    assert not _buttons(app, "Back to wine")


def test_after_a_second_failure_one_click_still_leads_back(tab, gate):
    app, before = without_data(tab, gate, "refused")
    sent(app, content=b"x,y\n1,2\n")
    settled(app)
    _buttons(app, "Back to wine")[0].click()
    settled(app)
    assert standing(app) == before


def test_no_click_leads_back_to_what_was_forgotten(tab, gate):
    app, _ = without_data(tab, gate, "refused")
    _buttons(app, "Forget")[0].click()
    settled(app)
    assert is_empty(app)
    assert not _buttons(app, "Back to wine")


def test_a_reload_says_again_why_a_file_cannot_be_loaded(tab, gate):
    app, _ = without_data(tab, gate, "refused")
    again = settled(tab(EXPLORE, **standing(app)))
    assert is_empty(again)
    assert [one.value for one in again.error] == [one.value for one in app.error]


def test_a_file_that_cannot_be_read_leaves_what_is_shown_alone_until_it_is_loaded(tab):
    app = settled(tab(data="bundled:wine", map="pca"))
    app.file_uploader(key="upload").set_value(("mine.csv", b"\x00\x01", "text/csv"))
    settled(app)
    assert "Quick look: wine" in texts(app)
    assert standing(app)["data"] == "bundled:wine"


def test_a_dataset_of_this_visit_is_gone_back_to_as_it_was(tab):
    app = settled(sent(tab(map="pca")))
    app.switch_page(EXPLORE)
    settled(app)
    next(one for one in app.slider if one.label == "Neighbours k").set_value(9)
    settled(app)
    mine = standing(app)
    box = next(one for one in app.selectbox if one.label == "Dataset")
    box.select_index(box.options.index("wine"))
    settled(app)
    assert "wine" in heading(app)
    box = next(one for one in app.selectbox if one.label == "Dataset")
    box.select_index(box.options.index("mine.csv"))
    settled(app)
    assert standing(app) == mine


def test_what_is_forgotten_is_gone_in_every_tab(tab):
    app = settled(sent(tab(map="pca")))
    second = tab(EXPLORE, **standing(app))
    _buttons(app, "Forget")[0].click()
    settled(app)
    assert "forgotten" in texts(app)
    assert not figures(app)
    settled(second)
    assert "forgotten" in texts(second)
    assert not figures(second)
    third = tab(EXPLORE, **standing(second))
    assert "only its owner has" in texts(third)


def test_what_is_forgotten_is_the_line_that_was_clicked_though_the_order_has_changed(tab):
    app = settled(sent(tab(map="pca")))
    _buttons(app, "Forget")[1].click()  # of digits, the second line
    clicked = app._tree.get_widget_states()
    settled(tab(EXPLORE, data="bundled:wine"))
    _buttons(app, "Forget")[1].set_value(False)
    settled(app)
    app._run(clicked)
    settled(app)
    visit = app.session_state["mecuco"].visit
    assert [one.name for one in visit.recent] == ["mine.csv", "wine"]


def test_an_address_that_names_no_data_shows_none():
    app = arrived(data="magic:beans")
    assert "magic:beans" in texts(app).replace("\\", "")
    assert not figures(app)
    assert standing(app)["data"] == "magic:beans"


def test_data_brought_in_one_tab_do_not_move_another(tab):
    first = tab(EXPLORE, data="bundled:iris")
    second = tab(map="pca", data="bundled:wine")
    settled(sent(second))
    assert "iris" in heading(settled(first))
