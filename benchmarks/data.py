"""Points to measure on."""

import numpy as np

from mecuco_core.types import FloatArray


def clouds(n: int, m: int) -> FloatArray:
    """Return ten Gaussian clouds: neighbourhoods neither uniform nor degenerate."""
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((10, m))
    return centres[rng.integers(0, 10, n)] + rng.standard_normal((n, m))
