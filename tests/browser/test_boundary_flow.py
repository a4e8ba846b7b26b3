"""Boundary points in a real browser."""

import pytest
from playwright.sync_api import expect

import mecuco as mc
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.preparation.prepare import prepare


@pytest.mark.thorough
def test_the_percentile_moves_the_split_on_map_and_list(visitor):
    visitor.open("/Boundary_points?data=bundled:iris&map=pca")
    visitor.sees("the 75th percentile")
    values = mc.curvature(prepare(load_bundled("iris")).points).values
    assert (
        len(visitor.trace("boundary-map", "x", 1))
        == mc.boundary_points(values, percentile=75).mask.sum()
    )
    slider = visitor.page.get_by_role("slider", name="Percentile of the score")
    slider.focus()
    visitor.page.keyboard.press("ArrowRight")
    visitor.sees("the 76th percentile")
    size = int(mc.boundary_points(values, percentile=76).mask.sum())
    visitor.wait("plot._fullData[1].x.length === value", "boundary-map", size)
    assert visitor.parameters["cut"] == "76"
    for key in ("boundary-overlap", "boundary-ribbons"):
        visitor.wait_drawn(key)
    visitor.no_traceback()


@pytest.mark.thorough
def test_clustering_is_compared_with_its_controls(visitor):
    visitor.open("/Boundary_points?data=bundled:iris&map=pca")
    visitor.page.get_by_role("button", name="Compare").click()
    visitor.sees("with nothing removed")
    for measure in ("silhouette", "ari_all"):
        visitor.wait_drawn(f"boundary-{measure}")
    removals = visitor.trace("boundary-silhouette", "y")
    assert removals[0] == "nothing removed"
    assert len(removals) == 5
    visitor.sees("compare with the controls")
    visitor.no_traceback()


@pytest.mark.thorough
def test_on_a_phone_the_measures_of_a_clustering_stand_below_each_other(visitor):
    visitor.resize(390, 844)
    visitor.open("/Boundary_points?data=bundled:iris&map=pca&clusters=4")
    visitor.page.get_by_role("button", name="Compare").click()
    visitor.wait_drawn("boundary-ari_all")
    places = [
        visitor.page.locator(f".st-key-boundary-{measure}").bounding_box()
        for measure in ("silhouette", "calinski_harabasz", "davies_bouldin")
    ]
    assert all(place["width"] > 300 for place in places)
    assert places[0]["y"] < places[1]["y"] < places[2]["y"]


@pytest.mark.thorough
def test_a_clustering_can_be_stopped_and_started_again(visitor):
    visitor.open(
        "/Boundary_points?data=manifold:swiss-roll&with=n_points%3D10000&map=pca&clustering=k-means"
    )
    visitor.wait_drawn("boundary-ribbons")  # no other job is under way
    visitor.page.get_by_role("button", name="Compare").click()
    # Not by its name: while a script runs, Streamlit has a Stop of its own.
    visitor.page.locator(".st-key-stop-clustering button").first.click()
    visitor.sees("stopped. Nothing was kept.")
    expect(visitor.page.locator(".st-key-boundary-silhouette")).to_have_count(0)
    visitor.page.get_by_role("button", name="Start again").click()
    visitor.wait_drawn("boundary-silhouette")
    visitor.sees("with nothing removed")
    visitor.no_traceback()
