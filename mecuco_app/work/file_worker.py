"""A process that looks at and reads files: `python -m mecuco_app.work.file_worker`.

Spoken to by `mecuco_app.work.uploads`. It imports what reads files and nothing else, takes one
request after another from its standard input, and answers on its standard output. It ends when its
input does: with its server.
"""

import os
import queue
import sys
import threading
import time
import traceback
from typing import IO, Any

from mecuco_app.work.child import answer_pipe, limit_memory
from mecuco_app.work.tables import Body
from mecuco_app.work.wire import from_reading, from_sniffed, received, send, to_options
from mecuco_core.datasets.files import read_with_notes, sniff
from mecuco_core.errors import DataError

MOST_UPLOAD = 1 << 40  # the server has checked it

Request = tuple[dict[str, Any], bytearray]


def main() -> None:
    """Answer requests until the server ends."""
    out = answer_pipe()
    requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
    threading.Thread(target=_take, args=(sys.stdin.buffer, requests), daemon=True).start()
    _use_one_processor()
    send(out, {"ready": True})
    while True:
        words, received_bytes = requests.get()
        limit_memory(words["most_bytes"])
        _limit_time(words["seconds"])
        content, metadata = _divided(words, received_bytes)
        del received_bytes  # large files are held once
        send(out, *_answer(words, content, metadata))


def _take(pipe: IO[bytes], requests: "queue.SimpleQueue[Request]") -> None:
    try:
        while True:
            requests.put(received(pipe, MOST_UPLOAD))
    finally:
        os._exit(0)  # the server is gone


def _divided(words: dict[str, Any], content: bytearray) -> tuple[bytes, bytes | None]:
    """Return the content of a file, and that of the file that describes its rows, if any."""
    if "metadata_name" not in words:
        return bytes(content), None
    both = memoryview(content)
    return bytes(both[: words["n_bytes"]]), bytes(both[words["n_bytes"] :])


def _answer(
    words: dict[str, Any], content: bytes, metadata: bytes | None = None
) -> tuple[dict[str, Any], Body]:
    try:
        options = to_options(words["options"])
        if words["act"] == "look":
            return from_sniffed(sniff(content, words["name"], options))
        reading = read_with_notes(
            content,
            options,
            words["name"],
            metadata=metadata,
            metadata_name=words.get("metadata_name", ""),
            find_target=metadata is not None,
        )
        return from_reading(reading)
    except DataError as error:
        return {"error": str(error)}, ()
    except MemoryError:
        return {"ended": "MemoryError"}, ()
    except Exception as error:  # a fault of ours, or of a library: for the log of the server
        return {"ended": type(error).__name__, "traceback": traceback.format_exc()}, ()


def _use_one_processor() -> None:
    import pyarrow as pa

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)


def _limit_time(seconds: float) -> None:
    """Take no more seconds of the processor for this request, and leave no core file."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    until = int(time.process_time() + seconds) + 1
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    until = until if hard == resource.RLIM_INFINITY else min(until, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (until, hard))


if __name__ == "__main__":
    main()
