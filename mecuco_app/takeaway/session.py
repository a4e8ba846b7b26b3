"""The report of a session: this view, and what other pages have shown of the same points."""

from collections.abc import Iterable

from mecuco_app.plots.of_scene import map_figure, measure_histogram
from mecuco_app.results.summary import summary_task
from mecuco_app.scene.listing import top_points
from mecuco_app.scene.scene import Scene
from mecuco_app.scene.selection import spoken_rule
from mecuco_app.takeaway.recipes import command_recipe, python_recipe
from mecuco_app.takeaway.report import Section, report_html
from mecuco_app.text.numbers import count, plural, spaced
from mecuco_core.score.curvature import Curvature
from mecuco_core.score.ranks import descending

_LISTED = 50


def session_report(scene: Scene, result: Curvature, link: str, shown: Iterable[Section]) -> str:
    """Return the report of the whole session as one HTML page.

    Parameters
    ----------
    scene : Scene
    result : Curvature
        The scores of the scene.
    link : str
        The address that shows it.
    shown : iterable of Section
        What the pages have shown of the same points.
    """
    summary = summary_task(scene.dataset).run()
    order = descending(result.values)
    origin = scene.dataset.provenance
    cited = tuple(text for text in (origin.licence, origin.citation, origin.url) if text)
    sections = [
        Section("The data", (*map(spaced, summary.sentences()), *cited)),
        Section("What was done to them", tuple(map(spaced, scene.prepared.report.sentences()))),
        *_selection(scene),
        Section("Map", tuple(scene.notes), map_figure(scene), scene.caption),
        Section("Scores", (), measure_histogram(scene), scene.score_caption),
        Section(f"The {_LISTED} highest points", table=top_points(scene, order[:_LISTED])),
        *shown,
        Section("The same in Python", code=python_recipe(scene, result)),
        Section(
            "The same as a command",
            code=command_recipe(scene.view, scene.prepared, result.n_neighbors),
        ),
        Section(
            "What this is",
            (
                f"Fingerprint of the data: {scene.dataset.fingerprint}",
                f"Link: {link}",
                "The score ranks sparse, boundary-like points high. It is not an estimate of the "
                "mean curvature of a surface.",
            ),
        ),
    ]
    return report_html(f"{scene.dataset.name}: {scene.score_line}", sections)


def _selection(scene: Scene) -> list[Section]:
    """Return what is selected, and the highest of it."""
    chosen = scene.selected
    if chosen is None or scene.result is None:
        return []
    listed = chosen[descending(scene.result.values[chosen])][:_LISTED]
    said = f"{plural(len(chosen), 'point')} of {count(len(scene.result))}: "
    said += f"{spoken_rule(scene.view.rule)}."
    if len(listed) < len(chosen):
        said += f" The {_LISTED} highest of them:"
    return [Section("The selection", (said,), table=top_points(scene, listed))]
