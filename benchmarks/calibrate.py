"""Compare the estimates of `mecuco_core.score.cost` with measured times, one thread.

Run it after a change of a kernel: a ratio far from one for every size of a mode says which rate in
`mecuco_core/score/cost.py` to change, and by how much. Measured is processor time, which other
work on the machine disturbs less.
"""

import time

import numpy as np
import pandas as pd

import mecuco as mc
from benchmarks.data import clouds
from mecuco_core.types import Mode

# points, features, neighbours
SIZES: dict[Mode, list[tuple[int, int, int]]] = {
    "original": [(200, 10, 8), (100, 40, 8), (60, 64, 11), (20, 100, 8), (12, 160, 8)],
    "exact": [(2000, 10, 8), (1000, 40, 11), (60, 150, 11), (14, 500, 11)],
    "haar": [(4000, 8, 12), (2000, 64, 11), (400, 784, 12), (400, 784, 17), (60, 10_000, 9)],
}


def main() -> None:
    """Print estimated and measured seconds side by side."""
    mc.warm_up()
    table = []
    for mode, sizes in SIZES.items():
        for n, m, k in sizes:
            points = clouds(n, m)
            graph = mc.knn_graph(points, k, search="exact")
            measured = []
            for _ in range(9):
                start = time.process_time()
                mc.curvature(points, mode=mode, graph=graph, n_jobs=1)
                measured.append(time.process_time() - start)
            estimated = mc.estimated_seconds(n, m, k, mode, n_jobs=1)
            best = float(np.min(measured))
            table.append((mode, n, m, k, estimated, best, estimated / best))
    columns = ["mode", "n", "m", "k", "estimated s", "measured s", "estimated / measured"]
    print(pd.DataFrame(table, columns=columns).round(4).to_string(index=False))


if __name__ == "__main__":
    main()
