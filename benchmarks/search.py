"""The searches against the best libraries: seconds of wall and processor, ratios and recall.

python -m benchmarks.search [--data FOLDER] [--rounds 3] [--only WORDS] [--points N]

All run in turn in one process, on two threads each, compiled code warm; of the rounds the best
counts. FOLDER holds `Fashion-MNIST.parquet` and `mnist_784.parquet`; without it made data are
searched only. Needs what no part of the project needs: `pip install --group bench`. Writes
results/search.md. Where a machine does other work meanwhile, read the processor seconds.
"""

import argparse
import datetime
import platform
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import mecuco as mc
from benchmarks.scale import sheet

THREADS = 2
SAMPLE = 300
RESULT = Path(__file__).parent / "results" / "search.md"
REAL = ("Fashion-MNIST", "mnist_784")

PROGRAM = """
import sys, time
import numpy as np
from benchmarks.one_run import peak_megabytes
folder, k, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
points = np.load(folder + "/points.npy")
start = time.perf_counter()
import mecuco as mc
graph = mc.knn_graph(points, k, search="approximate", n_jobs=threads)
seconds = time.perf_counter() - start
np.save(folder + "/found.npy", graph.indices)
mc.curvature(points, graph=graph, n_jobs=threads).in_mode("fast")
print(seconds, peak_megabytes())
"""
OUTSIDE: dict[str, float] = {}
"""What the last process of its own has told."""

Search = Callable[[Any, int], Any]
"""Points and k to neighbours (n, k), the point itself left out."""


