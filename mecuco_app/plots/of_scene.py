"""The figures of a scene: its map, and the histogram of its scores, or of another measure."""

import numpy as np
import plotly.graph_objects as go

from mecuco_app.data.classes import label_of
from mecuco_app.data.metadata import texts_of
from mecuco_app.plots.distributions import heavy_tailed, histogram
from mecuco_app.plots.scatter import Focus, point_map
from mecuco_app.scene.look import LIGHT, Look
from mecuco_app.scene.raster import Raster, raster
from mecuco_app.scene.scene import Scene
from mecuco_app.text.escape import plain
from mecuco_core.measures import MEASURES
from mecuco_core.types import IntArray

MOST_LABELLED = 20_000
"""Points whose label is sent along for the pointer, and texts of their metadata in all."""

_METADATA = 3  # columns of it, where the points are few

SCORE = "score"
CUT = 75.0
"""Percentile above which the paper speaks of boundary points."""


def map_figure(scene: Scene, look: Look = LIGHT, *, drag: str = "pan") -> go.Figure:
    """Return the map of a scene."""
    drawn = scene.mapped
    at = drawn.positions
    colouring = scene.colouring.taken(at)
    target, measured = scene.prepared.target, scene.measures_at("hover")
    hover = [scene.prepared.rows[at].astype(np.float64)]
    hover += [values[at] for values in measured.values()]
    names = ["row", *(MEASURES[name].inline for name in measured)]
    texts = _metadata_texts(scene, at)
    if target is not None and len(at) <= MOST_LABELLED:
        texts.append([label_of(label) for label in target.iloc[at]])
    chosen = scene.selected
    return point_map(
        scene.map.coordinates[at],
        colouring.colour,
        title=colouring.title,
        hover=hover,
        hover_names=names,
        texts=texts,
        selected=None if chosen is None else drawn.local(chosen),
        focus=_focus(scene),
        axes=scene.map.axes,
        ticks=scene.map.ticks,
        every_label=scene.view.colour.every_label,
        dimmed=scene.map.dimmed or scene.former,
        drag=drag,
        revision=repr(scene.map.key),
        window=scene.window,
        camera=scene.camera,
        scaled=_scaled(scene),
        density=_density(scene),
        look=look,
    )


def _metadata_texts(scene: Scene, positions: IntArray) -> list[list[str]]:
    """Return what a pointer shows of the metadata: fewer columns of more points, none of many."""
    most = min(_METADATA, MOST_LABELLED // max(1, len(positions)))
    shown = [one for one in scene.metadata if one.kind in ("identifier", "text", "value")][:most]
    rows = scene.prepared.rows[positions]
    return [
        [f"{plain(one.name, 20)}: {text}" for text in texts_of(scene.dataset, one, rows)]
        for one in shown
    ]


def _scaled(scene: Scene) -> bool:
    """Whether the axes share a unit: those of PCA and UMAP do, of columns those of a manifold."""
    columns = scene.map.settings.kind == "columns"
    return not columns or scene.dataset.provenance.source == "manifold"


def _density(scene: Scene) -> Raster | None:
    if not scene.mapped.dense:
        return None
    return raster(scene.map.coordinates, scene.colouring.colour, scene.window)


def measure_histogram(scene: Scene, name: str = SCORE, look: Look = LIGHT) -> go.Figure:
    """Return the histogram of a measure of a scene, of the points that have a value."""
    measure, rule, chosen = MEASURES[name], scene.view.rule, scene.selected
    there = np.flatnonzero(np.isfinite(scene.measured(name)))
    values = scene.measured(name)[there]
    log, is_score = heavy_tailed(values), name == SCORE
    units = ", ".join(part for part in (measure.unit, "logarithmic" if log else "") if part)
    return histogram(
        values,
        log=log,
        selected=None if chosen is None else np.flatnonzero(np.isin(there, chosen)),
        brush=(rule.low, rule.high) if is_score and rule.kind == "range" else None,
        cut=float(np.percentile(values, CUT)) if is_score else None,
        title=f"{measure.inline} ({units})" if units else measure.inline,
        look=look,
    )


def _focus(scene: Scene) -> Focus | None:
    if scene.focus is None or scene.result is None:
        return None
    own = scene.mapped.local(np.array([scene.focus]))
    if len(own) == 0:
        return None
    near = np.sort(scene.result.graph.indices[scene.focus])
    return Focus(int(own[0]), scene.mapped.local(near))
