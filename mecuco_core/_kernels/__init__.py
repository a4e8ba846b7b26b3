"""Curvature of one neighbourhood: pure functions on clean arrays, in the paper's letters.

Only numpy and numba are imported here. Each mode has one short readable version
(`original`, `exact`, `fast`, `haar`), kept as the oracle of the `compiled` one.
"""

from mecuco_core._kernels.keeping import ensure_place, forgive_disk

ensure_place()
forgive_disk()
