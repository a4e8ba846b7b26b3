"""Columns of vectors become points, whatever format holds them; what does not fit is said."""

import json

import numpy as np
import pandas as pd
import pytest

from mecuco_core.datasets.files import ReadOptions, read, read_with_notes, sniff
from mecuco_core.errors import DataError
from tests.core.datasets.files import examples
from tests.core.datasets.files.examples import (
    DOCUMENTS,
    VECTOR_FILES,
    VECTORS,
    parquet_bytes,
    with_vectors,
)

NAMES = tuple(f"vector[{i}]" for i in range(20))


@pytest.mark.parametrize("name", VECTOR_FILES)
def test_vectors_come_back_as_they_were_with_everything_beside_them(name):
    found = read(VECTOR_FILES[name])
    assert found.vectors.name == "vector"
    assert found.vectors.columns == NAMES
    assert found.feature_names == ["text", *NAMES, "label", "tags", "seen"]
    matrix = found.table[list(NAMES)].to_numpy()
    binary = not name.endswith(("csv", "json", "jsonl"))
    assert matrix.dtype == (np.float32 if binary else np.float64)
    np.testing.assert_array_equal(matrix.astype(np.float32), VECTORS)
    assert found.table["label"].tolist() == DOCUMENTS["label"].tolist()
    assert found.table["text"].isna().tolist() == [False, False, True, False, False]
    assert [json.loads(cell) for cell in found.table["seen"]] == DOCUMENTS["seen"].tolist()


@pytest.mark.parametrize("name", VECTOR_FILES)
def test_a_look_shows_the_vectors_as_one_column_of_short_text(name):
    looked = sniff(VECTOR_FILES[name])
    assert looked.vector_columns == ("vector",)
    assert looked.options.vectors == "vector"
    assert list(looked.preview.columns) == ["text", "vector", "label", "tags", "seen"]
    first = ", ".join(f"{value:.4g}" for value in VECTORS[0, :3])
    assert looked.preview["vector"][0] == f"[{first}, …]"
    assert any("'vector' holds vectors of 20 numbers" in note for note in looked.notes)
    assert read(VECTOR_FILES[name], looked.options).vectors.name == "vector"


def two_columns() -> pd.DataFrame:
    return with_vectors([row[:3] for row in VECTORS], "small").assign(large=list(VECTORS))


@pytest.mark.parametrize("write", [parquet_bytes, examples.feather_bytes])
def test_of_several_the_one_with_the_most_numbers_is_taken_and_another_can_be_chosen(write):
    raw = write(two_columns())
    found = read_with_notes(raw)
    assert found.dataset.vectors.name == "large"
    assert "small[0]" not in found.dataset.feature_names
    assert sniff(raw).vector_columns == ("large", "small")
    assert any("'large' (20 numbers), 'small' (3 numbers)" in note for note in found.notes)
    chosen = read_with_notes(raw, ReadOptions(vectors="small"))
    assert chosen.dataset.vectors.columns == ("small[0]", "small[1]", "small[2]")
    assert chosen.options.vectors == "small"
    assert not [n for n in chosen.dataset.feature_names if n.startswith("large")]
    with pytest.raises(DataError, match=r"vectors must name a column of vectors, got 'text'; vec"):
        read(raw, ReadOptions(vectors="text"))


@pytest.mark.parametrize("raw", [parquet_bytes(two_columns()), two_columns().assign(
    small=[str(r[:3].tolist()) for r in VECTORS], large=[str(r.tolist()) for r in VECTORS]
).to_csv(index=False).encode()], ids=["parquet", "csv"])  # fmt: skip
def test_without_vectors_asked_for_they_stay_text(raw):
    found = read(raw, ReadOptions(vectors=""))
    assert found.vectors is None
    assert json.loads(found.table["small"][0]) == VECTORS[0, :3].tolist()


