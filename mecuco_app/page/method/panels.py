"""The parts of the Method page: each formula beside this dataset's own numbers."""

import numpy as np
import streamlit as st

from mecuco_app.page.method import text
from mecuco_app.plots.agreement import bland_altman, rank_rank
from mecuco_app.plots.method import ratio_histogram, score_over_scatter
from mecuco_app.results import analyses
from mecuco_app.results.analyses import Pair
from mecuco_app.scene.caption import caption, data_line, score_line
from mecuco_app.scene.look import Look
from mecuco_app.screen import waiting
from mecuco_app.screen.browser.address import way_to
from mecuco_app.screen.controls.coordinates import coordinate_controls
from mecuco_app.screen.figure_card import figure_card, finding
from mecuco_app.screen.ways_out import code_way
from mecuco_app.takeaway.recipes import command_recipe, score_recipe
from mecuco_app.text.numbers import correlation, count, number, percent, plural
from mecuco_app.text.sentences import change_sentence, order_words
from mecuco_app.view.settings import AgreementSettings, ScoreSettings, View
from mecuco_core.datasets.base import Dataset
from mecuco_core.diagnostics.coordinates import CoordinateChange, ScoreFacts, score_facts
from mecuco_core.diagnostics.null_bases.scores import SAME
from mecuco_core.measures.table import score_ratio
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.score.curvature import Curvature
from mecuco_core.score.ranks import rank_percent, spearman
from mecuco_core.types import FloatArray

TOP = 5.0


def code(view: View, dataset: Dataset, prepared: Prepared, result: Curvature, line: str) -> None:
    """Draw the code that gives these numbers."""
    code_way(
        score_recipe(view, dataset, prepared, result, line),
        command_recipe(view, prepared, result.n_neighbors),
        approximate=result.graph.method == "approximate",
    )


def score_part(line: str, prepared: Prepared, result: Curvature, look: Look) -> None:
    """Draw what the score is, and the band it lies in."""
    facts = score_facts(result, prepared.points.shape[1])
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(text.SCORE)
        st.latex(text.SCORE_FORMULA)
        st.markdown(text.HALVES)
        st.latex(text.HALVES_FORMULA)
        st.markdown(text.BAND)
    with right:
        finding(band_sentence(facts, len(result)), title="Scatter and band")
        ratio = score_ratio(result)
        ratio = ratio[np.isfinite(ratio)]
        if len(ratio):
            figure_card(
                ratio_histogram(ratio, look=look),
                title="κ/τ of every point, with its bounds",
                caption=line,
                key="method-ratio",
            )
    figure_card(
        score_over_scatter(2 * result.scatter, result.values, prepared.rows, look=look),
        title="The score κ over the local scatter τ, with its bounds",
        caption=line,
        key="method-scatter",
    )


def band_sentence(facts: ScoreFacts, n_points: int) -> str:
    """Return this dataset's numbers on scatter and band."""
    middle = facts.ratio_quantiles[2]
    if np.isnan(middle):
        return "**Here:** every neighbourhood is a single point: no scatter and no score."
    outside = ""
    if facts.outside_band:
        outside = (
            f" {plural(facts.outside_band, 'point')} of {count(n_points)} "
            f"{'lies' if facts.outside_band == 1 else 'lie'} outside the band."
        )
    return (
        f"**Here:** rank correlation of κ with τ {correlation(facts.spearman_with_scatter)}. "
        f"κ/τ is {number(middle)} for the median point.{outside}"
    )


def fast_part(line: str, prepared: Prepared, result: Curvature, look: Look) -> None:
    """Draw what is wrong in the published fast mode, and what it costs here."""
    k = result.n_neighbors
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(text.FAST)
        st.latex(text.FAST_FORMULA)
        st.markdown(text.FAST_STEPS)
    with right:
        pair = waiting.result(
            "method:fast",
            analyses.pair_task(prepared, AgreementSettings("haar", "fast"), k, None),
        )
        if pair is None:
            return
        m = prepared.points.shape[1]
        spanning = bool((result.covariance_rank == m).all())
        finding(fast_sentence(pair, k, m, spanning), title="fast and haar")
        figure_card(
            bland_altman(
                pair.first.values,
                pair.second.values,
                prepared.rows,
                names=("haar", "fast"),
                relative=True,
                unit="a.u.",
                look=look,
            ),
            title="fast minus haar, over the mean of both",
            caption=caption(line, f"k = {k}"),
            key="method-fast-figure",
        )


