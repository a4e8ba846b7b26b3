"""The map to show now: the one asked for, or the best there is until it is ready; and its scene."""

from dataclasses import replace

import streamlit as st

from mecuco_app.plots.backdrop import PICTURE, layout_picture
from mecuco_app.results import maps
from mecuco_app.results.embedding import MIN_POINTS, Coordinates
from mecuco_app.scene.maps import ShownMap, column_map, pca_map
from mecuco_app.scene.scene import Scene
from mecuco_app.screen import waiting
from mecuco_app.screen.scores import current_score
from mecuco_app.screen.shell import look
from mecuco_app.screen.state import Session
from mecuco_app.text.escape import plain
from mecuco_app.view.settings import MapSettings
from mecuco_app.work import tasks
from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.prepare import Prepared

JOB = "umap"
"""The job that makes a map."""


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
        return pca_map(settings, prepared)
    if not maps.can_umap(prepared):
        shown = pca_map(settings, prepared)
        return replace(shown, note=f"UMAP needs at least {MIN_POINTS} points: this is PCA.")
    task = maps.embedding_task(prepared, settings)
    found = task.ready()
    if found is not None:
        session.drawn_maps[prepared.fingerprint] = (settings,)
        return ShownMap(found, settings, task.key)
    ended = _has_ended(session, task)
    shown = _stand_in(session, settings, prepared, ended=ended)
    return replace(shown, waits_for=task, ended=ended)


def flat_scene(session: Session, dataset: Dataset, prepared: Prepared) -> Scene:
    """Return the scores and the map of two dimensions to show now.

    Progress of the scores is drawn where the page stands.
    """
    with st.container():
        score = current_score(session, prepared)
    return Scene(
        view=score.view,
        dataset=dataset,
        prepared=prepared,
        result=score.result,
        map=current_map(session, dataset, prepared, flat=True),
        look=look(),
        former=score.former,
    )


def follow(session: Session, scene: Scene) -> None:
    """Draw the work that will bring a better map, and the page anew once it is there."""
    shown = scene.map

    def draw(layout: Coordinates) -> None:
        alt = f"Picture of the layout of the points of {plain(scene.dataset.name)} so far."
        st.image(layout_picture(layout, scene), caption="UMAP so far", width=PICTURE, alt=alt)

    waiting.follow(JOB, shown.waits_for, draw)
    if shown.waits_for is not None and _has_ended(session, shown.waits_for) and not shown.ended:
        st.rerun()  # it was stopped, or failed, while this page was being drawn


def _has_ended(session: Session, task: "tasks.Task[Coordinates]") -> bool:
    """Whether the work ended without a map."""
    job = session.desk.job(JOB)
    return job is not None and job.key == task.key and job.status in ("stopped", "failed")


def _stand_in(
    session: Session, settings: MapSettings, prepared: Prepared, *, ended: bool
) -> ShownMap:
    """Return the former map of these points, or PCA; `ended` where no better one is on its way."""
    former = session.drawn_maps.get(prepared.fingerprint)
    if former is not None and former[0].dimension == settings.dimension:
        task = maps.embedding_task(prepared, former[0])
        found = task.ready()
        if found is not None:
            follows = "was not made" if ended else "is on its way"
            note = f"This is the former map; the new one {follows}."
            return ShownMap(found, former[0], task.key, dimmed=not ended, note=note)
    shown = pca_map(settings, prepared)
    note = "This is PCA; UMAP was not made." if ended else "PCA for now; UMAP follows."
    return replace(shown, note=f"{note} {shown.note}".strip())
