"""What stands on Explore until something better is there: PCA, a former map, former scores."""

import threading
from collections import defaultdict

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from mecuco_app.results import maps, scores
from mecuco_app.results.scores import scored
from tests.app.rerunning import ROOT, figures, settled, unfolded
from tests.app.test_explore_page import PAGE, numbers, points_of, said, top_points


@pytest.fixture
def layouts(monkeypatch):
    """UMAP that lays points out on a line, when it is let: by seed, an event for each."""
    gates = defaultdict(threading.Event)

    def lay_out(points, graph, *, dimension, n_neighbors, min_dist, seed, report):
        while not gates[seed].wait(0.01):
            report(0.5, "UMAP: epoch 1 of 2")
        line = np.arange(len(points), dtype=np.float32) + seed
        return np.repeat(line[:, np.newaxis], dimension, axis=1)

    monkeypatch.setattr(maps, "umap_coordinates", lay_out)
    yield gates
    for gate in gates.values():
        gate.set()


def umap_page(seed, data):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in (("data", data), ("seed", str(seed))):
        app.query_params[name] = value
    app.switch_page(PAGE)
    return app.run()


def test_pca_stands_until_umap_is_ready(layouts):
    app = umap_page(901, "bundled:wine")
    assert "PCA for now; UMAP follows." in said(app)
    assert figures(app)["map"]["layout"]["xaxis"]["title"]["text"] == "PC 1"
    layouts[901].set()
    settled(app)
    assert "UMAP (15, 0.1, seed 901)" in said(app)
    assert numbers(points_of(app)["x"])[0] == 901


def test_the_former_map_stays_dimmed_until_the_new_one_is_there(layouts):
    layouts[902].set()
    app = settled(umap_page(902, "bundled:wine"))
    unfolded(app, "map").number_input(key="map.seed").set_value(903).run()
    assert "This is the former map" in said(app)
    assert points_of(app)["marker"]["opacity"] < 0.5
    assert numbers(points_of(app)["x"])[0] == 902
    layouts[903].set()
    settled(app)
    assert numbers(points_of(app)["x"])[0] == 903
    assert points_of(app)["marker"]["opacity"] > 0.5


def test_a_stopped_map_is_said_and_can_be_started_again(layouts):
    app = umap_page(904, "bundled:wine")
    app.button(key="stop:umap").click()
    settled(app)
    assert "UMAP: stopped. Nothing was kept." in said(app)
    assert "This is PCA; UMAP was not made." in said(app)
    assert "follows when ready" not in said(app)
    layouts[904].set()
    app.button(key="again:umap").click()
    settled(app)
    assert numbers(points_of(app)["x"])[0] == 904


def test_a_map_that_fails_is_one_sentence(monkeypatch):
    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr(maps, "umap_coordinates", fail)
    app = settled(umap_page(905, "bundled:wine"))
    assert "not enough memory" in app.error[0].value
    assert "map" in figures(app)


def test_a_former_map_whose_successor_was_stopped_is_no_longer_dim(layouts):
    layouts[906].set()
    app = settled(umap_page(906, "bundled:wine"))
    unfolded(app, "map").number_input(key="map.seed").set_value(907).run()
    app.button(key="stop:umap").click()
    settled(app)
    assert "This is the former map; the new one was not made." in said(app)
    assert points_of(app)["marker"]["opacity"] > 0.5


@pytest.fixture
def slow(monkeypatch):
    """Scores by `original` that come when they are let."""
    gate = threading.Event()

    def score(points, k, mode, graph, *, report):
        while mode == "original" and not gate.wait(0.01):
            report(0.5, "Scoring")
        return scored(points, k, mode, graph, report=report)

    monkeypatch.setattr(scores, "scored", score)
    yield gate
    gate.set()


def by_original(app):
    next(one for one in app.radio if one.label == "Mode").set_value("original")
    return app.run()


def test_the_former_scores_stay_dimmed_until_the_new_ones_are_there(opened, slow):
    app = opened(PAGE, data="manifold:ellipsoid", **{"with": "n_points=150"}, map="pca")
    before = top_points(app)
    by_original(app)
    assert "Below are the former scores: haar, k = 7." in said(app)
    assert "score by haar, k = 7" in said(app)
    assert points_of(app)["marker"]["opacity"] < 0.5
    assert top_points(app).equals(before)
    app.button(key="stop:score").click()
    settled(app)
    assert "stopped. Nothing was kept." in said(app)
    assert top_points(app).equals(before)
    assert points_of(app)["marker"]["opacity"] > 0.5  # nothing better is on its way
    slow.set()
    app.button(key="again:score").click()
    settled(app)
    assert "score by original, k = 7" in said(app)
    assert "former scores" not in said(app)
    assert points_of(app)["marker"]["opacity"] > 0.5


def test_former_scores_are_those_of_the_same_points(opened, slow):
    app = opened(PAGE, data="manifold:ellipsoid", **{"with": "n_points=160"}, map="pca")
    by_original(app)
    next(one for one in app.selectbox if one.label == "Dataset").set_value("iris")
    app.run()
    assert "former scores" not in said(app)
    assert "no score yet" in said(app)
    assert not any("why" in frame.value.columns for frame in app.dataframe)
