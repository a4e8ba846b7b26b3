"""Sentences of the pages Agreement, Boundary points and Method, made from figures."""

import numpy as np
import pytest

import mecuco as mc
from mecuco_app.page.agreement import words
from mecuco_app.page.boundary import words as boundary_words
from mecuco_app.page.method.panels import (
    band_sentence,
    fast_sentence,
    ranking_sentence,
    truth_sentence,
)
from mecuco_app.plots.lessons.null_space import null_spread
from mecuco_app.results.analyses import Pair
from mecuco_app.text.numbers import correlation
from mecuco_app.text.sentences import tie_note
from mecuco_core.diagnostics.clusterers import MEASURES, Measures
from mecuco_core.diagnostics.coordinates import coordinate_change, score_facts
from mecuco_core.diagnostics.mode_pair import TimedScores
from mecuco_core.diagnostics.null_bases.scores import null_basis_scores
from mecuco_core.diagnostics.removal import REMOVALS, RemovalEffect, RemovalResult
from mecuco_core.diagnostics.stability import Stability
from mecuco_core.score.ranks import rank_percent


def timed(values, mode="exact", seconds=2.4, n_points=None):
    values = np.asarray(values, dtype=float)
    n_points = n_points or len(values)
    return TimedScores(values, np.arange(len(values)), n_points, mode, seconds, 11)


def plain(text):
    return text.replace("\u202f", " ")


def pair(a, b, first="exact", second="fast", **options):
    return Pair(timed(a, first, **options), timed(b, second, seconds=0.03))


VALUES = np.linspace(1, 9, 50)


def test_a_low_mode_is_said_to_be_low_with_order_and_times():
    sentence = plain(words.sentence(pair(VALUES, 0.943 * VALUES)))
    assert sentence == (
        "Fast and exact order the points almost alike (ρ 1), but fast is 5.7 % low; "
        "fast took 0.03 s against 2.4 s."
    )


def test_a_high_mode_is_said_to_be_high():
    assert "haar is 10 % high" in plain(words.sentence(pair(VALUES, 1.1 * VALUES, second="haar")))


def test_equal_scores_are_the_same_number():
    sentence = words.sentence(pair(VALUES, VALUES * (1 + 1e-13), second="original"))
    assert "are the same number for every point, to rounding" in sentence


def test_the_same_mode_twice_is_no_comparison():
    assert "choose two different modes" in words.sentence(pair(VALUES, VALUES, "fast", "fast"))


def test_noise_to_either_side_is_no_bias():
    noise = np.tile([0.9, 1.1], 25)
    sentence = plain(words.sentence(pair(VALUES, VALUES * noise)))
    assert "differ in size by 10 % on average, to either side" in sentence


@pytest.mark.parametrize(
    ("swaps", "expected"),
    [(0, "almost alike"), (7, "very nearly alike"), (12, "much alike"), (49, "differently")],
)
def test_order_is_put_in_words(swaps, expected):
    b = VALUES.copy()
    b[: swaps + 1] = b[: swaps + 1][::-1]
    assert expected in words.sentence(pair(VALUES, 0.9 * b))


def test_constant_scores_have_no_order():
    sentence = words.sentence(pair(np.ones(5), np.arange(5.0)))
    assert "no order to compare" in sentence


def test_correlations_have_as_many_digits_as_tell_them_from_one():
    assert correlation(0.99963) == "0.9996"
    assert correlation(0.9999996) == "1"
    assert correlation(0.99) == "0.990"
    assert correlation(-0.14) == "−0.140"
    assert correlation(float("nan")) == "–"


def test_the_strip_of_figures_has_times_and_speed_up():
    strip = {name: plain(value) for name, value, _ in words.metrics(pair(VALUES, 0.5 * VALUES))}
    assert strip["MAE"] == "2.50"
    assert strip["Time, exact"] == "2.4 s"
    assert strip["Speed-up"] == "80.0 ×"
    assert float(strip["MAE, normalised"]) == 0


def test_a_sample_says_that_it_is_one():
    assert words.sample_note(timed(VALUES)) == ""
    note = plain(words.sample_note(timed(VALUES, n_points=70_000)))
    assert note.startswith("A random sample of 50 of 70 000 points (seed 0)")


def test_a_slow_mode_says_how_long_it_would_take():
    text = plain(words.too_slow("exact", 70_000, 784, 7800))
    assert text == "Exact would take about 2 h 10 min for all 70 000 points of 784 features."


