"""AnnData, HDF5, Zarr, safetensors, shards, point clouds, pictures, metadata: read as written."""

import io
import json
import os
import pickle
import struct
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mecuco_core.cli.commands import main
from mecuco_core.datasets.files import ReadOptions, read, read_with_notes, sniff
from mecuco_core.datasets.files.reading import read_table
from mecuco_core.errors import DataError
from tests.core.datasets.files import examples
from tests.core.datasets.files.examples import CLOUD, EXAMPLES, LABELS, MATRIX, VECTORS

WRITTEN = np.load(Path(__file__).with_name("written") / "expected.npz")


def unpacked(members, folder):
    for name, content in members.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder / next(iter(members)).partition("/")[0]


def points_of(dataset):
    return dataset.table[list(dataset.vectors.columns)].to_numpy()


@pytest.mark.parametrize("form", ["csr", "csc", "dense"])
def test_the_cells_of_an_anndata_come_back_with_all_of_obs(form):
    found = read(examples.h5ad_bytes(form), ReadOptions(variable="X"))
    np.testing.assert_array_equal(points_of(found), WRITTEN["counts"])
    assert found.vectors.columns == tuple(f"gene{i}" for i in range(12))
    table = found.table
    assert table["obs_name"].tolist() == [f"cell{i}" for i in range(8)]
    assert table["cell_type"].cat.categories.tolist() == ["B", "NK", "T"]
    assert table["cell_type"].isna().tolist() == [False] * 3 + [True] + [False] * 4
    assert table["n_genes"].tolist() == list(range(8))
    assert table["note"][3] == "note 3"
    assert table["batch"].isna().tolist() == [False, True] + [False] * 6
    assert table["doublet"].tolist()[2:] == [False, False, True, False, False, True]


def test_the_principal_components_of_an_anndata_are_the_points_where_it_has_some():
    raw = examples.h5ad_bytes("csc")
    found = read_with_notes(raw, find_target=True)
    np.testing.assert_array_equal(points_of(found.dataset), WRITTEN["pca"])
    assert points_of(found.dataset).dtype == np.float32
    assert found.dataset.vectors.name == "X_pca"
    assert found.dataset.target_name == "cell_type"
    assert sniff(raw).variables == ("X", "obsm/X_pca", "layers/counts")
    counts = read(raw, ReadOptions(variable="layers/counts"))
    np.testing.assert_array_equal(points_of(counts), WRITTEN["counts"])
    with pytest.raises(DataError, match=r"variable must be a matrix of the AnnData \(X 8×12"):
        read(raw, ReadOptions(variable="obsm/X_umap"))


@pytest.mark.parametrize("name", ["hdf5", "safetensors", "zarr.zip"])
def test_an_array_comes_back_with_the_target_beside_it_or_another_when_asked(name):
    found = read_with_notes(EXAMPLES[name], find_target=True)
    np.testing.assert_array_equal(found.dataset.table.to_numpy(), MATRIX)
    assert found.dataset.target.tolist() == LABELS.tolist()
    other = read(EXAMPLES[name], ReadOptions(variable="y"))
    assert other.table.iloc[:, 0].tolist() == LABELS.tolist()


@pytest.mark.parametrize("zarr_format", [2, 3])
def test_a_zarr_folder_is_read_as_its_archive_is(tmp_path, zarr_format):
    store = unpacked(examples.zarr_members(zarr_format), tmp_path)
    np.testing.assert_array_equal(read(store).table.iloc[:, :4].to_numpy(), MATRIX)


def test_half_precision_tensors_become_what_holds_them():
    half = MATRIX.astype(np.float16)
    found = read(examples.safetensors_bytes(X=half)).table.to_numpy()
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, half)
    upper = (MATRIX.astype(np.float32).view(np.uint32) >> 16).astype("<u2")
    header = {"X": {"dtype": "BF16", "shape": [6, 4], "data_offsets": [0, 48]}}
    text = json.dumps(header).encode()
    raw = struct.pack("<Q", len(text)) + text + upper.tobytes()
    np.testing.assert_allclose(read(raw).table.to_numpy(), MATRIX, rtol=2**-7)


@pytest.mark.parametrize("name", ["ply", "text.ply", "las"])
def test_a_point_cloud_comes_back_with_what_is_known_of_each_point(name):
    found = read_with_notes(EXAMPLES[name], find_target=True)
    dataset = found.dataset
    assert dataset.vectors.columns == ("x", "y", "z")
    np.testing.assert_allclose(points_of(dataset), np.column_stack(list(CLOUD.values())))
    if name == "las":
        assert dataset.target_name == "classification"
        assert dataset.target.tolist() == [2, 6, 2, 6]
    else:
        assert dataset.table["red"].tolist() == [1, 2, 3, 255]
        assert any("left out: face" in note for note in found.notes)


