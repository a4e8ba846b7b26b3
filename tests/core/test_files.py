"""Files that appear whole or not at all, and what gives way to them."""

import os

import pytest

from mecuco_core.errors import DataError
from mecuco_core.runtime.files import PART, NewFile, remove_parts, replacing, too_many, write_whole


def test_a_file_appears_whole_under_its_name(tmp_path):
    write_whole(b"one", tmp_path / "a")
    write_whole(b"two", tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == b"two"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_while_it_is_written_the_old_one_stands(tmp_path):
    write_whole(b"old", tmp_path / "a")
    with NewFile(tmp_path) as new:
        new.write(b"half")
        assert (tmp_path / "a").read_bytes() == b"old"
        assert new.path.name.startswith(PART)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.skipif(os.name == "nt", reason="a system with other permissions")
def test_an_output_is_an_ordinary_file_and_a_kept_one_is_for_its_owner(tmp_path):
    mask = os.umask(0o022)
    try:
        with replacing(tmp_path / "output") as unfinished:
            unfinished.write_text("x")
        write_whole(b"x", tmp_path / "kept")
    finally:
        os.umask(mask)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("output", "kept")]
    assert modes == [0o644, 0o600]


def test_an_output_that_cannot_be_written_is_said_by_its_name(tmp_path):
    with (
        pytest.raises(DataError, match=r"missing/table\.csv' cannot be written"),
        replacing(tmp_path / "missing" / "table.csv"),
    ):
        pass


def test_parts_that_nobody_writes_any_more_go(tmp_path):
    old, new, other = tmp_path / f"{PART}old", tmp_path / f"{PART}new", tmp_path / "other"
    for path in (old, new, other):
        path.write_bytes(b"x")
    for path in (old, other):
        os.utime(path, (0, 0))
    remove_parts(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([new.name, "other"])


def test_what_was_used_longest_ago_gives_way():
    kept = [(1.0, 40, "old"), (3.0, 50, "new"), (2.0, 30, "between")]
    assert too_many(kept, 120) == []
    assert too_many(kept, 119) == ["old"]
    assert too_many(kept, 79) == ["between", "old"]
    assert too_many(kept, 49) == ["new", "between", "old"]
