"""The Home page of a table with faults: each is named and mended by a click; roles are changed."""

import numpy as np
import pandas as pd
import pytest

from mecuco_app.page.home.column_table import change_role
from mecuco_app.screen import state
from tests.app.rerunning import settled, standing, texts
from tests.app.test_explore_page import PAGE

N_ROWS = 400


def messy():
    """A table with some of the faults of real ones."""
    rng = np.random.default_rng(0)
    group = rng.integers(0, 3, N_ROWS)
    table = pd.DataFrame(
        {
            "customer": [f"C{10_000 + i}" for i in range(N_ROWS)],
            "segment": np.array(["bronze", "silver", "gold"])[group],
            "age": np.round(rng.normal(45 + 4 * group, 9)),
            "income": np.round(rng.normal(40_000 + 5000 * group, 6000)),
            "discount": [f"{value:.1f}%" for value in rng.uniform(2, 12, N_ROWS)],
            "zip": rng.integers(10_000, 99_999, N_ROWS),
        }
    )
    table.loc[3:12, "age"] = -999
    table.loc[20:24, "income"] = np.nan
    return pd.concat([table, table.iloc[:15]], ignore_index=True).to_csv(index=False).encode()


@pytest.fixture
def home(opened):
    app = opened()
    app.file_uploader(key="upload").set_value(("customers.csv", messy(), "text/csv"))
    settled(app)
    app.button(key="upload:load").click()
    return settled(app)


def said(app):
    return texts(app).replace("\\", "")


def test_every_fault_is_named_with_what_mends_it(home):
    for words in (
        "'age' is -999 in 20 rows", "'discount' holds percent texts", "'zip' looks like a number",
        "15 rows repeat an earlier one",
    ):  # fmt: skip
        assert words in said(home)
    titles = [button.label for button in home.button]
    assert "Take -999 as missing" in titles
    assert "Keep the first of each" in titles


def test_one_click_mends_all_and_each_is_undone_by_one(home):
    home.button(key="mend:all").click()
    settled(home)
    mends = home.session_state["mecuco"].view.preparation.mends
    assert "age: -999 is missing" in [mend.words for mend in mends]
    assert home.session_state["mecuco"].prepared.report.n_rows_repeated == 15
    undo = [button for button in home.button if button.label == "Undo"]
    assert len(undo) >= len(mends)
    undo[0].click()
    settled(home)
    assert len(home.session_state["mecuco"].view.preparation.mends) == len(mends) - 1


def test_the_protocol_is_chosen_and_said_in_a_sentence(home):
    (choice,) = (one for one in home.radio if one.label == "Preparation")
    for protocol, words in (("paper", "As in the paper: "), ("sensible", "Sensible: ")):
        choice.set_value(protocol)
        settled(home)
        assert home.session_state["mecuco"].prepared.preparation.protocol == protocol
        assert words in said(home)
        (choice,) = (one for one in home.radio if one.label == "Preparation")


def lines(app):
    """Return the lines of the table of columns."""
    from mecuco_app.results.columns import overview_task

    session = app.session_state["mecuco"]
    return {one.name: one for one in overview_task(session.dataset, session.view.preparation).run()}


def changed(app, monkeypatch, name, role):
    """Change the role of a column, as its table does."""
    monkeypatch.setattr(state, "session", lambda: app.session_state["mecuco"])
    change_role(lines(app)[name], role)
    monkeypatch.undo()
    return settled(app)


def test_the_label_is_any_column_and_stays_when_the_page_is_left(home, monkeypatch):
    assert home.session_state["mecuco"].dataset.target_name == "segment"  # guessed
    print_before = standing(home)["print"]
    changed(home, monkeypatch, "zip", "label")
    assert home.session_state["mecuco"].dataset.target_name == "zip"
    assert standing(home)["print"] != print_before
    home.switch_page(PAGE)
    settled(home)
    home.switch_page("app.py")
    settled(home)
    assert home.session_state["mecuco"].dataset.target_name == "zip"


def test_a_file_with_another_label_is_the_one_its_link_asks_for(home, opened, monkeypatch):
    changed(home, monkeypatch, "segment", "feature")
    assert home.session_state["mecuco"].dataset.target is None
    changed(home, monkeypatch, "zip", "label")
    link = standing(home)
    second = opened(**link)
    second.file_uploader(key="upload").set_value(("customers.csv", messy(), "text/csv"))
    settled(second)
    assert "its view is back" in second.success[0].value
    assert standing(second)["print"] == link["print"]
    assert second.session_state["mecuco"].dataset.target_name == "zip"


def test_a_column_is_left_out_by_its_role(home, monkeypatch):
    changed(home, monkeypatch, "income", "leave out")
    used = home.session_state["mecuco"].prepared.report.used
    assert "income" not in used
    assert "age" in used


def test_what_was_corrected_of_a_file_stays_when_the_page_is_left(opened):
    app = opened()
    app.file_uploader(key="upload").set_value(("customers.csv", messy(), "text/csv"))
    settled(app)
    box = next(box for box in app.selectbox if box.label == "Target (label)")
    box.set_value(box.options.index("zip"))
    settled(app)
    app.switch_page(PAGE)
    settled(app)
    app.switch_page("app.py")
    settled(app)
    box = next(box for box in app.selectbox if box.label == "Target (label)")
    assert box.options[box.index] == "zip"
    app.button(key="upload:load").click()
    settled(app)
    assert app.session_state["mecuco"].dataset.target_name == "zip"
