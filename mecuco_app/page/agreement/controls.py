"""Which two modes are compared, on which points."""

import streamlit as st

from mecuco_app.page.agreement.words import chosen_by_auto, too_slow
from mecuco_app.results import analyses
from mecuco_app.results.analyses import SAMPLE_SECONDS
from mecuco_app.screen import state
from mecuco_app.screen.controls.score import MODE_ORDER
from mecuco_app.screen.waiting import ASK_SECONDS
from mecuco_app.text.numbers import count, seconds
from mecuco_app.view.settings import AgreementSettings
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.validation import PROCESSORS

_SAMPLE, _ALL = "sample", "all"


def mode_pickers(n_features: int) -> AgreementSettings:
    """Draw the pickers of both modes and the scale, side by side, and return what they say."""
    settings = state.view().agreement
    first, second, scale = st.columns([1, 1, 1], vertical_alignment="bottom")
    first.selectbox(
        "Reference",
        MODE_ORDER,
        **state.bound("agreement.first", settings.first),
    )
    second.selectbox(
        "Compared with it",
        MODE_ORDER,
        **state.bound("agreement.second", settings.second),
    )
    scale.toggle(
        "Scores scaled to 0–1 in the figures",
        help="As in the paper's tables.",
        **state.bound("agreement.normalised", settings.normalised),
    )
    auto = chosen_by_auto(settings, n_features)
    if auto:
        st.caption(auto)
    return settings


def sample_control(prepared: Prepared, settings: AgreementSettings, k: int) -> int | None:
    """Return how many points to compare on, None for all; asks where a mode is too slow."""
    n_points, n_features = prepared.points.shape
    times = {
        mode: analyses.seconds_of(prepared, mode, k) for mode in analyses.modes(prepared, settings)
    }
    slowest = max(times, key=times.__getitem__)
    # The same choice on every machine: the sample is part of what is shown.
    if analyses.seconds_of(prepared, slowest, k, PROCESSORS) <= ASK_SECONDS:
        return None
    size = analyses.sample_size(prepared, settings, k)
    # Streamlit knows an option by its text: texts that change with k would lose the choice.
    labels = {_SAMPLE: "A random sample", _ALL: "All points"}
    st.info(too_slow(slowest, n_points, n_features, times[slowest]))
    st.radio(
        "Compare on",
        (_SAMPLE, _ALL),
        format_func=labels.__getitem__,
        horizontal=True,
        **state.remembered("agreement:points", _SAMPLE),
    )
    st.caption(
        f"{count(size)} points take some {seconds(SAMPLE_SECONDS)}, all about "
        f"{seconds(sum(times.values()))}."
    )
    return size if state.recalled("agreement:points", _SAMPLE) == _SAMPLE else None
