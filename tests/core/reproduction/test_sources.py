import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from mecuco_core.datasets.paper import PAPER_DATASETS, paper_dataset
from mecuco_core.errors import DataError
from mecuco_core.reproduction import sources
from mecuco_core.reproduction.sources import FolderSource, MissingError, OpenMLSource, letters
from tests.core.reproduction import folders

WINE = paper_dataset("wine")


def test_no_two_datasets_have_the_same_letters():
    assert len({letters(line.name) for line in PAPER_DATASETS}) == len(PAPER_DATASETS)


@pytest.mark.parametrize("file", ["wine.csv", "WINE.csv", "wine.parquet", "W-i_ne.csv"])
def test_files_are_found_in_any_case_and_give_the_papers_points(tmp_path, file):
    folders.write_set(tmp_path, "wine", file)
    points = FolderSource(tmp_path).points(WINE, None)
    expected = StandardScaler().fit_transform(load_wine().data)
    np.testing.assert_allclose(points, expected, atol=1e-12)


def test_a_file_may_have_the_name_on_openml(tmp_path):
    line = paper_dataset("Smartphone_Human_Activities")
    path = tmp_path / "Smartphone-Based_Recognition_of_Human_Activities.csv"
    path.write_text("a,b\n1,2\n")
    assert FolderSource(tmp_path).file(line) == path


def test_a_last_column_of_any_name_is_the_target_when_there_is_one_too_many(tmp_path):
    table = folders.table_of("wine").rename(columns={"target": "cultivar"})
    table.to_csv(tmp_path / "wine.csv", index=False)
    assert FolderSource(tmp_path).points(WINE, None).shape == (178, 13)


def test_parquet_is_preferred_to_csv(tmp_path):
    folders.write_set(tmp_path, "wine", "wine.csv")
    path = folders.write_set(tmp_path, "wine", "wine.parquet")
    assert FolderSource(tmp_path).file(WINE) == path


def test_reading_in_blocks_gives_the_same_points(tmp_path, monkeypatch):
    folders.write_set(tmp_path, "wine", "wine.parquet")
    whole = FolderSource(tmp_path).points(WINE, None)
    monkeypatch.setattr(sources, "BLOCK_CELLS", 3 * 178)
    calls = []
    real = sources.read
    monkeypatch.setattr(sources, "read", lambda *words: calls.append(1) or real(*words))
    np.testing.assert_array_equal(FolderSource(tmp_path).points(WINE, None), whole)
    assert len(calls) == 4  # thirteen features, four at a time


def test_the_digest_changes_with_one_byte_of_the_file(tmp_path):
    path = folders.write_set(tmp_path, "wine")
    before = FolderSource(tmp_path).digest(WINE)
    assert FolderSource(tmp_path).digest(WINE) == before
    path.write_bytes(path.read_bytes() + b"\n")
    assert FolderSource(tmp_path).digest(WINE) != before


def test_bundled_sets_need_no_network():
    assert OpenMLSource(offline=True).points(WINE, None).shape == (178, 13)


def test_a_wrong_shape_is_said_with_both_sizes(tmp_path):
    folders.table_of("wine").iloc[:100].to_csv(tmp_path / "wine.csv", index=False)
    with pytest.raises(DataError, match=r"wrong shape: 100 rows × 13 features.*178 × 13"):
        FolderSource(tmp_path).points(WINE, None)


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(MissingError, match="there is no file of that name"):
        FolderSource(tmp_path).digest(WINE)


def test_a_source_must_be_a_folder(tmp_path):
    with pytest.raises(DataError, match="is no folder"):
        FolderSource(tmp_path / "nowhere")