def test_shards_are_one_table_in_a_folder_and_in_an_archive(tmp_path):
    folder = unpacked(examples.shard_members(), tmp_path)
    for content in (EXAMPLES["shards.zip"], folder):
        found = read(content)
        np.testing.assert_array_equal(points_of(found), VECTORS)
        assert found.table["label"].tolist() == examples.DOCUMENTS["label"].tolist()
        looked = sniff(content)
        assert [name.rpartition("/")[2] for name in looked.members] == ["test", "train"]
        test = read(content, ReadOptions(member=looked.members[0]))
        np.testing.assert_array_equal(points_of(test), VECTORS[1:3])


def test_parquet_files_of_one_folder_are_one_table(tmp_path):
    table = examples.with_vectors(list(VECTORS)).drop(columns="tags")
    for i in range(2):
        name = f"train-0000{i}-of-00002.parquet"
        tmp_path.joinpath(name).write_bytes(examples.parquet_bytes(table.iloc[i::2]))
    found = read(tmp_path)
    np.testing.assert_array_equal(points_of(found), np.vstack([VECTORS[::2], VECTORS[1::2]]))
    tmp_path.joinpath("train-00001-of-00002.parquet").write_bytes(examples.parquet_bytes())
    with pytest.raises(DataError, match="has other columns than train-00000"):
        read(tmp_path)


def test_pictures_beside_a_table_are_read_and_those_missing_are_counted(tmp_path):
    folder = unpacked(examples.picture_members(), tmp_path)
    for content in (EXAMPLES["pictures.zip"], folder):
        found = read_with_notes(content)
        pictures = found.dataset.table["file (picture)"]
        assert pictures.tolist()[:3] == [examples.picture_bytes(40 * i) for i in range(3)]
        assert pictures.isna().tolist() == [False, False, False, True]
        assert found.dataset.table["file"][0] == "img/0.png"
        assert any("were read for 3 rows; the other 1 rows have none" in n for n in found.notes)


def test_pictures_in_a_column_stay_bytes():
    pictures = [examples.picture_bytes(i) for i in range(5)]
    structs = [{"bytes": picture, "path": f"{i}.png"} for i, picture in enumerate(pictures)]
    for cells in (pictures, structs):
        table = pd.DataFrame({"x": range(5), "image": cells})
        for raw in (examples.parquet_bytes(table), examples.feather_bytes(table)):
            assert read(raw).table["image"].tolist() == pictures
    assert (
        read(examples.parquet_bytes(pd.DataFrame({"x": [1], "b": [b"BMW"]}))).table["b"][0] == "BMW"
    )


@pytest.mark.parametrize("path", [
    "../outside.png", "/etc/passwd.png", "img/../../outside.png", "C:/outside.png",
    "file:///outside.png", "img/link.png",
])  # fmt: skip
def test_no_path_leads_out_of_a_folder(tmp_path, path):
    tmp_path.joinpath("outside.png").write_bytes(examples.picture_bytes(1))
    folder = tmp_path / "set"
    (folder / "img").mkdir(parents=True)
    os.symlink(tmp_path / "outside.png", folder / "img" / "link.png")
    folder.joinpath("table.csv").write_text(f"file,x\n{path},1\n{path},2\n")
    assert read(folder).feature_names == ["file", "x"]


def test_points_and_their_metadata_are_one_dataset():
    metadata = b"name,label,column_1\n" + b"".join(b"n%d,%d,x\n" % (i, i % 2) for i in range(6))
    found = read_table(examples.npy_bytes(), metadata=metadata, options=ReadOptions(target="label"))
    np.testing.assert_array_equal(points_of(found), MATRIX)
    assert found.feature_names[4:] == ["name", "column_1_2"]
    assert found.target.tolist() == [0, 1, 0, 1, 0, 1]
    with pytest.raises(DataError, match=r"has 6 rows and the metadata 1; they must be the same"):
        read_table(examples.npy_bytes(), metadata=b"name,label\nab,1\n")


def torch_file() -> bytes:
    return examples.zip_bytes({"points/data.pkl": b"\x80\x02.", "points/data/0": bytes(64)})


@pytest.mark.parametrize(("raw", "line"), [
    (torch_file(), r"torch\.load\(FILE, weights_only=True\)\.numpy\(\)"),
    (pickle.dumps({"a": 1}), r"pandas\.read_pickle\(FILE\)"),
    (examples.npy_bytes(np.array([1, "a"], dtype=object), allow_pickle=True),
     r"numpy\.load\(FILE, allow_pickle=True\)"),
])  # fmt: skip
def test_a_pickle_is_refused_with_the_line_that_converts_it(raw, line):
    with pytest.raises(DataError, match=f"pickle.*numpy.save.*{line}"):
        read(raw)


def test_nothing_outside_an_hdf5_file_is_opened(tmp_path):
    import h5py

    secret = tmp_path / "secret.h5"
    secret.write_bytes(examples.hdf5_bytes(X=MATRIX))
    np.full(1000, 7.0).tofile(tmp_path / "secret.raw")
    path = tmp_path / "trap.h5"
    with h5py.File(path, "w") as file:
        file["link"] = h5py.ExternalLink(str(secret), "X")
        file.create_dataset(
            "raw", (1000,), "f8", external=[(str(tmp_path / "secret.raw"), 0, 8000)]
        )
        layout = h5py.VirtualLayout((6, 4), "f8")
        layout[:] = h5py.VirtualSource(str(secret), "X", shape=(6, 4))
        file.create_virtual_dataset("virtual", layout)
        file["own"] = LABELS[:, None]
    assert sniff(path).variables == ("own",)
    for name in ("link", "raw", "virtual"):
        with pytest.raises(DataError, match="variable must be an array of the file"):
            read(path, ReadOptions(variable=name))


