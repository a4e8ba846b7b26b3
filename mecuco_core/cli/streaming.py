"""`mecuco score --stream`: rows read in blocks, for tables larger than memory."""

import argparse
import json
import time
from dataclasses import asdict

from mecuco_core.cli.measuring import named_measures
from mecuco_core.cli.preparing import chosen_preparation
from mecuco_core.cli.sources import target_note
from mecuco_core.cli.terminal import Terminal
from mecuco_core.datasets.labels import likely_target
from mecuco_core.errors import DataError
from mecuco_core.out_of_core import score_rows
from mecuco_core.out_of_core.rows import rows_of
from mecuco_core.preparation.protocol import PAPER, Preparation
from mecuco_core.runtime.wording import counted, quoted, spoken_seconds

STREAM_HELP = (
    "read SOURCE, a .npy or .parquet file or a folder of Parquet files, in blocks of rows; started "
    "again after an interruption it goes on from there"
)


def stream(options: argparse.Namespace, terminal: Terminal) -> None:
    """Score a table on disk."""
    if options.output in (None, "-"):
        raise DataError("--stream needs a file to write: add -o scores.parquet")
    if options.mode == "quadric":
        raise DataError("--stream is for the scores of the paper only, got mode quadric")
    if options.cluster is not None:
        raise DataError("--stream and --cluster are two ways: choose one")
    rows = rows_of(options.source, vectors=options.vectors)
    default = PAPER
    if rows.vectors is not None:
        default = Preparation(scale="none")
        terminal.note(f"The vectors of column {quoted(rows.vectors)} are the points, as they are.")
    preparation = chosen_preparation(options, default)
    scale = preparation.scale
    if scale not in ("standard", "none"):
        raise DataError(f"--stream scales by standard or none, got {scale}")
    if preparation.all_mends:
        raise DataError("--stream mends nothing: mend the table first, or score it without")
    if options.protocol is None:
        terminal.note(
            "Rows in blocks are prepared as in the paper: the sensible protocol needs all rows."
        )
    target = options.target or None
    if options.target is None:
        several = len(rows.columns) > 1 or rows.vectors is not None
        target = likely_target(rows.columns) if several else None
        if target is not None:
            terminal.note(target_note(target))
    start = time.perf_counter()
    done = score_rows(
        options.source,
        options.output,
        options.neighbors,
        mode=options.mode,
        scale=scale,
        metric=preparation.metric,
        target=target,
        vectors=options.vectors,
        columns=options.columns,
        why=options.why,
        top=options.top,
        measures=named_measures(options.measures),
        allow_equal=options.allow_equal,
        search=options.search,
        seed=options.seed,
        n_jobs=options.jobs,
        progress=terminal.progress("Scoring"),
    )
    seconds = time.perf_counter() - start
    if done.left_out:
        terminal.note(f"Left out, because they hold no numbers: {', '.join(done.left_out[:10])}.")
    found = done.method if done.method == "exact" else f"approximate (recall {done.recall:.3f})"
    terminal.note(
        f"{counted(done.n_points, 'point')} with {counted(done.n_features, 'feature')} scored in "
        f"{spoken_seconds(seconds)}: mode {done.mode}, k = {done.n_neighbors}, neighbours {found}."
    )
    terminal.note(f"Written: {done.output}")
    if options.json:
        print(json.dumps({**asdict(done), "output": str(done.output), "seconds": seconds}))
