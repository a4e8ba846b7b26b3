"""Everything that becomes points: bundled sets, OpenML, files and manifolds.

Names load on first use: who reads a file loads nothing but what files need.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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

_HOMES = {
    "BUNDLED": "mecuco_core.datasets.bundled",
    "MANIFOLDS": "mecuco_core.datasets.manifolds",
    "PAPER_DATASETS": "mecuco_core.datasets.paper",
    "DataError": "mecuco_core.errors",
    "Dataset": "mecuco_core.datasets.base",
    "Provenance": "mecuco_core.datasets.base",
    "ReadOptions": "mecuco_core.datasets.files",
    "Sniffed": "mecuco_core.datasets.files",
    "Truth": "mecuco_core.datasets.base",
    "describe_openml": "mecuco_core.datasets.openml",
    "load_bundled": "mecuco_core.datasets.bundled",
    "load_manifold": "mecuco_core.datasets.manifolds",
    "load_openml": "mecuco_core.datasets.openml",
    "load_paper_dataset": "mecuco_core.datasets.paper",
    "read": "mecuco_core.datasets.files",
    "sample_manifold": "mecuco_core.datasets.manifolds",
    "search_openml": "mecuco_core.datasets.openml",
    "sniff": "mecuco_core.datasets.files",
}


def __getattr__(name: str) -> object:
    """Load a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found