FAULTS = {"missing": None, "empty": [], "short": [1.0, 2.0]}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("form", ["parquet", "json", "csv"])
def test_a_row_without_a_vector_is_named_and_left_out_only_when_asked(fault, form):
    numbers = np.random.default_rng(0).standard_normal((40, 8)).round(6)
    cells = [FAULTS[fault] if i in (2, 30) else row.tolist() for i, row in enumerate(numbers)]
    table = pd.DataFrame({"e": cells, "label": list("ab") * 20})
    raw = {
        "parquet": lambda: parquet_bytes(table),
        "json": lambda: table.to_json(orient="records", lines=True, double_precision=15).encode(),
        "csv": lambda: table.to_csv(index=False).encode(),
    }[form]()
    with pytest.raises(DataError, match=(
        r"Column 'e' holds vectors of 8 numbers, but 2 rows \(rows 3, 31\) have none of this "
        r"length; correct them, or leave these rows out with the option skip_missing_vectors"
    )):  # fmt: skip
        read(raw)
    found = read_with_notes(raw, ReadOptions(skip_missing_vectors=True))
    assert found.dataset.n_rows == 38
    kept = np.delete(numbers, [2, 30], axis=0)
    np.testing.assert_array_equal(found.dataset.table.iloc[:, :8].to_numpy(), kept)
    assert "Left out, because they have no vector of 8 numbers: 2 rows (rows 3, 31)." in found.notes


def test_a_number_missing_inside_a_vector_stays_missing():
    table = pd.DataFrame({"e": [[1.0, None, 3.0], [4.0, 5.0, 6.0]], "t": ["a", "b"]})
    for raw in (parquet_bytes(table), table.to_json(orient="records").encode()):
        found = read(raw).table
        assert found["e[1]"].isna().tolist() == [True, False]
        assert found["e[2]"].tolist() == [3.0, 6.0]


def test_lists_of_many_lengths_are_no_vectors_and_are_kept_as_text():
    table = pd.DataFrame({"x": [1.5, 2.5, 0.5], "tags": [[1], [2, 3], [4, 5, 6]]})
    for raw in (parquet_bytes(table), table.to_json(orient="records").encode()):
        found = read(raw)
        assert found.vectors is None
        assert found.table["tags"].tolist() == ["[1]", "[2, 3]", "[4, 5, 6]"]


def test_vectors_shortened_by_numpy_are_refused_and_not_taken_for_short_ones():
    raw = b'e,label\n"[0.1 0.2 ... 0.9 1.]",a\n"[0.1 0.3 ... 0.9 2.]",b\n'
    with pytest.raises(DataError, match=r"were shortened with '\.\.\.' when they were written"):
        read(raw)


def test_matrices_in_cells_are_unrolled():
    cubes = np.arange(24.0).reshape(3, 2, 4)
    found = read(parquet_bytes(pd.DataFrame({"e": [c.tolist() for c in cubes], "t": list("abc")})))
    np.testing.assert_array_equal(found.table.iloc[:, :8], cubes.reshape(3, 8))


@pytest.mark.parametrize("sep", [",", ";", "\t"])
def test_wide_vectors_in_text_are_not_cut_to_pieces(sep):
    numbers = np.random.default_rng(0).standard_normal((30, 300)).round(6)
    table = pd.DataFrame({"label": list("abc") * 10, "e": [str(r.tolist()) for r in numbers]})
    found = read(table.to_csv(index=False, sep=sep).encode())
    np.testing.assert_array_equal(found.table.iloc[:, 1:], numbers)
    assert found.vectors.name == "e"


def test_the_names_of_components_never_meet_those_of_other_columns():
    table = pd.DataFrame({"e": [[1.0, 2.0], [3.0, 4.0]], "e[1]": ["a", "b"]})
    found = read(parquet_bytes(table))
    assert found.feature_names == ["e'[0]", "e'[1]", "e[1]"]


def test_the_vectors_can_be_among_the_columns_to_keep():
    found = read(parquet_bytes(two_columns()), ReadOptions(columns=("text", "small")))
    assert found.feature_names == ["text", "small[0]", "small[1]", "small[2]"]
    without = read(parquet_bytes(two_columns()), ReadOptions(columns=("text", "label")))
    assert without.vectors is None


def test_vectors_of_other_rows_or_none_have_another_fingerprint():
    raw = parquet_bytes(with_vectors(list(VECTORS)))
    other = parquet_bytes(with_vectors(list(VECTORS[::-1])))
    assert read(raw).fingerprint != read(other).fingerprint
    assert read(raw).fingerprint == read(VECTOR_FILES["fixed.parquet"]).fingerprint
