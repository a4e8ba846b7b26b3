"""From a table to points: columns, encoding, scaling, sampling, and the report of it."""

from mecuco_core.preparation.prepare import Preparation, Prepared, prepare
from mecuco_core.preparation.summary import Summary, summarise

__all__ = ["Preparation", "Prepared", "Summary", "prepare", "summarise"]
