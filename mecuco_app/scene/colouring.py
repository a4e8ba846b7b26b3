"""What a point can be coloured by: a measure, its label, or a column."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mecuco_app.data.classes import Classes, classes_of
from mecuco_app.results.needs import BROUGHT, has_classes
from mecuco_app.scene.colours import Ramp, diverging_ramp, ramp
from mecuco_app.text.escape import plain, plotly
from mecuco_app.view.settings import COLUMN, LABEL, ColourSettings
from mecuco_core.datasets.base import Dataset
from mecuco_core.measures import MEASURES, Measure, Need, Points, Scale
from mecuco_core.preparation.columns import recognise_column
from mecuco_core.preparation.encoding import as_numbers, category_codes
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.types import FloatArray, IntArray

MOST_CLASSES = 20
"""A column of more classes than these is drawn by numbers; the label never is."""

_OF_DATA = {LABEL: "Label", COLUMN: "A column"}


@dataclass(frozen=True, eq=False)
class Colouring:
    """How the points of a map are coloured, and by what, in plain text."""

    by: str
    colour: Ramp | Classes | None
    name: str

    @property
    def title(self) -> str:
        """Of the colour bar, escaped."""
        return plotly(self.name, 30)

    @property
    def line(self) -> str:
        """The part of a caption on the colours; empty where all points have the same."""
        if self.colour is None:
            return ""
        scale = self.colour.scale if isinstance(self.colour, Ramp) else ""
        return f"coloured by {plain(self.name, 30)}{f' ({scale})' if scale else ''}"

    @property
    def note(self) -> str:
        """What the colours hide; empty when nothing."""
        return self.colour.note if isinstance(self.colour, Ramp) else ""

    def taken(self, positions: IntArray) -> "Colouring":
        """Return the colours of some of the points, on the same scale."""
        colour = self.colour
        if isinstance(colour, Ramp):
            colour = replace(colour, values=colour.values[positions])
        elif isinstance(colour, Classes):
            colour = replace(colour, codes=colour.codes[positions])
        return replace(self, colour=colour)


def title_of(by: str) -> str:
    """Return what points are coloured by, for people."""
    return _OF_DATA[by] if by in _OF_DATA else MEASURES[by].title


def choices(dataset: Dataset, prepared: Prepared) -> list[str]:
    """Return what the points of this dataset can be coloured by."""
    there: set[Need] = {"points", "graph", "score", *BROUGHT}
    if dataset.truth is not None:
        there.add("truth")
    if has_classes(dataset, prepared):
        there.add("labels")
    found = [name for name, measure in MEASURES.items() if there.issuperset(measure.needs)]
    return [*found, *([] if prepared.target is None else [LABEL]), COLUMN]


def colouring(
    settings: ColourSettings,
    dataset: Dataset,
    prepared: Prepared,
    known: Points,
) -> Colouring:
    """Return the colours the settings ask for; plain ones where the numbers are not there yet."""
    by = settings.by
    if by == LABEL or (by == COLUMN and settings.column is not None):
        return _by_column(settings, dataset, prepared)
    measure = MEASURES.get(by, MEASURES["score"])
    if not _can_be(measure, known):  # these points have no such thing
        measure = MEASURES["score"]
    if not measure.is_known(known):
        return Colouring(measure.name, None, "")
    values = measure.values(known)
    colour = measure_ramp(measure, values, settings.scale)
    if known.score is not None:
        notes = [BROUGHT[need].note for need in measure.needs if need in BROUGHT]
        said = [note(values, known.score.n_neighbors) for note in notes]
        colour = replace(colour, note=" ".join(filter(None, [*said, colour.note])))
    return Colouring(measure.name, colour, measure.title)


def _can_be(measure: Measure, known: Points) -> bool:
    """Whether all a measure needs is there or can come."""
    coming: set[Need] = {*BROUGHT, *(() if known.score is not None else ("score", "graph"))}
    return all(need in coming or getattr(known, need) is not None for need in measure.needs)


def measure_ramp(measure: Measure, values: FloatArray, scale: Scale) -> Ramp:
    """Return the colours of a measure; "auto" is the scale it opens with."""
    if measure.colours == "percent":
        return Ramp(values, 0.0, 100.0)
    scale = measure.scale if scale == "auto" else scale
    return (diverging_ramp if measure.colours == "diverging" else ramp)(values, scale)


def has_scale(by: str) -> bool:
    """Whether a colour scale can be chosen for a measure, or the values of a column."""
    return by not in MEASURES or MEASURES[by].colours != "percent"


def classes_by(settings: ColourSettings, dataset: Dataset, prepared: Prepared) -> Classes | None:
    """Return the classes that give the points their colours; None where numbers do."""
    classes = classes_of(_series(settings, dataset, prepared))
    few = classes is not None and (settings.by == LABEL or len(classes.names) <= MOST_CLASSES)
    return classes if few else None


def _series(settings: ColourSettings, dataset: Dataset, prepared: Prepared) -> "pd.Series | None":
    if settings.by == LABEL:
        return prepared.target
    names = dataset.feature_names
    if settings.by != COLUMN or settings.column not in names:
        return None
    return dataset.table.iloc[prepared.rows, names.index(settings.column)]


def _by_column(settings: ColourSettings, dataset: Dataset, prepared: Prepared) -> Colouring:
    series = _series(settings, dataset, prepared)
    if series is None:
        return Colouring(settings.by, None, "")
    name = title_of(LABEL) if settings.by == LABEL else str(settings.column)
    classes = classes_by(settings, dataset, prepared)
    if classes is not None:
        return Colouring(settings.by, classes, name)
    return Colouring(settings.by, ramp(numbers_of(series), settings.scale, spoken_by(series)), name)


def spoken_by(series: "pd.Series") -> Callable[[float], str] | None:
    """Return how a value of `numbers_of` reads, untrusted; None where it is simply a number."""
    column = recognise_column(series)
    if column.is_coded:
        names = category_codes(series, column)[1]
        return lambda value: plain(names[min(len(names) - 1, max(0, round(value)))], 20)
    if column.reading == "dates":
        return lambda value: str(np.datetime64(round(value), "D"))
    return None


def numbers_of(series: "pd.Series") -> FloatArray:
    """Return a column as numbers, (n_points,): NaN where it has none, all NaN where it cannot."""
    column = recognise_column(series)
    if column.reading == "none":
        return np.full(len(series), np.nan)
    return np.array(as_numbers(series, column), dtype=np.float64)
