"""What a search of neighbours will take, before it is started."""

from mecuco_core.validation import available_processors

PAIR = 5e-9
"""Seconds on one thread per n² of an exact search."""

DISTANCE = 6e-11
"""Seconds on one thread per n² m of an exact search."""

CANDIDATE = 2e-4
"""Seconds on one thread per point of an approximate search."""

CANDIDATE_FEATURE = 5e-7
"""Seconds on one thread per point and feature of an approximate search."""


def estimated_search_seconds(n: int, m: int) -> float:
    """Estimate how long the exact neighbour search takes on all processors."""
    # Trees beat comparing all pairs only in few dimensions.
    share = min(1.0, 2.0**m * 60 / n) if m < 15 else 1.0
    return n * n * (PAIR + DISTANCE * m) * share / available_processors()


def estimated_approximate_seconds(n: int, m: int, k: int = 16) -> float:
    """Estimate how long the approximate search of k neighbours takes on all processors."""
    lists = max(1.0, k / 22)  # up to there the shortest lists serve
    return n * lists * (CANDIDATE + CANDIDATE_FEATURE * m) / available_processors()
