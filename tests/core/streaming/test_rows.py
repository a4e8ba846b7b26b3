"""Scores of tables on disk: the same numbers, resumed where they were ended."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

import mecuco as mc
from mecuco_core.errors import DataError
from mecuco_core.neighbors.graph import KnnGraph
from mecuco_core.neighbors.search import nearest
from mecuco_core.out_of_core import rows as table_rows
from mecuco_core.out_of_core import run, score_rows
from mecuco_core.score.curvature import scored


@pytest.fixture
def table():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        rng.normal(size=(700, 5)) * [1, 10, 0.1, 3, 1], columns=list("abcde")
    ).assign(same=4.0, kind="x")
    frame["whole"] = rng.integers(0, 9, 700)
    return frame


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(table_rows, "BLOCK_BYTES", 8 * 7 * 90)
    monkeypatch.setattr(run, "PART", 128)


def expected(table, **options):
    points = table.drop(columns="kind").to_numpy(dtype=float)
    spread = points.std(axis=0)
    scaled = (points - points.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return mc.curvature(scaled, **options)


@pytest.mark.parametrize("mode", ["fast", "haar", "exact"])
def test_a_parquet_file_gives_the_scores_of_its_points(table, tmp_path, small_blocks, mode):
    table.to_parquet(tmp_path / "t.parquet")
    told = score_rows(tmp_path / "t.parquet", tmp_path / "s.parquet", mode=mode)
    scores = pd.read_parquet(tmp_path / "s.parquet")
    wanted = expected(table, mode=mode)
    np.testing.assert_allclose(scores["score"], wanted.values, rtol=1e-9)
    np.testing.assert_array_equal(scores["row"], np.arange(700))
    np.testing.assert_array_equal(scores["covariance_rank"], wanted.covariance_rank)
    assert told.left_out == ("kind",)
    assert (told.method, told.recall) == ("exact", 1.0)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.parquet", "t.parquet"]


def test_the_output_holds_what_is_asked_for_by_name(table, tmp_path, small_blocks):
    table.to_parquet(tmp_path / "t.parquet")
    score_rows(tmp_path / "t.parquet", tmp_path / "s.csv", columns=True, why=True, top="5%")
    found = pd.read_csv(tmp_path / "s.csv")
    assert len(found) == 35
    assert {"score", "why", *table.columns} <= set(found.columns)
    score_rows(tmp_path / "t.parquet", tmp_path / "s.csv", measures=["scatter", "in_degree"])
    assert pd.read_csv(tmp_path / "s.csv").columns.tolist() == ["row", "scatter", "in_degree"]


def test_rows_are_scaled_to_length_one_for_cosine(table, tmp_path, small_blocks):
    points = table.drop(columns=["kind", "same"]).to_numpy(dtype=float)
    np.save(tmp_path / "p.npy", points)
    score_rows(tmp_path / "p.npy", tmp_path / "s.csv", 8, scale="none", metric="cosine")
    found = pd.read_csv(tmp_path / "s.csv")["score"]
    np.testing.assert_allclose(found, mc.curvature(points, 8, metric="cosine").values, rtol=1e-9)
    points[431] = 0.0
    np.save(tmp_path / "p.npy", points)
    with pytest.raises(DataError, match="row 431 holds zeros only"):
        score_rows(tmp_path / "p.npy", tmp_path / "s.csv", 8, scale="none", metric="cosine")


def test_a_folder_is_one_table_in_the_order_of_its_names(table, tmp_path, small_blocks):
    folder = tmp_path / "parts"
    folder.mkdir()
    for number, start in enumerate((0, 100, 450)):
        stop = (100, 450, 700)[number]
        table.iloc[start:stop].to_parquet(folder / f"{number}.parquet")
    score_rows(folder, tmp_path / "s.csv", 8, mode="haar")
    scores = pd.read_csv(tmp_path / "s.csv")
    np.testing.assert_allclose(
        scores["score"], expected(table, n_neighbors=8, mode="haar").values, rtol=1e-9
    )


def test_an_array_on_disk_is_taken_as_it_is(tmp_path, small_blocks):
    points = np.random.default_rng(0).normal(size=(300, 4)).astype(np.float32)
    np.save(tmp_path / "p.npy", points)
    score_rows(tmp_path / "p.npy", tmp_path / "s.tsv", scale="none", search="approximate")
    scores = pd.read_csv(tmp_path / "s.tsv", sep="\t")
    graph = mc.knn_graph(points, search="approximate")
    wanted = mc.curvature(points, graph=graph)
    np.testing.assert_allclose(scores["score"], wanted.values, rtol=1e-12)


def test_the_function_takes_an_array_on_disk_too(tmp_path):
    points = np.random.default_rng(0).normal(size=(300, 4))
    np.save(tmp_path / "p.npy", points)
    mapped = np.load(tmp_path / "p.npy", mmap_mode="r")
    np.testing.assert_array_equal(mc.curvature(mapped).values, mc.curvature(points).values)


def test_stopped_in_the_middle_it_goes_on_from_there(table, tmp_path, small_blocks, monkeypatch):
    table.to_parquet(tmp_path / "t.parquet")
    score_rows(tmp_path / "t.parquet", tmp_path / "whole.csv")
    total = 4 * 700

    def stop(done, _):
        if done > 0.8 * total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score_rows(tmp_path / "t.parquet", tmp_path / "s.csv", progress=stop)
    kept = sorted(path.name for path in (tmp_path / "s.csv.work").iterdir())
    assert {"graph.npy", "graph.json", "part-0.npy", "points.npy"} <= set(kept)
    assert "part-640.json" not in kept

    def never(*_, **__):
        raise AssertionError("the search was done before")

    monkeypatch.setattr(run, "exact", never)
    score_rows(tmp_path / "t.parquet", tmp_path / "s.csv")
    assert (tmp_path / "s.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert not (tmp_path / "s.csv.work").exists()


@pytest.mark.parametrize("change", ["data", "settings", "damage"])
def test_what_was_kept_for_something_else_is_not_used(table, tmp_path, small_blocks, change):
    source, out = tmp_path / "t.parquet", tmp_path / "s.csv"
    table.to_parquet(source)

    def stop(done, total):
        if done > 0.8 * total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score_rows(source, out, 9, mode="haar", progress=stop)
    k = 9
    if change == "data":
        table["a"] += np.arange(700)
        table.to_parquet(source)
    elif change == "settings":
        k = 6
    else:
        (tmp_path / "s.csv.work" / "graph.json").write_text("{")
    score_rows(source, out, k, mode="haar")
    wanted = expected(table, n_neighbors=k, mode="haar").values
    np.testing.assert_allclose(pd.read_csv(out)["score"], wanted, rtol=1e-9)


@pytest.mark.long
def test_killed_it_goes_on_and_gives_the_right_scores(tmp_path):
    points = np.random.default_rng(1).normal(size=(52_000, 24))
    np.save(tmp_path / "p.npy", points)
    out = tmp_path / "s.parquet"
    words = ["score", str(tmp_path / "p.npy"), "--stream", "-m", "exact", "-k", "8", "-o", str(out)]
    command = [sys.executable, "-m", "mecuco_core", *words, "--prepare", "scale=none"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 200
    while not (tmp_path / "s.parquet.work" / "graph.json").exists():
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not out.exists()
    score_rows(tmp_path / "p.npy", out, 8, mode="exact", scale="none")
    scores = pd.read_parquet(out)
    some = np.arange(0, 52_000, 1300)
    indices, distances = nearest(points, points[some], 8, some, 2)
    wanted = scored(points, KnnGraph(indices, distances, "exact"), "exact", 2)
    np.testing.assert_allclose(scores["score"][some], wanted.values, rtol=1e-9)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda t: t.assign(a=np.nan), "column 'a' of 't.parquet' has missing values|row 0"),
        (lambda t: t.assign(a=np.inf), "row 0, column 'a' must be a number"),
        (lambda t: t[["kind"]], "no column of numbers"),
        (lambda t: t.iloc[:2], "at least 3 rows"),
    ],
)
def test_what_cannot_be_scored_is_one_sentence(table, tmp_path, spoil, words):
    spoil(table).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataError, match=words):
        score_rows(tmp_path / "t.parquet", tmp_path / "s.csv")
    assert not (tmp_path / "s.csv").exists()


def test_other_files_and_folders_are_refused(table, tmp_path):
    (tmp_path / "empty").mkdir()
    table.to_parquet(tmp_path / "t.parquet")
    (tmp_path / "other.work").mkdir()
    (tmp_path / "other.work" / "diary.txt").write_text("mine")
    (tmp_path / "alike.work").mkdir()
    (tmp_path / "alike.work" / "run.json").write_text("[1, 2]")
    for source, options, words in (
        ("nothing.npy", {}, "no file"),
        ("empty", {}, "no .parquet file"),
        ("t.parquet", {"without": ["zzz"]}, "no column 'zzz'"),
        ("t.parquet", {"work": tmp_path / "other.work"}, "not a work folder"),
        ("t.parquet", {"work": tmp_path / "alike.work"}, "not a work folder"),
    ):
        with pytest.raises(DataError, match=words):
            score_rows(tmp_path / source, tmp_path / "s.csv", **options)
    assert (tmp_path / "other.work" / "diary.txt").read_text() == "mine"
    assert (tmp_path / "alike.work" / "run.json").read_text() == "[1, 2]"
