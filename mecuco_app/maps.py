"""The map to show now: the one asked for, or the best there is until it is ready."""

from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from mecuco_app import compute, work
from mecuco_app.colours import spread_ticks
from mecuco_app.embedding import MIN_POINTS, Coordinates
from mecuco_app.measures import numbers_of, spoken_by
from mecuco_app.numerals import count, plural
from mecuco_app.plots.scatter import Ticks
from mecuco_app.principal import FITTED, is_sampled
from mecuco_app.settings import MapSettings
from mecuco_app.state import Session
from mecuco_core._types import FloatArray
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.columns import recognise_column
from mecuco_core.datasets.preparation import Prepared

_MOST_TRIED = 100  # columns

JOB = "umap"
"""The job that makes a map."""


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
    waits_for: "compute.Task[Coordinates] | None" = None
    ended: bool = False
    note: str = ""


def current_map(
    session: Session, dataset: Dataset, prepared: Prepared, *, flat: bool = False
) -> ShownMap:
    """Return the map the visitor asked for, or what stands in for it while UMAP runs.

    With `flat` it has two dimensions whatever was asked for.
    """
    settings = replace(session.view.map, dimension=2) if flat else session.view.map
    if settings.kind == "columns":
        return column_map(settings, dataset, prepared)
    if settings.kind == "pca":
        return _pca(settings, prepared)
    if not compute.can_umap(prepared):
        shown = _pca(settings, prepared)
        return replace(shown, note=f"UMAP needs at least {MIN_POINTS} points: this is PCA.")
    task = compute.embedding_task(prepared, settings)
    found = task.ready()
    if found is not None:
        session.drawn_maps[prepared.fingerprint] = (settings,)
        return ShownMap(found, settings, task.key)
    ended = _has_ended(session, task)
    shown = _stand_in(session, settings, prepared, ended=ended)
    return replace(shown, waits_for=task, ended=ended)


def follow(session: Session, shown: ShownMap) -> None:
    """Draw the work that will bring a better map, and the page anew once it is there."""
    work.follow(JOB, shown.waits_for)
    if shown.waits_for is not None and _has_ended(session, shown.waits_for) and not shown.ended:
        st.rerun()  # it was stopped, or failed, while this page was being drawn


def _has_ended(session: Session, task: "compute.Task[Coordinates]") -> bool:
    """Whether the work ended without a map."""
    job = session.desk.job(JOB)
    return job is not None and job.key == task.key and job.status in ("stopped", "failed")


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


def _pca(settings: MapSettings, prepared: Prepared) -> ShownMap:
    dimension = settings.dimension
    key = ("pca", prepared.fingerprint, dimension)
    axes = tuple(f"PC {i + 1}" for i in range(dimension))
    shown = MapSettings(kind="pca", dimension=dimension)
    note = ""
    if is_sampled(*prepared.points.shape):
        note = f"The directions of PCA are those of a sample of {count(FITTED)} points, seed 0."
    return ShownMap(compute.pca_of(prepared, dimension), shown, key, axes, note=note)


def _stand_in(
    session: Session, settings: MapSettings, prepared: Prepared, *, ended: bool
) -> ShownMap:
    """Return the former map of these points, or PCA; `ended` where no better one is on its way."""
    former = session.drawn_maps.get(prepared.fingerprint)
    if former is not None and former[0].dimension == settings.dimension:
        task = compute.embedding_task(prepared, former[0])
        found = task.ready()
        if found is not None:
            follows = "was not made" if ended else "is on its way"
            note = f"This is the former map; the new one {follows}."
            return ShownMap(found, former[0], task.key, dimmed=not ended, note=note)
    shown = _pca(settings, prepared)
    note = "This is PCA; UMAP was not made." if ended else "PCA for now; UMAP follows when ready."
    return replace(shown, note=f"{note} {shown.note}".strip())
