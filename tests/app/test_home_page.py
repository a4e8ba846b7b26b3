"""The Home page in every state."""

import pytest

from mecuco_app.page.home.corrections import delimiter_name
from mecuco_app.page.home.openml import spoken
from mecuco_app.view import links
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.datasets.files import WHITESPACE
from mecuco_core.datasets.openml import Description
from tests.app.rerunning import figures, settled, standing, texts, unfolded
from tests.openml_server import OpenMLServer, iris

CSV = b"length;width;kind\n" + b"".join(
    b"%d,5;%d,25;%s\n" % (i, i * i % 7, b"red" if i % 2 else b"blue") for i in range(30)
)

TWICE = b"a,a,b\n" + b"".join(b"%d,%d,%d\n" % (i, i * i % 7, i % 5) for i in range(30))


@pytest.fixture
def home(opened):
    return opened()


@pytest.fixture
def openml(monkeypatch, tmp_path):
    with OpenMLServer(iris()) as running:
        monkeypatch.setenv("MECUCO_OPENML_SERVER", running.address)
        monkeypatch.setenv("MECUCO_CACHE_DIR", str(tmp_path))
        monkeypatch.setenv("MECUCO_OPENML_TIMEOUT", "1")
        yield running


def test_digits_are_there_without_a_click(home):
    assert "Quick look: digits" in texts(home)
    assert "1 797" in texts(home)
    assert len(figures(home)["home-map"]["data"]) == 1


def test_the_quick_look_tells_origin_cost_and_preparation(home):
    said = texts(home)
    for words in ("CC BY 4", "fingerprint", "10 classes", "Estimated time", "Scaled every feature"):
        assert words in said
    assert load_bundled("digits").fingerprint[:16] in said


def test_a_bundled_set_is_a_click_away(home):
    home.pills[0].set_value("wine")
    settled(home)
    assert "Quick look: wine" in texts(home)
    assert standing(home)["data"] == "bundled:wine"


def test_what_a_late_browser_says_of_the_former_dataset_is_no_choice(home):
    home.file_uploader(key="upload").set_value(("mine.csv", CSV, "text/csv"))
    settled(home)
    unfolded(home, "preparation").selectbox(key="preparation.scale#0").set_value("robust")
    settled(home)
    assert home.pills[0].value == "digits"
    former = home._tree.get_widget_states()
    next(button for button in home.button if button.label == "Load this table").click()
    settled(home)
    assert home.pills[0].value is None
    mine = standing(home)
    # Whatever is asked of the server in the meantime, a browser sends along what it shows.
    home._run(former)
    settled(home)
    assert "Quick look: mine" in texts(home)
    assert standing(home) == mine


def test_a_manifold_is_drawn_with_the_chosen_sizes(home):
    home.selectbox(key="manifold:name").set_value("torus")
    settled(home)
    home.slider(key="manifold:n_points").set_value(500)
    settled(home)
    home.button(key="manifold:draw").click()
    settled(home)
    assert "Quick look: torus" in texts(home)
    assert "not scaled" in texts(home)
    assert "500 × 3" in texts(home)


def test_sizes_that_exclude_each_other_are_named_and_the_page_stays(home):
    home.selectbox(key="manifold:name").set_value("torus")
    settled(home)
    next(one for one in home.number_input if one.label == "R").set_value(0.5)
    settled(home)
    assert not home.exception
    assert len(home.error) == 1
    assert "R" in home.error[0].value
    assert "Quick look: digits" in texts(home)
    next(one for one in home.number_input if one.label == "R").set_value(3.0)
    settled(home)
    assert home.button(key="manifold:draw")


@pytest.mark.parametrize("dimension", [49, 52])
def test_a_manifold_as_large_as_the_largest_space_has_no_larger_one(home, dimension):
    home.selectbox(key="manifold:name").set_value("d-sphere")
    settled(home)
    next(one for one in home.slider if one.label == "Dimension").set_value(dimension)
    settled(home)
    assert not home.exception
    assert not [one for one in home.slider if one.label == "Dimensions of the space"]
    home.slider(key="manifold:n_points").set_value(300)
    settled(home)
    home.button(key="manifold:draw").click()
    settled(home)
    assert f"300 × {dimension + 1}" in texts(home)


def test_a_file_is_sniffed_corrected_and_loaded(home):
    home.file_uploader(key="upload").set_value(("mine.csv", CSV, "text/csv"))
    settled(home)
    assert "mine\\.csv" in texts(home)
    target = next(box for box in home.selectbox if box.label == "Target (label)")
    assert target.options == ["none", "length", "width", "kind"]
    target.set_value(3)
    settled(home)
    header = next(box for box in home.selectbox if box.label == "Decimal mark")
    assert header.options[0] == "comma (found)"
    home.button(key="upload:load").click()
    settled(home)
    assert "Quick look: mine" in texts(home)
    assert "30 × 2" in texts(home)


