import json
import os
import pickle
import time

import pytest

from mecuco_core.datasets.openml import describe_openml, load_openml
from mecuco_core.errors import DataError
from tests.openml_server import iris


def data_file(stored):
    return next(path for name, path in stored().items() if name.endswith(".arff"))


@pytest.mark.parametrize("given", [61, "iris@1"])
def test_a_stored_dataset_needs_no_server(server, said, given):
    before = load_openml(61)
    server.log.clear()
    assert load_openml(given).fingerprint == before.fingerprint
    assert server.log == []
    server.stop()
    assert load_openml(given, notify=said.append).fingerprint == before.fingerprint
    assert said == []


@pytest.mark.parametrize("given", [61, "iris", "IRIS", "iris@1"])
def test_offline_a_stored_dataset_is_used_and_nobody_asked(server, given):
    before = load_openml(61)
    server.log.clear()
    assert load_openml(given, offline=True).fingerprint == before.fingerprint
    assert describe_openml(given, offline=True).id == 61
    assert server.log == []


@pytest.mark.parametrize("given", [62, "iris@2", "nobody"])
def test_offline_what_is_not_stored_is_said(server, given):
    load_openml(61)
    server.add(iris(62, version=2))
    server.log.clear()
    for ask in (load_openml, describe_openml):
        with pytest.raises(DataError, match="is not stored on this computer: load it while online"):
            ask(given, offline=True)
    assert server.log == []


def test_another_version_is_not_taken_for_a_name(server):
    server.add(iris(62, version=2, arff=iris().arff.replace(b"0.5", b"9.5")))
    load_openml("iris@2")
    assert load_openml("iris").provenance.identifier == "61"


def test_offline_of_several_versions_the_oldest_active_one_is_taken(server):
    server.add(iris(7, version=2, status="deactivated"))
    server.add(iris(90, version=3))
    for number in (90, 7, 61):
        load_openml(number)
    assert load_openml("iris", offline=True).provenance.identifier == "61"


def test_a_description_serves_when_the_server_does_not(server, said):
    load_openml(61)
    server.stop()
    assert describe_openml("iris", notify=said.append).n_rows == 60
    assert len(said) == 1
    assert "cannot be reached" in said[0]
    assert "the copy of iris@1 (OpenML 61) stored on" in said[0]


@pytest.mark.parametrize("damage", ["change", "shorten", "remove", "pickle"])
def test_a_damaged_file_is_downloaded_again(server, stored, said, damage):
    before = load_openml(61)
    path = data_file(stored)
    content = path.read_bytes()
    if damage == "remove":
        path.unlink()
    else:
        path.write_bytes(
            {
                "change": content.replace(b"7.5", b"8.5"),
                "shorten": content[:-1],
                "pickle": pickle.dumps(print),
            }[damage]
        )
    with pytest.raises(DataError, match="is damaged: load it once more while online"):
        load_openml(61, offline=True)
    after = load_openml(61, notify=said.append)
    assert said == ["the stored copy of iris@1 (OpenML 61) is damaged and is downloaded again"]
    assert after.fingerprint == before.fingerprint
    assert data_file(stored).read_bytes() == content


@pytest.mark.parametrize("content", ["", "{", "[]", "null", "{}", '{"format": 1}'])
def test_a_damaged_entry_is_made_again(server, stored, content):
    load_openml(61)
    stored()["61/entry.json"].write_text(content)
    assert load_openml(61).n_rows == 60
    assert json.loads(stored()["61/entry.json"].read_text())["description"]["name"] == "iris"


@pytest.mark.parametrize(
    ("field", "value"), [("kind", "../x"), ("sha256", "../../x"), ("sha256", 5), ("kind", None)]
)
def test_an_entry_cannot_name_a_file_elsewhere(server, stored, field, value):
    load_openml(61)
    path = stored()["61/entry.json"]
    path.write_text(json.dumps({**json.loads(path.read_text()), field: value}))
    with pytest.raises(DataError, match="is not stored"):
        load_openml(61, offline=True)
    assert load_openml(61).n_rows == 60


def test_an_entry_of_another_layout_is_not_there(server, stored):
    load_openml(61)
    path = stored()["61/entry.json"]
    path.write_text(path.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(DataError, match="is not stored"):
        load_openml(61, offline=True)


def test_abandoned_parts_are_swept_and_those_of_others_left(server, stored):
    load_openml(61)
    folder = data_file(stored).parent
    (folder / ".part-old").write_bytes(b"x")
    (folder / ".part-new").write_bytes(b"x")
    two_days_ago = time.time() - 2 * 24 * 3600
    os.utime(folder / ".part-old", (two_days_ago, two_days_ago))
    data_file(stored).unlink()
    load_openml(61)
    assert not (folder / ".part-old").exists()
    assert (folder / ".part-new").exists()


def test_a_new_file_replaces_the_old_one(server, stored):
    load_openml(61)
    stored()["61/entry.json"].unlink()
    server.add(iris(61, arff=iris().arff.replace(b"7.5", b"8.5")))
    load_openml(61)
    assert len(stored()) == 2


def test_a_cache_that_cannot_be_written_is_named(server, tmp_path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    with pytest.raises(
        DataError, match=r"the cache folder .* cannot be written .*MECUCO_CACHE_DIR"
    ):
        load_openml(61)


def test_a_full_disk_is_said_and_leaves_nothing(server, stored, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(
        DataError, match=r"cannot be written \(No space left on device\): make room"
    ):
        load_openml(61)
    assert stored() == {}


def test_the_datasets_used_longest_ago_make_room(server, stored, monkeypatch):
    wide = iris().arff + b"% " + b"x" * 400_000
    for number in (71, 72, 73):
        server.add(iris(number, name=f"wide{number}", arff=wide))
    monkeypatch.setenv("MECUCO_DISK_MB", "1")
    for age, number in enumerate((71, 72)):
        load_openml(number)
        (path,) = (
            p
            for name, p in stored().items()
            if name.startswith(f"{number}/") and p.suffix == ".arff"
        )
        os.utime(path, (age, age))
    load_openml(71)
    load_openml(73)
    for number in (71, 73):
        load_openml(number, offline=True)
    with pytest.raises(DataError, match="is not stored"):
        load_openml(72, offline=True)


def test_a_dataset_larger_than_the_disk_may_hold_is_refused(server, stored, monkeypatch):
    server.add(iris(71, name="wide", arff=iris().arff + b"% " + b"x" * 1_200_000))
    monkeypatch.setenv("MECUCO_DISK_MB", "1")
    load_openml(61)
    with pytest.raises(DataError, match=r"wide.* is larger than the .* raise MECUCO_DISK_MB"):
        load_openml(71)
    assert load_openml(61, offline=True).n_rows > 0
    assert not any(name.startswith("71/") for name in stored())
