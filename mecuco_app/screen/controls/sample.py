"""How points are drawn: how many, with how much noise, where, and from which seed.

`tied` are the arguments that tie a widget to what it changes: `state.bound` or `state.remembered`.
"""

from typing import Any

import streamlit as st

MOST_POINTS = 20_000
MOST_DIMENSIONS = 50
MOST_SEED = 10_000
"""Of a seed that is chosen by hand; an address may hold a larger one."""


def points_slider(label: str, least: int, **tied: Any) -> int:
    """Draw how many points there are."""
    chosen: int = st.slider(label, least, MOST_POINTS, step=100, **tied)
    return chosen


def noise_slider(most: float, step: float, **tied: Any) -> float:
    """Draw how much noise the points have."""
    text = "Standard deviation in each coordinate."
    digits = "%.3f" if step < 0.01 else "%.2f"
    chosen: float = st.slider("Noise", 0.0, most, step=step, format=digits, help=text, **tied)
    return chosen


def density_slider(**tied: Any) -> float:
    """Draw how unevenly the points lie."""
    text = "0 is uniform by area."
    chosen: float = st.slider("Density gradient", 0.0, 0.95, step=0.05, help=text, **tied)
    return chosen


def dimensions_slider(label: str, least: int, **tied: Any) -> int:
    """Draw of how many dimensions the space around a manifold is."""
    text = "The manifold is turned at random into a larger space."
    chosen: int = st.slider(label, least, MOST_DIMENSIONS, help=text, **tied)
    return chosen


def seed_input(help_text: str | None = None, most: int = MOST_SEED, **tied: Any) -> int:
    """Draw the seed of what is random."""
    chosen: int = st.number_input("Seed", 0, most, step=1, help=help_text, **tied)
    return chosen
