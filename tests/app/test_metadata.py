"""Columns that are no features: what they are, how they are shown, how rows are found."""

import io

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from mecuco_app.data.metadata import (
    kind_of,
    metadata_columns,
    name_of_row,
    sized,
    spoken_value,
    texts_of,
)
from mecuco_app.data.pictures import MOST_PIXELS, as_address, decoded
from mecuco_app.data.search import found_rows
from mecuco_core.datasets.base import Dataset
from mecuco_core.errors import DataError
from mecuco_core.preparation.prepare import prepare
from mecuco_core.preparation.protocol import Preparation

N_ROWS = 60


def picture(size=(8, 5), kind="PNG", colour="red"):
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, kind)
    return file.getvalue()


def documents():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.standard_normal((N_ROWS, 3)), columns=["a", "b", "c"])
    table["text"] = [f"Line {i} of a longer text, <b>not bold</b>" for i in range(N_ROWS)]
    table["doc"] = [f"D{i:03d}" for i in range(N_ROWS)]
    table["url"] = [f"https://example.org/{i}" for i in range(N_ROWS)]
    table["photo"] = [picture() for _ in range(N_ROWS)]
    target = pd.Series(["sport", "Art"] * (N_ROWS // 2), name="topic")
    return Dataset("documents", table, target)


@pytest.fixture(scope="module")
def dataset():
    return documents()


def search(dataset, words):
    return found_rows(dataset, words, report=lambda *progress: None)


def test_columns_without_a_feature_are_known_by_what_they_hold(dataset):
    found = metadata_columns(dataset, prepare(dataset))
    assert [(one.name, one.kind) for one in found] == [
        ("doc", "identifier"), ("text", "text"), ("url", "link"), ("photo", "image"),
    ]  # fmt: skip


def test_a_column_left_out_by_hand_is_shown_too(dataset):
    found = metadata_columns(dataset, prepare(dataset, Preparation(exclude=("b",))))
    assert ("b", "value") in [(one.name, one.kind) for one in found]


def test_what_a_column_is_said_to_be_counts(dataset):
    said = Preparation().with_role("text", "identifier").with_role("b", "link")
    found = metadata_columns(dataset, prepare(dataset, said))
    assert [(one.name, one.kind) for one in found][:2] == [
        ("text", "identifier"), ("doc", "identifier"),
    ]  # fmt: skip
    assert ("b", "link") in [(one.name, one.kind) for one in found]


def test_a_table_of_features_alone_has_no_metadata():
    table = pd.DataFrame(np.eye(5), columns=list("vwxyz"))
    bare = Dataset("bare", table)
    assert metadata_columns(bare, prepare(bare)) == ()
    assert name_of_row(bare, (), 3) == ""


def test_a_row_is_called_by_its_identifier(dataset):
    found = metadata_columns(dataset, prepare(dataset))
    assert name_of_row(dataset, found, 7) == "D007"
    assert texts_of(dataset, found[0], np.array([2, 5])) == ["D002", "D005"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "missing"), (np.nan, "missing"), (pd.NaT, "missing"), (b"12345", "5 bytes"),
        (17.0, "17"), (0.1, "0.1"), (pd.Timestamp("2024-03-01"), "2024-03-01"),
        (pd.Timestamp("2024-03-01 12:30"), "2024-03-01 12:30:00"), ([1, 2], "[1, 2]"),
    ],
)  # fmt: skip
def test_every_value_has_a_text(value, text):
    assert spoken_value(value) == text


def test_an_empty_column_is_a_column_of_values():
    assert kind_of(pd.Series([None] * 5, dtype=object)) == "value"


def test_of_a_long_text_the_rest_is_counted():
    assert sized("abc", 3) == ("abc", "")
    beginning, rest = sized("x" * 5000, 1000)
    assert len(beginning) == 1000
    assert rest == "The first 1 000 of 5 000 characters.".replace("1 000", "1\u202f000").replace(
        "5 000", "5\u202f000"
    )


@pytest.mark.parametrize("kind", ["BMP", "GIF", "JPEG", "PNG", "WEBP"])
def test_a_picture_is_decoded_and_made_small(kind):
    small = decoded(picture((400, 100), kind), 80)
    assert small.shape == (20, 80, 3)
    assert small[..., 0].mean() > 200
    assert small[..., 1].mean() < 60


def test_a_clear_picture_stands_on_white():
    file = io.BytesIO()
    Image.new("RGBA", (4, 4), (0, 0, 0, 0)).save(file, "PNG")
    assert (decoded(file.getvalue(), 80) == 255).all()


@pytest.mark.parametrize("content", [b"", b"no picture", picture()[:40], picture()[:-30] + b"x", 7])
def test_what_is_no_picture_is_a_sentence(content):
    with pytest.raises(DataError, match=r"picture.*\.$"):
        decoded(content, 80)


@pytest.mark.parametrize("side", [6400, 12_000, 60_000])
def test_a_small_file_with_a_huge_picture_is_refused_before_it_is_decoded(side):
    content = bytearray(picture((3, 3)))
    content[16:24] = side.to_bytes(4) * 2  # width and height, as the file says
    assert side * side > MOST_PIXELS
    crc = __import__("zlib").crc32(bytes(content[12:29]))
    content[29:33] = crc.to_bytes(4)
    with pytest.raises(DataError, match="pixels"):
        decoded(bytes(content), 80)


def test_where_many_are_shown_a_large_picture_is_not_decoded_but_a_jpeg_is_made_small_first():
    with pytest.raises(DataError, match="1,200 × 1,000 pixels"):
        decoded(picture((1200, 1000)), 64, 1_000_000)
    assert decoded(picture((1200, 1000), "JPEG"), 64, 1_000_000).shape == (53, 64, 3)


def test_a_format_that_runs_programs_is_no_picture():
    with pytest.raises(DataError, match="none of BMP"):
        decoded(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n", 80)


def test_the_address_of_a_picture_holds_it():
    assert as_address(decoded(picture(), 16)).startswith("data:image/png;base64,")


@pytest.mark.parametrize(
    ("words", "rows", "exact"),
    [
        ("d007", [7], 7),
        ("LINE 12 OF", [12], None),
        ("<b>not bold</b>", list(range(N_ROWS)), None),
        ("art", list(range(1, N_ROWS, 2)), None),
        ("12", [12], 12),
        ("nowhere", [], None),
        (".*", [], None),
        ("https://example.org/33", [33], 33),
    ],
)
def test_rows_are_found_by_number_identifier_label_and_text(dataset, words, rows, exact):
    found = search(dataset, words)
    assert found.rows.tolist() == rows
    assert found.exact == exact


def test_missing_values_and_numbers_that_measure_are_not_looked_through():
    table = pd.DataFrame(
        {
            "kind": pd.Categorical(["Oak", None, "elm", "oak"]),
            "note": pd.Series(["an oak", None, 7, b"oak"], dtype=object),
            "height": [5.0, 6.0, 7.0, 8.0],
            "tree_id": [105, 203, 307, 409],
        }
    )
    trees = Dataset("trees", table)
    assert search(trees, "OAK").rows.tolist() == [0, 3]
    assert search(trees, "203").rows.tolist() == [1]
    assert search(trees, "8.0").rows.tolist() == []
    assert search(trees, "nan").rows.tolist() == []
