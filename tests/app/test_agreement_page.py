"""The Agreement page in every state."""

import base64

import numpy as np
import pytest

import mecuco as mc
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.preparation.prepare import prepare
from tests.app.rerunning import figures, opened, settled, texts

PAGE = "2_Agreement.py"


def numbers(array):
    """Return an array of a figure as numbers: Plotly sends them packed."""
    if isinstance(array, dict):
        return np.frombuffer(base64.b64decode(array["bdata"]), dtype=array["dtype"])
    return np.asarray(array, dtype=float)


@pytest.fixture(scope="module")
def wine():
    return opened(PAGE, data="bundled:wine")


def test_the_scatter_holds_the_scores_of_both_modes(wine):
    points = prepare(load_bundled("wine")).points
    cloud = figures(wine)["agreement-scatter"]["data"][-1]
    graph = mc.knn_graph(points)
    for axis, mode in (("x", "exact"), ("y", "fast")):
        expected = mc.curvature(points, graph=graph, mode=mode).values
        np.testing.assert_allclose(numbers(cloud[axis]), expected, rtol=1e-5)


def test_the_caption_of_the_differences_says_percent_of_what(wine):
    assert "each point in percent of its own mean" in texts(wine)


def test_the_band_of_random_bases_is_drawn_where_exact_has_one(wine):
    band = figures(wine)["agreement-scatter"]["data"][1]
    assert band["name"] == "random null-space bases"
    assert len(numbers(band["x"])) == 3 * 178
    assert "95 \\% of random null\\-space bases" in texts(wine)


def test_all_figures_of_the_design_are_there_with_captions(wine):
    assert set(figures(wine)) == {
        "agreement-scatter", "agreement-differences", "agreement-ranks", "agreement-overlap",
        "agreement-null-spread", "agreement-null-one",
    }  # fmt: skip
    assert len(wine.caption) >= 6
    assert all("wine · 178 × 13 · standardised" in caption.value.replace("\u202f", " ")
               for caption in wine.caption)  # fmt: skip


def test_the_page_says_one_sentence_and_a_strip_of_figures(wine):
    assert "but fast is 19 % low" in texts(wine)
    points = prepare(load_bundled("wine")).points
    graph = mc.knn_graph(points)
    agreement = mc.compare(
        mc.curvature(points, graph=graph, mode="exact"),
        mc.curvature(points, graph=graph, mode="fast"),
    )
    strip = {metric.label: metric.value for metric in wine.metric}
    assert float(strip["MAE"]) == pytest.approx(agreement.mae, rel=1e-2)
    assert float(strip["Spearman ρ"]) == pytest.approx(agreement.spearman, abs=1e-3)
    assert float(strip["Chatterjee ξ"]) == pytest.approx(agreement.chatterjee, abs=1e-3)
    assert {"Time, exact", "Time, fast", "Speed-up"} <= set(strip)
    table = wine.dataframe[0].value
    assert list(table.columns) == ["raw", "scaled to 0–1"]


def test_the_page_can_be_taken_along_as_link_and_code(wine):
    link, python, command = (code.value for code in wine.code)
    assert "data=bundled" in link
    assert "mc.compare(first.values, second.values)" in python
    assert [line.split()[-1] for line in command.splitlines()] == ["exact.csv", "fast.csv"]


def test_normalised_figures_run_from_zero_to_one():
    app = opened(PAGE, data="bundled:wine", normalised="1")
    cloud = figures(app)["agreement-scatter"]["data"][-1]
    assert numbers(cloud["x"]).min() == 0.0
    assert numbers(cloud["x"]).max() == 1.0
    app.toggle(key="agreement.normalised").set_value(False)
    settled(app)
    assert numbers(figures(app)["agreement-scatter"]["data"][-1]["x"]).max() > 5


def test_choosing_another_mode_changes_figures_and_address():
    app = opened(PAGE, data="bundled:wine")
    app.selectbox(key="agreement.second").set_value("haar")
    settled(app)
    assert "Haar and exact order the points" in texts(app)
    assert app.query_params["second"] == "haar"


def test_where_neighbourhoods_span_the_space_exact_is_one_number():
    app = opened(PAGE, data="bundled:iris", k="20", second="haar")
    assert "are the same number for every point, to rounding" in texts(app)
    assert "exact, original and haar are the same number" in texts(app)
    assert "agreement-null-spread" not in figures(app)


def test_while_ranks_are_not_known_nothing_is_said_of_what_neighbourhoods_span(monkeypatch):
    monkeypatch.setattr("mecuco_app.page.agreement.panels.some_deficient", lambda prepared, k: None)
    app = opened(PAGE, data="bundled:iris", k="20", second="haar")
    assert "What exact can be" in texts(app)
    assert "every neighbourhood spans" not in texts(app)


def test_one_mode_twice_is_said_to_be_no_comparison():
    assert "choose two different modes" in texts(opened(PAGE, data="bundled:iris", second="auto"))


@pytest.mark.thorough
def test_a_slow_mode_says_how_long_it_takes_and_offers_a_sample(monkeypatch):
    monkeypatch.setattr("mecuco_app.page.agreement.controls.ASK_SECONDS", 0.0)
    monkeypatch.setattr("mecuco_app.results.analyses.SAMPLE_SECONDS", 1e-3)
    app = opened(PAGE, data="bundled:breast-cancer")
    said = texts(app)
    assert "Exact would take about" in said
    assert "for all 569 points of 30 features" in said
    assert "A random sample of" in said
    n_rows = len(numbers(figures(app)["agreement-scatter"]["data"][-1]["x"]))
    assert 8 <= n_rows < 200
    app.radio(key="agreement:points").set_value("all")
    settled(app)
    assert len(numbers(figures(app)["agreement-scatter"]["data"][-1]["x"])) == 569
    assert "A random sample of" not in texts(app)


def test_a_mode_that_does_not_fit_in_memory_is_refused_in_words(monkeypatch):
    monkeypatch.setattr("mecuco_core.diagnostics.mode_pair.LARGEST_ORIGINAL_BYTES", 1)
    app = opened(PAGE, data="bundled:iris", first="original")
    assert "Mode 'original' would need" in app.error[0].value.replace("\\", "")
    assert not app.metric


def test_too_many_features_for_bases_are_said(monkeypatch):
    monkeypatch.setattr("mecuco_app.page.agreement.panels.LARGEST_FEATURES", 5)
    app = opened(PAGE, data="bundled:wine")
    assert "random bases are drawn up to 5 features" in texts(app)
    assert "agreement-scatter" in figures(app)
