"""Where numba keeps what it compiles: there must be some place, or it refuses to work at all."""

import logging
import os
import tempfile

import numba
from numba.core.caching import FunctionCache

_log = logging.getLogger(__name__)


def ensure_place() -> None:
    """Give numba a folder of its own where neither the package nor the home can be written.

    Compiled code then lives as long as the folder for temporary files, and is found by processes
    this one starts. NUMBA_CACHE_DIR names a better place.
    """
    try:
        FunctionCache(ensure_place)  # type: ignore[no-untyped-call]
    except RuntimeError:
        place = tempfile.mkdtemp(prefix="mecuco-compiled-")
        os.environ["NUMBA_CACHE_DIR"] = numba.config.CACHE_DIR = place  # type: ignore[attr-defined]
        _log.warning("compiled code is kept in %s: set NUMBA_CACHE_DIR to keep it longer", place)