def test_a_codec_of_pickles_is_not_used():
    members = examples.zarr_members(2)
    told = json.loads(members["points.zarr/X/.zarray"])
    told["filters"] = [{"id": "pickle", "protocol": 4}]
    members["points.zarr/X/.zarray"] = json.dumps(told).encode()
    members["points.zarr/X/0.0"] = pickle.dumps(MATRIX)
    with pytest.raises(DataError, match="packed in a way that is not read here"):
        read(examples.zip_bytes(members), ReadOptions(variable="X"))


@pytest.mark.parametrize("change", ["start", "shape", "length"])
def test_a_tensor_outside_its_file_is_refused(change):
    raw = EXAMPLES["safetensors"]
    length = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + length])
    if change == "start":
        header["X"]["data_offsets"] = [0, 10**12]
    elif change == "shape":
        header["X"]["shape"] = [6, 400]
    text = json.dumps(header).encode()
    size = 20_000_000 if change == "length" else len(text)
    with pytest.raises(DataError, match="damaged or cut short"):
        read(struct.pack("<Q", size) + text + raw[8 + length :])


@pytest.mark.parametrize("raw", [
    b"ply\nformat binary_little_endian 1.0\nelement vertex 99999999999999\nproperty float x\n"
    b"property float y\nend_header\n" + bytes(64),
    EXAMPLES["las"][:107] + b"\xff\xff\xff\xff" + EXAMPLES["las"][111:247] + b"\xff" * 8
    + EXAMPLES["las"][255:],
], ids=["ply", "las"])  # fmt: skip
def test_a_cloud_that_claims_more_points_than_it_has_is_refused(raw):
    with pytest.raises(DataError, match=r"damaged or cut short|more than|larger than"):
        read(raw)


def test_a_compressed_cloud_is_refused_with_what_to_do():
    raw = bytearray(EXAMPLES["las"])
    raw[104] |= 0x80
    with pytest.raises(DataError, match=r"compressed \(LAZ\); save it as LAS|damaged"):
        read(bytes(raw))


def test_a_folder_without_a_table_is_one_sentence(tmp_path):
    with pytest.raises(DataError, match="is a folder without a table"):
        read(tmp_path)
    for name in ("a.csv", "b.csv"):
        tmp_path.joinpath(name).write_text("x\n1\n2\n")
    with pytest.raises(DataError, match=r"is a folder with several tables \(a\.csv, b\.csv\)"):
        read(tmp_path)
    assert read(tmp_path, ReadOptions(member="b.csv")).n_rows == 2
    with pytest.raises(DataError, match="member must be a file of the folder"):
        read(tmp_path, ReadOptions(member="../b.csv"))


def test_an_open_file_can_be_described_too():
    found = read_table(io.BytesIO(examples.npy_bytes()), metadata=b"w\n" + b"a\n" * 6)
    assert found.table["w"].tolist() == ["a"] * 6


@pytest.mark.parametrize("name", [
    "h5ad", "hdf5", "safetensors", "ply", "las", "zarr.zip", "shards.zip", "pictures.zip", "arrow",
    "tensor.parquet",
])  # fmt: skip
def test_the_command_line_knows_the_format(name, tmp_path, capsys):
    path = tmp_path / f"data.{name}"
    path.write_bytes(EXAMPLES[name])
    assert main(["info", str(path)]) == 0
    printed = capsys.readouterr()
    assert f"{read(path).n_rows} rows and" in printed.out
    assert "The name ends in" not in printed.err


def test_the_command_line_scores_points_with_metadata(tmp_path, capsys):
    np.save(tmp_path / "points.npy", np.random.default_rng(0).standard_normal((40, 5)))
    words = "".join(f"w{i},{'ab'[i % 2]}\n" for i in range(40))
    tmp_path.joinpath("table.csv").write_text(f"word,label\n{words}")
    asked = ["score", str(tmp_path / "points.npy"), "--metadata", str(tmp_path / "table.csv")]
    output = ["--prepare", "exclude=word", "--columns", "-o", str(tmp_path / "s.csv")]
    assert main([*asked, *output]) == 0
    assert "the columns of the metadata describe them" in capsys.readouterr().err
    table = pd.read_csv(tmp_path / "s.csv")
    assert table["id"].tolist() == [f"w{i}" for i in range(40)]  # the word is an identifier
    assert set(table["label"]) == {"a", "b"}
    assert main(["info", "iris", "--metadata", str(tmp_path / "table.csv")]) == 1
    assert "--metadata describes the rows of a file" in capsys.readouterr().err
