"""What measures need besides the score: how the app brings it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mecuco_app.results.analyses import stability_task
from mecuco_app.results.embedding import Coordinates
from mecuco_app.results.making import task
from mecuco_app.results.maps import fidelity_task
from mecuco_app.results.scores import k_of
from mecuco_app.text.numbers import count, percent, plural
from mecuco_app.view.settings import ScoreSettings
from mecuco_app.work.jobs import Report
from mecuco_app.work.tasks import Task
from mecuco_core.datasets.base import Dataset
from mecuco_core.diagnostics.stability import Stability
from mecuco_core.measures import MEASURES, Need
from mecuco_core.measures.exports import class_labels
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.types import FloatArray


@dataclass(frozen=True, eq=False)
class Shown:
    """What is shown of the points: the score, and the map with what it was made from."""

    prepared: Prepared
    score: ScoreSettings
    coordinates: Coordinates
    map_key: tuple[Any, ...]


@dataclass(frozen=True)
class Bringer:
    """The work that meets a need, what `Points` hold of its result, and what is said of values.

    `note` is called with the measure of every point, (n_points,), and with k.
    """

    task: Callable[[Shown], Task[Any]]
    taken: Callable[[Any], Any] = lambda found: found
    note: Callable[[FloatArray, int], str] = lambda values, k: ""


def _fidelity(shown: Shown) -> Task[Any]:
    k = k_of(shown.prepared, shown.score)
    return fidelity_task(shown.prepared, k, shown.coordinates, shown.map_key)


def _stability(shown: Shown) -> Task[Any]:
    return stability_task(shown.prepared, shown.score)


def fidelity_sentence(kept: FloatArray, k: int) -> str:
    """Return what the fidelity of a map says, and what a map by chance would have."""
    known = kept[np.isfinite(kept)]
    if len(known) < 2:
        return ""
    chance, lost = min(1.0, k / (len(known) - 1)), int((known == 0).sum())
    return (
        f"Of its {k} nearest neighbours a point keeps {percent(float(known.mean()))} on this map, "
        f"on average; by chance it would keep {percent(chance)}. "
        f"{plural(lost, 'point')} of {count(len(known))} {'keeps' if lost == 1 else 'keep'} none."
    )


def _ranks(found: Stability) -> Any:
    return found.percent


BROUGHT: dict[Need, Bringer] = {
    "map": Bringer(_fidelity, note=fidelity_sentence),
    "ranks_over_k": Bringer(_stability, _ranks),
}
"""Needs that take work of their own, which begins when a measure that needs it colours the map."""


def has_classes(dataset: Dataset, prepared: Prepared) -> bool:
    """Whether the target of the points is one of classes; looked at once."""

    def look(*, report: Report) -> bool:
        report(0.0, "Looking at the target")
        return class_labels(prepared.target) is not None

    key = (dataset.fingerprint, prepared.fingerprint, prepared.preparation)
    return task("classes", "Classes", 0.1, key, look, here=True).run()


def tasks_for(name: str, shown: Shown) -> list[Task[Any]]:
    """Return the work that a measure needs besides the score; none for what is no measure."""
    needs = MEASURES[name].needs if name in MEASURES else ()
    return [BROUGHT[need].task(shown) for need in needs if need in BROUGHT]


def ready_needs(shown: Shown) -> dict[str, Any]:
    """Return the needs that are met by now, by name."""
    found = {need: (one, one.task(shown).ready()) for need, one in BROUGHT.items()}
    return {need: one.taken(made) for need, (one, made) in found.items() if made is not None}
