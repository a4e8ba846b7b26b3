"""What colours the points."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mecuco_app.data.classes import SHOWN
from mecuco_app.scene import colouring
from mecuco_app.scene.colours import Ramp
from mecuco_app.screen import state
from mecuco_app.screen.controls.layout import MOST_NAMES
from mecuco_app.text.escape import distinct, literal
from mecuco_app.view.settings import COLOUR_SCALES, COLUMN
from mecuco_core.datasets.base import Dataset
from mecuco_core.measures import MEASURES
from mecuco_core.preparation.prepare import Prepared

_SCALES = {
    "auto": "Automatic",
    "robust": "Robust (2–98 %)",
    "log": "Logarithmic",
    "rank": "By rank",
    "full": "Full range",
}


def colour_controls(dataset: Dataset, prepared: Prepared) -> DeltaGenerator:
    """Draw the controls of the colours and return the place below them, for `say_scale`."""
    settings = state.view().colour
    offered = colouring.choices(dataset, prepared)
    by = settings.by if settings.by in offered else "score"
    if by != settings.by:  # these points have no such thing
        state.session().change("colour.by", by)
    st.selectbox(
        "Colour",
        offered,
        format_func=colouring.title_of,
        help=_meaning(by),
        **state.bound("colour.by", by),
    )
    names = dataset.feature_names[:MOST_NAMES]
    if by == COLUMN:
        shown = names.index(settings.column) if settings.column in names else 0
        st.selectbox(
            "Column",
            range(len(names)),
            format_func=distinct(names).__getitem__,
            help="Before preparation.",
            **state.tied("colour:column", shown, _choose_column, (names,), of_data=True),
        )
        if settings.column not in names:
            state.session().change("colour.column", names[0])
    classes = colouring.classes_by(state.view().colour, dataset, prepared)
    if classes is not None and len(classes.names) > SHOWN:
        st.toggle(
            "Every class",
            help="Else all but the 20 largest are “other”.",
            **state.bound("colour.every_label", settings.every_label),
        )
    if classes is None and colouring.has_scale(by):
        st.selectbox(
            "Colour scale",
            COLOUR_SCALES,
            format_func=_SCALES.__getitem__,
            help="Automatic is robust, or logarithmic or by rank where values span decades.",
            **state.bound("colour.scale", settings.scale),
        )
    return st.container()


def _meaning(by: str) -> str:
    """Return what the colour of a point means, as Markdown."""
    measure = MEASURES.get(by)
    return literal(measure.explanation) if measure else ""


def say_scale(colouring: colouring.Colouring) -> None:
    """Draw which scale was chosen, where the values choose it."""
    colour = colouring.colour
    if isinstance(colour, Ramp) and colour.scale.startswith("automatic"):
        st.caption(literal(f"A{colour.scale[1:]}."))


def _choose_column(key: str, names: list[str]) -> None:
    column = state.picked(key, names)
    if column is not None:
        state.session().change("colour.column", column)
