"""Metadata on the Explore page: beside a point, under the pointer, in the list, in the search."""

import pytest

from tests.app.rerunning import figures, settled, texts, unfolded
from tests.app.test_explore_page import PAGE, points_of, top_points
from tests.app.test_metadata import documents


@pytest.fixture
def explore(opened, monkeypatch):
    monkeypatch.setattr("mecuco_app.data.sources.load_bundled", lambda name: documents())
    return lambda **parameters: opened(PAGE, data="bundled:iris", **parameters)


def looked_for(app, words):
    (box,) = (one for one in app.text_input if one.label == "Find rows")
    box.set_value(words)
    return settled(app)


def test_a_point_shows_its_name_its_text_its_link_and_its_picture(explore):
    app = explore(point="7")
    assert "**D007, row 7**, label" not in texts(app)
    assert "D007, row 7, label Art" in texts(app).replace("\\", "")
    assert "text **Line 7 of a longer text, <b>not bold</b>**" in texts(app).replace("\\", "")
    assert [one.value for one in app.code if "example.org" in one.value] == [
        "https://example.org/7"
    ]
    shown = [one.proto.imgs[0] for one in app.get("image")]
    assert len(shown) == 2  # its own, and those of its neighbours


def test_the_hover_names_a_point_and_escapes_its_text(explore):
    shown = points_of(explore())["hovertext"]
    assert shown[3].endswith(
        "<br>doc: D003<br>text: Line 3 of a longer text, &lt;b&gt;not bold&lt;/b&gt;<br>Art"
    )


def test_the_list_of_points_shows_a_few_columns_and_others_can_be_chosen(explore):
    app = explore()
    frame = top_points(app)
    assert list(frame.columns)[:4] == ["place", "row", "doc", "photo"]
    assert frame["doc"].tolist() == [f"D{row:03d}" for row in frame["row"]]
    assert frame["photo"].str.startswith("data:image/png;base64,").all()
    assert list(frame.columns)[-1] == "text"
    unfolded(app, "columns")
    (box,) = (one for one in app.multiselect if one.label == "Your columns in this list")
    box.set_value([0, 5])  # a feature, and the link
    settled(app)
    frame = top_points(app)
    assert list(frame.columns)[-2:] == ["a", "url"]
    assert frame["a"].dtype == float
    assert "doc" not in frame.columns


def test_rows_that_hold_words_are_selected_and_counted(explore):
    app = looked_for(explore(), "ART")
    assert "30 rows with “ART”, selected" in texts(app)
    assert len(top_points(app)) == 30
    app.button(key="clear").click()
    settled(app)
    (box,) = (one for one in app.text_input if one.label == "Find rows")
    assert box.value == ""


def test_a_single_row_is_ringed_and_its_text_is_there(explore):
    app = looked_for(explore(), "d042")
    assert "1 row with “d042” · row 42 is ringed" in texts(app)
    assert "D042, row 42" in texts(app)
    assert "shapes" in figures(app)["map"]["layout"]


def test_what_is_nowhere_is_said_and_selects_nothing(explore):
    app = looked_for(explore(select="top:10"), "nowhere")
    assert "No row holds “nowhere”." in texts(app)
    assert app.query_params["select"] in ("top:10", ["top:10"])
