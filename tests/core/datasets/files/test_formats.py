"""Every format, written by the library that owns it, comes back as it was."""

import bz2
import gzip
import io
import lzma
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mecuco_core.datasets.files import ReadOptions, read, read_with_notes, sniff
from mecuco_core.errors import DataError
from tests.core.datasets.files import examples
from tests.core.datasets.files.examples import EXAMPLES, LABELS, MATRIX, TABLE

TABLES = ["csv", "csv.gz", "csv.bz2", "csv.xz", "csv.zip", "parquet", "feather", "xlsx", "xls",
          "xlsb", "ods", "json", "jsonl"]  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_a_table_comes_back_with_its_types(name):
    pd.testing.assert_frame_equal(read(EXAMPLES[name]).table, TABLE, check_exact="json" not in name)


@pytest.mark.parametrize("name", ["npz", "mat"])
def test_a_matrix_comes_back_with_the_vector_named_like_a_target(name):
    sniffed = sniff(EXAMPLES[name])
    assert sniffed.options.variable == "X"
    assert "y" in sniffed.variables
    assert sniffed.suggested_target == "y"
    found = read(EXAMPLES[name], replace(sniffed.options, target="y"))
    np.testing.assert_array_equal(found.table.to_numpy(), MATRIX)
    assert found.target is not None
    np.testing.assert_array_equal(found.target.to_numpy(), LABELS)


def test_a_single_array_comes_back():
    np.testing.assert_array_equal(read(EXAMPLES["npy"]).table.to_numpy(), MATRIX)


def test_a_libsvm_file_comes_back_with_its_label_as_target():
    found = read(EXAMPLES["libsvm"])
    np.testing.assert_allclose(found.table.to_numpy(), MATRIX, rtol=1e-15)  # written with 16 digits
    assert found.target is not None
    assert found.target.tolist() == LABELS.tolist()
    assert str(found.target.dtype) == "int64"


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_content_decides_and_a_wrong_name_is_said(name):
    format_of = {"csv.gz": "csv", "csv.bz2": "csv", "csv.xz": "csv", "csv.zip": "csv",
                 "sparse.arff": "arff", "zarr.zip": "zarr", "shards.zip": "shards",
                 "pictures.zip": "csv"}  # fmt: skip
    expected = format_of.get(name, name.rpartition(".")[2])
    sniffed = sniff(EXAMPLES[name], name=f"data.{name}")
    assert sniffed.format == expected
    assert not any("The name ends in" in note for note in sniffed.notes)
    if "." not in name:
        wrong = sniff(EXAMPLES[name], name="data.npy" if expected != "npy" else "data.csv")
        assert wrong.format == expected
        assert any("The name ends in" in note for note in wrong.notes)


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_is_sniffed_and_what_is_found_by_read_agree(name, tmp_path):
    raw = EXAMPLES[name]
    path = tmp_path / f"data.{name}"
    path.write_bytes(raw)
    sniffed = sniff(raw)
    fingerprints = {
        read(raw).fingerprint,
        read(raw, sniffed.options).fingerprint,
        read(path).fingerprint,
    }
    assert len(fingerprints) == 1
    found = read_with_notes(raw)
    assert found.options == sniffed.options
    columns = [*found.dataset.feature_names]
    if found.dataset.vectors is not None:
        components = found.dataset.vectors.columns
        columns[columns.index(components[0])] = found.dataset.vectors.name
        columns = [name for name in columns if name not in components]
    if found.dataset.target is not None:
        columns.append(str(found.dataset.target.name))
    assert list(sniffed.preview.columns) == columns
    assert len(sniffed.preview) == found.dataset.n_rows
    assert sniffed.n_bytes == len(raw)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress,
                                  lambda raw: examples.zip_bytes({"inner": raw})])  # fmt: skip
@pytest.mark.parametrize("name", ["parquet", "feather", "xlsx", "xls", "xlsb", "ods", "npy",
                                  "npz", "mat", "arff", "libsvm", "json", "jsonl"])  # fmt: skip
def test_every_format_may_be_compressed_once(name, pack):
    assert read(pack(EXAMPLES[name])).fingerprint == read(EXAMPLES[name]).fingerprint


@pytest.mark.parametrize("orient", ["records", "columns", "split", "index", "table"])
def test_json_is_read_in_every_shape_pandas_writes(orient):
    found = read(examples.json_bytes(orient)).table
    pd.testing.assert_frame_equal(found, TABLE)


