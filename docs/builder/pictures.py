"""Pictures of the house: its rooms, as the contracts in pyproject.toml list them, and two ways.

`python -m docs.builder.pictures` writes them to docs/pictures. They are plain SVG on a ground of
their own, so that they can be read on a light and on a dark page.
"""

import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"
WIDTH, GAP, EDGE = 440, 8, 16
FONT = "system-ui, -apple-system, Segoe UI, sans-serif"
STYLE = """
.ground { fill: #f7f8fa; } .app { fill: #dcebf7; } .engine { fill: #f6edc9; }
.line { stroke: #5b6770; stroke-width: 1.5; fill: none; }
text { fill: #1d2328; } .small { fill: #4b555e; }
@media (prefers-color-scheme: dark) {
  .ground { fill: #1b1f23; } .app { fill: #17384f; } .engine { fill: #453c14; }
  .line { stroke: #9aa5ae; } text { fill: #eef2f5; } .small { fill: #b7c1c9; }
}
"""

FILE_TO_MAP = [
    ("mecuco_app.page.home.upload:upload_details", "a file arrives; its first rows are shown"),
    ("mecuco_app.screen.loading:start_file", "a job of this visit begins"),
    ("mecuco_app.data.sources:from_file", "bytes → dataset → points"),
    ("mecuco_app.work.uploads:read_file", "a worker process, with limits on memory and time"),
    (
        "mecuco_core.datasets.files.reading:read_with_notes",
        "in it, one reader for each format → table",
    ),
    ("mecuco_core.preparation.prepare:prepare", "table → points, with a report"),
    ("mecuco_app.screen.scores:current_score", "Explore asks for the score"),
    ("mecuco_app.results.scores:score_task", "the key of the result, and how to make it"),
    ("mecuco_core.neighbors.graph:knn_graph", "points → graph"),
    ("mecuco_core.score.curvature:curvature", "points and graph → score"),
    ("mecuco_app.screen.maps:current_map", "PCA at once, UMAP when it is ready"),
    ("mecuco_app.scene.scene:Scene", "score, map, colours and selection in one value"),
    ("mecuco_app.plots.scatter:point_map", "arrays → figure"),
    ("mecuco_app.page.explore.map_panel:map_panel", "figure → browser"),
]
"""From the bytes of a file to the pixels of the map."""

K_TO_FIGURES = [
    ("mecuco_app.screen.controls.score:score_controls", "the slider is moved"),
    ("mecuco_app.screen.state:bound", "the view gets a new k; Streamlit runs the page again"),
    ("mecuco_app.screen.browser.address:write", "the link says the new k"),
    ("mecuco_app.screen.scores:current_score", "Explore asks for the score with that k"),
    ("mecuco_app.results.scores:score_task", "its key: fingerprint, mode, k"),
    ("mecuco_app.work.tasks:Task", "in the cache? else a job, beside the page"),
    ("mecuco_core.neighbors.graph:KnnGraph", "its first k columns: no new search"),
    ("mecuco_app.work.execution:executed", "long work goes to a worker process"),
    ("mecuco_core.score.curvature:curvature", "points and graph → score"),
    ("mecuco_app.scene.scene:Scene", "new colours, the same map"),
    ("mecuco_app.plots.scatter:point_map", "the map again"),
    ("mecuco_app.plots.distributions:histogram", "the histogram again"),
    ("mecuco_app.screen.nearby_scores:begin", "the next k on both sides are precomputed"),
]
"""From a move of k to new figures."""


def layers(package: str) -> list[list[str]]:
    """Return the rooms of a package as its contract lists them, from high to low."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    listed = next(
        one["layers"]
        for one in contracts
        if one["type"] == "layers" and one["layers"][0].startswith(f"{package}.")
    )
    return [[room.strip() for room in row.replace("|", ":").split(":")] for row in listed]


def rooms_picture() -> str:
    """Return the rooms: the app above the engine, each from high to low."""
    parts, y = [], EDGE
    for package, kind, about in (
        ("mecuco_app", "app", "the screen"),
        ("mecuco_core", "engine", "the numbers; mecuco is its door"),
    ):
        parts.append(_text(EDGE + 28, y + 15, f"{package}, {about}", bold=True))
        y += 28
        for row in layers(package):
            names = [room.removeprefix(f"{package}.") for room in row]
            width = (WIDTH - 2 * EDGE - 28 - GAP * (len(names) - 1)) / len(names)
            for i, name in enumerate(names):
                x = EDGE + 28 + i * (width + GAP)
                parts.append(_box(x, y, width, 28, kind))
                parts.append(_text(x + width / 2, y + 19, name, anchor="middle"))
            y += 28 + GAP
        y += 12
    parts.append(f'<path class="line" d="M{EDGE + 10} 48 V{y - 22} m-6 -9 l6 9 l6 -9"/>')
    parts.append(_text(EDGE, y + 6, "Imports follow the arrow, never back.", small=True))
    return _svg(y + EDGE, parts, "The rooms of the app and of the engine, from high to low")


def way_picture(steps: list[tuple[str, str]], title: str) -> str:
    """Return the steps of one way from top to bottom."""
    parts, y = [], EDGE
    for i, (where, what) in enumerate(steps):
        module, name = where.split(":")
        package, _, rest = module.partition(".")
        parts.append(_box(EDGE, y, WIDTH - 2 * EDGE, 46, package.removeprefix("mecuco_")))
        parts.append(_text(EDGE + 12, y + 19, f"{rest}: {name}", bold=True))
        parts.append(_text(EDGE + 12, y + 37, what, small=True))
        if i < len(steps) - 1:
            middle = WIDTH / 2
            parts.append(f'<path class="line" d="M{middle} {y + 46} v10 m-4 -5 l4 5 l4 -5"/>')
        y += 56
    return _svg(y - 10 + EDGE, parts, title)


def _box(x: float, y: float, width: float, height: float, kind: str) -> str:
    kind = "engine" if kind == "core" else kind
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height}" rx="6"/>'


def _text(
    x: float, y: float, words: str, *, bold: bool = False, small: bool = False, anchor: str = ""
) -> str:
    look = ' font-weight="600"' if bold else ""
    look += ' class="small"' if small else ""
    look += f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{x:g}" y="{y:g}"{look}>{escape(words)}</text>'


def _svg(height: float, parts: list[str], title: str) -> str:
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" '
        f'width="{WIDTH}" height="{height:g}" role="img" font-family="{FONT}" font-size="13">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="ground" width="{WIDTH}" height="{height:g}" rx="10"/>',
        *parts,
        "</svg>",
        "",
    ]
    return "\n".join(lines)


def pictures() -> dict[str, str]:
    """Return every picture by the name of its file."""
    return {
        "rooms.svg": rooms_picture(),
        "file-to-map.svg": way_picture(FILE_TO_MAP, "From the bytes of a file to the map"),
        "k-to-figures.svg": way_picture(K_TO_FIGURES, "From a move of k to new figures"),
    }


def write_pictures() -> None:
    """Write the pictures that changed."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in pictures().items():
        path = FOLDER / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    write_pictures()
