"""What a point can be coloured by: the number at every point, and its name."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mecuco_app.data.classes import Classes, classes_of
from mecuco_app.scene.colours import Ramp, ramp, rank_percent
from mecuco_app.text.escape import plain, plotly
from mecuco_app.text.numbers import count, percent, plural
from mecuco_app.view.settings import ColourBy, ColourSettings
from mecuco_core.datasets.base import Dataset
from mecuco_core.measures.reasons import score_ratio
from mecuco_core.preparation.columns import recognise_column
from mecuco_core.preparation.encoding import as_numbers, category_codes
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.score.curvature import Curvature
from mecuco_core.types import FloatArray, IntArray

NAMES: dict[ColourBy, str] = {
    "score": "Score κ",
    "scatter": "Scatter half ½τ",
    "ratio": "Score over scatter κ/τ",
    "rank": "Rank of the score, %",
    "label": "Label",
    "fidelity": "Map fidelity",
    "distance": "k-NN distance",
    "truth": "True mean curvature |H|",
    "column": "A column",
}

MOST_CLASSES = 20
"""A column of more classes than these is drawn by numbers; the label never is."""

NEEDS_SCORE: frozenset[ColourBy] = frozenset(
    {"score", "scatter", "ratio", "rank", "distance", "fidelity"}
)


@dataclass(frozen=True, eq=False)
class Colouring:
    """How the points of a map are coloured, and by what, in plain text."""

    by: ColourBy
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


def choices(dataset: Dataset, prepared: Prepared) -> list[ColourBy]:
    """Return what the points of this dataset can be coloured by."""
    absent: set[ColourBy] = set()
    if prepared.target is None:
        absent.add("label")
    if dataset.truth is None:
        absent.add("truth")
    return [by for by in NAMES if by not in absent]


def colouring(
    settings: ColourSettings,
    dataset: Dataset,
    prepared: Prepared,
    result: Curvature | None,
    fidelity: FloatArray | None,
) -> Colouring:
    """Return the colours the settings ask for; plain ones where the numbers are not there yet."""
    by = settings.by
    if by == "label" or (by == "column" and settings.column is not None):
        return _by_column(settings, dataset, prepared)
    if by == "column" or by not in choices(dataset, prepared):
        by = "score"
    values = _values(by, dataset, prepared, result, fidelity)
    if values is None:
        return Colouring(by, None, "")
    if by == "rank":
        return Colouring(by, Ramp(values, 0.0, 100.0), NAMES[by])
    colour = ramp(values, settings.scale)
    if by == "fidelity" and result is not None:
        said = fidelity_sentence(values, result.n_neighbors)
        colour = replace(colour, note=f"{said} {colour.note}".strip())
    return Colouring(by, colour, NAMES[by])


def fidelity_sentence(kept: FloatArray, k: int) -> str:
    """Return what the fidelity of a map says, and what a map by chance would have."""
    known = kept[np.isfinite(kept)]
    if len(known) < 2:
        return ""
    chance = min(1.0, k / (len(known) - 1))
    return (
        f"Of its {k} nearest neighbours a point keeps {percent(float(known.mean()))} on this map, "
        f"on average; by chance it would keep {percent(chance)}. "
        f"{plural(int((known == 0).sum()), 'point')} of {count(len(known))} keep none."
    )


def _values(
    by: ColourBy,
    dataset: Dataset,
    prepared: Prepared,
    result: Curvature | None,
    fidelity: FloatArray | None,
) -> FloatArray | None:
    if by == "fidelity":
        return fidelity
    if by == "truth" and dataset.truth is not None:
        return dataset.truth.mean[prepared.rows]
    if result is None:
        return None
    if by == "score":
        return result.values
    if by == "scatter":
        return result.scatter
    if by == "ratio":
        return score_ratio(result)
    if by == "rank":
        return rank_percent(result.values)
    return result.graph.distances[:, -1]


def classes_by(settings: ColourSettings, dataset: Dataset, prepared: Prepared) -> Classes | None:
    """Return the classes that give the points their colours; None where numbers do."""
    classes = classes_of(_series(settings, dataset, prepared))
    few = classes is not None and (settings.by == "label" or len(classes.names) <= MOST_CLASSES)
    return classes if few else None


def _series(settings: ColourSettings, dataset: Dataset, prepared: Prepared) -> "pd.Series | None":
    if settings.by == "label":
        return prepared.target
    names = dataset.feature_names
    if settings.by != "column" or settings.column not in names:
        return None
    return dataset.table.iloc[prepared.rows, names.index(settings.column)]


def _by_column(settings: ColourSettings, dataset: Dataset, prepared: Prepared) -> Colouring:
    series = _series(settings, dataset, prepared)
    if series is None:
        return Colouring(settings.by, None, "")
    name = NAMES["label"] if settings.by == "label" else str(settings.column)
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
