"""The same numbers outside the app: as a Python script and as a command."""

import shlex
from dataclasses import fields
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from mecuco_app.results.scores import largest_k
from mecuco_app.scene.scene import Scene
from mecuco_app.text.escape import plain
from mecuco_app.view.settings import DataChoice, View
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.files import WORKBOOKS
from mecuco_core.preparation.mending.mends import Mend
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.preparation.protocol import (
    PAPER,
    SENSIBLE,
    Preparation,
    preparation_of_source,
)
from mecuco_core.score.curvature import Curvature
from mecuco_core.types import Mode

_OF_EXTRA = ("parquet", "feather", *WORKBOOKS)  # formats that need mecuco[data]
_PACKAGES = ("mecuco", "numpy", "scipy", "scikit-learn", "numba", "pandas", "umap-learn")

MAP = "# ---- The map. This part needs the app: pip install 'mecuco[app]' ----"
"""The line of a script where the scores are done, and the map begins."""


def python_recipe(scene: Scene, result: Curvature) -> str:
    """Return a script that gives the scores, and then the map, of a scene exactly.

    Everything before `MAP` runs with the engine alone.
    """
    return _script(
        data_lines(
            scene.view, scene.dataset, scene.prepared, result.n_neighbors, scene.score_caption
        ),
        score_lines(scene.view, result),
        _selection_lines(scene),
        _map_lines(scene),
    )


def score_recipe(
    view: View, dataset: Dataset, prepared: Prepared, result: Curvature, heading: str
) -> str:
    """Return a script that gives the scores exactly."""
    return _script(
        data_lines(view, dataset, prepared, result.n_neighbors, heading), score_lines(view, result)
    )


def boundary_recipe(scene: Scene, result: Curvature, percentile: float) -> str:
    """Return a script that gives the boundary points exactly, highest first."""
    return _script(
        data_lines(
            scene.view, scene.dataset, scene.prepared, result.n_neighbors, scene.score_caption
        ),
        score_lines(scene.view, result),
        [
            f"boundary = mc.boundary_points(result, percentile={percentile!r})",
            "rows = prepared.rows[boundary.indices]",
        ],
    )


def comparison_recipe(
    view: View,
    dataset: Dataset,
    prepared: Prepared,
    pair: tuple[Mode, Mode],
    k: int,
    n_rows: int | None,
    heading: str,
) -> str:
    """Return a script that gives the agreement of two modes exactly."""
    places = "None"
    if n_rows is not None:
        places = f"sample_rows(np.arange(len(prepared.points)), {n_rows}, 0)"
    lines = [
        "",
        *([] if n_rows is None else ["import numpy as np", ""]),
        *([] if n_rows is None else ["from mecuco_core.preparation.sampling import sample_rows"]),
        "from mecuco_core.diagnostics.mode_pair import timed_scores",
        "",
        f"places = {places}",
        f"near = graph.prefix({k})",
        *(
            f"{name} = timed_scores(prepared.points, graph=near, mode={mode!r}, rows=places)"
            for name, mode in zip(("first", "second"), pair, strict=True)
        ),
        "agreement = mc.compare(first.values, second.values)",
    ]
    return _script(data_lines(view, dataset, prepared, k, heading), lines)


def data_lines(view: View, dataset: Dataset, prepared: Prepared, k: int, heading: str) -> list[str]:
    """Return the lines that load and prepare the data and find the neighbours."""
    load = _loading(view.data)
    searched = largest_k(prepared)
    return [
        f"# {plain(heading, 200)}",
        f"# made with {', '.join(versions())}",
        f"# needs: pip install {_package(view.data)}",
        "import mecuco as mc",
        "",
        f"dataset = {load}",
        f"assert dataset.fingerprint == {dataset.fingerprint!r}, 'these are other data'",
        f"preparation = mc.datasets.{_preparing(prepared.preparation)}",
        "prepared = mc.datasets.prepare(dataset, preparation)",
        f"# Why {searched} where k = {k}: the app searches once, for the map and for every k.",
        f"# The score takes the nearest {k}.",
        f"graph = mc.knn_graph(prepared.points, {searched})",
    ]


def _package(data: DataChoice) -> str:
    """Return what to install to load and score data."""
    extra = data.source == "openml" or (data.reading and data.reading.format in _OF_EXTRA)
    return "'mecuco[data]'" if extra else "mecuco"


def score_lines(view: View, result: Curvature) -> list[str]:
    """Return the lines that score the points."""
    mode = view.score.mode
    return [
        f"result = mc.curvature(prepared.points, {result.n_neighbors}, mode={mode!r}, graph=graph)",
        "scores, scatter, alignment = result.values, result.scatter, result.alignment",
    ]


def command_recipe(
    view: View, prepared: Prepared, k: int, mode: Mode | None = None, output: str = "scores.csv"
) -> str:
    """Return a command that writes the scores of the view, or those of a mode, to a file."""
    if view.data.source == "memory":
        return "# The data are in the memory of a Python program: take the way of Python."
    words = ["mecuco", "score", *_source_words(view.data)]
    words += ["-k", str(k), "-m", mode or view.score.mode]
    words += _protocol_words(view, prepared.preparation)
    for key, value in _preparation_words(view, prepared):
        words += ["--prepare", f"{key}={value}"]
    for mend in prepared.preparation.all_mends:
        words += ["--mend", mend.words]
    words += ["-o", output]
    return " ".join(shlex.quote(word) for word in words)


