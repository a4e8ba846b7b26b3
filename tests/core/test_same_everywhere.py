"""The same data and the same seed give the same numbers, whatever the machine has."""

import json
import subprocess
import sys

import numpy as np
import pytest

from mecuco_core.diagnostics.null_bases.scores import affordable_rows
from mecuco_core.neighbors.choice import resolved_search

CLAIM = "import os; os.sched_getaffinity = lambda _: set(range({n}))\nos.cpu_count = lambda: {n}\n"
DIGEST = """
import hashlib, json
import numpy as np
import mecuco as mc
from mecuco_core.validation import available_processors
from mecuco_core.neighbors.choice import resolved_search

def digest(*arrays):
    return hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)).hexdigest()

found = {}
"""
SMALL = """
rng = np.random.default_rng(0)
points = rng.standard_normal((500, 20))
for mode in ("haar", "fast", "exact"):
    found[mode] = digest(mc.curvature(points, 8, mode=mode).values)
sheet = np.sin(rng.standard_normal((9000, 4)) @ rng.standard_normal((4, 40)) / 2)
sheet += 0.05 * rng.standard_normal((9000, 40))
from mecuco_core.neighbors import search
search.descent_units = lambda n, m, k: 0.0  # else an exact search costs less
near = mc.curvature(sheet, 8, search="approximate", seed=3)
found["method"] = near.graph.method
found["approximate"] = digest(near.values, near.graph.indices, near.graph.distances)
torus = mc.datasets.load_manifold("torus", n_points=500, noise=0.01).table
surface = mc.shape_operator(torus, dimension="auto")
found["surface"] = digest(surface.values, surface.error, surface.principal_curvatures)
found["n_neighbors"] = surface.n_neighbors
from mecuco_core.diagnostics.null_bases.scores import null_basis_scores
wide = rng.standard_normal((400, 300))
spread = null_basis_scores(wide, graph=mc.knn_graph(wide, 5), n_bases=20)
found["null bases"] = digest(spread.rows, spread.draws)
"""
LARGE = """
points = np.random.default_rng(1).standard_normal((70_000, 50)).cumsum(axis=1)
score = mc.curvature(points, 16)
found["search"] = score.graph.method
found["large"] = digest(score.values, score.graph.indices, score.graph.distances)
"""
SEARCHES = """
found["searches"] = [
    resolved_search("auto", n, m, 16)
    for n in (1000, 30_000, 70_000, 200_000, 1_000_000) for m in (2, 10, 50, 784, 5000)
]
"""
END = "print(json.dumps({'processors': available_processors(), **found}))"


def told_by(n_processors, code):
    """Return what a process that claims so many processors computes."""
    program = CLAIM.format(n=n_processors) + DIGEST + code + END
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told.pop("processors") == n_processors
    return told


def test_one_processor_and_sixty_four_choose_the_same_search():
    one, many = told_by(1, SEARCHES), told_by(64, SEARCHES)
    assert one == many
    assert set(one["searches"]) == {"exact", "approximate"}


@pytest.mark.thorough
def test_one_processor_and_sixty_four_give_the_same_bits():
    one = told_by(1, SMALL)
    assert one["method"] == "approximate"
    assert one == told_by(64, SMALL)


@pytest.mark.thorough
def test_one_processor_and_sixty_four_give_the_same_bits_of_a_large_table():
    assert told_by(1, LARGE) == told_by(64, LARGE)


@pytest.mark.parametrize("n_processors", [1, 2, 64])
def test_samples_and_searches_do_not_depend_on_the_processors(monkeypatch, n_processors):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(n_processors)), raising=False)
    # On one thread a row takes 200 · 2e-10 · 300 · 291² + 3e-9 · 300³ + 1e-3 = 1.1 s: 3 · 2 / 1.1.
    assert affordable_rows(10**6, 300, 10, 200) == 5
    assert resolved_search("auto", 1_000_000, 784, 16) == "approximate"
    assert resolved_search("auto", 70_000, 784, 16) == "approximate"
    assert resolved_search("auto", 60_000, 784, 16) == "exact"


def test_more_points_never_turn_an_approximate_search_exact():
    for m in (1, 3, 14, 15, 50, 784):
        chosen = [
            resolved_search("auto", n, m, 10) for n in np.geomspace(100, 10**7, 60).astype(int)
        ]
        assert chosen == sorted(chosen, reverse=True)
