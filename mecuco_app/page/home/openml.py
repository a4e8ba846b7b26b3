"""Find a dataset on OpenML, see its size, and only then download it."""

import pandas as pd
import streamlit as st

from mecuco_app.results.looking import description_task, search_task
from mecuco_app.screen import loading, waiting
from mecuco_app.screen.tables import draw_table
from mecuco_app.text.escape import cell, markdown
from mecuco_app.text.numbers import plural
from mecuco_app.view.settings import DataChoice
from mecuco_core.datasets.openml import (
    MOST_BYTES,
    Description,
    Listing,
)
from mecuco_core.runtime.wording import spoken_bytes


def openml_details(words: str) -> None:
    """Draw what the search found and the description of the one picked."""
    with st.container(border=True):
        found = waiting.result("openml search", search_task(words), wait=2.0)
        if found is None:
            return
        listings, notes = found
        for note in notes:
            st.caption(markdown(note, 300))
        if not listings:
            st.info(f"OpenML has no active dataset with “{markdown(words)}” in its name.")
            return
        st.markdown(f"**{plural(len(listings), 'dataset')}** · tick one to see more")
        event = draw_table(
            _table(listings),
            f"openml:{words}",
            hide_index=True,
            height=min(250, 38 + 35 * len(listings)),
            on_select="rerun",
            selection_mode="single-row",
        )
        rows = event["selection"]["rows"]
        if rows and rows[0] < len(listings):
            _describe(listings[rows[0]])


def _describe(listing: Listing) -> None:
    description = waiting.result("openml description", description_task(listing.id), wait=2.0)
    if description is None:
        return
    st.markdown(spoken(description))
    size = max(description.n_bytes or 0, description.table_bytes or 0)
    if size > MOST_BYTES:
        st.warning(
            f"It is larger than the {spoken_bytes(MOST_BYTES)} this page takes: choose a smaller "
            "dataset."
        )
    st.button(
        "Download and use",
        key="openml:load",
        type="primary",
        disabled=size > MOST_BYTES,
        on_click=loading.start,
        args=(DataChoice("openml", str(listing.id)),),
        help="Kept on this computer.",
    )


def spoken(description: Description) -> str:
    """Return what OpenML tells about a dataset, in Markdown."""
    sizes = [
        plural(number, noun, several)
        for number, noun, several in (
            (description.n_rows, "row", "rows"),
            (description.n_columns, "column", "columns"),
            (description.n_classes, "class", "classes"),
            (description.n_missing, "missing value", "missing values"),
        )
        if number is not None
    ]
    if description.n_bytes is not None:
        sizes.append(f"a file of {spoken_bytes(description.n_bytes)}")
    if description.table_bytes is not None:
        sizes.append(f"{spoken_bytes(description.table_bytes)} in memory")
    licence = markdown(description.licence) if description.licence else "not stated"
    line = f"**{markdown(description)}** · {', '.join(sizes)} · licence: {licence}"
    text = f"  \n{markdown(description.text, 300)}" if description.text else ""
    return line + text


def _table(listings: list[Listing]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "name": [cell(listing.name) for listing in listings],
            "version": [listing.version for listing in listings],
            "id": [listing.id for listing in listings],
            "rows": [listing.n_rows for listing in listings],
            "columns": [listing.n_features for listing in listings],
            "classes": [listing.n_classes for listing in listings],
            "missing": [listing.n_missing for listing in listings],
        }
    )