@pytest.mark.parametrize(
    ("document", "rows"),
    [
        ("[[1, 2.5], [3, 4.5]]", [[1, 2.5], [3, 4.5]]),
        ('[["a", "b"], [1, 2], [3, 4]]', [[1, 2], [3, 4]]),
        ('{"a": [1, 3], "b": [2, 4]}', [[1, 2], [3, 4]]),
        ('{"meta": "x", "rows": [{"a": 1, "b": 2}, {"a": 3, "b": 4}]}', [[1, 2], [3, 4]]),
        ('{"a": 1, "b": 2}', [[1, 2]]),
        ("[1, 2, 3]", [[1], [2], [3]]),
        ("[1, 2]\n[3, 4]\n", [[1, 2], [3, 4]]),
    ],
)
def test_json_is_read_in_other_shapes(document, rows):
    assert read(document.encode()).table.to_numpy().tolist() == rows


def test_json_records_may_leave_values_out_and_nest_others():
    found = read_with_notes(b'[{"a": 1}, {"a": null, "b": {"c": [1, 2]}}, {"b": true}]')
    table = found.dataset.table
    assert table["a"].isna().tolist() == [False, True, True]
    assert table["b"].tolist()[1:] == ['{"c": [1, 2]}', "True"]
    assert any("several or uncommon types" in note for note in found.notes)


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ('"text"\n', "."),
        ("[[1, 2], [3]]", "Entry 2 has 1 values where the first has 2"),
        ("[[1, 2], {}]", "Entry 2 is of another kind"),
        ('{"a": [1], "b": [1, 2]}', "not in a shape"),
        ('{"a": 1}\n{"a": 2}\n{"a": \n', "Line 3 is not JSON"),
        ("[]", "no rows"),
    ],
)
def test_json_that_is_no_table_is_refused(document, sentence):
    with pytest.raises(DataError, match=sentence):
        read(document.encode(), ReadOptions(format=None if "\n" in document else "json"))


def test_categories_and_dates_of_parquet_and_feather_are_kept():
    table = pd.DataFrame(
        {
            "c": pd.Categorical(["b", "a", None], categories=["b", "a", "z"]),
            "d": pd.to_datetime(["2020-01-01 09:30", None, "2021-06-05 10:00"]),
            "f": np.array([1, 2, 3], dtype=np.float32),
            "u": np.array([1, 2, 3], dtype=np.uint8),
        }
    )
    for raw in (examples.parquet_bytes(table), examples.feather_bytes(table)):
        found = read(raw).table
        pd.testing.assert_frame_equal(found, table)


def test_parquet_columns_that_cannot_be_points_are_left_out_and_said():
    table = pd.DataFrame({"a": [1, 2], "l": [["u", "v"], ["w"]], "r": [{"x": 1}, {"x": 2}]})
    found = read_with_notes(examples.parquet_bytes(table))
    assert found.dataset.feature_names == ["a"]
    assert any("2 columns of lists or records" in note for note in found.notes)


VECTORS = pd.DataFrame({"text": ["u", "v"], "n": [1, 2], "e": [[0.5, 1.5, 2.5], [3.5, 4.5, 5.5]]})


def test_vectors_that_are_not_asked_for_are_no_matter():
    raw = examples.parquet_bytes(VECTORS)
    assert read(raw, ReadOptions(columns=("text", "n"))).feature_names == ["text", "n"]


def test_words_in_brackets_are_no_vectors():
    raw = b'a,b\n1,"[1, one]"\n2,"[2, two]"\n'
    assert read(raw).table["b"].tolist() == ["[1, one]", "[2, two]"]


def test_a_column_of_numbers_and_words_is_named_and_counted_from_one():
    found = read_with_notes(b'[{"a": 1, "price": 5}, {"a": 2, "price": "free"}]')
    assert (
        "Column 2, 'price', holds numbers and text. Where words are at most a tenth of it, it is "
        "used as numbers, and the words count as missing."
    ) in found.notes


