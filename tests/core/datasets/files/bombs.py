"""Small files that unpack to gigabytes; run as a script, reads each and reports the memory used.

Prints one line of JSON: for every bomb the sentence it was refused with, the seconds this took,
and by how many megabytes the peak memory of the process grew.
"""

import bz2
import gzip
import io
import json
import lzma
import resource
import sys
import time
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pandas as pd

from mecuco_core.datasets.files import ReadOptions, read, sniff
from mecuco_core.errors import DataError
from tests.core.datasets.files import examples

LIMIT = 8_000_000  # bytes unpacked, stated to the reader
ROWS = b"1.5,2.5,3.5\n"
PIECE = ROWS * (2_000_000 // len(ROWS))  # 2 MB
REPEATS = 1000  # 2 GB in all


def zipped(name: str, pieces: int, content: bytes, around: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for other, data in around.items():
            archive.writestr(other, data)
        with archive.open(name, "w", force_zip64=True) as member:
            for _ in range(pieces):
                member.write(content)
    return out.getvalue()


def lying_zip() -> bytes:
    """A member that unpacks to 50 MB and says it is one kilobyte."""
    raw = bytearray(zipped("data.csv", 25, PIECE, {}))
    size = (25 * len(PIECE)).to_bytes(4, "little")
    while (place := raw.find(size)) >= 0:
        raw[place : place + 4] = (1000).to_bytes(4, "little")
    return bytes(raw)


def workbook_bomb(where: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(examples.workbook_bytes({"a": ""}))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist() if name != where}
    return zipped(where, 10, b"<row><c><v>1</v></c></row>" * 200_000, parts)


def mat_bomb() -> bytes:
    plain = examples.mat_bytes(False, X=np.zeros((2500, 2000)))  # 40 MB of zeros
    squeezed = zlib.compress(plain[128:], 1)
    return plain[:128] + np.array([15, len(squeezed)], "<u4").tobytes() + squeezed


def parquet_bomb() -> bytes:
    # One string of 50 kB, a thousand times: the file holds it once.
    table = pd.DataFrame({"a": ["x" * 50_000] * 1000, "b": range(1000)})
    return examples.parquet_bytes(table, compression="zstd")


def parquet_prefix_bomb() -> bytes:
    words = ["x" * 50_000 + str(i) for i in range(3000)]  # 150 MB
    return examples.parquet_bytes(
        pd.DataFrame({"a": words}),
        compression="zstd",
        use_dictionary=False,
        column_encoding={"a": "DELTA_BYTE_ARRAY"},
    )


def feather_bomb() -> bytes:
    zeros = pd.DataFrame({"a": np.zeros(150_000_000, dtype=np.int8)})
    return examples.feather_bytes(zeros, compression="zstd", chunksize=len(zeros))  # one batch


BOMBS = {
    "gzip": lambda: gzip.compress(PIECE, 1, mtime=0) * REPEATS,
    "bz2": lambda: bz2.compress(PIECE, 1) * REPEATS,
    "xz": lambda: lzma.compress(PIECE, preset=0) * REPEATS,
    "zip": lambda: zipped("data.csv", 25, PIECE, {}),
    "zip that lies": lying_zip,
    "gzip of one line": lambda: gzip.compress(b"x" * 4_000_000, 1, mtime=0) * 256,
    "gzip of spaces": lambda: gzip.compress(b" " * 4_000_000, 1, mtime=0) * 256,
    "gzip of commas": lambda: gzip.compress(b"," * 3_999_999 + b"\n", 1, mtime=0) * 256,
    "gzip of brackets": lambda: gzip.compress(b"[" * 4_000_000, 1, mtime=0) * 256,
    "gzip of an array": lambda: gzip.compress(examples.npy_bytes(np.zeros(5_000_000)), 1),
    "workbook sheet": lambda: workbook_bomb("xl/worksheets/sheet1.xml"),
    "workbook strings": lambda: workbook_bomb("xl/sharedStrings.xml"),
    "npz": lambda: examples.npz_bytes(X=np.zeros((2500, 2000))),
    "mat": mat_bomb,
    "parquet": parquet_bomb,
    "parquet prefixes": parquet_prefix_bomb,
    "feather": feather_bomb,
}


def peak(*, forget: bool = False) -> float:
    """Return the peak memory in megabytes; on Linux, where it can be, since it was forgotten."""
    status = Path("/proc/self/status")
    if not status.exists():
        scale = 1e6 if sys.platform == "darwin" else 1e3
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale
    if forget:
        Path("/proc/self/clear_refs").write_text("5")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1e3


def main(folder: Path) -> None:
    """Read every file of a folder; made elsewhere, so that making them costs no memory here."""
    for raw in examples.EXAMPLES.values():  # import and compile everything first
        read(raw)
    report = {}
    for path in sorted(folder.iterdir()):
        before, start = peak(forget=True), time.perf_counter()
        sentences = []
        for act in (sniff, lambda p, options: read(p, options)):
            try:
                act(path, options=ReadOptions(max_bytes=LIMIT))
                sentences.append("")
            except DataError as error:
                sentences.append(str(error))
        report[path.name] = [sentences[1], time.perf_counter() - start, peak() - before]
    print(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
