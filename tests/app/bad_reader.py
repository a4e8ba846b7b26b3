"""The process that reads files, with a reader for those made to hurt: what they say, it does."""

import ctypes
import os
import time

from mecuco_app.work.file_worker import main
from mecuco_core.datasets.files import formats


def hurt(raw: bytes) -> None:
    """Do what a file says."""
    match raw.partition(b"\n")[0]:
        case b"exit":
            os._exit(1)
        case b"crash":
            ctypes.string_at(0)
        case b"loop":
            while True:
                pass
        case b"sleep":
            time.sleep(1000)
        case b"bloat":
            grown = []
            while True:
                grown.append(bytearray(2**24))
        case b"fault":
            raise AttributeError("a fault of a library")
        case b"chat":
            print("a library prints")
            os.write(1, b"and so does its compiled part\n")


if __name__ == "__main__":
    honest = formats.READERS["csv"]
    formats.READERS["csv"] = formats.Reader(
        lambda unpacked, *rest: (hurt(unpacked.head(20)), honest.read(unpacked, *rest))[1],
        honest.settle,
        lambda unpacked, *rest: (hurt(unpacked.head(20)), honest.preview(unpacked, *rest))[1],
    )
    main()
