"""The parts of the Boundary points page."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import streamlit as st

from mecuco_app.page.boundary import words
from mecuco_app.plots import boundary as plots
from mecuco_app.results import analyses
from mecuco_app.scene.caption import caption, data_line, map_line
from mecuco_app.scene.listing import SHOWN, top_points
from mecuco_app.scene.scene import Scene
from mecuco_app.screen import state, waiting
from mecuco_app.screen.figure_card import figure_card, finding
from mecuco_app.screen.maps import follow
from mecuco_app.screen.tables import WRAPPED, draw_table, point_columns
from mecuco_app.screen.ways_out import code_way
from mecuco_app.takeaway.recipes import boundary_recipe, command_recipe
from mecuco_app.text.escape import plotly
from mecuco_app.text.numbers import count, number, seconds
from mecuco_app.text.sentences import tie_note
from mecuco_app.view.settings import BoundaryLines, BoundarySettings
from mecuco_core.diagnostics.boundary import Boundary, boundary_points
from mecuco_core.diagnostics.removal import RemovalEffect
from mecuco_core.diagnostics.stability import Stability
from mecuco_core.score.curvature import Curvature
from mecuco_core.types import FloatArray, IntArray

_LINES: dict[BoundaryLines, str] = {
    "spread": "Spread over the list",
    "highest": "Highest",
    "unstable": "Least stable",
}


@dataclass(frozen=True, eq=False)
class Split:
    """The scored points of a scene, split at a percentile."""

    scene: Scene
    result: Curvature
    settings: BoundarySettings

    @cached_property
    def boundary(self) -> Boundary:
        """Which points are boundary points."""
        return boundary_points(self.result, percentile=self.settings.percentile)

    @property
    def data_line(self) -> str:
        """What the points are, for captions."""
        return data_line(self.scene.dataset.name, self.scene.prepared)

    @property
    def line(self) -> str:
        """What the points and their scores are, for captions."""
        return caption(self.data_line, self.scene.score_line)


def code(split: Split) -> None:
    """Draw the code that gives this view."""
    scene, result = split.scene, split.result
    code_way(
        boundary_recipe(scene, result, split.settings.percentile),
        command_recipe(scene.view, scene.prepared, result.n_neighbors),
        approximate=result.graph.method == "approximate",
    )


def split_panel(split: Split) -> None:
    """Draw the sentence and the split on the map."""
    scene, boundary = split.scene, split.boundary
    sentence = words.split_sentence(boundary, split.result.graph.distances[:, -1])
    finding(sentence, title="The split", heading=True)
    at = scene.drawn.positions
    axes = [plotly(axis, 30) for axis in scene.map.axes[:2]] or ["", ""]
    figure = plots.split_map(
        scene.map.coordinates[at, :2],
        boundary.mask[at],
        scene.prepared.rows[at],
        split.result.values[at],
        axes=(axes[0], axes[1]),
        look=scene.look,
    )
    figure_card(
        figure,
        title="Boundary points on the map",
        caption=caption(
            split.line,
            map_line(scene.map.settings),
            f"cut at percentile {split.settings.percentile:g}",
            scene.map.note,
            scene.drawn.note,
        ),
        key="boundary-map",
    )
    follow(state.session(), scene)


def list_panel(split: Split) -> None:
    """Draw the boundary points, highest first, with what is unusual about each."""
    indices = split.boundary.indices
    listed = indices[:SHOWN]
    shown = "" if len(listed) == len(indices) else f", the highest {count(len(listed))} of them"
    st.markdown(f"**Boundary points** · {count(len(indices))}{shown}")
    if len(listed) == 0:
        return
    frame = top_points(split.scene, listed)
    # Reasons before details: they are what the list is for, and the column is narrow.
    first = [name for name in ("place", "row", "score", "label", "why") if name in frame]
    draw_table(
        frame[[*first, *(name for name in frame if name not in first)]],
        "boundary:list",
        hide_index=True,
        height=560,
        row_height=WRAPPED,
        column_config=point_columns(frame, 235),
    )


def clustering_panel(split: Split) -> None:
    """Draw what leaving the boundary points out does to a clustering, when asked for."""
    scene = split.scene
    task = analyses.removal_task(
        scene.dataset, scene.prepared, scene.view.score, split.settings, scene.classes
    )
    if task.ready() is None and state.recalled("clustering:asked", None) != task.key:
        st.button(
            f"Compare, about {seconds(task.seconds)}",
            key="clustering:start",
            on_click=state.remember,
            args=("clustering:asked", task.key),
        )
        return
    effect = waiting.result("clustering", task)
    if effect is None:
        return
    effects = _table(effect)
    named = effects.rename_axis("left out").reset_index()
    finding(words.removal_sentence(effect), title="What leaving them out does", table=named)
    panels = _panels(effect)
    if not panels or not words.removed(effect):
        return
    ways = list(words.REMOVALS.values())
    line = caption(split.line, words.removal_note(effect))
    for start in range(0, len(panels), 3):
        for column, (measure, title, means, sd) in zip(
            st.columns(3), panels[start : start + 3], strict=False
        ):
            with column:
                figure_card(
                    plots.removal_dots(ways, means, sd, highlight=1, look=scene.look),
                    title=title,
                    caption=line,
                    key=f"boundary-{measure}",
                )
    st.caption(words.CAVEAT)
    with st.expander("As a table"):
        draw_table(effects, "boundary:effects", width="stretch")


def _panels(effect: RemovalEffect) -> list[tuple[str, str, FloatArray, FloatArray]]:
    """Return name, title, means and deviations of every measure that could be taken."""
    panels = []
    for measure, title in words.MEASURES.items():
        means = np.array([getattr(one.mean, measure) for one in effect.results])
        if np.isfinite(means).any():
            deviations = [getattr(one.sd, measure, np.nan) for one in effect.results]
            panels.append((measure, title, means, np.array(deviations)))
    return panels


def _table(effect: RemovalEffect) -> pd.DataFrame:
    names = {**words.MEASURES, "n_clusters": "clusters found", "noise": "share of noise"}
    return pd.DataFrame(
        {
            title: {
                words.REMOVALS[one.removal]: number(getattr(one.mean, measure), 4)
                + ("" if one.sd is None else f" ± {number(getattr(one.sd, measure), 2)}")
                for one in effect.results
            }
            for measure, title in names.items()
            if np.isfinite([getattr(one.mean, measure) for one in effect.results]).any()
        }
    )


def stability_panel(split: Split) -> None:
    """Draw how the list depends on k."""
    scene = split.scene
    if len(split.boundary.indices) == 0:
        st.info("No point is above the cut.")
        return
    if len(analyses.stability_k(scene.prepared, split.result.n_neighbors)) < 2:
        st.info("There are too few points for another k.")
        return
    task = analyses.stability_task(scene.prepared, scene.view.score)
    stability = waiting.result("stability", task)
    if stability is None:
        return
    q = 100.0 - split.settings.percentile
    boundary, k = split.boundary, split.result.n_neighbors
    finding(words.stability_sentence(stability, q, boundary.indices), title="Stability over k")
    followed = _followed(split, stability)
    left, right = st.columns(2)
    with left:
        figure_card(
            plots.overlap_matrix(
                stability.k_values, stability.overlap(q), current=k, look=scene.look
            ),
            title=f"Share of the top {q:g} % in common",
            caption=caption(split.data_line, stability.mode, tie_note(split.result.values)),
            key="boundary-overlap",
        )
    with right:
        figure_card(
            plots.rank_ribbons(
                stability.k_values,
                stability.percent,
                scene.prepared.rows,
                followed,
                boundary.mask,
                cut=split.settings.percentile,
                current=k,
                look=scene.look,
            ),
            title="Rank over k: the ribbon holds 80 % of the list",
            caption=caption(split.data_line, stability.mode, "lines: single points"),
            key="boundary-ribbons",
        )


def _followed(split: Split, stability: Stability) -> IntArray:
    """Points whose ranks are drawn as lines: the one looked at, then some of the list."""
    listed, focus = split.boundary.indices, split.scene.focus
    which = st.segmented_control(
        "Points drawn as lines",
        tuple(_LINES),
        format_func=_LINES.__getitem__,
        required=True,
        **state.bound("boundary.lines", split.settings.lines),
    )
    if which == "spread":
        listed = listed[np.unique(np.linspace(0, len(listed) - 1, plots.MOST_RIBBONS, dtype=int))]
    elif which == "unstable":
        listed = listed[np.argsort(-np.ptp(stability.percent[:, listed], axis=0), kind="stable")]
    return listed if focus is None else np.append(np.int64(focus), listed[listed != focus])