@pytest.mark.parametrize(
    "content", [b"", b"\x00\x01\x02\x03" * 50, b"\x93NUMPY\x01\x00garbage", b"PK\x03\x04broken"]
)
def test_a_bad_file_is_one_sentence_and_what_was_loaded_stays(home, content):
    home.file_uploader(key="upload").set_value(("bad.bin", content, ""))
    settled(home)
    if home.error:
        assert "Traceback" not in home.error[0].value
    else:
        home.button(key="upload:load").click()
        settled(home)
        assert home.error
    assert "Quick look: digits" in texts(home)


def test_openml_is_searched(home, openml):
    home.text_input(key="openml:words").set_value("iris")
    settled(home)
    assert "tick one to see more" in texts(home)
    assert home.dataframe[0].value["name"].tolist() == ["iris"]


def test_openml_without_a_network_is_one_sentence(home, openml):
    openml.stop()
    home.text_input(key="openml:words").set_value("wine")
    settled(home)
    assert len(home.error) == 1
    assert "Quick look: digits" in texts(home)


def test_a_word_nobody_has_used_finds_nothing_and_says_so(home, openml):
    home.text_input(key="openml:words").set_value("zzz")
    settled(home)
    assert "no active dataset" in home.info[0].value


def test_an_openml_link_that_failed_stays_in_the_address(opened, openml):
    openml.stop()
    app = settled(opened("app.py", data="openml:61", k="9", map="pca"))
    assert app.error[0].value.startswith("OpenML 61 is not here. ")
    assert not app.subheader  # nothing stands in its place
    assert standing(app) == {
        "v": links.VERSION,
        "data": "openml:61",
        "mode": "haar",
        "k": "9",
        "map": "pca",
    }
    app.pills[0].set_value("wine")
    settled(app)
    assert standing(app)["data"] == "bundled:wine"


def test_an_openml_link_is_opened(opened, openml):
    app = opened(data="openml:61")
    assert "Quick look: iris" in texts(app)


def test_the_preparation_can_be_changed_and_is_reported(home):
    unfolded(home, "preparation").selectbox(key="preparation.scale#0").set_value("min-max")
    settled(home)
    assert "range from 0 to 1" in texts(home)
    assert "scaled to 0–1" in texts(home).replace("\\", "")


def test_distances_can_be_those_of_directions(home):
    unfolded(home, "preparation").selectbox(key="preparation.metric#0").set_value("cosine")
    settled(home)
    assert "Scaled every row to length one" in texts(home)
    assert "rows of length one (cosine)" in texts(home).replace("\\", "")
    assert standing(home)["metric"] == "cosine"


def test_a_preparation_that_cannot_be_is_refused_and_the_former_stays(home):
    everything = list(range(64))
    boxes = unfolded(home, "preparation").multiselect
    box = next(box for box in boxes if box.label == "Leave out columns")
    box.set_value(everything)
    settled(home)
    assert "No column can be used" in home.error[0].value
    assert "1 797 × 64" in texts(home)


def test_a_notice_stays_until_it_is_dismissed(opened):
    app = opened(k="abc")
    assert "k\\=abc" in app.warning[0].value
    settled(app)
    assert app.warning
    app.button(key="dismiss:0").click()
    settled(app)
    assert not app.warning


def test_a_table_without_rows_is_named_and_cannot_be_loaded(home):
    home.file_uploader(key="upload").set_value(("head.csv", b"a,b,c\n", "text/csv"))
    settled(home)
    assert any("a header but no rows" in one.value for one in home.warning)
    assert home.button(key="upload:load").disabled


def test_a_link_to_a_file_names_the_fingerprint_and_the_upload_brings_the_view_back(opened):
    app = opened()
    app.file_uploader(key="upload").set_value(("mine.csv", CSV, "text/csv"))
    settled(app)
    app.button(key="upload:load").click()
    settled(app)
    link = standing(app)
    link |= {"k": "9", "mode": "haar", "scaling": "none", "select": "top:10"}
    del link["file"]  # then only reading it tells whether it is the file
    second = opened(**link)
    assert "only its owner has" in second.info[0].value
    assert link["print"] in second.info[0].value
    assert not second.subheader  # nothing stands in its place
    second.file_uploader(key="upload").set_value(("other name.csv", CSV, "text/csv"))
    settled(second)
    second.button(key="upload:load").click()
    settled(second)
    assert "Quick look: other name" in texts(second)
    found = standing(second)
    assert {name: found.get(name) for name in ("k", "mode", "scaling", "select")} == {
        "k": "9", "mode": "haar", "scaling": "none", "select": "top:10",
    }  # fmt: skip


