"""Array types and the choices users make, each defined once."""

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

Mode = Literal["original", "exact", "fast", "haar", "auto"]
MODES: tuple[Mode, ...] = get_args(Mode)

SearchMethod = Literal["exact", "approximate", "auto"]
SEARCH_METHODS: tuple[SearchMethod, ...] = get_args(SearchMethod)

Metric = Literal["euclidean", "cosine"]
METRICS: tuple[Metric, ...] = get_args(Metric)

Progress = Callable[[int, int], None]
"""Called with (done, total); may raise to stop the work."""
