"""The stages of a run over a table on disk: points, neighbours, scores, the output."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from mecuco_core.errors import DataError
from mecuco_core.measures.exports import check_scores_differ
from mecuco_core.neighbors.choice import resolved_search
from mecuco_core.neighbors.graph import KnnGraph
from mecuco_core.neighbors.search import approximate, exact
from mecuco_core.out_of_core.output import Extra, check_streamed, parts, table_writer
from mecuco_core.out_of_core.rows import Rows, rows_of
from mecuco_core.out_of_core.work import WorkFolder
from mecuco_core.runtime.metric import check_metric, in_metric, zero_rows
from mecuco_core.runtime.progress import Stages
from mecuco_core.runtime.wording import named
from mecuco_core.score.cost import resolved_mode
from mecuco_core.score.curvature import Curvature, scored
from mecuco_core.types import BoolArray, FloatArray, Metric, Mode, Progress, SearchMethod
from mecuco_core.validation import (
    LARGEST_ABSOLUTE_VALUE,
    LARGEST_SEED,
    check_integer,
    check_mode,
    check_n_jobs,
    check_n_neighbors,
)

if TYPE_CHECKING:
    import pandas as pd

PART = 50_000
"""Rows scored, and kept, at a time."""

StreamScale = Literal["standard", "none"]


@dataclass(frozen=True)
class Streamed:
    """What a run did.

    Attributes
    ----------
    n_points, n_features, n_neighbors : int
    mode : str
    method : {"exact", "approximate"}
        Of the neighbour search.
    recall : float
        Of that search, measured on a sample; 1 for an exact one.
    left_out : tuple of str
        Columns without numbers.
    output : Path

    See Also
    --------
    score_rows : Does the run.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> import mecuco as mc
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.save(Path(folder, "points.npy"), np.random.default_rng(0).standard_normal((200, 4)))
    ...     done = mc.score_rows(Path(folder, "points.npy"), Path(folder, "scores.csv"), 8)
    ...     table = done.to_frame()
    >>> done
    Streamed('scores.csv', 200 points, mode='haar', n_neighbors=8, search='exact')
    >>> table.columns.tolist()
    ['row', 'score', 'scatter', 'alignment', 'covariance_rank', 'knn_distance', 'percentile']
    """

    n_points: int
    n_features: int
    n_neighbors: int
    mode: Mode
    method: str
    recall: float
    left_out: tuple[str, ...]
    output: Path

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what to bear in mind of the scores; empty where there is nothing."""
        found = []
        if self.method != "exact":
            found.append(
                f"The search was approximate: it found {self.recall:.1%} of the true neighbours, "
                "measured on a sample."
            )
        if self.left_out:
            found.append(f"Left out, because they hold no numbers: {named(self.left_out)}.")
        return tuple(found)

    def __repr__(self) -> str:
        return (
            f"Streamed({self.output.name!r}, {self.n_points} points, mode={self.mode!r}, "
            f"n_neighbors={self.n_neighbors}, search={self.method!r})"
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return the table that was written, read into memory: columns of docs/exports.md."""
        import pandas as pd

        if self.output.suffix.lower() == ".parquet":
            return pd.read_parquet(self.output)
        return pd.read_csv(self.output, sep="\t" if self.output.suffix.lower() == ".tsv" else ",")


def score_rows(
    source: str | Path,
    output: str | Path,
    n_neighbors: int | str | None = None,
    *,
    mode: Mode = "haar",
    scale: StreamScale | None = None,
    metric: Metric = "euclidean",
    without: Sequence[str] = (),
    target: str | None = None,
    vectors: str | None = None,
    columns: bool = False,
    why: bool = False,
    top: str | None = None,
    measures: Sequence[str] | None = None,
    allow_equal: bool = True,
    search: SearchMethod = "auto",
    seed: int = 0,
    work: str | Path | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Streamed:
    """Score the rows of a table on disk and write the scores to a file.

    Memory holds blocks of the table and what the search needs: for an approximate one the points
    in single precision and a few dozen candidates of each. What is finished is kept in a folder;
    the same call after an interruption goes on from there and gives the same result.

    Parameters
    ----------
    source : path
        A .npy file, a .parquet file, or a folder of .parquet files.
    output : path
        A .csv, .tsv or .parquet file; docs/exports.md has its columns.
    n_neighbors, mode, n_jobs
        As for `curvature`.
    scale : {"standard", "none"} or None
        Whether columns get mean 0 and standard deviation 1; constant ones become 0. None for
        "standard", but "none" for a column of vectors.
    metric : {"euclidean", "cosine"}
        "cosine" scales every row to length one, after its columns.
    without : sequence of str
        Columns of a Parquet table that are no features.
    target : str or None
        Column of a Parquet table that is no feature, and becomes the column `label`.
    vectors : str or None
        Column of vectors of a Parquet table that are the points, "" for none; the one with the
        most numbers for None.
    columns : bool
        Whether the output has the columns of the table too, as they came, vectors excepted.
    why : bool
        Whether it says in words why each row has its score.
    top : str or None
        Only the highest rows: a number of them, or a percentage such as "5%".
    measures : sequence of str or None
        Names of the measures to write, and no label unless `columns` are written; None for those
        that exports have unasked.
    allow_equal : bool
        Whether to write scores that are all one number, too.
    search : {"auto", "exact", "approximate"}
        As for `knn_graph`.
    seed : int
        Of the approximate search.
    work : path or None
        Folder for what is finished; beside the output for None. Removed at the end.
    progress : callable or None
        Called with (done, total); may raise to stop the work. What is finished stays.

    Returns
    -------
    Streamed

    See Also
    --------
    curvature : For points in memory, and for dask arrays.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> import mecuco as mc
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.save(Path(folder, "points.npy"), np.random.default_rng(0).standard_normal((200, 4)))
    ...     mc.score_rows(Path(folder, "points.npy"), Path(folder, "scores.csv"), 8)
    Streamed('scores.csv', 200 points, mode='haar', n_neighbors=8, search='exact')
    """
    rows = rows_of(source, without if target is None else (*without, target), vectors)
    scale = scale or ("standard" if rows.vectors is None else "none")
    n, m = rows.n_rows, len(rows.names)
    if n < 3:
        raise DataError(f"the table must have at least 3 rows, got {n}")
    k = check_n_neighbors(n_neighbors, n)
    used = resolved_mode(check_mode(mode), m)
    threads = check_n_jobs(n_jobs)
    seed = check_integer(seed, "seed", 0, LARGEST_SEED)
    chosen = resolved_search(search, n, m, k)
    out = Path(output)
    write = table_writer(out)
    extra = Extra(columns, why, top, None if measures is None else tuple(measures))
    check_streamed(extra, target)
    place = Path(work) if work is not None else out.with_name(f"{out.name}.work")
    folder = WorkFolder(place, [rows.key, k, used, scale, check_metric(metric), chosen, seed])
    stages = Stages(progress, 4 * n)

    _store_points(folder, rows, scale, metric, stages.next(2 * n))
    points = folder.array("points")
    _store_graph(folder, points, k, chosen, seed, threads, stages.next(n))
    note = folder.done("graph")
    found_by = str(note.get("method", chosen))  # not noted by 0.1.0
    _store_scores(folder, points, used, threads, stages.next(n))
    result = _whole(folder, m, used, found_by)
    if not allow_equal:
        check_scores_differ(result.values.min(), result.values.max())
    write(parts(rows, result, target, extra, PART), out)
    folder.remove()
    return Streamed(n, m, k, used, found_by, float(note["recall"]), tuple(rows.left_out), out)


def _store_points(
    folder: WorkFolder, rows: Rows, scale: StreamScale, metric: Metric, progress: Progress
) -> None:
    """Write the points, scaled, as one array."""
    if folder.done("points") is not None:
        return
    n, m = rows.n_rows, len(rows.names)
    centre, spread = np.zeros(m), np.ones(m)
    constant = np.zeros(m, dtype=bool)
    if scale == "standard":
        centre, spread, constant = _moments(rows, progress)
    points = folder.new_array("points", (n, m), np.float64)
    start = 0
    for block in rows.blocks():
        _check(block, rows, start)
        scaled = (block - centre) / spread
        scaled[:, constant] = 0.0
        points[start : start + len(block)] = _in_metric(scaled, metric, start)
        start += len(block)
        progress(n + start, 2 * n)
    points.flush()
    folder.finish("points", {"rows": start})


def _in_metric(block: FloatArray, metric: Metric, start: int) -> FloatArray:
    if metric == "cosine" and (zero := zero_rows(block)).any():
        row = start + int(np.argmax(zero))
        raise DataError(
            f"row {row} holds zeros only after scaling, and has no direction (cosine): leave such "
            "rows out, or use the metric 'euclidean'"
        )
    return in_metric(block, metric)


def _moments(rows: Rows, progress: Progress) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return mean, standard deviation and whether there is none, of every column, in one pass."""
    m = len(rows.names)
    count, mean, squares = 0, np.zeros(m), np.zeros(m)
    low, high = np.full(m, np.inf), np.full(m, -np.inf)
    for block in rows.blocks():
        _check(block, rows, count)
        # Chan, Golub and LeVeque: sums of a block joined to those before it.
        size, own = len(block), block.mean(axis=0)
        step = own - mean
        squares += np.square(block - own).sum(axis=0) + step**2 * (count * size / (count + size))
        mean += step * (size / (count + size))
        count += size
        low, high = np.minimum(low, block.min(axis=0)), np.maximum(high, block.max(axis=0))
        progress(count, 2 * rows.n_rows)
    deviation = np.sqrt(squares / count)
    constant = (low == high) | (deviation <= count * np.finfo(np.float64).eps * np.abs(mean))
    deviation[constant] = 1.0
    return mean, deviation, constant


def _check(block: FloatArray, rows: Rows, start: int) -> None:
    largest = float(np.abs(block).max(initial=0.0))
    if largest <= LARGEST_ABSOLUTE_VALUE:  # not so where one is NaN
        return
    wrong = ~(np.abs(block) <= LARGEST_ABSOLUTE_VALUE)
    row, column = (int(index[0]) for index in np.nonzero(wrong))
    raise DataError(
        f"row {start + row}, column {rows.names[column]!r} must be a number within "
        f"±{LARGEST_ABSOLUTE_VALUE:g}, got {block[row, column]}"
    )


def _store_graph(
    folder: WorkFolder,
    points: FloatArray,
    k: int,
    method: str,
    seed: int,
    n_jobs: int,
    progress: Progress,
) -> None:
    """Write the neighbours of every point."""
    if folder.done("graph") is not None:
        return
    n = len(points)
    if method == "exact":
        found = exact(points, k, n_jobs, progress)
    else:
        found = approximate(points, k, seed, n_jobs, progress)
    stored = folder.new_array("graph", (n, k), np.int64)
    stored[:] = found.indices
    stored.flush()
    farthest = folder.new_array("farthest", (n,), np.float64)
    farthest[:] = found.distances[:, -1]
    farthest.flush()
    folder.finish("graph", {"recall": found.recall, "method": found.method})


def _store_scores(
    folder: WorkFolder, points: FloatArray, mode: Mode, n_jobs: int, progress: Progress
) -> None:
    """Write the scores, part by part; parts that are there are kept."""
    n = len(points)
    graph = folder.array("graph")
    for start in range(0, n, PART):
        stop = min(start + PART, n)
        if folder.done(f"part-{start}") is None:
            own = np.ascontiguousarray(graph[start:stop])
            block = KnnGraph(own, np.zeros(own.shape), "given")
            result = scored(points, block, mode, n_jobs)
            stored = folder.new_array(f"part-{start}", (4, stop - start), np.float64)
            stored[:] = result.values, result.scatter, result.alignment, result.covariance_rank
            stored.flush()
            folder.finish(f"part-{start}", {"rows": stop - start})
        progress(stop, n)


def _whole(folder: WorkFolder, m: int, mode: Mode, method: str) -> Curvature:
    """Return the scores of all rows; their neighbours stay on disk."""
    graph = KnnGraph(folder.array("graph"), folder.array("farthest")[:, np.newaxis], method)
    stored = [folder.array(f"part-{start}") for start in range(0, len(graph), PART)]
    values, scatter, alignment, rank = np.concatenate(stored, axis=1)
    rank = rank.astype(np.int64)
    return Curvature(values, scatter, alignment, rank, graph, mode, graph.n_neighbors, m)
