import pytest
from playwright.sync_api import expect

from tests.browser.visitor import PATIENCE

DECIMAL_COMMA = "Länge;Breite;Art\n" + "\n".join(
    f"{i},5;{i * i % 7},25;{'rot' if i % 2 else 'blau'}" for i in range(40)
)


def test_a_csv_with_decimal_commas_is_sniffed_shown_and_loaded(visitor):
    visitor.open()
    visitor.wait_drawn("home-map")
    visitor.page.locator("input[type=file]").set_input_files(
        {"name": "maße.csv", "mimeType": "text/csv", "buffer": DECIMAL_COMMA.encode("cp1252")}
    )
    for label, found in (("Between columns", "semicolon"), ("Decimal mark", "comma")):
        box = visitor.page.get_by_role("combobox", name=label)
        expect(box).to_have_value(f"{found} (found)")
    visitor.choose("Target (label)", "Art")
    visitor.page.get_by_role("button", name="Load this table").click()
    visitor.sees("Quick look: maße")
    visitor.wait("plot._fullData[0].marker.color.length === 40", "home-map")
    assert visitor.parameters["data"] == "file:maße.csv"
    visitor.no_traceback()


EVIL = (
    "![a](http://evil.test/x.png),<a href=http://evil.test>b</a>,:material/home:,**label**\n"
    + "".join(
        f"{i},{i * 1.5},{i % 5},{'[x](http://evil.test)' if i % 2 else '<b>bold</b>'}\n"
        for i in range(40)
    )
)


@pytest.mark.thorough
def test_hostile_names_are_shown_as_they_are_and_fetch_nothing(visitor):
    visitor.open("/?map=pca")
    visitor.wait_drawn("home-map")
    visitor.page.locator("input[type=file]").set_input_files(
        {"name": "![p](http:--evil.test).csv", "mimeType": "text/csv", "buffer": EVIL.encode()}
    )
    visitor.choose("Target (label)", "**label**")
    visitor.page.get_by_role("button", name="Load this table").click()
    visitor.sees("Quick look: ![p](http:--evil")
    visitor.page.get_by_role("link", name="Explore", exact=True).click()
    visitor.wait_drawn("map")
    visitor.choose("Colour", "Label")
    visitor.wait("plot._fullData.length > 1", "map")
    visitor.choose("Colour", "A column")
    visitor.choose("Column", "<a href=http://evil.test>b</a>")
    visitor.wait("plot._fullData[0].marker.colorbar?.title.text.includes('&lt;a')", "map")
    # Our own links between pages hold the names too, as parameters.
    assert "evil.test" not in visitor.page.evaluate("[...document.links].map(a => a.hostname)")
    assert visitor.page.locator("img[src*='evil.test']").count() == 0
    assert visitor.abroad == []
    visitor.no_traceback()


def test_openml_is_searched_described_and_downloaded(visitor):
    visitor.open()
    visitor.wait_drawn("home-map")
    words = visitor.page.get_by_role("textbox", name="OpenML")
    words.fill("iris")
    words.press("Enter")
    visitor.sees("tick one to see more")
    visitor.tick(visitor.page.locator("[data-testid=stDataFrame]").first)
    visitor.sees("licence:")
    visitor.page.get_by_role("button", name="Download and use").click()
    visitor.sees("Quick look: iris")
    assert visitor.parameters["data"].startswith("openml:")
    assert visitor.abroad == []


@pytest.mark.thorough
def test_a_bundled_set_is_chosen_without_a_mouse(visitor):
    visitor.open()
    visitor.wait_drawn("home-map")
    visitor.page.get_by_role("radio", name="iris").focus()
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.keyboard.press("Enter")
    visitor.sees("Quick look: wine")
    assert visitor.parameters["data"] == "bundled:wine"


@pytest.mark.thorough
def test_two_visitors_keep_their_own_data(visitor, arrive):
    second = arrive()
    visitor.open("/?data=bundled:iris")
    second.open("/?data=bundled:wine")
    visitor.sees("Quick look: iris")
    second.sees("Quick look: wine")
    visitor.page.get_by_role("link", name="Explore", exact=True).click()
    visitor.sees("iris · score by haar, k = 7")
    second.page.get_by_role("link", name="Explore", exact=True).click()
    second.sees("wine · score by haar, k = 7")


@pytest.mark.thorough
def test_what_cannot_be_read_of_an_address_is_said_and_left_out(visitor):
    visitor.open(
        "/Explore?k=abc&mode=magic&map=x&colour=column&column=%3Cb%3E&select=rows:!!&seed=1e9"
    )
    visitor.wait_drawn("map")
    visitor.no_traceback()
    expect(visitor.page.get_by_test_id("stAlert").first).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize(
    "path",
    [
        "/?data=openml:999999&map=pca&v=1",
        "/Explore?data=file:%3Cimg%20src=x%3E&print=zz&select=range:nan:1&scaling=none&only=a,a",
    ],
)
def test_where_data_are_not_to_be_had_the_page_says_so_and_shows_none(visitor, path):
    visitor.open(path)
    expect(visitor.page.get_by_test_id("stAlert").first).to_be_visible(timeout=PATIENCE)
    visitor.no_traceback()
    expect(visitor.page.locator(".js-plotly-plot")).to_have_count(0)


@pytest.mark.thorough
def test_a_link_to_a_file_opened_on_another_page_follows_when_it_is_uploaded(visitor, arrive):
    content = "a;b;class\n" + "".join(
        f"{i * i % 7},5;{i % 5},25;{'uv'[i % 2]}\n" for i in range(40)
    )
    file = {"name": "linked.csv", "mimeType": "text/csv", "buffer": content.encode()}
    visitor.open()
    visitor.page.locator("input[type=file]").first.set_input_files(file)
    visitor.page.get_by_role("button", name="Load this table").click()
    visitor.sees("Quick look: linked")
    visitor.page.wait_for_url("**data=file*")
    link = visitor.page.url.replace("/?", "/Explore?") + "&k=9&map=pca"
    second = arrive()
    second.open(link)
    second.sees("upload it on Home")
    second.page.get_by_role("link", name="Home").first.click()
    second.sees("which only its owner has")
    second.page.locator("input[type=file]").first.set_input_files(file)
    second.sees("its view is back")
    second.page.wait_for_url("**data=file*k=9*")
    second.page.get_by_role("link", name="Explore").first.click()
    second.sees("haar, k = 9")
    second.wait("plot._fullData[0].x.length === 40", "map")
