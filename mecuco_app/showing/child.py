"""The process that serves the app for a Python program: `python -m mecuco_app.showing.child PORT`.

Spoken to by `mecuco_app.showing.server`, over its standard input and output, in words and Arrow. It
listens on the loopback address only, and ends when its standard input does: with its program.
"""

import os
import queue
import sys
import threading
import time
import traceback
from contextlib import suppress
from typing import IO, Any

from mecuco_app import launch
from mecuco_app.showing.ports import serves
from mecuco_app.work.tables import Body
from mecuco_app.work.wire import received, send
from mecuco_core.errors import DataError

MOST_REQUEST = 1 << 40  # both sides are ours
_LOOK = 0.05

Request = tuple[dict[str, Any], bytearray]


def main(port: int) -> None:
    """Serve the app, and answer the program, until it ends."""
    requests, answers = _pipes()
    threading.Thread(target=_talk, args=(requests, answers, port), daemon=True).start()
    launch.serve(launch.arguments([f"--port={port}", "--address=127.0.0.1"]))


def _pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Return the two pipes; nothing else in this process reads from them or writes to them."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return requests, answers


def _talk(requests: IO[bytes], answers: IO[bytes], port: int) -> None:
    waiting: queue.SimpleQueue[Request] = queue.SimpleQueue()
    # Listened to also while an answer is being made: the program may end meanwhile.
    threading.Thread(target=_listen, args=(requests, waiting), daemon=True).start()
    from mecuco_app.showing.answers import Answers  # while the server starts

    known = Answers(port)
    while not serves(port):
        time.sleep(_LOOK)
    send(answers, {"number": -1})
    while True:
        words, body = waiting.get()
        said, content = _answered(known, words, body)
        del body
        with suppress(BrokenPipeError):  # the program has ended: `_listen` sees it too
            send(answers, said | {"number": words["number"]}, content)


def _listen(requests: IO[bytes], waiting: "queue.SimpleQueue[Request]") -> None:
    try:
        while True:
            waiting.put(received(requests, MOST_REQUEST))
    finally:
        os._exit(0)  # the program is gone


def _answered(known: Any, words: dict[str, Any], body: bytearray) -> tuple[dict[str, Any], Body]:
    try:
        answer: tuple[dict[str, Any], Body] = known.answer(words, body)
        return answer
    except DataError as error:
        return {"error": str(error)}, ()
    except MemoryError:
        return {"error": "there is not enough memory for this: take fewer rows or columns"}, ()
    except Exception as error:  # a fault of ours: said where it was asked, in full on our side
        traceback.print_exc()
        return {"failed": f"{type(error).__name__}: {error}"}, ()


if __name__ == "__main__":
    main(int(sys.argv[1]))
