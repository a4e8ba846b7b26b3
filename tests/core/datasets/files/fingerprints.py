"""Files of every format and option, and the fingerprint each had when readers of our own read it.

    python -m tests.core.datasets.files.fingerprints > tests/core/datasets/files/fingerprints.json

Recorded on 19 November 2026 by version 0.1.0, whose workbooks, MATLAB matrices, libsvm text and
Arrow batches were parsed by this project (numpy 2.4.6, pandas 3.1.1, pyarrow 26.0.1).
"""

import bz2
import datetime
import gzip
import io
import json
import lzma
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
from scipy import sparse

from mecuco_core.datasets.files import ReadOptions, read
from tests.core.datasets.files import examples
from tests.core.datasets.files.examples import EXAMPLES, LABELS, MATRIX
from tests.core.datasets.files.test_round_trip import N_TABLES, generated

FORMER = (
    "csv", "csv.gz", "csv.bz2", "csv.xz", "csv.zip", "parquet", "feather", "xlsx", "xls", "xlsb",
    "ods", "npy", "npz", "mat", "arff", "sparse.arff", "libsvm", "json", "jsonl",
)  # fmt: skip
"""Examples of the formats that were read then."""

RECORDED = Path(__file__).with_suffix(".json")
NUMBERS = ["f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?"]

Case = tuple[str, bytes, ReadOptions]


def cases() -> Iterator[Case]:
    """Yield the name, the content and the options of every file."""
    plain = ReadOptions()
    for name in FORMER:
        raw = EXAMPLES[name]
        yield name, raw, plain
        yield f"{name}, class as target", raw, ReadOptions(target=_target(name))
        for pack, compress in (
            ("gzip", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress),
        ):  # fmt: skip
            if "." not in name:
                yield f"{name} in {pack}", compress(raw), plain
        if "." not in name:
            yield f"{name} in zip", examples.zip_bytes({"inner": raw}), plain
    for orient in ("records", "columns", "split", "index", "table"):
        yield f"json {orient}", examples.json_bytes(orient), plain
    for seed in range(N_TABLES):
        case = generated(seed)
        yield f"table {seed} as written", case.raw, case.options()
    yield from _arrays()
    yield from _columns()
    yield from _workbooks()
    yield from _libsvm()


def _target(name: str) -> str:
    return {"npy": "column_4", "npz": "y", "mat": "y", "libsvm": "label", "sparse.arff": "b"}.get(
        name, "class"
    )


def _arrays() -> Iterator[Case]:
    for dtype in NUMBERS:
        matrix = (np.random.default_rng(0).random((7, 5)) * 100).astype(dtype)
        yield f"npy {dtype}", examples.npy_bytes(matrix), ReadOptions()
        for compressed in (True, False):
            raw = examples.mat_bytes(
                compressed, A=matrix, s="text", c=np.array([[1, "x"]], object), r={"f": 1.0}
            )
            yield f"mat {dtype} {compressed}", raw, ReadOptions()
    for dtype in (">f8", ">i4", "f2", "U3", "M8[D]", "m8[s]"):
        values = np.arange(12).reshape(4, 3)
        if dtype == "M8[D]":
            values = values.astype("i8")
        yield f"npy {dtype}", examples.npy_bytes(values.astype(dtype)), ReadOptions()
    yield "npy Fortran", examples.npy_bytes(np.asfortranarray(MATRIX)), ReadOptions()
    records = np.array(
        [(1, 2.5, "a"), (2, 3.5, "b")], dtype=[("i", "i4"), ("f", "f8"), ("s", "U2")]
    )
    yield "npy records", examples.npy_bytes(records), ReadOptions()
    cube = np.random.default_rng(1).random((4, 3, 2))
    several = {"small": np.ones((2, 2)), "large": MATRIX, "y": LABELS}
    for name, write in (("npz", examples.npz_bytes), ("mat", examples.mat_bytes)):
        yield f"{name} of three axes", write(A=cube), ReadOptions()
        yield f"{name} of several", write(**several), ReadOptions()
        yield f"{name} variable", write(**several), ReadOptions(variable="small")
    matrix = sparse.random(40, 30, 0.1, format="csc", random_state=1)
    for compressed in (True, False):
        yield f"mat sparse {compressed}", examples.mat_bytes(compressed, S=matrix), ReadOptions()
    whole = np.arange(12.0).reshape(4, 3)
    yield "mat whole doubles", examples.mat_bytes(A=whole), ReadOptions()


