"""Kernels compiled before they are needed."""

from typing import Literal

import numpy as np

from mecuco_core.neighbors.search import warm_up_searches
from mecuco_core.score.curvature import warm_up_scores
from mecuco_core.surface.shape_operator import shape_operator


def warm_up(mode: Literal["quadric"] | None = None) -> None:
    """Compile the kernels, or load them from disk, so that the first real call starts at once.

    Parameters
    ----------
    mode : {"quadric"} or None
        Those of the searches and the scores for None; those of `shape_operator` for "quadric".

    See Also
    --------
    curvature, shape_operator : Which start at once afterwards.

    Examples
    --------
    >>> import mecuco as mc
    >>> mc.warm_up()
    """
    if mode == "quadric":
        shape_operator(np.random.default_rng(0).standard_normal((12, 3)), 8, dimension=2)
    else:
        warm_up_searches()
        warm_up_scores()
