"""`mecuco score`: scores of every row of a source."""

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from mecuco_core.cli.measuring import SURFACE, measured_points, named_measures, needs_of
from mecuco_core.cli.preparing import chosen_preparation
from mecuco_core.cli.sources import SourceOptions, load_source
from mecuco_core.cli.surfaces import DIMENSION, surface_facts, surface_sentence
from mecuco_core.cli.terminal import Terminal
from mecuco_core.cluster import curvature_at
from mecuco_core.datasets.base import Dataset
from mecuco_core.errors import DataError
from mecuco_core.measures.exports import check_scores_differ, export_table, rows_of_top
from mecuco_core.measures.points import Points
from mecuco_core.neighbors.graph import spoken_search
from mecuco_core.preparation.prepare import Prepared, prepare
from mecuco_core.preparation.protocol import Preparation, starting_preparation
from mecuco_core.runtime.wording import counted, spoken_seconds
from mecuco_core.runtime.writing import as_text, check_output, write_table
from mecuco_core.score.curvature import Curvature, curvature
from mecuco_core.score.ranks import descending
from mecuco_core.surface.shape_operator import ShapeOperator, shape_operator
from mecuco_core.validation import check_n_neighbors

QUADRIC: Literal["quadric"] = "quadric"
Result = Curvature | ShapeOperator


def score(options: argparse.Namespace, source: SourceOptions, terminal: Terminal) -> None:
    """Load, prepare, score and write."""
    names = named_measures(options.measures)
    surface = options.mode == QUADRIC or bool(needs_of(names) & SURFACE)
    if options.dimension is not None and not surface:
        raise DataError(f"--dimension is for mode {QUADRIC} only, got mode {options.mode}")
    if options.cluster is not None and options.mode == QUADRIC:
        raise DataError(f"--cluster is for the scores of the paper only, got mode {QUADRIC}")
    if options.why and options.mode == QUADRIC:
        raise DataError(f"--why is for the scores of the paper only, got mode {QUADRIC}")
    output = None if options.output in (None, "-") else Path(options.output)
    if output is not None:
        check_output(output)
    dataset = load_source(options.source, source, terminal.note, terminal.progress("Loading"))
    prepared = prepare(dataset, chosen_preparation(options, _suited(dataset, options.mode)))
    for sentence in prepared.report.sentences():
        terminal.note(sentence)
    start = time.perf_counter()
    result = _scored(prepared, options, terminal)
    seconds = time.perf_counter() - start
    terminal.note(_summary(prepared, result, seconds))
    if not options.allow_equal:
        check_scores_differ(result.values.min(), result.values.max())
    known = measured_points(dataset, prepared, result, options, names, terminal)
    if surface and options.mode != QUADRIC and prepared.preparation.scale != "none":
        terminal.note(
            "The surface is that of the scaled columns, which scaling bends: "
            "--prepare scale=none measures it as it is."
        )
    table = _table(dataset, prepared, result, options, names, known)
    if output is not None:
        write_table(table, output)
        terminal.note(f"Written: {output}")
    if options.json:
        facts = _facts(dataset, prepared, result, seconds, options.output)
        if output is None:
            facts["scores"] = json.loads(table.to_json(orient="records", double_precision=15))
        print(json.dumps(facts, ensure_ascii=False))
    elif output is None:
        as_text(table).to_csv(sys.stdout, index=False)


def _suited(dataset: Dataset, mode: str) -> Preparation:
    """Return what the dataset starts with; without scaling for surfaces, which it would bend."""
    start = starting_preparation(dataset)
    return replace(start, scale="none") if mode == QUADRIC else start


def _scored(prepared: Prepared, options: argparse.Namespace, terminal: Terminal) -> Result:
    shared: dict[str, Any] = {
        "search": options.search,
        "seed": options.seed,
        "progress": terminal.progress("Scoring"),
    }
    try:
        if options.mode == QUADRIC:
            dimension = DIMENSION if options.dimension is None else options.dimension
            return shape_operator(
                prepared.points,
                options.neighbors,
                dimension=dimension,
                n_jobs=options.jobs,
                **shared,
            )
        n_neighbors = check_n_neighbors(options.neighbors, len(prepared.points))
        if options.cluster is not None:
            return curvature_at(
                options.cluster, prepared.points, n_neighbors, mode=options.mode, **shared
            )
        return curvature(
            prepared.points, n_neighbors, mode=options.mode, n_jobs=options.jobs, **shared
        )
    except (ConnectionError, TypeError, ValueError) as error:
        raise DataError(str(error)) from error
    finally:
        terminal.close()


def _table(
    dataset: Dataset,
    prepared: Prepared,
    result: Result,
    options: argparse.Namespace,
    names: tuple[str, ...] | None,
    known: Points,
) -> pd.DataFrame:
    """Return one row per input row, in order; rows that were not scored have no scores."""
    chosen = None
    if options.top is not None:
        size = rows_of_top(options.top, len(result.values))
        chosen = np.sort(descending(result.values)[:size])
    return export_table(
        dataset,
        prepared,
        result,
        measures=names,
        known=known,
        columns=options.columns,
        why=options.why,
        positions=chosen,
        every_row=True,
    )


def _summary(prepared: Prepared, result: Result, seconds: float) -> str:
    n, m = prepared.points.shape
    scored = f"{counted(n, 'point')} with {counted(m, 'feature')} scored"
    if isinstance(result, ShapeOperator):
        details = surface_sentence(result)
    else:
        details = (
            f"mode {result.mode}, k = {result.n_neighbors}, neighbours "
            f"{spoken_search(result.graph)}; "
            f"score {result.values.mean():.4g} ± {result.values.std():.4g}."
        )
    return f"{scored} in {spoken_seconds(seconds)}: {details}"


def _facts(
    dataset: Dataset, prepared: Prepared, result: Result, seconds: float, output: str | None
) -> dict[str, Any]:
    n, m = prepared.points.shape
    return {
        "dataset": dataset.name,
        "fingerprint": dataset.fingerprint,
        "n_points": n,
        "n_features": m,
        "target": dataset.target_name,
        "n_neighbors": result.n_neighbors,
        "mode": result.mode,
        **(surface_facts(result) if isinstance(result, ShapeOperator) else {}),
        "search": result.graph.method,
        "recall": result.graph.recall,
        "notes": list(result.notes),
        "seconds": seconds,
        "mean": float(result.values.mean()),
        "std": float(result.values.std()),
        "preparation": prepared.report.as_dict(),
        "output": output,
    }