def _columns() -> Iterator[Case]:
    kinds = pd.DataFrame(
        {
            "c": pd.Categorical(["b", "a", None], categories=["b", "a", "z"]),
            "o": pd.Categorical(["b", "a", None], categories=["b", "a"], ordered=True),
            "n": pd.Categorical([3, 1, 3]),
            "d": pd.to_datetime(["2020-01-01 09:30", None, "2021-06-05 10:00"]),
            "z": pd.to_datetime(["2020-01-01 09:30", None, "2021-06-05 10:00"], utc=True),
            "t": pd.to_timedelta([1, 2, None], unit="h"),
            "f": np.array([1, np.nan, 3], dtype=np.float32),
            "u": np.array([1, 2, 3], dtype=np.uint8),
            "b": pd.array([True, None, False], dtype="boolean"),
            "i": pd.array([1, None, 3], dtype="Int64"),
            "s": ["x", None, "naïve"],
        }
    )
    for compression in ("snappy", "zstd", None):
        raw = examples.parquet_bytes(kinds, compression=compression)
        yield f"parquet {compression}", raw, ReadOptions()
    for compression in ("uncompressed", "lz4", "zstd"):
        raw = examples.feather_bytes(kinds, compression=compression)
        yield f"feather {compression}", raw, ReadOptions()
        yield f"feather {compression} chosen", raw, ReadOptions(columns=("u", "f"), target="s")
    for encoding in ("DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"):
        raw = examples.parquet_bytes(use_dictionary=False, column_encoding={"words": encoding})
        yield f"parquet {encoding}", raw, ReadOptions()
    long = pd.DataFrame({"w": [f"w{i % 7}" for i in range(150_000)], "x": np.arange(150_000) / 7})
    yield "parquet long", examples.parquet_bytes(long), ReadOptions()
    yield "feather long", examples.feather_bytes(long), ReadOptions()


def _workbooks() -> Iterator[Case]:
    when = datetime.datetime(2020, 5, 17, 13, 30)
    day = datetime.date(2020, 5, 17)
    rows: list[list[object]] = [
        ["i", "f", "b", "t", "d", "day"],
        [1, 1.5, True, "a", when, day],
        [2, None, False, "NA", None, day],
        [3, -1e300, True, " x ", when, day],
    ]
    yield "xlsx of types", workbook(Data=rows), ReadOptions()
    yield "xlsx without header", workbook(Data=[[1, 2.5], [3, 4.5]]), ReadOptions()
    titled = [["My table"], [], [None, "a", "b", "c"], [None, 1, 2, 3], [], [None, 4, 5, 6]]
    yield "xlsx under a title", workbook(Data=titled), ReadOptions()
    two = {"One": [["a"], [1]], "Two": [["b", "c"], [2, 3], [4, 5]]}
    for sheet in (None, "One", "Two"):
        yield f"xlsx sheet {sheet}", workbook(**two), ReadOptions(sheet=sheet)
    rng = np.random.default_rng(3)
    for number in range(10):
        shape = (int(rng.integers(1, 30)), int(rng.integers(1, 8)))
        values = rng.standard_normal(shape) * 10.0 ** rng.integers(-200, 200, shape)
        values[rng.random(shape) < 0.2] = np.nan
        values[0] = values[:, 0] = 1.5
        frame = pd.DataFrame(values, columns=[f"c{i}" for i in range(shape[1])])
        yield f"xlsx random {number}", examples.xlsx_bytes(frame), ReadOptions()


def workbook(**sheets: list[list[object]]) -> bytes:
    """Return a workbook as openpyxl writes it."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _libsvm() -> Iterator[Case]:
    for name, raw in {
        "empty rows": b"1,2 1:0.5 # comment\n3\n1 3:2\n",
        "from 0": b"1 0:0.5\n-1 2:3\n",
        "fractions": b"0.5 1:1\n1.5 2:1e-3\n",
        "queries": b"1 qid:3 1:1\n2 qid:4 2:2\n",
        "signs": b"+1 1:1\n-1 2:2\n",
    }.items():
        yield f"libsvm {name}", raw, ReadOptions(format="libsvm")


def found() -> dict[str, str]:
    """Return the fingerprint of every file as it is read now."""
    return {name: read(raw, options).fingerprint for name, raw, options in cases()}


if __name__ == "__main__":
    print(json.dumps(found(), indent=0))
