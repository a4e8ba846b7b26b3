"""The paper's tables, computed again and set beside the published figures."""

from mecuco_core.reproduction.protocol import Settings
from mecuco_core.reproduction.runner import Outcome
from mecuco_core.reproduction.shipped import shipped_about, shipped_null_bases, shipped_results

__all__ = [
    "Outcome",
    "Settings",
    "shipped_about",
    "shipped_null_bases",
    "shipped_results",
]
