"""Everything the parts of the Explore page look at, computed once per run."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from mecuco_app.data.classes import Classes, classes_of
from mecuco_app.data.metadata import MetadataColumn, metadata_columns
from mecuco_app.results.needs import Shown, ready_needs
from mecuco_app.scene.caption import caption, data_line, map_line, score_line
from mecuco_app.scene.colouring import Colouring, colouring
from mecuco_app.scene.drawing import Drawn, drawn_points, mapped_points
from mecuco_app.scene.look import Camera, Look
from mecuco_app.scene.maps import ShownMap
from mecuco_app.scene.raster import Window
from mecuco_app.scene.selection import position_of_row, selected
from mecuco_app.view.settings import View
from mecuco_core.datasets.base import Dataset
from mecuco_core.measures import MEASURES, Place, Points, measures_at
from mecuco_core.measures.points import graph_of
from mecuco_core.measures.reasons import PointFacts, point_facts
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.score.curvature import Curvature
from mecuco_core.types import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Scene:
    """One view of one dataset.

    Parameters
    ----------
    view : View
    dataset : Dataset
    prepared : Prepared
    result : Curvature or None
        None while the score is being computed.
    map : ShownMap
    look : Look
    window : ((x, x), (y, y)) or None
        The part of a flat map that is shown; None for all of it.
    camera : (eye, centre, up) or None
        Where a spatial map is seen from; None for the usual place.
    former : bool
        Whether these are not the scores asked for, which are not there yet.
    """

    view: View
    dataset: Dataset
    prepared: Prepared
    result: Curvature | None
    map: ShownMap
    look: Look
    window: Window | None = None
    camera: Camera | None = None
    former: bool = False

    @cached_property
    def classes(self) -> Classes | None:
        """Classes of the points, where the target has any."""
        return classes_of(self.prepared.target)

    @cached_property
    def metadata(self) -> tuple[MetadataColumn, ...]:
        """Columns of the table that gave no feature."""
        return metadata_columns(self.dataset, self.prepared)

    @cached_property
    def selected(self) -> IntArray | None:
        """Positions of the selected points; None when nothing is selected."""
        return selected(self.view.rule, self.prepared, self._values)

    @cached_property
    def focus(self) -> int | None:
        """Position of the point looked at: the one chosen, else the highest selected one."""
        chosen = position_of_row(self.view.focus, self.prepared)
        if chosen is not None or self.result is None:
            return chosen
        if self.selected is None or len(self.selected) == 0:
            return None
        return int(self.selected[np.argmax(self.result.values[self.selected])])

    @cached_property
    def facts(self) -> PointFacts | None:
        """What is known of every point."""
        return None if self.result is None else point_facts(self.result, self._labels)

    @cached_property
    def known(self) -> Points:
        """What measures can be computed from by now."""
        truth = self.dataset.truth
        known = Points(
            points=self.prepared.points,
            labels=self._labels,
            truth=None if truth is None else truth.mean[self.prepared.rows],
        )
        if self.result is None:
            return known
        shown = Shown(self.prepared, self.view.score, self.map.coordinates, self.map.key)
        known = replace(known, score=self.result, graph=graph_of(self.result))
        return replace(known, **ready_needs(shown))

    @cached_property
    def colouring(self) -> Colouring:
        """The colours of the points."""
        return colouring(self.view.colour, self.dataset, self.prepared, self.known)

    def measures_at(self, place: Place) -> dict[str, FloatArray]:
        """Measures by name, (n_points,) each: those that stand in a place, and that of the map."""
        named = [one for one in measures_at(place) if one.is_known(self.known)]
        own = MEASURES.get(self.colouring.by)
        if own is not None and own not in named and own.is_known(self.known):
            named.append(own)
        return {one.name: self.measured(one.name) for one in named}

    def measured(self, name: str) -> FloatArray:
        """Values of a measure that is known, (n_points,), computed once."""
        if name not in self._measured:
            self._measured[name] = MEASURES[name].values(self.known)
        return self._measured[name]

    @cached_property
    def _measured(self) -> dict[str, FloatArray]:
        return {}

    @cached_property
    def drawn(self) -> Drawn:
        """The points that are drawn."""
        n_points, dimension = self.map.coordinates.shape
        return drawn_points(n_points, dimension, self.classes, self._values)

    @cached_property
    def mapped(self) -> Drawn:
        """The points that are drawn on the map itself."""
        wanted = [np.empty(0, dtype=np.int64)]
        if self.selected is not None:
            wanted.append(self.selected)
        if self.focus is not None and self.result is not None:
            wanted += [np.array([self.focus]), self.result.graph.indices[self.focus]]
        return mapped_points(
            self.map.coordinates,
            self.window,
            self.classes,
            self._values,
            np.unique(np.concatenate(wanted)),
        )

    @property
    def score_line(self) -> str:
        """Mode and k, as in captions."""
        return "" if self.result is None else score_line(self.view.score, self.result)

    @property
    def score_caption(self) -> str:
        """The line under figures of the scores, in plain text."""
        return caption(data_line(self.dataset.name, self.prepared), self.score_line)

    @property
    def caption(self) -> str:
        """The line under the map, in plain text."""
        return caption(self.score_caption, map_line(self.map.settings), self.colouring.line)

    @property
    def notes(self) -> list[str]:
        """What must be said about the map, in plain text."""
        found = [self.map.note, self.mapped.note, self.colouring.note]
        measure = MEASURES.get(self.colouring.by)
        if measure is not None and self.colouring.colour is None:
            what = "There is no score yet"
            if self.result is not None:
                what = f"{measure.title} is not there yet"
            found.append(f"{what}, and so no colour.")
        return [note for note in found if note]

    @property
    def _labels(self) -> "pd.Series | None":
        return None if self.classes is None else self.classes.labels

    @property
    def _values(self) -> FloatArray | None:
        return None if self.result is None else self.result.values
