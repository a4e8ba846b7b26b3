"""Which search "auto" stands for: the same for the same points, whatever the machine."""

from mecuco_core.neighbors.cost import estimated_search_seconds
from mecuco_core.types import SEARCH_METHODS, SearchMethod
from mecuco_core.validation import PROCESSORS

LONGEST_EXACT_SEARCH = 10.0
"""Seconds an exact search may take, on `PROCESSORS` of our day, before "auto" is approximate."""


def resolved_search(
    method: SearchMethod, n_points: int, n_features: int, n_neighbors: int
) -> SearchMethod:
    """Return the search "auto" stands for, or the one given.

    Parameters
    ----------
    method : {"auto", "exact", "approximate"}
    n_points, n_features, n_neighbors : int
        Nothing else is looked at: neither the clock nor the processors of this machine.
    """
    check_search(method)
    if method != "auto":
        return method
    seconds = estimated_search_seconds(n_points, n_features, n_neighbors, n_jobs=PROCESSORS)
    return "approximate" if seconds > LONGEST_EXACT_SEARCH else "exact"


def check_search(method: object) -> None:
    """Raise unless the search is one of those there are."""
    if not isinstance(method, str) or method not in SEARCH_METHODS:
        raise ValueError(f"search must be one of {', '.join(SEARCH_METHODS)}, got {method!r}")