def standardised(path: Path) -> Any:
    """Feature columns of a table, each of mean 0 and deviation 1."""
    table = pd.read_parquet(path)
    features = table.drop(columns=[c for c in ("class", "target", "label") if c in table])
    points = np.ascontiguousarray(features.to_numpy(np.float64))
    spread = points.std(axis=0)
    return (points - points.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def of_rank(n: int, m: int, rank: int) -> Any:
    """Draw normal points that fill few of their dimensions."""
    rng = np.random.default_rng(0)
    return rng.standard_normal((n, rank)) @ rng.standard_normal((rank, m)) / np.sqrt(rank)


def by_mecuco(method: Any) -> Search:
    """Search by ours."""
    return lambda points, k: mc.knn_graph(points, k, search=method, n_jobs=THREADS).indices


def scored(points: Any, k: int) -> Any:
    """From points to the scores by haar and fast."""
    score = mc.curvature(points, k, n_jobs=THREADS)
    score.in_mode("fast")
    return score.graph.indices


def in_a_new_process(points: Any, k: int) -> Any:
    """Search approximately in a process that has compiled nothing, but finds what was kept."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        np.save(place / "points.npy", points)
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, folder, str(k), str(THREADS)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        OUTSIDE["seconds"], OUTSIDE["megabytes"] = map(float, done.stdout.split())
        return np.load(place / "found.npy")


def by_faiss(points: Any, k: int) -> Any:
    """Compare all pairs in single precision."""
    import faiss

    faiss.omp_set_num_threads(THREADS)
    single = np.ascontiguousarray(points, dtype=np.float32)
    index = faiss.IndexFlatL2(single.shape[1])
    index.add(single)
    return _without_self(index.search(single, k + 1)[1])


def by_pynndescent(points: Any, k: int) -> Any:
    """Search approximately, with the package's defaults."""
    from pynndescent import NNDescent

    single = np.ascontiguousarray(points, dtype=np.float32)
    search = NNDescent(single, n_neighbors=k + 1, random_state=0, n_jobs=THREADS)
    return _without_self(search.neighbor_graph[0])


def _without_self(found: Any) -> Any:
    own = found == np.arange(len(found))[:, np.newaxis]
    own[~own.any(axis=1), -1] = True  # not among its own neighbours, where points repeat
    return found[~own].reshape(len(found), -1)


def recall(points: Any, found: Any, k: int) -> float:
    """Share of true neighbours, on a sample: any point as near as the k-th neighbour counts."""
    rows = np.sort(np.random.default_rng(1).permutation(len(points))[:SAMPLE])
    norms = np.square(points).sum(axis=1)
    squares = norms[rows, np.newaxis] + norms - 2.0 * (points[rows] @ points.T)  # (sample, n)
    squares[np.arange(len(rows)), rows] = np.inf
    reach = np.partition(squares, k - 1, axis=1)[:, k - 1 : k]
    return float((np.take_along_axis(squares, found[rows], axis=1) <= reach * (1 + 1e-9)).mean())


def measured(name: str, points: Any, k: int, searches: dict[str, Search], rounds: int) -> Any:
    """Run each search in turn, `rounds` times; ratios are to the first."""
    warm = np.random.default_rng(0).standard_normal((9000, 64))
    mc.warm_up()
    best: dict[str, dict[str, float]] = {}
    for search in searches.values():
        search(warm, k)
    OUTSIDE.clear()
    for _ in range(rounds):
        for label, search in searches.items():
            wall, own = time.perf_counter(), time.process_time()
            found = search(points, k)
            now = {"seconds": time.perf_counter() - wall, "processor": time.process_time() - own}
            if OUTSIDE:  # this process has only waited
                now = dict(OUTSIDE)
                OUTSIDE.clear()
            if label not in best:
                best[label] = {**now, "recall": recall(points, found, k)}
            print(label, now, flush=True)
            for kind, value in now.items():
                best[label][kind] = min(best[label][kind], value)
    first = next(iter(best.values()))
    rows = [
        {
            "data": name,
            "k": k,
            "search": label,
            "seconds": f"{one['seconds']:.1f}",
            "ratio": f"{one['seconds'] / first['seconds']:.2f}",
            "processor seconds": f"{one['processor']:.1f}" if "processor" in one else "",
            "their ratio": f"{one['processor'] / first['processor']:.2f}"
            if "processor" in one
            else "",
            "recall": f"{one['recall']:.4f}",
            "peak memory (MB)": f"{one['megabytes']:.0f}" if "megabytes" in one else "",
        }
        for label, one in best.items()
    ]
    print(pd.DataFrame(rows).to_string(index=False), flush=True)
    return rows


def cases(folder: Path | None) -> list[tuple[str, Callable[[], Any], int, dict[str, Search]]]:
    """Names, points, k and searches, the one to be measured against first."""
    nearly = {"pynndescent": by_pynndescent, "mecuco approximate": by_mecuco("approximate")}
    whole = {
        **nearly,
        "the same in a new process": in_a_new_process,
        "mecuco, points to haar and fast": scored,
    }
    wholly = {"faiss flat": by_faiss, "mecuco exact": by_mecuco("exact")}
    every = {**wholly, "mecuco auto": by_mecuco("auto"), **dict(list(nearly.items())[1:])}
    found: list[tuple[str, Callable[[], Any], int, dict[str, Search]]] = []
    for name in REAL if folder is not None else ():
        assert folder is not None
        path = folder / f"{name}.parquet"
        found.append((f"{name} approximately", lambda p=path: standardised(p), 16, whole))
        found.append((f"{name} exactly", lambda p=path: standardised(p), 16, wholly))
    found.append(("200 000 x 50, a sheet", lambda: sheet(200_000, 50), 16, nearly))
    noise = np.random.default_rng(0)
    found.append(("20 000 x 784, noise", lambda: noise.standard_normal((20_000, 784)), 16, every))
    found.append(("36 000 x 800, noise", lambda: noise.standard_normal((36_000, 800)), 10, every))
    found.append(("36 000 x 800 of rank 40", lambda: of_rank(36_000, 800, 40), 10, every))
    return found


def main() -> None:
    """Print and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--points", type=int, help="so many of each set at most")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rows: list[dict[str, Any]] = []
    for name, points, k, searches in cases(options.data):
        if options.only in name:
            rows += measured(name, points()[: options.points], k, searches, options.rounds)
    packages = ", ".join(
        f"{p} {version(p)}" for p in ("numpy", "numba", "pynndescent", "faiss-cpu")
    )
    head = (
        f"# Searches\n\n{datetime.date.today()}, {platform.machine()}, {packages}; {THREADS} "
        f"threads each, best of {options.rounds}, compiled code warm. `python -m benchmarks.search`"
        " measures anew. Ratios are to the first search of each set of data.\n\n"
    )
    titles = list(rows[0])
    lines = [titles, ["---"] * len(titles), *([str(v) for v in row.values()] for row in rows)]
    RESULT.write_text(
        head + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
