"""What a computation will take, before it is started."""

from dataclasses import dataclass
from typing import NamedTuple

from mecuco_core.neighbors.graph import estimated_auto_search_seconds
from mecuco_core.runtime.wording import spoken_seconds
from mecuco_core.types import MODES, Mode
from mecuco_core.validation import check_integer, check_mode, check_n_jobs, default_n_neighbors

SLOW_SECONDS = 120.0
"""A mode that takes longer is warned of, or noted."""

AUTO_EXACT_BELOW = 50
"""`auto` is `exact` for fewer features than this, else `fast`: the paper's rule."""


class _Rates(NamedTuple):
    """Seconds per unit of work on one thread; checked by `python -m benchmarks.calibrate`."""

    point: float = 6e-6
    gram: float = 9e-11  # per k² m
    small_eigen: float = 6e-9  # per k³
    products: float = 2.8e-11  # per m r³, of which a sixth is computed
    eigen: float = 1e-10  # per m³, plus the square below for small m
    eigen_square: float = 6e-8  # per m²
    cross_products: float = 8e-9  # per m³: the columns of H, written and read
    their_square: float = 1.2e-11  # per m⁴: H Hᵀ
    interpreted: float = 3.5e-5  # per point of the uncompiled mode


RATES = _Rates()


def resolved_mode(mode: Mode, n_features: int) -> Mode:
    """Return the mode `auto` stands for, or the mode itself."""
    if mode != "auto":
        return mode
    return "exact" if n_features < AUTO_EXACT_BELOW else "fast"


def seconds_per_point(m: int, k: int, mode: Mode) -> float:
    """Estimated seconds for one neighbourhood on one thread."""
    mode = resolved_mode(mode, m)
    decomposition = RATES.point + RATES.gram * k * k * m
    full = decomposition + RATES.eigen * m**3 + RATES.eigen_square * m**2
    if mode == "original":
        products = RATES.cross_products * m**3 + RATES.their_square * m**4
        return full + RATES.interpreted + products
    if mode == "exact":
        return full
    r = min(k - 1, m)
    products = m * min(r**3, 6 * r * (m + r))  # of three vectors, or of pairs of features
    return decomposition + RATES.small_eigen * min(k, m) ** 3 + RATES.products * products


def estimated_seconds(n: int, m: int, k: int, mode: Mode, *, n_jobs: int | None = None) -> float:
    """Estimate how long scoring takes, neighbours already found.

    Parameters
    ----------
    n, m, k : int
        Points, features and neighbours.
    mode : {"original", "exact", "fast", "haar", "auto"}
    n_jobs : int or None
        Threads; all processors for None.

    Returns
    -------
    float
        Seconds, good to a factor of two or three on a machine of our day; too high for work of
        milliseconds.

    See Also
    --------
    estimated_search_seconds : What finding the neighbours takes.

    Examples
    --------
    >>> import mecuco as mc
    >>> haar, exact = (mc.estimated_seconds(70_000, 784, 16, mode) for mode in ("haar", "exact"))
    >>> haar < exact
    True
    """
    n, m, k = (check_integer(value, name, 1) for name, value in (("n", n), ("m", m), ("k", k)))
    return n * seconds_per_point(m, k, check_mode(mode)) / check_n_jobs(n_jobs)


def original_bytes_per_point(m: int) -> int:
    """Memory of H and of the products it is made from, for one neighbourhood of `original`."""
    return 3 * 8 * m * (m * (m + 1) // 2)


@dataclass(frozen=True)
class ScoringCost:
    """Estimated seconds of a search and of each mode, on all processors."""

    search_seconds: float
    seconds: dict[Mode, float]

    def sentence(self) -> str:
        """Return both as one sentence."""
        modes = ", ".join(f"{mode} {spoken_seconds(value)}" for mode, value in self.seconds.items())
        search = spoken_seconds(self.search_seconds)
        return f"Estimated time: {search} to find neighbours, then {modes}."


def scoring_cost(n: int, m: int) -> ScoringCost | None:
    """Estimate what scoring takes at the paper's k; None where there is nothing to score.

    Parameters
    ----------
    n, m : int
        Points and features.
    """
    if n < 3 or m < 1:
        return None
    k = min(default_n_neighbors(n), n - 1)
    seconds = {mode: estimated_seconds(n, m, k, mode) for mode in MODES}
    return ScoringCost(estimated_auto_search_seconds(n, m), seconds)
