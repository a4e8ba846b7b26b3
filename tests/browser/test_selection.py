"""Selection on Explore: lasso, box, brush, rows, clicks, and what each leaves alone."""

import io

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

import mecuco as mc
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.preparation.prepare import prepare


def test_a_lasso_is_listed_exported_and_read_back(visitor):
    visitor.open("/Explore?map=pca")
    visitor.wait_drawn("map")
    visitor.page.get_by_role("radio", name="Lasso").click()
    visitor.wait("plot._fullLayout.dragmode === 'lasso'", "map")
    visitor.drag("map", (0.3, 0.3), (0.7, 0.3), (0.7, 0.6), (0.3, 0.6), (0.3, 0.3))
    visitor.sees("of the selection")
    visitor.wait("plot._fullData[0].selectedpoints?.length > 0", "map")
    picked = visitor.trace("map", "selectedpoints")
    assert 50 < len(picked) < 1700
    assert sum(visitor.trace("histogram", "y", 1)) == len(picked)
    visitor.page.get_by_role("button", name="Export").click()
    files = {}
    for label in ("Selection as CSV", "Selection as Parquet"):
        with visitor.page.expect_download() as download:
            visitor.page.get_by_role("button", name=label).click()
        files[label] = download.value.path().read_bytes()
    csv = pd.read_csv(io.BytesIO(files["Selection as CSV"]))
    parquet = pd.read_parquet(io.BytesIO(files["Selection as Parquet"]))
    assert csv["row"].tolist() == picked
    assert parquet["row"].tolist() == picked
    expected = mc.curvature(prepare(load_bundled("digits")).points)
    np.testing.assert_array_equal(parquet["score"], expected.values[picked])
    np.testing.assert_allclose(csv["score"], expected.values[picked], rtol=1e-12)
    visitor.no_traceback()


@pytest.mark.thorough
def test_a_brush_on_the_histogram_selects_on_the_map_and_clear_undoes_it(visitor):
    visitor.open("/Explore?map=pca")
    for key in ("map", "histogram"):
        visitor.wait_drawn(key)
    visitor.drag("histogram", (0.55, 0.5), (0.8, 0.5))
    visitor.sees("scores from")
    visitor.wait("plot._fullData[0].selectedpoints?.length > 0", "map")
    picked = visitor.trace("map", "selectedpoints")
    low, high = map(float, visitor.parameters["select"].split(":")[1:])
    values = mc.curvature(prepare(load_bundled("digits")).points).values
    assert picked == np.flatnonzero((values >= low) & (values <= high)).tolist()
    visitor.page.get_by_role("button", name="Clear selection").click()
    visitor.sees("Nothing selected")
    visitor.wait("plot._fullData[0].selectedpoints === undefined", "map")


@pytest.mark.parametrize("name", ["digits", "iris", "wine"])
def test_a_brush_drawn_past_an_end_takes_the_last_point_there_and_so_does_its_link(
    visitor, arrive, name
):
    order = np.argsort(mc.curvature(prepare(load_bundled(name)).points).values).tolist()
    visitor.open(f"/Explore?map=pca&data=bundled:{name}")
    for key in ("map", "histogram"):
        visitor.wait_drawn(key)
    for end, last in ((1.3, order[-1]), (-0.3, order[0])):
        visitor.drag("histogram", (0.5, 0.5), (end, 0.5))
        visitor.wait("plot._fullData[0].selectedpoints?.includes(value)", "map", last)
    picked, second = visitor.trace("map", "selectedpoints"), arrive()
    second.open(visitor.page.url)
    second.wait("plot._fullData[0].selectedpoints?.join() === value.join()", "map", picked)


@pytest.mark.thorough
def test_two_clicks_on_the_histogram_clear_its_brush(visitor):
    visitor.open("/Explore?map=pca&data=bundled:wine")
    visitor.wait_drawn("histogram")
    visitor.drag("histogram", (0.3, 0.5), (0.8, 0.5))
    visitor.sees("scores from")
    visitor.wait("plot._fullLayout.shapes.length > 1", "histogram")
    visitor.page.locator(".st-key-histogram .nsewdrag").dblclick()
    visitor.sees("Nothing selected")
    assert "select" not in visitor.parameters


