"""The map to show now: the one asked for, or the best there is until it is ready."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mecuco_app import compute
from mecuco_app.embedding import MIN_POINTS, Coordinates
from mecuco_app.measures import numbers_of
from mecuco_app.numerals import count
from mecuco_app.principal import FITTED, is_sampled
from mecuco_app.settings import MapSettings
from mecuco_app.state import Session
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.preparation import Prepared


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
    dimmed : bool
        Whether it is a former map that waits for the new one.
    waits_for : Task or None
        The work that will bring the map asked for.
    note : str
        Why it is not the one asked for; empty when it is.
    """

    coordinates: Coordinates
    settings: MapSettings
    key: tuple[Any, ...]
    axes: tuple[str, ...] = ()
    dimmed: bool = False
    waits_for: "compute.Task[Coordinates] | None" = None
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
    return replace(_stand_in(session, settings, prepared), waits_for=task)


def column_map(settings: MapSettings, dataset: Dataset, prepared: Prepared) -> ShownMap:
    """Return the points by the values of columns, as they came."""
    columns = axes_of(settings, dataset)
    names = dataset.feature_names
    table = dataset.table.iloc[prepared.rows]
    values = [numbers_of(table.iloc[:, names.index(column)]) for column in columns]
    shown = replace(settings, columns=columns)
    key = ("columns", dataset.fingerprint, prepared.fingerprint, columns)
    return ShownMap(np.column_stack(values).astype(np.float32), shown, key, columns)


def axes_of(settings: MapSettings, dataset: Dataset) -> tuple[str, ...]:
    """Return the columns of a map of columns: those chosen, else the first ones."""
    names = dataset.feature_names
    known = [column for column in settings.columns if column in names]
    rest = [name for name in names if name not in known]
    return tuple((known + rest + names[:1] * 3)[: settings.dimension])


def _pca(settings: MapSettings, prepared: Prepared) -> ShownMap:
    dimension = settings.dimension
    key = ("pca", prepared.fingerprint, dimension)
    axes = tuple(f"PC {i + 1}" for i in range(dimension))
    shown = MapSettings(kind="pca", dimension=dimension)
    note = ""
    if is_sampled(*prepared.points.shape):
        note = f"The directions of PCA are those of a sample of {count(FITTED)} points, seed 0."
    return ShownMap(compute.pca_of(prepared, dimension), shown, key, axes, note=note)


def _stand_in(session: Session, settings: MapSettings, prepared: Prepared) -> ShownMap:
    """Return the former map of these points, dimmed, or PCA."""
    former = session.drawn_maps.get(prepared.fingerprint)
    if former is not None and former[0].dimension == settings.dimension:
        task = compute.embedding_task(prepared, former[0])
        found = task.ready()
        if found is not None:
            note = "This is the former map; the new one is on its way."
            return ShownMap(found, former[0], task.key, dimmed=True, note=note)
    shown = _pca(settings, prepared)
    return replace(shown, note=f"PCA for now; UMAP follows when it is ready. {shown.note}".strip())