def fast_sentence(pair: Pair, k: int, n_features: int, spanning: bool) -> str:
    """Return how far published fast is from the expectation it aims at.

    `spanning` says whether every neighbourhood spans the space: repeated neighbours may not.
    """
    agreement = pair.raw
    if spanning:
        return (
            f"**Here:** k = {k} > m = {n_features}: neighbourhoods span the space, and fast and "
            f"haar differ by {percent(agreement.relative_error)}."
        )
    if np.isnan(agreement.spearman):
        return (
            f"**Here** (k = {k}, m = {n_features}): every point has the same score, by fast or by "
            "haar."
        )
    if agreement.relative_error <= SAME:
        return (
            f"**Here** (k = {k}, m = {n_features}): fast and haar are the same number, to rounding."
        )
    side = "low" if agreement.bias < 0 else "high"
    return (
        f"**Here** (k = {k}, m = {n_features}): the sum of all scores by fast as published is "
        f"{percent(abs(agreement.bias), 3)} {side}; both order the points "
        f"{order_words(agreement.spearman)}."
    )


def null_part(result: Curvature, n_features: int) -> None:
    """Draw what `exact` is where neighbourhoods do not span the space."""
    facts = score_facts(result, n_features)
    left, right = st.columns(2, gap="large")
    left.markdown(text.NULL)
    with right:
        finding(
            f"**Here:** {percent(facts.deficient_share, 3)} of the neighbourhoods do not span the "
            f"{plural(n_features, 'dimension')}; the median spans {facts.median_rank:g}.",
            title="Null spaces",
        )
        way_to("pages/2_Agreement.py", "What exact can be here", "exact")


def meaning_part(
    dataset: Dataset, prepared: Prepared, settings: ScoreSettings, result: Curvature, look: Look
) -> None:
    """Draw what the score does and does not measure, with a change of coordinates to try."""
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(text.MEANING)
        if dataset.truth is not None:
            sentence = truth_sentence(result, dataset.truth.mean[prepared.rows])
            finding(sentence, title="The true mean curvature")
        chosen = coordinate_controls()
        kind, seed = chosen.kind, chosen.seed
    with right:
        change = waiting.result(
            "method:change", analyses.coordinate_change_task(prepared, settings, kind, seed)
        )
        if change is None:
            return
        finding(ranking_sentence(change), title="Other coordinates")
        figure_card(
            rank_rank(
                rank_percent(change.before.values),
                rank_percent(change.after.values),
                prepared.rows,
                names=("the score", f"the score after {kind}"),
                look=look,
            ),
            title="Rank before and after; 100 % is highest",
            caption=caption(
                data_line(dataset.name, prepared),
                score_line(settings, result),
                kind if kind == "whitening" else f"{kind}, seed {seed}",
            ),
            key="method-change",
        )


def ranking_sentence(change: CoordinateChange) -> str:
    """Return how scores and their ranking changed."""
    agreement = change.agreement
    if np.isnan(agreement.spearman):
        return "**Here** every point has the same score, before and after: there is no order."
    return (
        f"**Here:** {change_sentence(change)} Rank correlation "
        f"{correlation(agreement.spearman)}; the top {TOP:g} % have "
        f"{percent(agreement.top_overlap(TOP))} in common."
    )


def truth_sentence(result: Curvature, truth: FloatArray) -> str:
    """Return how the score follows the known mean curvature, where there is one."""
    if np.ptp(truth) < 1e-12 * max(1.0, float(np.abs(truth).max())):
        return "**Here** the true mean curvature |H| is the same at every point."
    rho = spearman(result.values, np.abs(truth))
    tau = spearman(result.values, result.scatter)
    return (
        f"**Here** the true mean curvature |H| is known: the score follows it with a rank "
        f"correlation of {correlation(rho)}, and the local scatter with {correlation(tau)}."
    )
