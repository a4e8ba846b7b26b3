"""UMAP from PCA against UMAP from the spectrum of its graph: time, and how true the maps are.

python -m benchmarks.umap_start FOLDER ...

Every FOLDER holds tables as `mecuco score` reads them (.parquet), or .npz files of X and y. Prints
the table that docs/scale.md has.
"""

import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.manifold import trustworthiness

import mecuco as mc
from benchmarks.search import standardised
from mecuco_app.results import embedding
from mecuco_app.results.maps import kept_neighbors
from mecuco_app.work.jobs import silent

SETS = ("Fashion-MNIST.parquet", "mnist_784.parquet", "campaign.npz")
SAMPLE = 3000
K = 15


def points_of(path: Path) -> Any:
    """Standardised points of a file."""
    if path.suffix == ".parquet":
        return standardised(path)
    points = np.load(path)["X"].astype(np.float64)
    spread = points.std(axis=0)
    return (points - points.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def main() -> None:
    """Print one line for each set and start."""
    warnings.simplefilter("ignore")
    embedding.warm_up()
    places = [Path(folder) / name for name in SETS for folder in sys.argv[1:]]
    print("| data | start | seconds | trustworthiness | neighbours kept |")
    print("|---|---|---|---|---|")
    for path in filter(Path.exists, places):
        points = points_of(path)
        graph = mc.knn_graph(points, K - 1)
        some = np.random.default_rng(0).choice(len(points), SAMPLE, replace=False)
        for start, many in (("spectral", len(points)), ("PCA", 0)):
            embedding.MANY_POINTS = many
            began = time.perf_counter()
            found = embedding.umap_coordinates(
                points, graph, dimension=2, n_neighbors=K, min_dist=0.1, seed=0
            )
            seconds = time.perf_counter() - began
            true = trustworthiness(points[some], found[some], n_neighbors=K)
            kept = kept_neighbors(graph.indices, found, report=silent).mean()
            shape = " × ".join(f"{size:,}".replace(",", " ") for size in points.shape)
            print(
                f"| {path.stem}, {shape} | {start} | {seconds:.1f} | {true:.4f} | {kept:.3f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
