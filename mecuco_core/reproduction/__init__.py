"""The paper's tables, computed again and set beside the published figures."""

from mecuco_core.reproduction.protocol import Settings
from mecuco_core.reproduction.runner import Outcome, reproduce

__all__ = [
    "Outcome",
    "Settings",
    "reproduce",
]
