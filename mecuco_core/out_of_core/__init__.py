"""Scores of tables larger than memory: read in blocks, written as they come, resumed if ended."""

from mecuco_core.out_of_core.run import score_rows

__all__ = ["score_rows"]
