"""A process for one long computation: `python -m mecuco_app.work.worker`, spoken to by `processes`.

It reads one pickle from its standard input, the call to make, and writes pickles to its standard
output: progress, then the result or the error. It ends when its input does: with its server.
"""

import os
import pickle
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal

from mecuco_app.work.child import answer_pipe, limit_memory

_PAUSE = 0.1  # seconds between two reports


@dataclass(frozen=True, eq=False)
class Call:
    """A call to make: `function(*arguments, report=…, **options)` within some memory."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    most_bytes: int


@dataclass(frozen=True, eq=False)
class Message:
    """What a worker says: progress (share, text, what else there is), its result, or its error."""

    kind: Literal["progress", "done", "failed"]
    content: Any


def main() -> None:
    """Make the one call, and say what came of it."""
    out = answer_pipe()
    call: Call = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    limit_memory(call.most_bytes)
    _say(out, _outcome(call, out))


def _outcome(call: Call, out: BinaryIO) -> Message:
    last = 0.0

    def report(share: float, message: str, **more: Any) -> None:
        nonlocal last
        now = time.monotonic()
        if more or now - last >= _PAUSE:
            last = now
            _say(out, Message("progress", (share, message, more)))

    try:
        return Message("done", call.function(*call.arguments, report=report, **call.options))
    except Exception as error:  # for the server, which shows it in one place
        return Message("failed", error)


def _say(out: BinaryIO, message: Message) -> None:
    pickle.dump(message, out, protocol=5)
    out.flush()


def _end_with_the_server() -> None:
    os.read(0, 1)  # nothing more is ever sent: it returns when the server is gone
    os._exit(1)


if __name__ == "__main__":
    # Under its own name, so that both sides mean the same classes.
    from mecuco_app.work.worker import main as run

    run()
