"""How a worker process begins: with a pipe for its answers, behind the server, within limits."""

import os
from typing import BinaryIO

_POLITE = 10  # the server answers its visitors first


def answer_pipe() -> BinaryIO:
    """Give way to the server, and return where answers are written."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print must not come between the answers
    if hasattr(os, "nice"):
        os.nice(_POLITE)
    return out


def limit_memory(most_bytes: int) -> None:
    """Take no more memory than this, where the system has such limits."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    most = most_bytes if hard == resource.RLIM_INFINITY else min(most_bytes, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
