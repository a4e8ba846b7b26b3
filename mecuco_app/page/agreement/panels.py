"""The parts of the Agreement page."""

import numpy as np
import pandas as pd
import streamlit as st

from mecuco_app.page.agreement import words
from mecuco_app.plots import agreement as plots
from mecuco_app.plots.lessons.null_space import null_spread, one_neighborhood
from mecuco_app.results import analyses, scores
from mecuco_app.results.analyses import Pair
from mecuco_app.scene.caption import caption, data_line
from mecuco_app.scene.look import Look
from mecuco_app.screen import state, waiting
from mecuco_app.screen.figure_card import figure_card, finding
from mecuco_app.screen.tables import draw_table
from mecuco_app.screen.ways_out import code_way
from mecuco_app.takeaway.recipes import command_recipe, comparison_recipe
from mecuco_app.text.numbers import count, number, percent
from mecuco_app.text.sentences import tie_note
from mecuco_app.view.settings import AgreementSettings, ScoreSettings, View
from mecuco_core.datasets.base import Dataset
from mecuco_core.diagnostics.mode_pair import check_possible, overlap_curve
from mecuco_core.diagnostics.null_bases.scores import LARGEST_FEATURES, NullBasisSpread
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.score.ranks import rank_percent
from mecuco_core.types import FloatArray

_AGAIN = "agreement:again"


def pair_of(
    prepared: Prepared, settings: AgreementSettings, k: int, n_rows: int | None
) -> Pair | None:
    """Return both scores, or draw why they are not there."""
    try:
        for mode in analyses.modes(prepared, settings):
            check_possible(mode, prepared.points.shape[1])
    except ValueError as error:
        st.error(waiting.spoken(error))
        return None
    again = state.recalled(_AGAIN, 0)
    return waiting.result("agreement", analyses.pair_task(prepared, settings, k, n_rows, again))


def code(
    view: View, dataset: Dataset, prepared: Prepared, pair: Pair, k: int, n_rows: int | None
) -> None:
    """Draw the code that gives this comparison."""
    modes = (pair.first.mode, pair.second.mode)
    line = line_of(dataset.name, prepared, pair)
    graph = scores.graph_task(prepared).ready()
    commands = [command_recipe(view, prepared, k, mode, f"{mode}.csv") for mode in modes]
    code_way(
        comparison_recipe(view, dataset, prepared, modes, k, n_rows, line),
        "\n".join(dict.fromkeys(commands)),
        approximate=graph is not None and graph.method == "approximate",
    )


def summary(pair: Pair) -> None:
    """Draw the sentence and the strip of figures."""
    table = _table(pair)
    named = table.rename_axis("figure").reset_index()
    finding(words.sentence(pair), title="How far they agree", heading=True, table=named)
    note = words.sample_note(pair.first)
    if note:
        st.info(note)
    with st.container(horizontal=True):
        for name, value, help_text in words.metrics(pair):
            st.metric(name, value, help=help_text, width="content")
        st.button(
            "Measure again",
            key="agreement:measure",
            on_click=state.remember,
            args=(_AGAIN, state.recalled(_AGAIN, 0) + 1),
            help="Other work on this computer slows a measurement.",
        )
    with st.expander("All figures, raw and normalised"):
        draw_table(table, "agreement:figures", width="stretch")


def _table(pair: Pair) -> pd.DataFrame:
    columns = {}
    for name, normalised in (("raw", False), ("scaled to 0–1", True)):
        a, b = pair.values(normalised)
        agreement = pair.normalised if normalised else pair.raw
        columns[name] = {
            f"mean ± sd by {pair.first.mode} (reference)": _mean_sd(a),
            f"mean ± sd by {pair.second.mode}": _mean_sd(b),
            "mean absolute difference": number(agreement.mae, 4),
            "mean absolute difference, relative": percent(agreement.relative_error, 3),
            "mean difference, relative": percent(agreement.bias, 3),
            "Spearman ρ": number(agreement.spearman, 6),
            "Chatterjee ξ": number(agreement.chatterjee, 4),
            **{
                f"top {q} % in common": percent(agreement.top_overlap(q), 3) for q in (1, 5, 10, 25)
            },
        }
    return pd.DataFrame(columns)


def _mean_sd(values: FloatArray) -> str:
    return f"{number(values.mean(), 4)} ± {number(values.std(), 4)}"


