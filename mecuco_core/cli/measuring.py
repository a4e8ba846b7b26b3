"""`mecuco measures` and `mecuco score --measures`: measures by their names."""

import argparse
import json
from dataclasses import replace
from functools import partial

from mecuco_core.cli.surfaces import DIMENSION
from mecuco_core.cli.terminal import Terminal
from mecuco_core.datasets.base import Dataset
from mecuco_core.diagnostics.stability import k_around, k_stability
from mecuco_core.errors import DataError
from mecuco_core.measures.exports import known_points
from mecuco_core.measures.points import Need, Points, graph_of
from mecuco_core.measures.table import MEASURES, measure_of
from mecuco_core.preparation.prepare import Prepared
from mecuco_core.score.curvature import Curvature, curvature
from mecuco_core.surface.shape_operator import ShapeOperator, shape_operator

MEASURES_HELP = "write these measures only, a,b,c; mecuco measures says what there is"

SURFACE: frozenset[Need] = frozenset({"surface", "hypersurface"})


def measures(options: argparse.Namespace, terminal: Terminal) -> None:
    """List the table of measures."""
    if options.json:
        fields = ("name", "title", "explanation", "unit", "needs", "cost")
        entries = [{name: getattr(one, name) for name in fields} for one in MEASURES.values()]
        print(json.dumps(entries, ensure_ascii=False))
        return
    for one in MEASURES.values():
        unit = f" ({one.unit})" if one.unit else ""
        print(f"{one.name}: {one.title}{unit}")
        print(f"    {one.explanation}")
        print(f"    Needs {one.needed}; costs: {one.cost}.")


def named_measures(text: str | None) -> tuple[str, ...] | None:
    """Return the names of measures given with commas between them; raises DataError."""
    if text is None:
        return None
    found = [measure_of(name.strip()) for name in text.split(",")]
    for measure in found:
        if "map" in measure.needs:
            raise DataError(f"{measure.name} needs {measure.needed}")
    return tuple(dict.fromkeys(measure.name for measure in found))


def needs_of(names: tuple[str, ...] | None) -> set[Need]:
    """Return all that some measures need."""
    return {need for name in names or () for need in measure_of(name).needs}


def measured_points(
    dataset: Dataset,
    prepared: Prepared,
    result: Curvature | ShapeOperator,
    options: argparse.Namespace,
    names: tuple[str, ...] | None,
    terminal: Terminal,
) -> Points:
    """Return what is known of the points, with what the measures asked for need besides."""
    known, graph, needs = known_points(dataset, prepared, result), graph_of(result), needs_of(names)
    points, threads = prepared.points, options.jobs
    work = partial(terminal.progress, "Measuring")
    try:
        if known.score is None and needs & {"score", "ranks_over_k"}:
            score = curvature(points, graph=graph, n_jobs=threads, progress=work())
            known = replace(known, score=score)
        if known.surface is None and needs & SURFACE:
            dimension = DIMENSION if options.dimension is None else options.dimension
            surface = shape_operator(
                points, dimension=dimension, search=options.search, seed=options.seed,
                n_jobs=threads, progress=work(), frames="hypersurface" in needs,
            )  # fmt: skip
            known = replace(known, surface=surface)
        if "ranks_over_k" in needs and known.score is not None:
            ks = k_around(graph.n_neighbors, len(points) - 1).tolist()
            stable = k_stability(
                points, k_values=ks, mode=known.score.mode, search=options.search,
                seed=options.seed, n_jobs=threads, progress=work(),
            )  # fmt: skip
            known = replace(known, ranks_over_k=stable.percent)
    except ValueError as error:
        raise DataError(str(error)) from error
    finally:
        terminal.close()
    return known
