"""Three guided steps: each sets the controls, and says what to look at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from mecuco_app.screen import state
from mecuco_app.view.settings import View, chosen


@dataclass(frozen=True)
class Step:
    """A thing to try.

    Parameters
    ----------
    name : str
        What is done, a few words; trusted.
    look : str
        What there is to see then, trusted Markdown.
    choices : mapping of str to object
        The choices of the view it makes, by the paths of `settings.changed`.
    """

    name: str
    look: str
    choices: Mapping[str, Any]

    def holds(self, view: View) -> bool:
        """Whether the view is as this step makes it."""
        return all(chosen(view, path) == value for path, value in self.choices.items())


def guide(page: str, steps: Sequence[Step]) -> None:
    """Draw the steps of a page; of the one the view is at, what to look at.

    Parameters
    ----------
    page : str
        One word, for the keys of the buttons.
    steps : sequence of Step
    """
    view = state.view()
    current = next((step for step in steps if step.holds(view)), None)
    with st.container(border=True):
        st.markdown("**Try this**")
        for number, step in enumerate(steps, start=1):
            st.button(
                f"{number} · {step.name}",
                key=f"{page}:try-{number}",
                on_click=_take,
                args=(step,),
                type="primary" if step is current else "secondary",
                width="stretch",
            )
        if current is not None:
            st.markdown(current.look)


def _take(step: Step) -> None:
    for path, value in step.choices.items():
        state.session().change(path, value)
