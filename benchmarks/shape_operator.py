"""Time the shape operator against the exact neighbour search it stands on."""

from functools import partial
from typing import Any

import mecuco as mc
from benchmarks.timing import seconds
from mecuco_core.datasets.manifolds import sample_manifold

# manifold, its sizes, rows, columns, neighbours, ratio we hold ourselves to
CASES: list[tuple[str, dict[str, Any], int, int, int, float]] = [
    ("torus", {}, 20_000, 3, 30, 3),
    ("d-sphere", {"dimension": 3}, 5000, 50, 30, 10),
]


def shapes_against_search(n_jobs: int, rounds: int) -> list[dict[str, Any]]:
    """Ratio of the time of all fits, with error bars and frames, to that of the search."""
    table = []
    for name, sizes, n, m, k, goal in CASES:
        sample = sample_manifold(name, n, noise=0.01, ambient_dimension=m, **sizes)
        points, d = sample.points, sample.shape.dimension
        graph = mc.knn_graph(points, k, search="exact", n_jobs=n_jobs)
        mc.shape_operator(points[: 10 * k], k, dimension=d, n_jobs=n_jobs)  # compiled, or loaded
        searching = partial(mc.knn_graph, points, k, search="exact", n_jobs=n_jobs)
        fitting = partial(mc.shape_operator, points, dimension=d, graph=graph, n_jobs=n_jobs)
        search, fit = [], []
        for _ in range(rounds):
            search.append(seconds(searching))
            fit.append(seconds(fitting))
        table.append(
            {
                "case": f"quadric {n} × {m}, d = {d}, k = {k}",
                "search s": min(search),
                "shape operator s": min(fit),
                "ratio to search": min(fit) / min(search),
                "goal": goal,
            }
        )
    return table
