"""Any bytes and texts: a dataset or one sentence; damaged files are tried in tests/app."""

import io
import zipfile

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mecuco_core.datasets.files import read, sniff
from mecuco_core.errors import DataError
from tests.core.datasets.files import examples


def damaged(raw: bytes, rng: np.random.Generator) -> bytes:
    """Change, cut, repeat or leave out some bytes."""
    content = bytearray(raw)
    for _ in range(int(rng.integers(1, 4))):
        if not content:
            break
        place = int(rng.integers(len(content)))
        match int(rng.integers(6)):
            case 0:
                content[place] = int(rng.integers(256))
            case 1:
                content[place] ^= 1 << int(rng.integers(8))
            case 2:
                del content[place:]
            case 3:
                content[place:place] = content[place // 2 : place][:200]
            case 4:
                del content[place : place + int(rng.integers(1, 50))]
            case _:
                content[place : place + 4] = bytes(rng.choice([0, 0x7F, 0x80, 0xFF], 4).tolist())
    return bytes(content)


def repacked(raw: bytes, rng: np.random.Generator) -> bytes:
    """Damage one member of an archive, and keep its checksums right."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as archive, zipfile.ZipFile(out, "w") as copy:
        names = archive.namelist()
        victim = str(rng.choice([n for n in names if "sheet" in n or n.endswith(".npy")] + names))
        for name in names:
            content = archive.read(name)
            copy.writestr(name, damaged(content, rng) if name == victim else content)
    return out.getvalue()


# Beside the examples: the same without checksums, where damage reaches the decoders.
SOURCES = {
    **{name: (raw, damaged) for name, raw in examples.EXAMPLES.items()},
    "open mat": (examples.mat_bytes(compressed=False), damaged),
    "open parquet": (examples.parquet_bytes(compression=None, use_dictionary=False), damaged),
    "open feather": (examples.feather_bytes(compression="uncompressed"), damaged),
    "open xlsx": (examples.EXAMPLES["xlsx"], repacked),
    "open npz": (examples.EXAMPLES["npz"], repacked),
    "open zarr": (examples.EXAMPLES["zarr.zip"], repacked),
    "open shards": (examples.EXAMPLES["shards.zip"], repacked),
    "open pictures": (examples.EXAMPLES["pictures.zip"], repacked),
    "utf-16": (examples.csv_bytes().decode().encode("utf-16"), damaged),
}


@given(st.binary(max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_bytes_give_a_dataset_or_a_sentence(content):
    try:
        found = read(content)
    except DataError:
        return
    assert found.n_rows > 0


@given(st.text(alphabet="ab1,;\t|\"'\n\r .-#%{}[]:@?\0é", max_size=80))
@settings(max_examples=250, deadline=None)
def test_any_text_gives_a_dataset_or_a_sentence(text):
    try:
        found = read(text.encode(), sniff(text.encode()).options)
    except DataError:
        return
    assert found.n_rows > 0
