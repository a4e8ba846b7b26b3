"""What a search of neighbours will take, before it is started.

Searches are chosen by these figures, which know n, m, k and the data: never the processors or the
clock, for the same data must give the same graph everywhere. The unit is one feature of one pair
in a product of single precision.
"""

from mecuco_core.validation import check_integer, check_n_jobs

UNIT = 1.6e-11
"""Seconds of one unit on one thread of a machine of our day."""

SHORTENED = 260
"""Units of a pair that a bound along leading axes leaves of many features, as real tables are."""

_LEAF_FEATURES = 15


def pair_units(m: int) -> float:
    """Return the cost of a pair compared by m numbers each."""
    return m + 8.0


def measured_units(m: int) -> float:
    """Return the cost of a pair that a bound does not rule out."""
    return 3000.0 + 2.0 * m


def descent_units(n: int, m: int, k: int) -> float:
    """Return the cost of an approximate search."""
    width = max(1.0, (k + 10) / 26)
    return n * (5600.0 * m + 1.6e6) * width


def tree_units(n: int, m: int, k: int) -> float:
    """Return the cost of an exact search of all points by a tree."""
    return n * (60_000.0 + 400.0 * min(float(n), 30.0 * 2.0**m) + 30.0 * k * k)


def tree_is_better(n: int, m: int, k: int) -> bool:
    """Tell whether a tree is quicker than comparing all pairs: in few dimensions only."""
    return m <= _LEAF_FEATURES and tree_units(n, m, k) < n * n * pair_units(m)


def exact_units(n: int, m: int, k: int) -> float:
    """Return the cost of an exact search, of data as real tables are."""
    if tree_is_better(n, m, k):
        return tree_units(n, m, k)
    return n * n * min(pair_units(m), SHORTENED)


def estimated_search_seconds(n: int, m: int, k: int = 16, *, n_jobs: int | None = None) -> float:
    """Estimate how long the exact neighbour search takes.

    Parameters
    ----------
    n, m, k : int
        Points, features and neighbours.
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
    >>> mc.estimated_search_seconds(1_000_000, 784, n_jobs=2) > 60
    True
    """
    n, m = check_integer(n, "n", 1), check_integer(m, "m", 1)
    k = check_integer(k, "k", 1)
    return exact_units(n, m, k) * UNIT / check_n_jobs(n_jobs)


def estimated_approximate_seconds(n: int, m: int, k: int = 16) -> float:
    """Estimate how long the approximate search of k neighbours takes on all processors."""
    return descent_units(n, m, k) * UNIT / check_n_jobs(None)
