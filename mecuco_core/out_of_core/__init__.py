"""Scores of tables larger than memory: read in blocks, written as they come, resumed if ended."""

from mecuco_core.out_of_core.output import Extra
from mecuco_core.out_of_core.run import Streamed, score_rows

__all__ = ["Extra", "Streamed", "score_rows"]
