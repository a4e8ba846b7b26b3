"""The points in single precision, as the searches compare them first."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mecuco_core.kernels.search.lanes import padded
from mecuco_core.kernels.search.sieve import round_off
from mecuco_core.runtime.threads import run_blocks
from mecuco_core.types import FloatArray

SingleArray = npt.NDArray[np.float32]

BLOCK = 1024
_LOOKED_AT = 1_000_000  # numbers a centre and a unit are found from


@dataclass(frozen=True, eq=False)
class SinglePoints:
    """Points, centred and of a size around 1, so that few of their digits are lost.

    Attributes
    ----------
    rows : ndarray of shape (n_points, padded n_features)
        float32, filled up with zeros.
    centre : ndarray of shape (n_features,)
    unit : float
        The power of two they were divided by.
    """

    rows: SingleArray
    centre: FloatArray
    unit: float

    def of_queries(self, queries: FloatArray, n_jobs: int) -> SingleArray:
        """Other points in the same measure."""
        return _rounded(queries, self.centre, self.unit, n_jobs)


def single_precision(points: FloatArray, n_jobs: int) -> SinglePoints:
    """Return the points in single precision.

    Centre and unit are medians, of some points: means would follow one that lies far away.
    """
    n, m = points.shape
    some = points[:: max(1, n * m // _LOOKED_AT, n // 1000)]
    centre = np.median(some, axis=0)
    extents = np.abs(some - centre).max(axis=1)
    extent = float(np.median(extents)) or float(extents.max())
    # A power of two: nothing is lost by it. Its square is a number too.
    unit = float(np.ldexp(1.0, int(np.clip(np.frexp(extent)[1], -500, 500)))) if extent else 1.0
    return SinglePoints(_rounded(points, centre, unit, n_jobs), centre, unit)


def _rounded(points: FloatArray, centre: FloatArray, unit: float, n_jobs: int) -> SingleArray:
    rows = np.zeros((len(points), padded(points.shape[1])), dtype=np.float32)

    def block(start: int, stop: int) -> None:
        round_off(points, centre, 1.0 / unit, start, stop, rows)

    run_blocks(block, len(points), BLOCK, n_jobs)
    return rows
