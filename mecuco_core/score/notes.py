"""Sentences on what to bear in mind of a score; none depends on the machine."""

from mecuco_core.runtime.wording import spoken_seconds
from mecuco_core.score.cost import SLOW_SECONDS, estimated_seconds
from mecuco_core.types import FloatArray, IntArray, Mode
from mecuco_core.validation import PROCESSORS


def cost_note(n: int, m: int, k: int, mode: Mode) -> tuple[str, ...]:
    """Say what a slow mode takes, and what the quick one would."""
    if mode not in ("original", "exact"):
        return ()
    seconds = estimated_seconds(n, m, k, mode, n_jobs=PROCESSORS)
    if seconds <= SLOW_SECONDS:
        return ()
    haar = estimated_seconds(n, m, k, "haar", n_jobs=PROCESSORS)
    return (
        f"Mode {mode!r} takes about {spoken_seconds(seconds)} on {PROCESSORS} processors, 'haar' "
        f"{spoken_seconds(haar)}.",
    )


def basis_note(covariance_rank: IntArray, m: int, mode: Mode) -> tuple[str, ...]:
    """Say how many scores (n_points,) may depend on the basis of a null space."""
    deficient = int((covariance_rank < m - 1).sum())  # one dimension has one basis
    if mode not in ("original", "exact") or not deficient:
        return ()
    return (
        f"{deficient} of {len(covariance_rank)} neighbourhoods do not span the space: their scores "
        "may depend on the basis LAPACK returned, those of 'haar' do not.",
    )


def bound_note(scatter: FloatArray, alignment: FloatArray) -> tuple[str, ...]:
    """Say how many scores, of halves (n_points,), are below the least they can be."""
    low = int((alignment < -1e-12 * scatter).sum())
    if not low:
        return ()
    return (f"{low} of {len(scatter)} scores are below the least they can be: 'fast' is too low.",)
