"""Search and score once in a process of its own; print seconds of both and extra memory in MB."""

import sys
import time
from pathlib import Path

import mecuco as mc
from benchmarks.data import clouds

PEAK = Path("/proc/self/clear_refs")


def peak_megabytes() -> float:
    """Highest resident memory since it was last reset."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM"):
            return float(line.split()[1]) / 1024
    raise RuntimeError("the system does not tell the peak of memory")


def main() -> None:
    """Measure one size given on the command line."""
    points = clouds(int(sys.argv[1]), int(sys.argv[2]))
    mc.warm_up()
    PEAK.write_text("5", encoding="utf-8")  # Linux: the peak starts again from here
    before = peak_megabytes()
    start = time.perf_counter()
    graph = mc.knn_graph(points, search="exact")
    middle = time.perf_counter()
    mc.curvature(points, mode="haar", graph=graph)
    end = time.perf_counter()
    print(middle - start, end - middle, peak_megabytes() - before)


if __name__ == "__main__":
    main()
