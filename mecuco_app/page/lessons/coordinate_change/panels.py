"""The parts of the page on changes of coordinates."""

import numpy as np
import pandas as pd
import streamlit as st

from mecuco_app.page.lessons.coordinate_change import words
from mecuco_app.plots.agreement import rank_rank
from mecuco_app.plots.lessons import coordinate_change as plots
from mecuco_app.results.maps import pca_of
from mecuco_app.scene.caption import caption
from mecuco_app.scene.drawing import drawn_points
from mecuco_app.scene.look import PAPER, Look
from mecuco_app.screen import state
from mecuco_app.screen.controls.coordinates import coordinate_controls
from mecuco_app.screen.figure_card import figure_card
from mecuco_app.screen.tables import draw_table
from mecuco_app.text.sentences import CHANGED_BY
from mecuco_app.view.lessons import CoordinateChangeSettings
from mecuco_core.diagnostics.coordinates import CoordinateChange, CoordinateStability, ranks_after
from mecuco_core.diagnostics.mode_pair import overlap_curve
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.score.ranks import in_top, rank_percent, top_size

MOST_LISTED = 200


def controls() -> CoordinateChangeSettings:
    """Draw how the coordinates change and how many points are watched."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        settings = coordinate_controls(seed_width=130)
        st.slider(
            "Top", 1.0, 50.0, step=1.0, format="%d %%", width=220,
            **state.bound("change.top", settings.top),
        )  # fmt: skip
    return settings


def maps(prepared: Prepared, change: CoordinateChange, q: float, line: str, look: Look) -> None:
    """Draw the top points before and after, side by side."""
    coordinates = pca_of(prepared)
    before, after = in_top(change.before.values, q), in_top(change.after.values, q)
    some = drawn_points(len(coordinates), 2, None, change.before.values)
    drawn = np.union1d(some.positions, np.flatnonzero(before | after))
    kept = (before & after)[drawn]
    note = caption(line, "PCA of the data before the change", some.note)
    shown = (
        ("On top before", before, "top before only", True, "before"),
        (
            f"On top after {CHANGED_BY[change.kind]}",
            after,
            "top after only",
            False,
            "after",
        ),
    )
    for column, (title, chosen, name, lost, key) in zip(
        st.columns(2, gap="medium"), shown, strict=True
    ):
        with column:
            figure_card(
                plots.top_map(
                    coordinates[drawn], prepared.rows[drawn], kept, chosen[drawn] & ~kept,
                    other_name=name, lost=lost, look=look,
                ),
                title=title,
                caption=note,
                key=f"change-{key}",
                made_from=(line, q, look),
            )  # fmt: skip


def ranks(prepared: Prepared, change: CoordinateChange, q: float, line: str, look: Look) -> None:
    """Draw rank against rank, and how much of every top stays."""
    left, right = st.columns(2, gap="medium")
    with left:
        figure_card(
            rank_rank(
                rank_percent(change.before.values),
                rank_percent(change.after.values),
                prepared.rows,
                names=("the score", "the score after the change"),
                colour=PAPER,
                look=look,
            ),
            title="Rank of every point; 100 % is highest",
            caption=line,
            key="change-ranks",
        )
    with right:
        figure_card(
            plots.overlap_curves(
                overlap_curve(change.before.values, change.after.values),
                overlap_curve(change.before.scatter, change.after.scatter),
                q,
                look=look,
            ),
            title="How many of the top q % stay on top",
            caption=line,
            key="change-overlap",
            made_from=(line, q, look),
        )


def table(
    prepared: Prepared, change: CoordinateChange, found: CoordinateStability | None, q: float
) -> pd.DataFrame:
    """Return the top points before, with their place after."""
    size = top_size(len(change.before), q)
    after = ranks_after(change)
    order = np.argsort(-change.before.values, kind="stable")[: min(size, MOST_LISTED)]
    columns: dict[str, object] = {
        "rank before": np.arange(1, len(order) + 1),
        "rank after": after[order] + 1,
        "row": prepared.rows[order],
        "score before": change.before.values[order],
        "score after": change.after.values[order],
        "stays on top": after[order] < size,
    }
    if found is not None:
        columns["times on top"] = (found.share(size)[order] * len(found.seeds)).round().astype(int)
    return pd.DataFrame(columns)


def each_point(
    prepared: Prepared,
    change: CoordinateChange,
    found: CoordinateStability | None,
    q: float,
    line: str,
    look: Look,
) -> None:
    """Draw the top points one by one, and how often each of them stays."""
    left, right = st.columns(2, gap="medium")
    with left:
        plain = st.column_config.NumberColumn(format="%.4g")
        draw_table(
            table(prepared, change, found, q),
            "change:top",
            hide_index=True,
            height=plots.HEIGHT,
            column_config={"score before": plain, "score after": plain},
        )
        size = top_size(len(change.before), q)
        listed = f"the first {MOST_LISTED} of {size} top points" if size > MOST_LISTED else ""
        if listed:
            st.caption(listed)
    if found is None:
        return
    with right:
        st.markdown(words.stability_sentence(found, change, q))
        size = top_size(len(change.before), q)
        figure_card(
            plots.stability_bars(
                found.share(size)[in_top(change.before.values, q)], len(found.seeds), look=look
            ),
            title="How often a top point stays on top",
            caption=caption(line.rsplit(" · ", 1)[0], f"{change.kind}, seeds 0 to "
                            f"{len(found.seeds) - 1}"),
            key="change-stability",
        )  # fmt: skip