def figures(
    pair: Pair, spread: NullBasisSpread | None, normalised: bool, line: str, look: Look
) -> None:
    """Draw the two scores against each other in four ways."""
    a, b = pair.values(normalised)
    rows, names = pair.first.rows, (pair.first.mode, pair.second.mode)
    unit = "0–1" if normalised else "a.u."
    colour = plots.mode_colour(names[1], look)
    band = None if normalised else _band(pair, spread)
    drawn = "" if band is None else "green: 95 % of random null-space bases for exact"
    left, right = st.columns(2)
    with left:
        figure_card(
            plots.mode_scatter(a, b, rows, names=names, unit=unit, band=band, look=look),
            title="Score against score",
            caption=caption(line, drawn),
            key="agreement-scatter",
        )
    with right:
        figure_card(
            plots.bland_altman(
                a, b, rows, names=names, relative=not normalised, unit=unit, look=look
            ),
            title="Bland–Altman: difference over mean, with 95 % limits",
            caption=caption(line, words.bias_note(a, b, relative=not normalised)),
            key="agreement-differences",
        )
    left, right = st.columns(2)
    with left:
        figure_card(
            plots.rank_rank(
                rank_percent(a), rank_percent(b), rows, names=names, colour=colour, look=look
            ),
            title="Rank against rank; 100 % is highest",
            caption=line,
            key="agreement-ranks",
        )
    with right:
        figure_card(
            plots.overlap_figure(overlap_curve(a, b), colour=colour, look=look),
            title="Top q % in common",
            caption=caption(line, tie_note(np.maximum(a, b))),
            key="agreement-overlap",
        )


def _band(pair: Pair, spread: NullBasisSpread | None) -> plots.Band | None:
    """Return the null-space band, where one side is `exact` and has one."""
    sides = [one.mode == "exact" for one in (pair.first, pair.second)]
    if spread is None or sum(sides) != 1 or not spread.undetermined.any():
        return None
    other = pair.second if sides[0] else pair.first
    _, here, there = np.intersect1d(spread.rows, other.rows, return_indices=True)
    return plots.Band(spread.band[here], other.values[there], "x" if sides[0] else "y")


def some_deficient(prepared: Prepared, k: int) -> bool | None:
    """Whether a neighbourhood does not span the space; None while that is not known.

    Repeated neighbours do not, nor do those of data that lie in a part of the space.
    """
    n_features = prepared.points.shape[1]
    if k <= n_features:
        return True
    scored = waiting.result(
        "agreement:rank", scores.score_task(prepared, ScoreSettings("haar", k)), wait=5.0
    )
    return None if scored is None else bool((scored.covariance_rank < n_features).any())


def null_part(prepared: Prepared, k: int) -> NullBasisSpread | None:
    """Return the spread over null-space bases, or draw why there is none (yet)."""
    m = prepared.points.shape[1]
    if m > LARGEST_FEATURES:
        st.info(
            f"These are {count(m)} features; random bases are drawn up to "
            f"{count(LARGEST_FEATURES)} features."
        )
        return None
    return waiting.result("agreement:null", analyses.null_task(prepared, k))


def null_figures(spread: NullBasisSpread, line: str, look: Look) -> None:
    """Draw what `exact` can be: over all points looked at, and for one of them."""
    finding(words.null_sentence(spread), title="What exact can be")
    some = np.flatnonzero(spread.undetermined)
    if len(some) == 0:
        return
    note = caption(line, words.null_note(spread))
    left, right = st.columns(2)
    with left:
        figure_card(
            null_spread(spread, look=look),
            title="Boxes hold half of the scores, whiskers 95 %",
            caption=note,
            key="agreement-null-spread",
        )
    with right:
        widest = some[(-spread.sd[some] / spread.haar[some]).argsort()[:50]]
        names = {
            f"row {spread.rows[i]}, rank {spread.rank[i]} of {spread.n_features}": int(i)
            for i in widest
        }
        # Streamlit knows an option by its text, and returns one that is no longer offered as it is.
        chosen = st.selectbox(
            "One neighbourhood",
            list(names),
            help="Those that depend most on the basis first.",
            key="agreement:null-row",
        )
        position = names.get(chosen, int(widest[0]))
        figure_card(
            one_neighborhood(spread, position, look=look),
            title="The scores of this point",
            caption=note,
            key="agreement-null-one",
        )


def line_of(name: str, prepared: Prepared, pair: Pair) -> str:
    """Return the caption all figures of the page share."""
    modes = f"{pair.second.mode} against {pair.first.mode}, k = {pair.first.n_neighbors}"
    sample = ""
    if pair.first.is_sample:
        sample = f"sample of {count(len(pair.first.rows))} points, seed 0"
    return caption(data_line(name, prepared), modes, sample)
