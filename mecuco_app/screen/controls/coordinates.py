"""How the coordinates of the points are changed."""

from typing import Literal

import streamlit as st

from mecuco_app.screen import state
from mecuco_app.screen.controls.sample import MOST_SEED, seed_input
from mecuco_app.view.lessons import CoordinateChangeSettings
from mecuco_core.diagnostics.coordinates import CHANGE_KINDS, ChangeKind

NAMES: dict[ChangeKind, str] = {
    "rotation": "Rotate",
    "rescaling": "Other units",
    "whitening": "Whiten",
}


def coordinate_controls(
    seed_width: int | Literal["stretch"] = "stretch",
) -> CoordinateChangeSettings:
    """Draw the kind of the change and its seed, and return what is chosen."""
    settings = state.view().change
    st.segmented_control(
        "Change of coordinates",
        CHANGE_KINDS,
        format_func=NAMES.__getitem__,
        required=True,
        help="Other units multiply each feature by ½ to 2; whitening makes the covariance the "
        "identity.",
        **state.bound("change.kind", settings.kind),
    )
    seed_input(
        width=seed_width,
        disabled=settings.kind == "whitening",
        **state.bound("change.seed", min(settings.seed, MOST_SEED)),
    )
    return settings