def test_the_null_space_sentence_holds_the_figures_of_the_spread():
    points = np.random.default_rng(0).standard_normal((40, 12))
    spread = null_basis_scores(points, graph=mc.knn_graph(points, 6), n_bases=50)
    sentence = plain(words.null_sentence(spread))
    fast = 100 * (spread.fast / spread.haar - 1).mean()
    assert f"fast as published −{abs(fast):.2g} %" in sentence
    assert "Over 50 random bases" in sentence
    assert words.null_note(spread) == "50 random bases (seed 0), all 40 points"
    some = null_basis_scores(points, graph=mc.knn_graph(points, 6), n_bases=50, rows=[1, 2])
    assert "random sample of 2 of 40 points" in words.null_note(some)


def test_without_a_null_space_exact_is_one_number():
    points = np.random.default_rng(0).standard_normal((40, 3))
    spread = null_basis_scores(points, graph=mc.knn_graph(points, 9), n_bases=2)
    assert "exact is one number" in words.null_sentence(spread)


def test_the_split_is_counted_and_compared_with_distance():
    values = np.arange(100.0)
    split = mc.boundary_points(values, percentile=75)
    sentence = plain(boundary_words.split_sentence(split, values))
    assert sentence == (
        "25 points of 100 score above 74.25, the 75th percentile. 100 % of them are also among "
        "the 25 with the largest k-NN distance."
    )
    assert "0 % of them" in boundary_words.split_sentence(split, -values).replace("\u202f", " ")


def test_a_single_boundary_point_is_it():
    values = np.arange(10.0)
    split = mc.boundary_points(values, percentile=95)
    assert plain(boundary_words.split_sentence(split, values)) == (
        "1 point of 10 scores above 8.550, the 95th percentile. "
        "It also has the largest k-NN distance."
    )
    assert "It does not have" in boundary_words.split_sentence(split, -values)


@pytest.mark.parametrize(
    ("percentile", "expected"), [(81, "81st"), (92, "92nd"), (11, "11th"), (50.5, "50.5th")]
)
def test_percentiles_are_ordinals(percentile, expected):
    split = mc.boundary_points(np.arange(1000.0), percentile=percentile)
    assert f"the {expected} percentile" in boundary_words.split_sentence(split, np.arange(1000.0))


def test_equal_scores_have_no_boundary_and_that_is_said():
    split = mc.boundary_points(np.ones(10), percentile=75)
    assert "No point scores above" in boundary_words.split_sentence(split, np.ones(10))


def removal(score, random=0.5, sd=0.01, others=0.4, ari=True):
    values = {"nothing": 0.45, "score": score, "random": random, "k-NN distance": others,
              "LOF": others}  # fmt: skip
    results = []
    for name in REMOVALS:
        numbers = dict.fromkeys(MEASURES, values[name])
        if not ari:
            numbers["ari_all"] = np.nan
        deviation = Measures(*[sd] * len(MEASURES)) if name == "random" else None
        n_removed, n_draws = 0 if name == "nothing" else 50, 5 if name == "random" else 1
        mean = Measures(**numbers)
        results.append(RemovalResult("k-means", name, mean, deviation, 200, n_removed, n_draws))
    return RemovalEffect(tuple(results), 75.0, 1000, 10, 11, 0)


@pytest.mark.parametrize(
    ("effect", "verdict"),
    [
        (removal(0.4), "worse than removing points at random"),
        (removal(0.51), "not clearly better than removing points at random"),
        (
            removal(0.6, others=0.6),
            "better than at random, not clearly better than a plain control",
        ),
        (removal(0.9), "better than every control here"),
        (removal(float("nan")), "cannot be ranked"),
    ],
)
def test_a_gain_is_judged_against_the_controls(effect, verdict):
    assert verdict in boundary_words.removal_sentence(effect)


def test_the_removal_sentence_speaks_of_silhouette_without_labels():
    assert boundary_words.removal_sentence(removal(0.6)).startswith("The ARI of all points")
    assert boundary_words.removal_sentence(removal(0.6, ari=False)).startswith("The silhouette")
    assert "0.500 ± 0.010" in boundary_words.removal_sentence(removal(0.6))


def test_a_sampled_clustering_says_so():
    note = plain(boundary_words.removal_note(removal(0.6)))
    assert note == (
        "k-means, 10 clusters, random sample of 200 of 1 000 points, seed 0, 5 random draws (± sd)"
    )


def test_stability_is_counted():
    values = np.array([[4.0, 3, 2, 1], [4, 2, 3, 1], [4, 3, 2, 1]])
    stability = Stability(
        np.array([3, 4, 5]), values, np.array([rank_percent(row) for row in values]), "haar"
    )
    sentence = plain(boundary_words.stability_sentence(stability, 50, np.array([0, 2])))
    assert sentence.startswith("1 point of the 2 on the list stays in the top 50 %")
    assert "from 3 to 5" in sentence
    assert "100 % in common" in sentence