@pytest.mark.thorough
def test_with_shift_a_box_adds_to_what_is_selected(visitor):
    visitor.open("/Explore?map=pca&data=bundled:wine&select=top:10")
    visitor.wait("plot._fullData[0].selectedpoints?.length === 18", "map")
    top = visitor.trace("map", "selectedpoints")
    visitor.page.get_by_role("radio", name="Box").click()
    visitor.wait("plot._fullLayout.dragmode === 'select'", "map")
    visitor.page.keyboard.down("Shift")
    visitor.drag("map", (0.1, 0.1), (0.4, 0.6))
    visitor.page.keyboard.up("Shift")
    all_of = "value.every((point) => plot._fullData[0].selectedpoints?.includes(point))"
    more = "plot._fullData[0].selectedpoints?.length > value.length"
    visitor.wait(f"{all_of} && {more}", "map", top)
    visitor.drag("map", (0.6, 0.3), (0.9, 0.9))
    visitor.wait(f"!({all_of}) && plot._fullData[0].selectedpoints?.length > 0", "map", top)
    visitor.sees(f"of {len(visitor.trace('map', 'selectedpoints'))} points of the selection")


@pytest.mark.thorough
def test_a_click_on_a_point_tells_why_it_is_there(visitor):
    visitor.open("/Explore?map=pca")
    visitor.wait_drawn("map")
    x, y = visitor.trace("map", "x"), visitor.trace("map", "y")
    lonely = int(np.argmax(x))
    place = visitor.place("map", x[lonely], y[lonely])
    visitor.click_point("map", *place)
    visitor.sees(f"Row {lonely}, label")
    visitor.sees("Why: ")
    assert visitor.parameters["point"] == str(lonely)
    visitor.wait("plot._fullLayout.shapes.length === 2", "map")  # the ring, and lines to neighbours


@pytest.mark.thorough
@pytest.mark.parametrize(("mode", "drag"), [("Lasso", "lasso"), ("Box", "select")])
def test_so_it_does_where_a_selection_is_drawn_by_hand_and_keeps_it(visitor, mode, drag):
    visitor.open("/Explore?map=pca&data=bundled:wine&select=top:10")
    visitor.wait("plot._fullData[0].selectedpoints?.length === 18", "map")
    visitor.page.get_by_role("radio", name=mode).click()
    visitor.wait("plot._fullLayout.dragmode === value", "map", drag)
    x, y = visitor.trace("map", "x"), visitor.trace("map", "y")
    for point in (int(np.argmax(x)), int(np.argmin(y))):
        visitor.click_point("map", *visitor.place("map", x[point], y[point]))
        visitor.sees(f"Row {point}, label")
        visitor.wait("plot._fullLayout.shapes.length === 2", "map")
        assert visitor.parameters["select"] == "top:10"
    assert len(visitor.trace("map", "selectedpoints")) == 18


