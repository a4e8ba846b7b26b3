"""The Null space page: what exact can be."""

import numpy as np
import pytest

import mecuco as mc
from mecuco_app.results.lessons import null_space
from mecuco_app.results.lessons.null_space import cloud
from mecuco_core.diagnostics.null_bases.published_fast import fast_errors
from tests.app.rerunning import figures, opened, settled, texts

PAGE = "8_Null_space.py"


@pytest.fixture(autouse=True, scope="module")
def small():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(null_space, "RATIOS", (1.5, 3.0))
        yield


@pytest.fixture(scope="module")
def page(small):
    return opened(PAGE, m="16", **{"null-k": "7"})


def formulas(app):
    return "\n".join(str(one.value) for one in app.latex)


def test_the_numbers_beside_the_formulas_are_the_engine_s(page):
    points = cloud(16, 0)
    said = formulas(page)
    assert "n_0 = m - r = 16 - 6 = 10" in said  # seven neighbours span six dimensions
    assert rf"= {mc.curvature(points, 7, mode='haar')[0]:.3f}" in said
    assert rf"\kappa_{{\text{{fast}}}} = {mc.curvature(points, 7, mode='fast')[0]:.3f}" in said


def test_each_error_of_fast_has_its_own_bar(page):
    points = cloud(16, 0)
    costs = fast_errors(points, graph=mc.knn_graph(points, 7))
    bars = figures(page)["null-fast-errors"]["data"][0]
    assert bars["text"][2] == f"{100 * costs.bias(costs.both):+.2f} %".replace("-", "−")
    haar = mc.curvature(points, 7, mode="haar").values
    fast = mc.curvature(points, 7, mode="fast").values
    assert costs.bias(costs.both) == pytest.approx((fast - haar).mean() / haar.mean(), rel=1e-6)
    assert "Nearly all of the error is the middle term" in texts(page)


def test_the_histogram_holds_the_scores_in_random_bases(page):
    shown = figures(page)["null-histogram"]
    assert shown["data"][0]["name"] == "random bases"
    labels = " ".join(one["text"] for one in shown["layout"]["annotations"])
    for name in ("haar", "ev", "evr", "axis-aligned", "fast"):
        assert name in labels


def test_every_figure_is_drawn(page):
    assert set(figures(page)) == {
        "null-histogram", "null-axes", "null-basis-random", "null-basis-evr",
        "null-basis-axis-aligned", "null-fast-errors", "null-series",
    }  # fmt: skip
    *captions, series = (one.value.replace("\\", "") for one in page.caption)
    assert all("m = 16 · k = 7" in one for one in captions)
    assert "k = 7 · m from 10 to 21" in series


def test_without_a_null_space_there_is_one_number():
    app = opened(PAGE, m="6", **{"null-k": "12"})
    exact = mc.curvature(cloud(6, 0), 12, mode="exact")[0]
    assert f"exact is one number, {exact:.4f}" in texts(app).replace("\\", "")
    assert "null-axes" not in figures(app)


def test_the_data_of_the_visitor_are_looked_at_too():
    app = opened(PAGE, data="bundled:wine", cloud="data", point="20", **{"null-k": "8"})
    said = texts(app).replace("\\", "")
    assert "wine · n = 178 · m = 13 · k = 8 · row 20" in said
    assert "span 7 of 13 dimensions" in said


def test_a_guided_step_takes_the_freedom_away():
    app = opened(PAGE, m="16", **{"null-k": "7"})
    app.button(key="null:try-2").click()
    settled(app)
    assert app.query_params["null-k"] == "42"
    assert "There is no null space" in texts(app)


def test_bad_values_in_the_address_fall_back():
    app = opened(PAGE, m="5000", cloud="fog")
    assert app.slider(key="null.n_features").value == 40
    assert "m\\=5000" in app.warning[0].value
    assert "cloud\\=fog" in app.warning[0].value


def test_too_many_features_are_said(monkeypatch):
    monkeypatch.setattr("mecuco_app.page.lessons.null_space.panels.LARGEST_FEATURES", 5)
    app = opened(PAGE, data="bundled:wine", cloud="data")
    assert "this page draws them up to 5 features" in texts(app)
    assert not figures(app)


def test_random_bases_average_to_haar(page):
    draws = np.array(
        [float(x) for x in formulas(page).split(r"\overline{\kappa} = ")[1][:6].split()]
    )
    assert draws[0] == pytest.approx(mc.curvature(cloud(16, 0), 7, mode="haar")[0], rel=2e-3)
