import numpy as np
import pandas as pd
import pytest

from mecuco_core.datasets.openml import NotOnServerError, describe_openml, load_openml
from mecuco_core.errors import DataError
from tests.openml_server import IRIS, Served, iris

MIXED = """% a comment
@RELATION mixed
@ATTRIBUTE id INTEGER
@ATTRIBUTE number REAL
@ATTRIBUTE 'two words' {'b b',c,"a,a"}
@ATTRIBUTE code {10,2,1}
@ATTRIBUTE remark STRING
@ATTRIBUTE yes {TRUE,FALSE}
@ATTRIBUTE nothing NUMERIC
@ATTRIBUTE when DATE "yyyy-MM-dd"
@ATTRIBUTE y NUMERIC
@DATA
1,1.5,'b b',10,'hello, world',TRUE,?,"2020-01-01",3
2,?,c,1,'été naïve',FALSE,?,?,?
3,-2e3,?,2,?,?,?,"2020-02-03",5
4,7,"a,a",?,"x",TRUE,?,"2019-12-31",6
""".encode()

SPARSE = b"""@relation sparse
@attribute f0 numeric
@attribute f1 numeric
@attribute f2 numeric
@attribute class {neg,pos}
@data
{0 1.5, 3 pos}
{1 2}
{0 3, 2 -1, 3 pos}
{}
"""

# Digits that no packing makes much shorter: 20 000 rows.
NOISE = b"".join(
    b"%.17f,%.17f,setosa\n" % tuple(pair) for pair in np.random.default_rng(0).random((20_000, 2))
)


# By id, by name, by version


@pytest.mark.parametrize("given", [61, "61", "iris", "IRIS", "iris@1"])
def test_a_dataset_is_found_by_id_and_by_name(server, given):
    dataset = load_openml(given)
    assert dataset.name == "iris"
    assert dataset.feature_names == ["length", "width"]
    assert dataset.table["length"].tolist() == [i + 0.5 for i in range(60)]
    assert dataset.table["width"].tolist() == [-i for i in range(60)]
    assert dataset.target.tolist() == ["setosa", "virginica"] * 30


def test_the_provenance_tells_where_it_came_from(server):
    server.add(iris(7, name="cited", version=3, licence="CC0", citation="Fisher 1936"))
    provenance = load_openml(7).provenance
    assert provenance.source == "openml"
    assert (provenance.identifier, provenance.version) == ("7", "3")
    assert (provenance.licence, provenance.citation) == ("CC0", "Fisher 1936")
    assert provenance.url == f"{server.site}/d/7"


def test_a_name_without_version_is_the_oldest_active_one(server, said):
    server.add(iris(7, version=2, status="deactivated"))
    server.add(iris(90, version=3))
    assert load_openml("iris", notify=said.append).provenance.identifier == "61"
    assert said == [
        "OpenML has 2 active versions of iris: version 1 is used, the oldest; "
        "write iris@VERSION for another"
    ]
    assert load_openml("iris@3").provenance.identifier == "90"
    assert load_openml("iris", 3).provenance.identifier == "90"


def test_a_deactivated_dataset_loads_and_says_so(server, said):
    server.add(iris(8, name="old", status="deactivated"))
    withdrawn = "old@1 (OpenML 8) is not active on OpenML (status: deactivated)"
    assert load_openml("old", notify=said.append).n_rows == 60
    assert said == [withdrawn]
    load_openml("old", notify=said.append, offline=True)
    assert describe_openml(8, notify=said.append).status == "deactivated"
    assert said == [withdrawn] * 3


def test_a_description_downloads_no_data(server, stored):
    description = describe_openml("iris")
    assert (description.n_rows, description.n_columns, description.n_features) == (60, 3, 2)
    assert (description.n_classes, description.n_missing) == (2, 0)
    assert (description.licence, description.status) == ("Public", "active")
    assert description.n_bytes == len(IRIS)
    assert not [line for line in server.log if line.startswith("GET /data/v1/download")]
    assert stored() == {}


def test_what_openml_did_not_count_is_unknown(server):
    server.add(Served(9, "uncounted", IRIS, licence=None))
    description = describe_openml(9)
    assert description.n_rows is description.n_features is description.licence is None
    assert load_openml(9).n_rows == 60


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (12345, "has no such dataset: dataset 12345; search for another"),
        ("nobody", "has no such dataset: nobody; search for another"),
        ("iris@9", "has no such dataset: iris@9; search for another"),
        ("61@2", "OpenML 61 is version 1 of iris, not 2: leave the version out"),
    ],
)
def test_a_dataset_that_is_not_there_is_said(server, given, sentence):
    with pytest.raises(NotOnServerError, match=sentence):
        load_openml(given)


# Kinds of columns


