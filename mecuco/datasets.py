"""Where points come from: bundled sets, OpenML, the paper's datasets, files and manifolds.

>>> import mecuco as mc
>>> digits = mc.datasets.load_bundled("digits")
>>> points = mc.datasets.prepare(digits).points
"""

from typing import TYPE_CHECKING

from mecuco_core.runtime.lazy import on_first_use

if TYPE_CHECKING:
    from mecuco_core.datasets.base import Dataset, Provenance, Truth, Vectors
    from mecuco_core.datasets.bundled import load_bundled
    from mecuco_core.datasets.files.options import ReadOptions
    from mecuco_core.datasets.files.reading import read_table
    from mecuco_core.datasets.manifolds.sampling import load_manifold
    from mecuco_core.datasets.memory.door import from_memory
    from mecuco_core.datasets.openml.description import Description
    from mecuco_core.datasets.openml.listing import Listing, search_openml
    from mecuco_core.datasets.openml.load import load_openml
    from mecuco_core.datasets.openml.lookup import describe_openml
    from mecuco_core.datasets.paper import load_paper_dataset
    from mecuco_core.preparation.findings.overview import ColumnOverview, column_overview
    from mecuco_core.preparation.findings.suspicion import Suspicion
    from mecuco_core.preparation.findings.suspicions import suspicions
    from mecuco_core.preparation.mending.mends import Mend
    from mecuco_core.preparation.prepare import Prepared, prepare
    from mecuco_core.preparation.protocol import Preparation, starting_preparation
    from mecuco_core.preparation.summary import Summary, summarise

__all__ = [
    "ColumnOverview",
    "Dataset",
    "Description",
    "Listing",
    "Mend",
    "Preparation",
    "Prepared",
    "Provenance",
    "ReadOptions",
    "Summary",
    "Suspicion",
    "Truth",
    "Vectors",
    "column_overview",
    "describe_openml",
    "from_memory",
    "load_bundled",
    "load_manifold",
    "load_openml",
    "load_paper_dataset",
    "prepare",
    "read_table",
    "search_openml",
    "starting_preparation",
    "summarise",
    "suspicions",
]

_HOMES = {
    "mecuco_core.datasets.base": ("Dataset", "Provenance", "Truth", "Vectors"),
    "mecuco_core.datasets.bundled": ("load_bundled",),
    "mecuco_core.datasets.files.options": ("ReadOptions",),
    "mecuco_core.datasets.files.reading": ("read_table",),
    "mecuco_core.datasets.manifolds.sampling": ("load_manifold",),
    "mecuco_core.datasets.memory.door": ("from_memory",),
    "mecuco_core.datasets.openml.description": ("Description",),
    "mecuco_core.datasets.openml.listing": ("Listing", "search_openml"),
    "mecuco_core.datasets.openml.load": ("load_openml",),
    "mecuco_core.datasets.openml.lookup": ("describe_openml",),
    "mecuco_core.datasets.paper": ("load_paper_dataset",),
    "mecuco_core.preparation.findings.overview": ("ColumnOverview", "column_overview"),
    "mecuco_core.preparation.findings.suspicion": ("Suspicion",),
    "mecuco_core.preparation.findings.suspicions": ("suspicions",),
    "mecuco_core.preparation.mending.mends": ("Mend",),
    "mecuco_core.preparation.prepare": ("Prepared", "prepare"),
    "mecuco_core.preparation.protocol": ("Preparation", "starting_preparation"),
    "mecuco_core.preparation.summary": ("Summary", "summarise"),
}


__getattr__, __dir__ = on_first_use(__name__, _HOMES)
