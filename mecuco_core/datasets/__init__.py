"""Everything that becomes points: bundled sets, OpenML, files and manifolds."""

from mecuco_core.datasets.base import Dataset, Provenance, Truth
from mecuco_core.datasets.bundled import BUNDLED, load_bundled
from mecuco_core.datasets.files import ReadOptions, Sniffed, read, sniff
from mecuco_core.datasets.manifolds import MANIFOLDS, load_manifold, sample_manifold
from mecuco_core.datasets.openml import describe_openml, load_openml, search_openml
from mecuco_core.datasets.paper import PAPER_DATASETS, load_paper_dataset
from mecuco_core.errors import DataError

__all__ = [
    "BUNDLED",
    "MANIFOLDS",
    "PAPER_DATASETS",
    "DataError",
    "Dataset",
    "Provenance",
    "ReadOptions",
    "Sniffed",
    "Truth",
    "describe_openml",
    "load_bundled",
    "load_manifold",
    "load_openml",
    "load_paper_dataset",
    "read",
    "sample_manifold",
    "search_openml",
    "sniff",
]
