"""The parts of the Null space page."""

import numpy as np
import streamlit as st

from mecuco_app.page.lessons.null_space import words
from mecuco_app.plots.lessons import null_space as plots
from mecuco_app.results import scores
from mecuco_app.results.lessons.null_space import LARGEST_FEATURES, N_CLOUD, Subject, cloud_subject
from mecuco_app.scene.caption import caption
from mecuco_app.scene.look import Look
from mecuco_app.scene.selection import position_of_row
from mecuco_app.screen import state
from mecuco_app.screen.controls.data import data_controls
from mecuco_app.screen.controls.sample import MOST_SEED, seed_input
from mecuco_app.screen.figure_card import figure_card
from mecuco_app.text.escape import plain
from mecuco_app.text.numbers import count
from mecuco_app.view.lessons import NULL_SOURCES, NullSettings
from mecuco_core.datasets.base import Dataset
from mecuco_core.diagnostics.null_bases.one_point import NullSeries, PointBases
from mecuco_core.diagnostics.null_bases.published_fast import FastErrors
from mecuco_core.diagnostics.null_bases.scores import AXIS_ALIGNED
from mecuco_core.preparation.prepare import Prepared

_SOURCES = {"cloud": "A Gaussian cloud", "data": "The present data"}


def sidebar(dataset: Dataset, prepared: Prepared) -> None:
    """Draw the choice of the data, of m and k, and of the random bases."""
    settings = state.view().null
    st.segmented_control(
        "Points", NULL_SOURCES, format_func=_SOURCES.__getitem__, required=True,
        help=f"{N_CLOUD} normal points, or the data of Explore.",
        **state.bound("null.source", settings.source),
    )  # fmt: skip
    if settings.source == "data":
        data_controls(dataset)
        st.number_input(
            "Row", int(prepared.rows[0]), max(int(prepared.rows[-1]), 1), step=1,
            **state.bound("focus", int(prepared.rows[_position(prepared)]), of_data=True),
        )  # fmt: skip
    else:
        st.slider(
            "Dimensions m", 4, 120,
            **state.bound("null.n_features", settings.n_features),
        )  # fmt: skip
    largest = min(60, scores.largest_k(prepared)) if settings.source == "data" else 60
    st.slider(
        "Neighbours k", 3, largest, help="With k ≤ m there is a null space.",
        **state.bound("null.n_neighbors", min(settings.n_neighbors, largest)),
    )  # fmt: skip
    seed_input(
        **state.bound("null.seed", min(settings.seed, MOST_SEED)),
    )


def _position(prepared: Prepared) -> int:
    return position_of_row(state.view().focus, prepared) or 0


def subject_of(settings: NullSettings, dataset: Dataset, prepared: Prepared) -> Subject | None:
    """Return what is looked at, or draw why it cannot be."""
    if settings.source == "cloud":
        return cloud_subject(settings)
    m = prepared.points.shape[1]
    if m > LARGEST_FEATURES:
        st.info(
            f"These are {count(m)} features: this page draws them up to {LARGEST_FEATURES} "
            "features. Take the cloud, or other data."
        )
        return None
    row = state.view().focus
    if row is not None and position_of_row(row, prepared) is None:
        st.warning(f"Row {row} is not among the points: showing the first one.")
    k = min(settings.n_neighbors, scores.largest_k(prepared))
    return Subject(
        name=plain(dataset.name),
        key=("data", prepared.fingerprint),
        points=prepared.points,
        position=_position(prepared),
        n_neighbors=k,
        seed=settings.seed,
        graph=lambda: scores.graph_of(prepared).prefix(k),
    )


def histogram(found: PointBases, line: str, look: Look) -> None:
    """Draw the scores over random bases."""
    haar = float(found.spread.haar[0])
    figure_card(
        plots.basis_histogram(
            100 * (found.spread.draws[0] / haar - 1), words.relative(found), look=look
        ),
        title="The score exact can give this point",
        caption=line,
        key="null-histogram",
        made_from=(line, look),
    )


def explanation(found: PointBases, line: str, look: Look) -> None:
    """Draw why LAPACK's bases are not typical."""
    haar = float(found.spread.haar[0])
    off = words.relative(found)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(words.WHY)
    with right:
        figure_card(
            plots.closeness_scatter(
                found.random_closeness,
                100 * (found.spread.draws[0] / haar - 1),
                {
                    name: (closeness, off[name])
                    for name, closeness in words.closeness(found).items()
                },
                look=look,
            ),
            title="The closer a basis is to the axes, the higher the score",
            caption=line,
            key="null-axes",
            made_from=(line, look),
        )
    shown = (
        ("random", "A random basis"),
        ("evr", "LAPACK, evr"),
        (AXIS_ALIGNED, "An axis-aligned basis"),
    )
    limit = float(np.percentile(found.bases["evr"] ** 2, 99.5))
    for column, (name, title) in zip(st.columns(3), shown, strict=True):
        with column:
            figure_card(
                plots.basis_picture(found.bases[name], limit, look=look),
                title=f"{title}: its squares",
                caption=line,
                key=f"null-basis-{words.shown_name(name)}",
            )


def fast_errors(costs: FastErrors, line: str, look: Look) -> None:
    """Draw what each error in the published fast mode costs."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(words.fast_error_sentence(costs))
    with right:
        figure_card(
            plots.fast_error_bars(words.fast_errors(costs), look=look),
            title="Two errors in the published fast mode",
            caption=caption(line, "mean over all points"),
            key="null-fast-errors",
        )


def series(found: NullSeries, subject: Subject, look: Look, *, over_features: bool) -> None:
    """Draw how the freedom of the basis matters less as m/k grows."""
    st.markdown(words.series_sentence(found, over_features=over_features))
    curves = {
        "random": 100 * found.random,
        "evr": 100 * found.lapack,
        plots.ALIGNED: 100 * found.axis_aligned,
        "fast": -100 * found.fast,
    }
    line = words.series_line(subject, found, over_features=over_features)
    figure_card(
        plots.ratio_series(found.ratio, curves, look=look),
        title="Size against m/k",
        caption=line,
        key="null-series",
        made_from=(line, look),
    )