@pytest.mark.thorough
def test_a_click_in_space_looks_at_a_point_and_a_turn_does_not(visitor):
    def pointed_at():
        return visitor.page.locator(".st-key-map-3d .hovertext").all_text_contents()

    visitor.open("/Explore?map=pca&dim=3&data=bundled:wine")
    visitor.wait_drawn("map-3d")
    frame = visitor.at_rest(visitor.page.locator(".st-key-map-3d .js-plotly-plot"))
    middle = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    places = [(middle[0] + 12 * (i % 7 - 3), middle[1] + 12 * (i // 7 - 3)) for i in range(49)]

    def find():
        for place in places:
            visitor.page.mouse.move(*place)
            visitor.page.evaluate("() => new Promise((done) => setTimeout(done, 60))")  # 3 frames
            if pointed_at():
                return place
        raise AssertionError("there is no point in the middle")

    x, y = find()
    visitor.page.mouse.down()
    visitor.page.mouse.move(x + 60, y + 20, steps=6)
    visitor.page.mouse.up()
    x, y = find()
    assert "point" not in visitor.parameters
    row = pointed_at()[0].split("score")[0].removeprefix("row").strip()
    visitor.page.mouse.click(x, y, delay=150)  # as long as a finger is down
    visitor.sees(f"Row {row}, label")
    assert visitor.parameters["point"] == row


@pytest.mark.thorough
def test_a_row_of_the_table_is_ringed_on_the_map_and_two_are_selected(visitor):
    visitor.open("/Explore?map=pca")
    visitor.wait_drawn("map")
    table = visitor.page.locator("[data-testid=stDataFrame]").last
    first, second = (int(visitor.cell(row, 1).text_content()) for row in (0, 1))
    visitor.tick(table)
    visitor.sees(f"Row {first}, label")
    visitor.wait("plot._fullLayout.shapes.length === 2", "map")
    assert not visitor.trace("map", "selectedpoints")  # all points keep their colours
    visitor.sees("One point chosen, ringed on the map")
    visitor.tick(table, 1)
    visitor.wait("plot._fullData[0].selectedpoints?.length === 2", "map")
    assert visitor.trace("map", "selectedpoints") == sorted((first, second))
    visitor.sees("Top 200 of")  # the table goes on listing what it listed
    ticked = table.locator("tr[aria-selected='true']")
    expect(ticked).to_have_count(2)
    visitor.page.get_by_role("slider", name="Neighbours k").focus()
    visitor.page.keyboard.press("ArrowRight")
    visitor.sees("haar, k = 12")
    expect(ticked).to_have_count(0)  # ticks would mark other points, which are not selected
    assert visitor.trace("map", "selectedpoints") == sorted((first, second))


def rightmost(visitor):
    """Return the row of the point farthest to the right, and its place on the screen."""
    x, y = (np.array(visitor.trace("map", axis)) for axis in "xy")
    lonely = int(np.argmax(x))
    return lonely, visitor.place("map", float(x[lonely]), float(y[lonely]))


@pytest.mark.thorough
def test_clicks_on_one_point_leave_the_selection_as_it_is(visitor):
    visitor.open("/Explore?map=pca&data=bundled:wine&select=top:10")
    visitor.wait("plot._fullData[0].selectedpoints?.length === 18", "map")
    selected = visitor.trace("map", "selectedpoints")
    for turn in (1, 2, 3):
        row, place = rightmost(visitor)
        visitor.click_point("map", *place)
        visitor.wait("plot._fullLayout.meta === value", "map", turn)
        visitor.sees(f"Row {row}, label")
        assert visitor.trace("map", "selectedpoints") == selected
        visitor.sees("18 points")
    assert visitor.parameters["select"] == "top:10"
    assert visitor.parameters["point"] == str(row)


@pytest.mark.thorough
@pytest.mark.parametrize(("way", "n_kept"), [("Click", 18), ("Box", 0)])
def test_two_clicks_clear_what_is_drawn_by_hand_and_else_nothing(visitor, way, n_kept):
    visitor.open("/Explore?map=pca&data=bundled:wine&select=top:10")
    visitor.wait("plot._fullData[0].selectedpoints?.length === 18", "map")
    visitor.page.get_by_role("radio", name=way).click()
    mode = {"Click": "pan", "Box": "select"}[way]
    visitor.wait("plot._fullLayout.dragmode === value", "map", mode)
    before = visitor.told("map", "plot._fullLayout.meta") or 0
    area = visitor.at_rest(visitor.page.locator(".st-key-map .nsewdrag").first)
    visitor.page.mouse.dblclick(area["x"] + 3, area["y"] + 3)
    visitor.wait("plot._fullLayout.meta > value", "map", before)
    visitor.wait("(plot._fullData[0].selectedpoints?.length ?? 0) === value", "map", n_kept)
    visitor.sees("18 points" if n_kept else "Nothing selected")
    assert ("select" in visitor.parameters) == bool(n_kept)


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["Lasso", "Box"])
def test_a_single_point_can_be_selected(visitor, way):
    visitor.open("/Explore?map=pca&data=bundled:wine")
    visitor.wait_drawn("map")
    visitor.page.get_by_role("radio", name=way).click()
    visitor.wait(
        f"plot._fullLayout.dragmode === '{'lasso' if way == 'Lasso' else 'select'}'", "map"
    )
    row, (x, y) = rightmost(visitor)
    corners = [(x - 9, y - 9), (x + 9, y - 9), (x + 9, y + 9), (x - 9, y + 9), (x - 9, y - 9)]
    if way == "Box":
        corners = [corners[0], corners[2]]
    visitor.page.mouse.move(*corners[0])
    visitor.page.mouse.down()
    for corner in corners[1:]:
        visitor.page.mouse.move(*corner, steps=4)
    visitor.page.mouse.up()
    visitor.sees("1 point")
    visitor.wait("plot._fullData[0].selectedpoints?.join() === value", "map", str(row))
    assert visitor.parameters["select"].startswith("rows:")


@pytest.mark.thorough
def test_a_click_copies_the_address(arrive):
    visitor = arrive()
    visitor.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.open("/Explore?map=pca&data=bundled:wine&k=9")
    visitor.wait_drawn("map")
    visitor.page.get_by_role("button", name="Copy link").click()
    visitor.sees("Copied: it opens this view.")
    assert visitor.page.evaluate("navigator.clipboard.readText()") == visitor.page.url