def _script(*parts: list[str]) -> str:
    return "\n".join(line for part in parts for line in part) + "\n"


@cache  # read from files of each package, and asked for on every click
def versions() -> tuple[str, ...]:
    """Return the packages the numbers depend on, with their versions."""
    found = []
    for name in _PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return tuple(found)


def _loading(data: DataChoice) -> str:
    """Return the expression that loads the dataset."""
    if data.source == "bundled":
        call = f"load_bundled({data.identifier!r})"
    elif data.source == "openml":
        call = f"load_openml({data.identifier!r})"
    elif data.source == "manifold":
        options = "".join(f", {name}={value!r}" for name, value in data.options)
        call = f"load_manifold({data.identifier!r}{options})"
    elif data.source == "memory":
        return "mc.datasets.from_memory(data)  # data, and what else was given to mecuco.show"
    else:
        options = _arguments(data.reading, type(data.reading)()) if data.reading else ""
        if options:
            options = f", options=mc.datasets.ReadOptions({options})"
        call = f"read_table({data.identifier!r}{options})"
    if data.target is not None:
        call += f".with_target({data.target!r})"
    return f"mc.datasets.{call}"


def _preparing(preparation: Preparation) -> str:
    """Return the expression that makes a preparation."""
    if preparation.protocol == "sensible":
        return f"Preparation.sensible({_arguments(preparation, SENSIBLE)})"
    return f"Preparation({_arguments(preparation, PAPER)})"


def _written(value: Any) -> str:
    """Return a value of a frozen dataclass as Python."""
    if isinstance(value, tuple) and value and all(isinstance(one, Mend) for one in value):
        return f"({''.join(f'mc.datasets.Mend.parse({one.words!r}), ' for one in value).strip()})"
    return repr(value)


def _arguments(value: Any, default: Any) -> str:
    """Return the arguments by which a frozen value differs from its default."""
    return ", ".join(
        f"{field.name}={_written(getattr(value, field.name))}"
        for field in fields(value)
        if getattr(value, field.name) != getattr(default, field.name)
    )


def _map_lines(scene: Scene) -> list[str]:
    shown = scene.map.settings
    if shown.kind == "umap":
        return [
            "",
            MAP,
            "from mecuco_app.results.embedding import umap_coordinates",
            "",
            "coordinates = umap_coordinates(",
            f"    prepared.points, graph, dimension={shown.dimension}, "
            f"n_neighbors={shown.n_neighbors},",
            f"    min_dist={shown.min_dist!r}, seed={shown.seed},",
            ")",
        ]
    if shown.kind == "pca":
        return [
            "",
            MAP,
            "from mecuco_app.results.principal import principal_coordinates",
            "",
            f"coordinates = principal_coordinates(prepared.points, {shown.dimension})",
        ]
    return []


def _selection_lines(scene: Scene) -> list[str]:
    rule = scene.view.rule
    if rule.kind == "rows":
        return ["", f"selected_rows = {list(rule.rows)}"]
    if rule.kind == "range":
        test = f"(scores >= {rule.low!r}) & (scores <= {rule.high!r})"
        return ["", f"selected_rows = prepared.rows[{test}]"]
    if rule.kind == "top":
        size = 0 if scene.selected is None else len(scene.selected)
        return [
            "",
            f"selected_rows = prepared.rows[(-scores).argsort(kind='stable')[:{size}]]",
        ]
    return []


def _source_words(data: DataChoice) -> list[str]:
    target = [] if data.target is None else ["--target", data.target]
    if data.source == "bundled":
        return [data.identifier, *target]
    if data.source == "openml":
        return [f"openml:{data.identifier}", *target]
    if data.source == "manifold":
        options = "".join(f",{name}={value!r}" for name, value in data.options)
        return [f"manifold:{data.identifier}{options}"]
    words = [data.identifier]
    if data.reading is None:
        return words
    reading = data.reading
    words += ["--no-target"] if reading.target is None else ["--target", reading.target]
    for name in ("delimiter", "encoding", "decimal", "sheet", "variable", "member"):
        value = getattr(reading, name)
        if value is not None:
            words += [f"--{name}", value]
    if reading.header is not None:
        words.append("--header" if reading.header else "--no-header")
    return words


def _protocol_words(view: View, preparation: Preparation) -> list[str]:
    """Return the option that names the protocol, where the command starts with another one."""
    start = preparation_of_source(view.data.source)
    protocol = "sensible" if preparation.protocol == "sensible" else "paper"
    if start.protocol == protocol == "paper" or (start.scale == preparation.scale == "none"):
        return []
    return ["--protocol", protocol]


def _preparation_words(view: View, prepared: Prepared) -> list[tuple[str, str]]:
    preparation = prepared.preparation
    default = SENSIBLE if preparation.protocol == "sensible" else PAPER
    words = []
    for name in ("recognition", "categories", "missing", "scale", "metric", "dimensions"):
        value = getattr(preparation, name)
        if value != getattr(default, name):
            words.append((name, str(value).replace(" ", "-")))
    reading = view.data.reading
    include = preparation.include
    if include is None and reading is not None and reading.columns is not None:
        include = prepared.report.used
    words += [("include", name) for name in include or ()]
    words += [("exclude", name) for name in preparation.exclude]
    if preparation.n_rows is not None:
        words.append(("n_rows", str(preparation.n_rows)))
        words.append(("seed", str(preparation.seed)))
        if preparation.stratify:
            words.append(("stratify", "yes"))
    return words
