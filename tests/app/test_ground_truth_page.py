"""The Ground truth page: what follows a known mean curvature."""

import numpy as np
import pytest
from scipy import stats

import mecuco as mc
from mecuco_app.page.lessons.ground_truth import words
from mecuco_app.results.lessons import ground_truth
from mecuco_app.view.lessons import TruthSettings
from mecuco_core.datasets.manifolds import sample_manifold
from mecuco_core.diagnostics.ground_truth import Convergence
from mecuco_core.surface.shape_operator import shape_operator
from tests.app.rerunning import figures, opened, settled, texts

PAGE = "6_Ground_truth.py"


@pytest.fixture(autouse=True, scope="module")
def small():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ground_truth, "SIZES", (250, 400, 600))
        yield


@pytest.fixture(scope="module")
def torus(small):
    return opened(PAGE, n="600", patch="20")


@pytest.fixture(scope="module")
def sample():
    return sample_manifold("torus", 600)


def plain(app):
    return texts(app).replace("\\", "")


def test_the_quadric_s_numbers_are_the_engine_s(torus, sample):
    graph = mc.knn_graph(sample.points, 20)
    found = shape_operator(sample.points, graph=graph).values
    rho = stats.spearmanr(found, sample.truth.mean).statistic
    error = np.median(np.abs(found - sample.truth.mean) / sample.truth.mean)
    assert f"quadric estimate of |H| | {rho:.3f} |" in plain(torus)
    assert f"median error of {100 * error:.2g}" in plain(torus)


def test_the_score_s_correlation_is_that_with_the_formula_of_the_torus(torus, sample):
    # |H| = (R + 2 r cos v) / (2 r (R + r cos v)) with R = 2 and r = 3/4.
    cosine = np.cos(sample.parameters[:, 1])
    mean = (2 + 1.5 * cosine) / (1.5 * (2 + 0.75 * cosine))
    score = mc.curvature(sample.points, 20, mode="exact")
    rho = stats.spearmanr(score.values, np.abs(mean)).statistic
    assert f"score, exact | {rho:.3f} |".replace("-", "−") in plain(torus)
    tau = stats.spearmanr(score.values, score.scatter).statistic
    assert f"the local scatter τ with ρ = {tau:.3f}" in plain(torus)


def test_a_score_is_never_given_an_error_as_if_it_estimated_the_mean_curvature(torus):
    assert plain(torus).count("no estimate of |H|") == 6
    assert "score's mean curvature" not in plain(torus)


def test_every_figure_is_drawn(torus):
    assert set(figures(torus)) == {
        "truth-true-map", "truth-quadric-map", "truth-score-map", "truth-quadric", "truth-score",
        "truth-scatter", "truth-knn", "truth-convergence", "truth-correlation",
    }  # fmt: skip
    bars = figures(torus)["truth-quadric"]["data"][1]
    assert bars["name"] == "± 2 standard errors"
    captions = [one.value.replace("\\", "") for one in torus.caption]
    assert sum("seed 0" in one for one in captions) == 9


def said_of_modes(ambient):
    settings = ground_truth.effective(TruthSettings(n_points=400, ambient=ambient))
    _, found = ground_truth.truth_task(settings).run()
    return found, words.same_modes(found, settings).replace("\u202f", " ")


def test_modes_are_one_number_only_where_the_neighbourhoods_have_the_rank_of_the_space():
    _, said = said_of_modes(3)
    assert said == "Every neighbourhood spans the 3 dimensions: all modes are the same number."
    found, said = said_of_modes(20)  # 30 neighbours, but the ring stays in three dimensions
    assert "span 3 of the 20 dimensions" in said
    haar = found.scores["haar"].values
    for mode in ("exact", "fast"):
        off = np.median(np.abs(found.scores[mode].values / haar - 1))
        assert f"{mode} is off by {100 * off:.2g}" in said
    _, said = said_of_modes(4)  # a null space of one dimension has one basis
    assert "exact is the same number, fast is off by" in said


def test_where_the_error_follows_a_power_its_interval_and_range_are_said():
    n = np.array([500, 1000, 2000, 4000, 8000])
    errors, blank = 7.0 / n, np.full(5, np.nan)
    errors[0] *= 8
    chosen = np.array([0.3, 0.1, 0.4, 0.1, 0.2])
    said = words.convergence_sentence(
        Convergence(n, errors, chosen, n, blank, blank, True, 30, "haar")
    ).replace("\u202f", " ")
    assert (
        "With k = 30 the error falls like n to the power −1.0 (95 % interval −1.0 to −1.0; "
        "n = 1 000 to 8 000)" in said
    )
    assert "with the engine's own k the error follows no clear power of n" in said
    assert "k must grow" not in said


def test_what_is_largest_on_the_outside_of_the_ring_is_the_mean_curvature_alone(sample):
    # Principal curvatures 1 / r and cos v / (R + r cos v) with R = 2 and r = 3/4.
    cosine = np.cos(sample.parameters[:, 1])
    other = cosine / (2 + 0.75 * cosine)
    outside, inside = cosine > 0.9, cosine < -0.9
    mean, curvedness = np.abs(1 / 0.75 + other) / 2, np.hypot(1 / 0.75, other) / np.sqrt(2)
    assert mean[outside].min() > mean[inside].max()
    assert curvedness[outside].max() < curvedness[inside].min()
    assert words.STEPS[0].look.startswith("|H| is largest on the outside of the ring")


@pytest.mark.thorough
def test_a_constant_mean_curvature_is_said_to_be_one():
    said = plain(opened(PAGE, manifold="sphere", n="400", patch="20"))
    assert "is 1.00 at every point. The quadric says 1.000" in said
    assert "there is no rank to follow" in said


def test_settings_the_manifold_does_not_allow_are_put_right_and_the_address_refuses():
    app = opened(PAGE, manifold="d-sphere", n="300", patch="5", space="3", density="2")
    assert app.slider(key="truth.n_neighbors").value == 12  # ten unknowns in three dimensions
    assert app.slider(key="truth.ambient").value == 4
    assert "density\\=2" in app.warning[0].value


@pytest.mark.thorough
def test_a_guided_step_changes_sample_and_address():
    app = opened(PAGE, n="400", patch="20")
    app.button(key="truth:try-2").click()
    settled(app)
    assert app.query_params["density"] == "0.8"
    assert "where points are sparse" in texts(app)


@pytest.mark.thorough
def test_points_near_an_edge_are_left_out_and_said():
    app = opened(PAGE, manifold="saddle", n="500", patch="15")
    assert "points whose patch does not reach the edge" in plain(app)
    app.toggle(key="truth.inner").set_value(False)
    settled(app)
    assert "points whose patch does not reach the edge" not in plain(app)


@pytest.mark.thorough
def test_patches_that_all_reach_the_edge_are_said():
    app = opened(PAGE, manifold="plane", n="200", patch="150")
    assert "Every patch reaches the edge" in plain(app)
    assert "truth-quadric" not in figures(app)