def test_the_method_page_says_the_numbers_of_the_dataset():
    points = np.random.default_rng(1).standard_normal((60, 20)) * np.linspace(1, 4, 20)
    score = mc.curvature(points, 7, mode="haar")
    facts = score_facts(score, 20)
    assert f"{facts.ratio_quantiles[2]:.3f}" in band_sentence(facts, 60)
    assert "outside the band" not in band_sentence(facts, 60)
    change = coordinate_change(points, score)
    assert "while the scatter τ of every point stays" in ranking_sentence(change)
    assert correlation(change.agreement.spearman) in ranking_sentence(change)
    assert "and the scatter τ by" in ranking_sentence(
        coordinate_change(points, score, kind="whitening")
    )


def test_scores_that_are_all_zero_have_no_spread():
    points = np.zeros((6, 4))
    found = null_basis_scores(points, graph=mc.knn_graph(points, 3), n_bases=10, seed=0)
    assert words.null_sentence(found).endswith("is zero in all of them.")
    score = mc.curvature(points, 3, mode="haar")
    assert "there is no order" in ranking_sentence(coordinate_change(points, score))


def test_only_points_whose_score_depends_on_the_basis_are_drawn_and_counted():
    rng = np.random.default_rng(0)
    points = np.vstack([np.zeros((8, 6)), 50 + rng.standard_normal((12, 6))])
    found = null_basis_scores(points, graph=mc.knn_graph(points, 4), n_bases=20, seed=0)
    np.testing.assert_array_equal(found.undetermined, np.arange(20) >= 8)
    assert "not one number for 12 of the 20 points looked at" in words.null_sentence(found)
    assert words.null_note(found).endswith("all 20 points, drawn for the 12 that depend on them")
    fast = next(box for box in null_spread(found).data if box.name.startswith("fast"))
    expected = np.median(100 * (found.fast / found.haar.clip(min=1e-9) - 1)[8:])
    assert fast.median[0] == pytest.approx(expected)
    inside = [found.band[i, 0] <= found.exact[i] <= found.band[i, 1] for i in range(8, 20)]
    assert found.share_inside(found.exact) == np.mean(inside)


def test_constant_features_leave_exact_one_number():
    points = np.zeros((40, 6))
    points[:, :3] = np.random.default_rng(0).standard_normal((40, 3))
    found = null_basis_scores(points, graph=mc.knn_graph(points, 8), n_bases=20, seed=0)
    assert found.deficient.all()
    assert not found.undetermined.any()
    assert words.null_sentence(found).endswith("the same in every basis, and exact is one number.")


def test_scores_of_zero_are_counted_where_they_have_no_percentage_and_no_order():
    a = np.r_[np.zeros(30), VALUES]
    assert words.bias_note(a, 0.9 * a, relative=True).endswith(
        "30 points with both scores zero left out"
    )
    assert "zero" not in words.bias_note(VALUES, 0.9 * VALUES, relative=True)
    assert tie_note(a).startswith("30 points have the score zero")
    assert tie_note(VALUES) == ""


def test_a_difference_to_one_side_is_not_said_to_be_to_either():
    one = VALUES.copy()
    one[3] *= 0.995
    assert "either side" not in words.sentence(pair(VALUES, one))


def test_an_order_that_is_not_kept_is_not_said_to_be():
    text = fast_sentence(pair(VALUES, VALUES[::-1], "haar"), 4, 9, spanning=False)
    assert "both order the points differently (ρ −1" in text
    assert "same number" in fast_sentence(pair(VALUES, VALUES, "haar"), 4, 9, spanning=False)


def test_points_without_scatter_have_no_band():
    facts = score_facts(mc.curvature(np.zeros((6, 2)), 3, mode="haar"), 2)
    assert "no scatter and no score" in band_sentence(facts, 6)


def test_fast_is_compared_with_haar_where_there_is_a_null_space():
    text = plain(fast_sentence(pair(VALUES, 0.96 * VALUES, "haar"), 11, 64, spanning=False))
    assert "the sum of all scores by fast as published is 4.00 % low" in text
    assert "span the space" in fast_sentence(pair(VALUES, VALUES, "haar"), 11, 4, spanning=True)
    repeated = fast_sentence(pair(VALUES, VALUES, "haar"), 11, 4, spanning=False)
    assert "span the space" not in repeated


def test_the_known_curvature_is_compared_where_it_varies():
    score = mc.curvature(np.random.default_rng(0).standard_normal((50, 3)), 8, mode="haar")
    assert "the same at every point" in truth_sentence(score, np.full(50, 0.25))
    assert "rank correlation of 1" in truth_sentence(score, score.values)
