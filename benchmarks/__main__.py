"""Time the engine against the published algorithm and the neighbour search; write tables."""

import argparse
import datetime
import platform
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import mecuco as mc
from benchmarks.baselines import algorithm_1, exact_by_eigh
from benchmarks.data import clouds
from benchmarks.shape_operator import shapes_against_search
from benchmarks.timing import seconds
from mecuco_core.runtime.threads import single_threaded_blas
from mecuco_core.types import Mode

RESULTS = Path(__file__).parent / "results"
THREADS = 2
ROUNDS = 5

# rows, columns, points of the baseline loop (it is slow), modes, ratio we hold ourselves to
AGAINST_LOOPS: list[tuple[int, int, int, tuple[Mode, ...], float]] = [
    (1797, 64, 1797, ("fast", "haar"), 10),
    (3000, 784, 400, ("fast", "haar"), 30),
    (400, 10_935, 100, ("fast", "haar"), 20),
    (5000, 30, 2000, ("exact",), 3),
]


def loop(kernel: Callable[[Any], float], points: Any, rows: Any) -> Callable[[], object]:
    """Per-point loop with BLAS on as many threads as it likes."""
    return lambda: [kernel(points[row]) for row in rows]


def pool(kernel: Callable[[Any], float], points: Any, rows: Any) -> Callable[[], object]:
    """Per-point loop with the points shared between threads, BLAS on one thread in each."""

    def work() -> object:
        halves = np.array_split(rows, THREADS)
        with single_threaded_blas(), ThreadPoolExecutor(THREADS) as executor:
            return list(executor.map(lambda part: [kernel(points[row]) for row in part], halves))

    return work


def against_loops() -> list[dict[str, Any]]:
    """Ratio of the published loop's time to ours, best of a few rounds taken in turn."""
    table = []
    for n, m, n_loop, modes, goal in AGAINST_LOOPS:
        points = clouds(n, m)
        graph = mc.knn_graph(points, search="exact")
        for mode in modes:
            kernel = exact_by_eigh if mode == "exact" else algorithm_1
            score = partial(mc.curvature, points, mode=mode, graph=graph, n_jobs=THREADS)
            ours, plain, pooled = [], [], []
            for _ in range(ROUNDS):
                rows = graph.indices[:n_loop]
                plain.append(seconds(loop(kernel, points, rows)) / n_loop)
                pooled.append(seconds(pool(kernel, points, rows)) / n_loop)
                ours.append(seconds(score) / n)
            table.append(
                {
                    "case": f"{mode} {n} × {m}, k = {graph.n_neighbors}",
                    "ours µs/point": 1e6 * min(ours),
                    "loop µs/point": 1e6 * min(plain),
                    "loop on 2 threads µs/point": 1e6 * min(pooled),
                    "ratio to loop": min(plain) / min(ours),
                    "ratio to loop on 2 threads": min(pooled) / min(ours),
                    "goal": goal,
                }
            )
            print(
                pd.DataFrame(table[-1:]).to_string(index=False, header=len(table) == 1), flush=True
            )
    return table


def against_search(n: int = 20_000, m: int = 784) -> list[dict[str, Any]]:
    """Curvature stage as a share of the exact neighbour search, and its extra memory."""
    out = subprocess.run(
        [sys.executable, "-m", "benchmarks.one_run", str(n), str(m)],
        capture_output=True,
        text=True,
        check=True,
    )
    search, score, memory = map(float, out.stdout.split())
    row = {
        "case": f"haar {n} × {m}: score as a share of the search",
        "search s": search,
        "score s": score,
        "share": score / search,
        "extra memory MB": memory,
        "goal": 0.5,
    }
    print(pd.DataFrame([row]).to_string(index=False), flush=True)
    return [row]


def main() -> None:
    """Run every benchmark and write the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--no-search", action="store_true", help="leave out the 20 000 × 784 run")
    options = parser.parse_args()
    mc.warm_up()
    tables = [pd.DataFrame(shapes_against_search(THREADS, ROUNDS))]
    print(tables[0].to_string(index=False), flush=True)
    tables.insert(0, pd.DataFrame(against_loops()))
    if not options.no_search:
        tables.append(pd.DataFrame(against_search()))
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / "kernels.md"
    lines = [
        "# Kernels against the published loops",
        "",
        f"{datetime.date.today()} · Python {platform.python_version()} · numpy {np.__version__} · "
        f"{THREADS} threads · best of {ROUNDS} rounds taken in turn.",
        "Read the ratios, not the times. The loop is Algorithm 1 point by point, BLAS on two "
        "threads; the loop on 2 threads shares its points between two threads, BLAS on one each.",
    ]
    for table in tables:
        lines += ["", as_markdown(table)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"written: {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}")


def as_markdown(table: pd.DataFrame) -> str:
    """Table as Markdown, numbers to four digits."""
    cells = table.map(lambda cell: f"{cell:.4g}" if isinstance(cell, float) else str(cell))
    rows = [list(cells.columns), ["---"] * cells.shape[1], *cells.to_numpy().tolist()]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


if __name__ == "__main__":
    main()
