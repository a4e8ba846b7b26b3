"""Where the split is, and which clustering is tried on it."""

import streamlit as st

from mecuco_app.data.classes import Classes
from mecuco_app.page.boundary.words import METHODS
from mecuco_app.results.analyses import clusters_of, most_clusters
from mecuco_app.screen import state
from mecuco_app.view.settings import PERCENTILES, BoundarySettings


def percentile_control() -> BoundarySettings:
    """Draw the percentile slider and return the settings of the page."""
    settings = state.view().boundary
    st.slider(
        "Percentile of the score that boundary points exceed",
        *PERCENTILES,
        step=1.0,
        format="%d %%",
        help="75 in the paper.",
        **state.bound("boundary.percentile", settings.percentile),
    )
    return settings


def clustering_controls(classes: Classes | None, n_points: int) -> None:
    """Draw the choice of clustering and of its number of clusters."""
    settings = state.view().boundary
    left, right = st.columns(2)
    left.selectbox(
        "Clustering",
        tuple(METHODS),
        format_func=METHODS.__getitem__,
        help="HDBSCAN finds its own number of clusters.",
        **state.bound("boundary.clustering", settings.clustering),
    )
    right.number_input(
        "Clusters",
        2,
        max(3, most_clusters(n_points)),
        step=1,
        disabled=settings.clustering == "hdbscan",
        **state.bound(
            "boundary.n_clusters", clusters_of(settings, classes, n_points), of_data=True
        ),
    )
