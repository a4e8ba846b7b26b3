"""Maps of the points: what is shown, and those that need no search."""

from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from mecuco_app.results import maps
from mecuco_app.results.embedding import Coordinates
from mecuco_app.results.principal import FITTED, is_sampled
from mecuco_app.scene.colouring import numbers_of, spoken_by
from mecuco_app.scene.colours import spread_ticks
from mecuco_app.scene.look import Ticks
from mecuco_app.text.numbers import count, plural
from mecuco_app.view.settings import MapSettings
from mecuco_app.work import tasks
from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.columns import recognise_column
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.types import FloatArray

_MOST_TRIED = 100  # columns


@dataclass(frozen=True, eq=False)
class ShownMap:
    """A map and what it is.

    Attributes
    ----------
    coordinates : ndarray of shape (n_points, 2) or (n_points, 3)
    settings : MapSettings
        Of the map that is shown.
    key : tuple
        What it was made from, for caches.
    axes : tuple of str
        Titles of the axes, untrusted; empty where axes mean nothing.
    ticks : tuple of (places, texts) or None
        Of the axes that have names or dates on them, untrusted.
    dimmed : bool
        Whether it is a former map that waits for the new one.
    waits_for : Task or None
        The work that will bring the map asked for.
    ended : bool
        Whether that work ended without it.
    note : str
        Why it is not the one asked for; empty when it is.
    """

    coordinates: Coordinates
    settings: MapSettings
    key: tuple[Any, ...]
    axes: tuple[str, ...] = ()
    ticks: tuple[Ticks | None, ...] = ()
    dimmed: bool = False
    waits_for: "tasks.Task[Coordinates] | None" = None
    ended: bool = False
    note: str = ""


def column_map(settings: MapSettings, dataset: Dataset, prepared: Prepared) -> ShownMap:
    """Return the points by the values of columns, as they came."""
    columns = axes_of(settings, dataset)
    names = dataset.feature_names
    table = dataset.table.iloc[prepared.rows]
    series = [table.iloc[:, names.index(column)] for column in columns]
    values = [numbers_of(one) for one in series]
    shown = replace(settings, columns=columns)
    key = ("columns", dataset.fingerprint, prepared.fingerprint, columns)
    places = np.column_stack(values).astype(np.float32)
    absent = int((~np.isfinite(places).all(axis=1)).sum())
    note = ""
    if absent:
        of = f"of {plural(len(places), 'point')}"
        note = f"{count(absent)} {of} have no value in one of these columns, and no place here."
    ticks = tuple(_ticks(one, numbers) for one, numbers in zip(series, values, strict=True))
    return ShownMap(places, shown, key, columns, ticks, note=note)


def _ticks(series: "pd.Series", numbers: FloatArray) -> Ticks | None:
    """Return the ticks of an axis of names or dates; None where it has numbers."""
    spoken, finite = spoken_by(series), numbers[np.isfinite(numbers)]
    if spoken is None or len(finite) == 0:
        return None
    places = spread_ticks(float(finite.min()), float(finite.max()), 8)
    return places, tuple(map(spoken, places))


def axes_of(settings: MapSettings, dataset: Dataset) -> tuple[str, ...]:
    """Return the columns of a map of columns: those chosen, else the first that spread points."""
    names = dataset.feature_names
    known = [column for column in settings.columns if column in names][: settings.dimension]
    rest = [(i, name) for i, name in enumerate(names[:_MOST_TRIED]) if name not in known]
    spreading = (name for i, name in rest if _spreads(dataset.table.iloc[:, i]))
    known += islice(spreading, settings.dimension - len(known))
    known += [name for _, name in rest if name not in known]
    return tuple((known + names[:1] * 3)[: settings.dimension])


def _spreads(series: "pd.Series") -> bool:
    """Whether a column holds numbers, and not one number only."""
    if recognise_column(series).kind != "number":
        return False
    values = numbers_of(series)
    return bool(np.nanmin(values) < np.nanmax(values)) if np.isfinite(values).any() else False


def pca_map(settings: MapSettings, prepared: Prepared) -> ShownMap:
    """Return the points along their principal directions."""
    dimension = settings.dimension
    key = ("pca", prepared.fingerprint, dimension)
    axes = tuple(f"PC {i + 1}" for i in range(dimension))
    shown = MapSettings(kind="pca", dimension=dimension)
    note = ""
    if is_sampled(*prepared.points.shape):
        note = f"The directions of PCA are those of a sample of {count(FITTED)} points, seed 0."
    return ShownMap(maps.pca_of(prepared, dimension), shown, key, axes, note=note)