def test_columns_keep_their_kinds(server):
    server.add(Served(62, "mixed", MIXED, target="y", row_id="id"))
    dataset = load_openml(62)
    table = dataset.table
    assert dataset.feature_names == [
        "number", "two words", "code", "remark", "yes", "nothing", "when",
    ]  # fmt: skip
    np.testing.assert_array_equal(table["number"], [1.5, np.nan, -2000, 7])
    assert table["two words"].cat.categories.tolist() == ["a,a", "b b", "c"]
    assert table["two words"].isna().tolist() == [False, False, True, False]
    assert table["remark"].iloc[:2].tolist() == ["hello, world", "été naïve"]
    assert table["remark"].isna().tolist() == [False, False, True, False]
    assert table["yes"].astype(str).tolist()[:2] == ["TRUE", "FALSE"]
    assert table["nothing"].isna().all()
    assert pd.api.types.is_datetime64_any_dtype(table["when"])
    assert table["when"].iloc[3] == pd.Timestamp("2019-12-31")
    np.testing.assert_array_equal(dataset.target, [3, np.nan, 5, 6])


def test_categories_are_those_that_occur_in_lexical_order(server):
    server.add(Served(62, "mixed", MIXED))
    assert load_openml(62).table["code"].cat.categories.tolist() == ["1", "10", "2"]
    assert load_openml(61).target.cat.categories.tolist() == ["setosa", "virginica"]
    assert not load_openml(61).target.cat.ordered


def test_a_sparse_file_keeps_its_zeros_and_its_empty_rows(server):
    server.add(Served(63, "sparse", SPARSE, target="class", format="Sparse_ARFF"))
    dataset = load_openml(63)
    expected = [[1.5, 0, 0], [0, 2, 0], [3, 0, -1], [0, 0, 0]]
    np.testing.assert_array_equal(dataset.table.to_numpy(), expected)
    # A value that is left out is the first one declared.
    assert dataset.target.tolist() == ["pos", "neg", "pos", "neg"]


def test_pixels_get_their_shape(server):
    names = [f"pixel{number}" for number in range(1, 17)]
    lines = "".join(f"@attribute {name} integer\n" for name in names)
    content = f"@relation p\n{lines}@data\n{','.join('7' * 16)}\n"
    server.add(Served(64, "pictures", content.encode()))
    assert load_openml(64).image_shape == (4, 4)
    assert load_openml(61).image_shape is None


# Size


def test_a_table_too_large_for_memory_is_refused_before_the_download(server):
    server.add(iris(70, name="huge", n_rows=10**6, n_columns=10**4))
    with pytest.raises(DataError, match="1,000,000 rows and 10,000 columns, 80 GB"):
        load_openml(70)
    assert not [line for line in server.log if "download" in line]
    # 60 rows and 3 columns of 8 bytes.
    assert load_openml(61, max_bytes=1440).n_rows == 60
    with pytest.raises(DataError, match=r"1\.4 kB in memory, and the limit"):
        load_openml(61, max_bytes=1439)


def test_a_file_too_large_is_given_up_as_soon_as_it_is_seen(server, stored):
    server.add(iris(71, name="long", arff=IRIS + b"%" * 10**6, n_rows=None))
    seen = []
    with pytest.raises(DataError, match=r"or more, and the limit .* is 2 kB"):
        load_openml(71, max_bytes=2000, progress=lambda done, total: seen.append(done))
    # A megabyte of one letter is packed into one piece, and its size is not announced.
    assert seen == []
    assert stored() == {}


def test_a_file_announced_too_large_is_not_begun(server, stored):
    server.add(iris(71, name="long", arff=IRIS + NOISE, n_rows=None))
    seen = []
    with pytest.raises(DataError, match=r"or more, and the limit .* is 100 kB"):
        load_openml(71, max_bytes=100_000, progress=lambda done, total: seen.append(done))
    assert seen == []
    assert stored() == {}


def test_a_table_larger_than_it_was_said_to_be_is_refused(server):
    server.add(iris(71, name="lying", arff=IRIS + b"1,1,setosa\n" * 20_000, n_rows=60))
    # 20 060 rows and 3 columns of 8 bytes are 481 440, in a file of some 220 000 bytes.
    with pytest.raises(DataError, match=r"lying@1 \(OpenML 71\) cannot be read: .*max_cells"):
        load_openml(71, max_bytes=481_439)
    assert load_openml(71, max_bytes=481_440).n_rows == 20_060


def test_a_format_that_cannot_be_read_is_said(server):
    server.add(iris(72, name="pictures", format="JPEG"))
    with pytest.raises(DataError, match=r"pictures@1 \(OpenML 72\) is kept as 'JPEG'"):
        load_openml(72)


# Progress


def test_progress_ends_with_all_bytes(server):
    server.add(iris(73, name="long", arff=IRIS + NOISE, n_rows=None))
    seen = []
    load_openml(73, progress=lambda done, total: seen.append((done, total)))
    done, total = zip(*seen, strict=True)
    assert len(seen) > 1
    assert list(done) == sorted(set(done))
    assert set(total) == {done[-1]}
    assert total[0] > 300_000  # half a megabyte of digits is not packed into less


class StoppedError(Exception):
    pass


@pytest.mark.parametrize("after", ["the first piece", "the last piece"])
def test_an_exception_from_progress_stops_and_leaves_nothing(server, stored, after):
    server.add(iris(73, name="long", arff=IRIS + NOISE, n_rows=None))
    seen = []

    def stop(done, total):
        seen.append(done)
        if after == "the first piece" or done == total:
            raise StoppedError

    with pytest.raises(StoppedError):
        load_openml(73, progress=stop)
    assert (len(seen) == 1) is (after == "the first piece")
    assert stored() == {}
    assert load_openml(73).n_rows == 20_060
