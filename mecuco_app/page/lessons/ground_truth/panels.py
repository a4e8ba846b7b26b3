"""The parts of the Ground truth page."""

import numpy as np
import streamlit as st

from mecuco_app.page.lessons.ground_truth import words
from mecuco_app.plots.lessons import ground_truth as plots
from mecuco_app.results.lessons.ground_truth import modes_of
from mecuco_app.scene.caption import caption
from mecuco_app.scene.look import OURS, PAPER, Look
from mecuco_app.screen import state
from mecuco_app.screen.controls.sample import (
    MOST_SEED,
    density_slider,
    dimensions_slider,
    noise_slider,
    points_slider,
    seed_input,
)
from mecuco_app.screen.figure_card import figure_card
from mecuco_app.text.numbers import count
from mecuco_app.view.lessons import TruthSettings
from mecuco_core.datasets.manifolds import MANIFOLDS, ManifoldSample
from mecuco_core.diagnostics.ground_truth import Convergence, GroundTruth
from mecuco_core.kernels.surface.quadric import fewest_neighbors
from mecuco_core.types import FloatArray

MOST_DRAWN = 5000


def sidebar(settings: TruthSettings) -> None:
    """Draw the choice of the sample; `settings` are those in effect."""
    manifold = MANIFOLDS[settings.manifold]
    st.selectbox(
        "Manifold", list(MANIFOLDS),
        **state.bound("truth.manifold", settings.manifold),
    )  # fmt: skip
    st.caption(manifold.description)
    points_slider("Points n", 200, **state.bound("truth.n_points", settings.n_points))
    st.slider(
        "Neighbours k", fewest_neighbors(manifold.dimension), 200,
        **state.bound("truth.n_neighbors", settings.n_neighbors),
    )  # fmt: skip
    noise_slider(0.2, 0.005, **state.bound("truth.noise", settings.noise))
    density_slider(**state.bound("truth.density", settings.density))
    dimensions_slider(
        "Dimensions m of the space",
        manifold.ambient_dimension,
        **state.bound("truth.ambient", settings.ambient),
    )
    seed_input(**state.bound("truth.seed", min(settings.seed, MOST_SEED)))


def drawn_controls(settings: TruthSettings, *, has_edge: bool) -> None:
    """Draw which score is drawn, and which points count."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control(
            "Score drawn", modes_of(settings.ambient or 3), required=True,
            **state.bound("truth.mode", settings.mode),
        )  # fmt: skip
        if has_edge:
            st.toggle(
                "Leave out points near the edge",
                help="Points whose farthest neighbour is farther than the edge.",
                **state.bound("truth.inner", settings.inner),
            )


def maps(
    sample: ManifoldSample, found: GroundTruth, settings: TruthSettings, line: str, look: Look
) -> None:
    """Draw the truth, the estimate and the score where the points are."""
    n = len(found.truth)
    few = np.arange(0, n, max(1, -(-n // MOST_DRAWN)))
    places = np.zeros((len(few), 3))
    own = sample.shape.points(sample.parameters[few])[:, :3]
    places[:, : own.shape[1]] = own
    limits = plots.colour_limits(found.truth)
    score = found.scores[settings.mode].values
    note = caption(line, "drawn without noise")
    if len(few) < n:
        note = caption(note, f"{count(len(few))} of the points drawn")
    shown = (
        ("The truth: |H|", found.truth, limits, "true-map", "exact |H|"),
        ("Quadric estimate of |H|", found.shape.values, limits, "quadric-map", "estimated |H|"),
        (
            f"MeCuCo score, {settings.mode}", score, plots.colour_limits(score), "score-map",
            "score κ (a.u.)",
        ),
    )  # fmt: skip
    for column, (title, values, ends, key, name) in zip(st.columns(3), shown, strict=True):
        with column:
            figure_card(
                plots.value_map(
                    places, values[few], title=name, limits=ends, revision=key, look=look
                ),
                title=title,
                caption=note,
                key=f"truth-{key}",
                made_from=(settings, look),
            )


def scatters(
    sample: ManifoldSample, found: GroundTruth, settings: TruthSettings, line: str, look: Look
) -> None:
    """Draw every measure against the truth."""
    kept = words.kept_of(found, settings)
    if not kept.any():
        return
    truth = found.truth[kept]
    place: FloatArray | None = None
    axis = "true mean curvature |H|"
    if not found.varies:
        place, axis = (
            sample.parameters[kept, 0],
            "first parameter (|H| is constant)",
        )
    score = found.scores[settings.mode].values
    shown = (
        ("Quadric estimate", found.shape.values, OURS, "estimated |H|", "quadric"),
        (f"Score by {settings.mode}", score, PAPER, "score κ (a.u.)", "score"),
        ("Local scatter", found.scatter, look.labels[3], "scatter τ (a.u.)", "scatter"),
        ("k-NN distance", found.distance, look.labels[4], "distance to the k-th neighbour", "knn"),
    )
    for first in (0, 2):
        for column, (title, values, colour, name, key) in zip(
            st.columns(2, gap="medium"), shown[first : first + 2], strict=True
        ):
            error = found.shape.error[kept] if key == "quadric" else None
            with column:
                figure_card(
                    plots.against_truth(
                        truth, values[kept], name=name, colour=colour, axis=axis,
                        error=error, place=place, look=look,
                    ),
                    title=f"{title} against the truth" if place is None else title,
                    caption=caption(line, "bars at some points" if key == "quadric" else ""),
                    key=f"truth-{key}",
                    made_from=(settings, look),
                )  # fmt: skip


def convergence(found: Convergence, settings: TruthSettings, line: str, look: Look) -> None:
    """Draw the error and the correlation against n."""
    st.markdown(words.convergence_sentence(found))
    n = found.n_points.astype(np.float64)
    fixed, chosen = f"k = {found.n_neighbors}", "k chosen by the engine"
    curves = [
        (fixed, found.fixed, found.law(found.fixed), look.labels[3]),
        (chosen, found.chosen, found.law(found.chosen), OURS),
    ]
    note = caption(line, "chosen k: " + ", ".join(count(k) for k in found.n_chosen.tolist()))
    left, right = st.columns(2, gap="medium")
    with left:
        figure_card(
            plots.error_against_n(
                n, curves, look=look,
                axis="median relative error of |H|" if found.relative else "median error of |H|",
            ),
            title="Error of the quadric against n",
            caption=note,
            key="truth-convergence",
            made_from=(settings, look),
        )  # fmt: skip
    with right:
        if np.isfinite(found.quadric).any():
            figure_card(
                plots.correlation_against_n(
                    n,
                    [
                        ("quadric", found.quadric, OURS),
                        (f"score, {found.mode}", found.score, PAPER),
                    ],
                    look=look,
                ),
                title="Rank correlation with |H| against n",
                caption=caption(line, f"score by {settings.mode}"),
                key="truth-correlation",
                made_from=(settings, look),
            )
        else:
            st.markdown("|H| is the same at every point: there is no rank to follow.")