def test_parquet_decimals_times_and_dates_are_read():
    import datetime
    import decimal

    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays = [pa.array([decimal.Decimal("1.50"), None]), pa.array([datetime.time(1, 2), None]),
              pa.array([datetime.date(2020, 1, 2), None]), pa.array([None, None])]  # fmt: skip
    out = io.BytesIO()
    pq.write_table(pa.table(arrays, names=["n", "t", "d", "e"]), out)
    found = read(out.getvalue()).table
    assert found["n"].tolist()[0] == 1.5
    assert found["t"].tolist()[0].startswith("01:02")
    assert found["d"].tolist()[0] == pd.Timestamp("2020-01-02")
    assert found["e"].isna().all()


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_parquet_strings_in_every_encoding_are_read(encoding):
    raw = examples.parquet_bytes(use_dictionary=False, column_encoding={"words": encoding})
    pd.testing.assert_frame_equal(read(raw).table, TABLE)


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_feather_in_every_compression_is_read(compression):
    raw = examples.feather_bytes(compression=compression)
    pd.testing.assert_frame_equal(read(raw).table, TABLE)


def test_a_member_of_an_archive_can_be_chosen():
    raw = examples.zip_bytes({"a.csv": b"x\n1\n2\n", "b.csv": b"y,z\n3,4\n5,6\n"})
    sniffed = sniff(raw)
    assert sniffed.members == ("a.csv", "b.csv")
    assert sniffed.options.member == "b.csv"
    assert read(raw, ReadOptions(member="a.csv")).feature_names == ["x"]
    with pytest.raises(DataError, match=r"member must be a file of the archive \(a.csv, b.csv\)"):
        read(raw, ReadOptions(member="c.csv"))


def test_libsvm_rows_may_be_empty_and_labels_several():
    found = read(b"1,2 1:0.5 # comment\n3\n1 3:2\n", ReadOptions(format="libsvm"))
    assert found.table.to_numpy().tolist() == [[0.5, 0, 0], [0, 0, 0], [0, 0, 2]]
    assert found.target is not None
    assert found.target.tolist() == ["1,2", "3", "1"]


@pytest.mark.parametrize("line", ["1 2:x", "1 3:1 2:1", "a 1:1", "1 -1:2", "1 5", "1 1:1_0"])
def test_a_libsvm_line_that_is_none_is_named(line):
    with pytest.raises(DataError, match="Line 2 is not of the form"):
        read(f"1 1:1\n{line}\n".encode(), ReadOptions(format="libsvm"))


def test_files_that_are_known_and_not_read_are_named():
    for raw, what in [
        (b"\x89HDF\r\n\x1a\n" + bytes(99), "HDF5"),
        (b"MATLAB 7.3 MAT-file, Platform: X" + bytes(700), "version 7.3"),
        (b"<!DOCTYPE html><html></html>", "web page"),
        (b"%PDF-1.7\n%\x8f\x00", "PDF"),
        (examples.zip_bytes({"mimetype": b"x", "content.xml": b"x"}), "OpenDocument"),
        (examples.zip_bytes({"[Content_Types].xml": b"x", "word/d.xml": b"x"}), "Office document"),
        (bytes(300), "not a format that is known"),
    ]:
        with pytest.raises(DataError, match=what):
            read(raw)


@pytest.mark.parametrize("name", ["PAR1", "PARENT", "ARROW1", "FEA1", "Rar!", "GIF87a", "BZh",
                                  "%PDF", "x" * 125 + "MI", "x" * 125 + "IM"])  # fmt: skip
def test_a_table_whose_first_name_begins_like_another_format_is_a_table(name):
    found = read(f"{name},b\n1,2\n3,4\n".encode())
    assert found.table.to_numpy().tolist() == [[1, 2], [3, 4]]


def test_parquet_names_that_repeat_are_numbered():
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pa.table([pa.array([1, 2]), pa.array([3, 4])], names=["a", "a"]), out)
    found = read(out.getvalue()).table
    assert list(found.columns) == ["a", "a_2"]
    assert found.to_numpy().tolist() == [[1, 3], [2, 4]]


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DataError, match=r"need the package pyarrow; .*mecuco\[data\]"):
        read(EXAMPLES["parquet"])


def test_one_changed_cell_changes_the_fingerprint():
    base = read(EXAMPLES["csv"]).fingerprint
    assert read(EXAMPLES["csv"].replace(b"plain", b"plane")).fingerprint != base
    assert read(EXAMPLES["csv"].replace(b"whole", b"wholes")).fingerprint != base


def test_a_real_dataset_of_the_paper_is_read():
    folder = Path(__file__).parents[4].parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the shared datasets are not beside the project")
    found = read(folder / "USPS.parquet", ReadOptions(target="target"))
    pd.testing.assert_frame_equal(
        found.table, pd.read_parquet(folder / "USPS.parquet").drop(columns="target")
    )
