"""Scores of tables larger than memory: read in blocks, written as they come, resumed if ended."""

from mecuco_core.streaming.output import Extra
from mecuco_core.streaming.run import Streamed, score_rows

__all__ = ["Extra", "Streamed", "score_rows"]
