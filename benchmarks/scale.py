"""Time and peak memory against rows, columns and neighbours, with fitted exponents and a plot.

python -m benchmarks.scale              # all of it, writes results/scale.md and scale.svg
python -m benchmarks.scale case n m k   # one case, in a process of its own: prints its figures
"""

import datetime
import json
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import mecuco as mc
from benchmarks.timing import seconds
from mecuco_core.neighbors.graph import knn_graph

RESULTS = Path(__file__).parent / "results"
THREADS = 2
SERIES: dict[str, list[tuple[int, int, int]]] = {
    "rows": [(n, 50, 12) for n in (1000, 3000, 10_000, 30_000, 100_000, 200_000)],
    "columns": [(1000, m, 10) for m in (10, 50, 250, 1000, 5000, 20_000, 50_000)],
    "neighbours": [(10_000, 50, k) for k in (5, 10, 20, 40, 60)],
}
GOALS = {"rows": 1.2, "columns": 1.1}
"""Largest exponents we hold ourselves to, of search and score together."""

_COLOURS = {"rows": "#00517f", "columns": "#b5541f", "neighbours": "#3f7d20"}


def sheet(n: int, m: int) -> Any:
    """Points near a curved sheet of 6 dimensions in m, with noise: as real tables are."""
    rng = np.random.default_rng(0)
    inner = rng.standard_normal((n, 6))
    points = np.sin(inner @ rng.standard_normal((6, m)) / 2)
    points += 0.05 * rng.standard_normal((n, m))
    return points


def case(n: int, m: int, k: int) -> dict[str, float]:
    """Search approximately and score by haar; seconds of each, and memory beyond the points."""
    mc.warm_up()
    points = sheet(n, m)
    before = _memory("VmRSS")
    graphs: list[mc.KnnGraph] = []
    search = seconds(
        lambda: graphs.append(knn_graph(points, k, search="approximate", n_jobs=THREADS))
    )
    graph = graphs[0]
    score = seconds(lambda: mc.curvature(points, mode="haar", graph=graph, n_jobs=THREADS))
    return {
        "search": search,
        "score": score,
        "recall": float(graph.recall or 0.0),
        "memory": max(0.0, _memory("VmHWM") - before),
    }


def _memory(name: str) -> float:
    """Resident memory of this process in MB, now (VmRSS) or at its largest (VmHWM)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) / 1000
    return float("nan")


def measured() -> pd.DataFrame:
    """Run every case, each in a process of its own."""
    rows = []
    for series, cases in SERIES.items():
        for n, m, k in cases:
            command = [sys.executable, "-m", "benchmarks.scale", "case", str(n), str(m), str(k)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            figures = json.loads(done.stdout.splitlines()[-1])
            rows.append({"series": series, "n": n, "m": m, "k": k, **figures})
            print(rows[-1], flush=True)
    return pd.DataFrame(rows)


def exponent(sizes: Any, times: Any) -> float:
    """Slope of a straight line through the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def exponents(table: pd.DataFrame) -> pd.DataFrame:
    """Fitted exponents of time and memory in each series."""
    lines = []
    for (series, part), variable in zip(table.groupby("series", sort=False), "nmk", strict=True):
        sizes = part[variable]
        lines.append(
            {
                "against": f"{series} ({variable})",
                "search": exponent(sizes, part["search"]),
                "score": exponent(sizes, part["score"]),
                "together": exponent(sizes, part["search"] + part["score"]),
                "goal": GOALS.get(str(series), float("nan")),
            }
        )
    return pd.DataFrame(lines)


def plot(table: pd.DataFrame) -> str:
    """Draw time against size, both logarithmic, as an SVG of its own."""
    width, height, margin = 720, 420, 60
    total = table["search"] + table["score"]
    low, high = np.log10(total.min()), np.log10(total.max())
    left, right = np.log10(5), np.log10(200_000)

    def at(size: float, time: float) -> tuple[float, float]:
        x = margin + (np.log10(size) - left) / (right - left) * (width - 2 * margin)
        y = height - margin - (np.log10(time) - low) / (high - low) * (height - 2 * margin)
        return float(x), float(y)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{width / 2}" y="{height - 12}" text-anchor="middle">'
        "rows, columns or neighbours</text>",
        f'<text x="{margin}" y="24">seconds, search and score, two threads</text>',
    ]
    for power in range(int(np.ceil(low)), int(np.floor(high)) + 1):
        _, y = at(5, 10.0**power)
        parts.append(
            f'<path d="M{margin} {y:.1f}H{width - margin}" stroke="#ddd"/>'
            f'<text x="{margin - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>'
        )
    for power in range(1, 6):
        x, _ = at(10.0**power, 10.0**low)
        parts.append(
            f'<text x="{x:.1f}" y="{height - margin + 18}" text-anchor="middle">'
            f"{10**power:,}</text>".replace(",", "\u202f")
        )
    for series, variable in zip(SERIES, "nmk", strict=True):
        part = table[table["series"] == series]
        places = [
            at(size, time)
            for size, time in zip(part[variable], part["search"] + part["score"], strict=True)
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        colour = _COLOURS[series]
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in places]
        x, y = places[-1]
        place = f'x="{x - 6:.1f}" y="{y - 9:.1f}"'
        parts.append(f'<text {place} text-anchor="end" fill="{colour}">{series}</text>')
    return "\n".join([*parts, "</svg>", ""])


def write() -> None:
    """Measure, fit, and write table and plot."""
    from benchmarks.__main__ import as_markdown

    table = measured()
    fitted = exponents(table)
    shown = table.rename(columns={"search": "search s", "score": "score s", "memory": "memory MB"})
    lines = [
        "# Time and memory against size",
        "",
        f"{datetime.date.today()} · Python {platform.python_version()} · numpy {np.__version__} · "
        f"{THREADS} threads · approximate search, then haar. Memory is what search and score need "
        "beside the points. Made data: a curved sheet of 6 dimensions with noise.",
        "",
        as_markdown(shown),
        "",
        "Exponents fitted to the logarithms (time ~ size^exponent):",
        "",
        as_markdown(fitted),
        "",
        "![Time against size](scale.svg)",
    ]
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "scale.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (RESULTS / "scale.svg").write_text(plot(table), encoding="utf-8")
    print(fitted.to_string(index=False))


def main() -> None:
    """Run all, or one case."""
    if sys.argv[1:2] == ["case"]:
        print(json.dumps(case(*map(int, sys.argv[2:5]))))
    else:
        write()


if __name__ == "__main__":
    main()
