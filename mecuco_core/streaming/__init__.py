"""Scores of tables larger than memory: read in blocks, written as they come, resumed if ended."""

from mecuco_core.streaming.run import Streamed, score_rows

__all__ = ["Streamed", "score_rows"]
