"""Mode and number of neighbours."""

import streamlit as st

from mecuco_app.results.scores import k_of, largest_k
from mecuco_app.screen import state
from mecuco_app.screen.browser.address import way_to
from mecuco_app.text.numbers import seconds
from mecuco_app.view.settings import ScoreSettings
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.score.cost import estimated_seconds, resolved_mode
from mecuco_core.types import Mode

MODE_ORDER: tuple[Mode, ...] = ("haar", "auto", "exact", "fast", "original")

_NAMES: dict[Mode, str] = {"haar": "haar — from the data alone", "auto": "auto — as in the paper"}

_HELP = (
    "haar: the average over all null-space bases. auto: exact below 50 features, else fast. exact: "
    "where k < m another solver gives another number. fast: the paper's approximation of haar, too "
    "low where k ≤ m. original: exact, very slowly."
)

_WHY = """
Of k ≤ m neighbours the covariance leaves a null space, and the score needs a basis of it. `exact`
takes the one the solver returns. `fast` aims at the average over all bases and comes out too low.
`haar` **is** that average: it depends on the data alone.
"""


def neighbors_control(prepared: Prepared) -> int:
    """Draw the slider of k and return the k in use."""
    k = k_of(prepared, state.view().score)
    st.slider(
        "Neighbours k",
        2,
        max(3, largest_k(prepared)),
        disabled=largest_k(prepared) < 3,
        help="The point itself not counted.",
        **state.bound("score.n_neighbors", k, prepared.fingerprint),
    )
    return k


def score_controls(prepared: Prepared) -> ScoreSettings:
    """Draw the controls of the score and return what they say."""
    settings = state.view().score
    n_points, m = prepared.points.shape

    # Streamlit knows an option by its text, which therefore never changes.
    st.radio(
        "Mode",
        MODE_ORDER,
        format_func=lambda mode: _NAMES.get(mode, mode),
        help=_HELP,
        **state.bound("score.mode", settings.mode),
    )
    k = neighbors_control(prepared)
    took = " · ".join(
        f"{mode} {seconds(estimated_seconds(n_points, m, k, mode))}"
        for mode in MODE_ORDER
        if mode != "auto"
    )
    st.caption(f"Estimated: {took}.")
    used = resolved_mode(settings.mode, m)
    chosen = f"auto chose {used} (m = {m}). " if settings.mode == "auto" else ""
    if k < m and used in ("exact", "original"):  # with k = m one direction is open, and no choice
        chosen += (
            f"k = {k} < m = {m}: {used} depends on the solver's null-space basis; haar does not."
        )
    elif k <= m and used == "fast":
        chosen += f"k = {k} ≤ m = {m}: fast as published is too low here; haar corrects it."
    if chosen:
        st.caption(chosen)
    if (k < m or (k == m and used == "fast")) and used != "haar":
        with st.popover("Why haar?"):
            st.markdown(_WHY)
            way_to("pages/4_Method.py", "See it on these data", "haar")
    return settings
