"""Ports of this computer: which are free, and whether the app answers at one."""

import socket
import urllib.request

from mecuco_core.errors import DataError

_TRIED = 100


def free_port(wanted: int | None, first: int = 0) -> int:
    """Return the port that is wanted, else the first free one; raises DataError.

    Parameters
    ----------
    wanted : int or None
    first : int
        Where to look for a free one; 0 for any.
    """
    tried = [wanted] if wanted is not None else range(first, first + _TRIED) if first else [0]
    for port in tried:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except (OSError, OverflowError):
                continue
            return int(probe.getsockname()[1])
    raise DataError(f"port {tried[0]} cannot be used: choose another one, or none")


def serves(port: int) -> bool:
    """Whether the app answers; no proxy is asked."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(f"http://127.0.0.1:{port}/_stcore/health", timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
