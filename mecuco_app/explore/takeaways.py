"""The report of a session: this view, and what other pages have shown of the same points."""

from mecuco_app import compute
from mecuco_app.explore.distribution_panel import score_histogram
from mecuco_app.explore.map_panel import map_figure, notes
from mecuco_app.explore.table_panel import top_points
from mecuco_app.recipes import command_recipe, python_recipe
from mecuco_app.report import Section, report_html
from mecuco_app.scene import Scene
from mecuco_app.state import Session
from mecuco_core.agreement import descending
from mecuco_core.curvature import Curvature

_LISTED = 50


def session_report(scene: Scene, result: Curvature, link: str, session: Session) -> str:
    """Return the report of the whole session as one HTML page."""
    summary = compute.summary_task(scene.dataset).run()
    order = descending(result.values)
    origin = scene.dataset.provenance
    cited = tuple(text for text in (origin.licence, origin.citation, origin.url) if text)
    sections = [
        Section("The data", tuple(summary.sentences()) + cited),
        Section("What was done to them", tuple(scene.prepared.report.sentences())),
        Section("Map", tuple(notes(scene)), map_figure(scene), scene.caption),
        Section("Scores", (), score_histogram(scene, result), scene.caption),
        Section(f"The {_LISTED} highest points", table=top_points(scene, order[:_LISTED])),
        *session.shown.values(),
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