def test_a_link_to_a_file_holds_how_it_was_read(opened):
    content = "größe;art;x\n".encode("cp1252") + b"".join(
        b"%d,5;%s;%d\n" % (i, b"rot" if i % 2 else b"blau", i * i) for i in range(40)
    )
    app = opened()
    app.file_uploader(key="upload").set_value(("mine.csv", content, "text/csv"))
    settled(app)
    for label, option in (("Encoding", "cp1252"), ("Target (label)", "art")):
        box = next(box for box in app.selectbox if box.label == label)
        box.select_index(box.options.index(option))
        settled(app)
    next(box for box in app.multiselect if box.label == "Columns to keep").set_value([0])
    settled(app)
    app.button(key="upload:load").click()
    settled(app)
    assert "40 × 1" in texts(app)
    link = standing(app)
    assert link["read"] == "encoding=cp1252,target=art,column=größe,column=art"

    second = opened(**link, k="6")
    second.file_uploader(key="upload").set_value(("mine (1).csv", content, "text/csv"))
    settled(second)
    assert "Quick look: mine" in texts(second)
    assert "its view is back" in second.success[0].value
    assert standing(second) == link | {"data": "file:mine (1).csv", "k": "6"}
    shown = {
        box.label: box.options[box.index]
        for box in second.selectbox
        if box.label in ("Encoding", "Target (label)")
    }
    assert shown == {"Encoding": "cp1252", "Target (label)": "art"}
    kept = next(box for box in second.multiselect if box.label == "Columns to keep")
    assert kept.value == [0, 1]
    second.button(key="upload:load").click()
    settled(second)
    assert standing(second)["print"] == link["print"]


def test_a_file_of_the_same_name_is_not_taken_for_the_one_of_a_link(opened):
    link = {"data": "file:mine.csv", "print": "0123456789abcdef", "k": "9", "mode": "haar"}
    app = opened(**link)
    app.file_uploader(key="upload").set_value(("mine.csv", CSV, "text/csv"))
    settled(app)
    app.button(key="upload:load").click()
    settled(app)
    (warning,) = [one.value for one in app.warning]
    assert "not the file the link was made with" in warning
    assert "0123456789abcdef" in warning
    assert standing(app)["print"] in warning
    assert "The view of the link was not applied." in warning
    assert standing(app)["print"] != "0123456789abcdef"


def test_one_class_is_one_class(home):
    content = b"x,kind\n" + b"".join(b"%d,red\n" % (i * i) for i in range(20))
    home.file_uploader(key="upload").set_value(("mine.csv", content, "text/csv"))
    settled(home)
    next(box for box in home.selectbox if box.label == "Target (label)").select_index(2)
    settled(home)
    home.button(key="upload:load").click()
    settled(home)
    said = texts(home)
    assert "**1 class**" in said
    assert "1 classes" not in said


@pytest.mark.parametrize(
    ("delimiter", "name"),
    [(" ", "blanks"), (WHITESPACE, "blanks"), ("\t", "tab"), ("#", "'#'"), ("\x01", "'\\x01'")],
)
def test_every_delimiter_can_be_read(delimiter, name):
    assert delimiter_name(delimiter) == name


def test_a_blank_that_was_found_is_named(home):
    content = b"a b\n" + b"".join(b"%d %d\n" % (i, i * i) for i in range(20))
    home.file_uploader(key="upload").set_value(("mine.txt", content, "text/plain"))
    settled(home)
    assert any("blanks (found)" in box.options for box in home.selectbox)


def test_what_was_said_of_a_file_is_gone_when_the_next_one_comes(home):
    note = "1 column name is given to more than one column"
    home.file_uploader(key="upload").set_value(("twice.csv", TWICE, "text/csv"))
    settled(home)
    home.button(key="upload:load").click()
    settled(home)
    assert any(note in info.value for info in home.info)
    home.file_uploader(key="upload").set_value(("mine.csv", CSV, "text/csv"))
    settled(home)
    assert not any(note in text for text in texts(home))
    assert not home.info


def test_names_of_datasets_are_left_alone_where_classes_are_counted():
    found = Description(7, "classscores", 1, "active", "ARFF", "", n_rows=9, n_classes=3)
    assert "classscores" in spoken(found)
    assert "9 rows, 3 classes" in spoken(found)
