"""The Score X-ray page: one neighbourhood step by step."""

import re

import numpy as np
import pytest

import mecuco as mc
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.preparation.prepare import prepare
from tests.app.rerunning import figures, opened, settled, texts

PAGE = "7_Score_X-ray.py"
FIGURES = {
    1: {"xray-neighbours"}, 2: {"xray-patch"}, 3: {"xray-ellipse"}, 4: {"xray-basis"},
    5: {"xray-products"}, 6: {"xray-gram", "xray-identity"}, 7: {"xray-shares"},
}  # fmt: skip


def formulas(app):
    return "\n".join(str(one.value) for one in app.latex)


@pytest.fixture(scope="module")
def points():
    return prepare(load_bundled("wine")).points


def test_every_step_has_its_figure_and_a_caption():
    app = opened(PAGE, data="bundled:wine", point="5")
    for step, keys in FIGURES.items():
        assert set(figures(app)) == keys
        said = "\n".join(one.value for one in app.caption).replace("\\", "")
        assert "row 5, k = 7" in said
        if step < 7:
            app.button(key="xray:next").click()
            settled(app)
    assert app.query_params["step"] == "7"
    assert app.button(key="xray:next").disabled


def test_the_covariance_step_shows_the_trace_computed_by_numpy(points):
    app = opened(PAGE, data="bundled:wine", point="5", step="3")
    patch = points[mc.knn_graph(points).indices[5]]
    assert rf"= {np.cov(patch.T).trace():.3f}" in formulas(app)
    assert r"\operatorname{rank} \boldsymbol{\Sigma} = 6" in formulas(app)


def test_the_identity_is_checked_on_screen(points):
    app = opened(PAGE, data="bundled:wine", mode="exact", point="5", step="6")
    (difference,) = [one.value for one in app.latex if "difference" in one.value]
    power = int(difference.split("10^{")[1].split("}")[0])
    assert power <= -15
    # The entry shown is that of the feature that varies most, from the basis of numpy.
    patch = points[mc.knn_graph(points).indices[5]]
    i = int(np.argmax(np.var(patch, axis=0)))
    assert rf"\big(H H^\top\big)_{{{i + 1},{i + 1}}}" in formulas(app)


@pytest.mark.parametrize("mode", ["auto", "exact", "fast", "haar", "original"])
def test_the_steps_explain_the_mode_chosen_and_end_in_the_score_of_explore(points, mode):
    """Wine has 13 features; 7 neighbours leave a null space of 7 dimensions."""
    explored = opened("1_Explore.py", data="bundled:wine", map="pca", mode=mode, point="5")
    (shown,) = re.findall(
        r"score \*\*(\S+)\*\* = scatter (\S+) \+ alignment (\S+)", texts(explored)
    )
    app = opened(PAGE, data="bundled:wine", mode=mode, point="5", step="7")
    used = "exact" if mode == "auto" else mode
    score, scatter, shape = shown
    assert f"Row 5 scores {score} by {used}." in texts(app)
    assert rf"\tfrac12 \tau = {scatter}" in formulas(app)
    shape = shape.replace("−", "-")
    assert rf"{shape}\quad\text{{(alignment, {used})}}" in formulas(app)
    (last,) = [line.value for line in app.latex if rf"\kappa_{{\text{{{used}}}}}" in line.value]
    assert f" = {score}\n" in last
    # Nothing of another mode is taken for a step: haar and fast form neither W nor H.
    for step in ("4", "5", "6"):
        said = formulas(opened(PAGE, data="bundled:wine", mode=mode, point="5", step=step))
        assert ("W" in said or "H" in said) == (used in ("exact", "original"))
        assert ("V" in said) == (used in ("fast", "haar"))


def test_the_trace_step_tells_the_other_modes_beside_the_one_chosen(points):
    app = opened(PAGE, data="bundled:wine", mode="haar", point="5", step="7")
    own = mc.curvature(points, mode="haar")[5]
    for mode in ("exact", "fast"):
        other = mc.curvature(points, mode=mode)[5]
        sign = "+" if other > own else "−"
        assert f"{mode} {other:.3f} ({sign}{100 * abs(other / own - 1):.2g}" in texts(app)
    assert "fast as published falls below the lower bound" in texts(app)
    assert "not a mean curvature" in texts(app)


def test_where_the_neighbours_span_the_space_haar_is_explained_as_exact():
    app = opened(PAGE, data="bundled:iris", mode="haar", k="20", point="5", step="5")
    assert "Its neighbours span the space: haar is exact here" in texts(app)
    assert r"H \in \mathbb{R}^{4 \times 10}" in formulas(app)
    for _ in range(2):
        app.button(key="xray:next").click()
        settled(app)
    assert r"\kappa_{\text{haar}}" in formulas(app)


def test_without_a_point_the_highest_score_is_shown_and_an_unknown_row_is_said(points):
    top = int(np.argmax(mc.curvature(points).values))
    app = opened(PAGE, data="bundled:wine")
    assert app.number_input(key="focus#0").value == top
    app = opened(PAGE, data="bundled:wine", point="999")
    assert "point\\=999" in app.warning[0].value
    assert app.number_input(key="focus#0").value == top


def test_explore_leads_here_with_its_point():
    app = opened("1_Explore.py", data="bundled:wine", map="pca", point="17")
    app.button(key="point:xray").click()
    settled(app)
    assert app.title[0].value == "Score X-ray"
    assert app.number_input(key="focus#0").value == 17


def test_a_guided_step_leads_to_the_identity():
    app = opened(PAGE, data="bundled:wine")
    app.button(key="xray:try-2").click()
    settled(app)
    assert app.query_params["step"] == "6"
    assert app.query_params["mode"] == "exact"
    assert "this part of the paper is simply true" in texts(app)


def test_many_features_are_shown_without_the_whole_basis(points, monkeypatch):
    monkeypatch.setattr("mecuco_core.diagnostics.xray.LARGEST_BASIS", 5)
    app = opened(PAGE, data="bundled:wine", mode="exact", point="9", step="4")
    assert "only the 6 columns of the range are formed" in texts(app)
    for _ in range(3):
        app.button(key="xray:next").click()
        settled(app)
    score = mc.curvature(points, mode="exact")[9]
    assert "W is not formed here" in texts(app)
    assert rf"= {score:.3f}" in formulas(app)
    assert set(figures(app)) == set()


def test_many_features_are_no_matter_to_the_modes_that_average(points, monkeypatch):
    monkeypatch.setattr("mecuco_core.diagnostics.xray.LARGEST_BASIS", 5)
    app = opened(PAGE, data="bundled:wine", mode="haar", point="9", step="6")
    assert set(figures(app)) == {"xray-identity"}
    app.button(key="xray:next").click()
    settled(app)
    assert rf"= {mc.curvature(points, mode='haar')[9]:.3f}" in formulas(app)
    assert set(figures(app)) == {"xray-shares"}
