"""The Method page with the numbers of a dataset."""

import numpy as np
import pytest

import mecuco as mc
from mecuco_app.page.method import text
from mecuco_app.text.numbers import correlation
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.diagnostics.coordinates import coordinate_change, score_facts
from mecuco_core.preparation.prepare import prepare
from tests.app.rerunning import figures, opened, settled, texts

PAGE = "4_Method.py"


@pytest.fixture(scope="module")
def wine():
    return opened(PAGE, data="bundled:wine", mode="haar")


@pytest.fixture(scope="module")
def score():
    return mc.curvature(prepare(load_bundled("wine")).points, mode="haar")


def test_the_numbers_are_those_of_the_dataset(wine, score):
    facts = score_facts(score, 13)
    said = texts(wine)
    assert f"correlation of κ with τ {correlation(facts.spearman_with_scatter)}" in said
    assert f"κ/τ is {facts.ratio_quantiles[2]:.3f} for the median point" in said
    assert "100 % of the neighbourhoods do not span the 13 dimensions" in said
    assert "fast as published is 17.5 % low" in said


def test_a_rotation_is_tried_on_the_dataset(wine, score):
    change = coordinate_change(prepare(load_bundled("wine")).points, score)
    assert f"Rank correlation {correlation(change.agreement.spearman)}" in texts(wine)
    assert "while the scatter τ of every point stays" in texts(wine)


def test_the_page_can_be_taken_along_as_link_and_code(wine):
    link, python, command = (code.value for code in wine.code)
    assert "data=bundled" in link
    assert "result = mc.curvature(" in python
    assert command.startswith("mecuco score wine")


def test_every_figure_is_drawn(wine):
    assert set(figures(wine)) == {
        "method-ratio", "method-scatter", "method-fast-figure", "method-change",
    }  # fmt: skip


def test_another_seed_or_gauge_gives_other_numbers():
    app = opened(PAGE, data="bundled:wine", mode="haar")
    first = texts(app)
    app.number_input(key="change.seed").set_value(5)
    settled(app)
    assert "rotation\\, seed 5" in texts(app)
    app.button_group(key="change.kind").set_value("whitening")
    settled(app)
    assert "and the scatter τ by" in texts(app)
    assert texts(app) != first


def test_known_curvature_is_compared_with_the_score():
    app = opened(PAGE, data="manifold:torus", **{"with": "n_points=400", "scaling": "none"})
    assert "the true mean curvature |H| is known" in texts(app)


def test_the_page_never_calls_the_score_a_mean_curvature():
    everything = " ".join(value for name, value in vars(text).items() if name.isupper())
    assert "not an estimate of mean curvature" in everything
    assert everything.count("mean curvature") == 2  # that sentence, and |H| of the quadratic fit
    assert "estimate the mean curvature |H|" in everything


def test_points_that_are_all_one_point_are_a_state_of_the_page(score, monkeypatch):
    monkeypatch.setattr(
        "mecuco_app.results.scores.curvature",
        lambda points, *args, **options: mc.curvature(np.zeros_like(points), *args, **options),
    )
    app = opened(PAGE, data="bundled:iris", k="23", mode="haar")
    assert "no scatter and no score" in texts(app)
