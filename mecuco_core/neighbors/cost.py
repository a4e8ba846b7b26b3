"""What a search of neighbours will take, before it is started."""

from mecuco_core.validation import check_integer, check_n_jobs

PAIR = 5e-9
"""Seconds on one thread per n² of an exact search."""

DISTANCE = 6e-11
"""Seconds on one thread per n² m of an exact search."""

CANDIDATE = 2e-4
"""Seconds on one thread per point of an approximate search."""

CANDIDATE_FEATURE = 5e-7
"""Seconds on one thread per point and feature of an approximate search."""


def estimated_search_seconds(n: int, m: int, *, n_jobs: int | None = None) -> float:
    """Estimate how long the exact neighbour search takes.

    Parameters
    ----------
    n, m : int
        Points and features.
    n_jobs : int or None
        Threads; all processors for None.

    Returns
    -------
    float
        Seconds, good to a factor of two or three on a machine of our day.

    See Also
    --------
    estimated_seconds : What scoring takes when the neighbours are found.
    knn_graph : The search.

    Examples
    --------
    >>> import mecuco as mc
    >>> mc.estimated_search_seconds(70_000, 784, n_jobs=2) > 60
    True
    """
    n, m = check_integer(n, "n", 1), check_integer(m, "m", 1)
    # Trees beat comparing all pairs only in few dimensions.
    share = min(1.0, 2.0**m * 60 / n) if m < 15 else 1.0
    return n * n * (PAIR + DISTANCE * m) * share / check_n_jobs(n_jobs)


def estimated_approximate_seconds(n: int, m: int, k: int = 16) -> float:
    """Estimate how long the approximate search of k neighbours takes on all processors."""
    lists = max(1.0, k / 22)  # up to there the shortest lists serve
    return n * lists * (CANDIDATE + CANDIDATE_FEATURE * m) / check_n_jobs(None)
