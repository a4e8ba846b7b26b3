"""The command `mecuco`, run as a person runs it: a process, its streams and its exit code."""

import io
import json
import os
import pty
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import mecuco as mc
from mecuco_core.cli.commands import main
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.bundled import BUNDLED, load_bundled
from mecuco_core.datasets.files import read, sniff
from mecuco_core.datasets.manifolds import MANIFOLDS, load_manifold
from mecuco_core.out_of_core import run
from mecuco_core.preparation.mending.mends import Mend
from mecuco_core.preparation.prepare import Preparation, prepare
from mecuco_core.types import MODES


@pytest.fixture
def table_file(tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(80, 3)), columns=["a", "b", "c"])
    table["kind"] = rng.choice(["x", "y"], 80)
    table.loc[5, "a"] = np.nan
    path = tmp_path / "table.csv"
    table.to_csv(path, index=False)
    return path


def score(capsys, *words):
    """Run `mecuco score` in this process; return the table it printed."""
    code = main(["score", *map(str, words)])
    printed = capsys.readouterr()
    assert code == 0, printed.err
    return pd.read_csv(io.StringIO(printed.out)), printed.err


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_names_are_scored_as_by_the_function(capsys, name):
    table, notes = score(capsys, name, "-m", "haar")
    expected = mc.curvature(prepare(load_bundled(name)).points, mode="haar")
    assert list(table.columns[:4]) == ["row", "score", "scatter", "alignment"]
    np.testing.assert_array_equal(table["row"], np.arange(len(table)))
    np.testing.assert_allclose(table["score"], expected.values, rtol=1e-12)
    np.testing.assert_allclose(table["scatter"] + table["alignment"], table["score"], rtol=1e-12)
    pd.testing.assert_frame_equal(score(capsys, name)[0], table)  # haar is the default
    assert "mean 0 and standard deviation 1" in notes


@pytest.mark.parametrize("name", MANIFOLDS)
def test_manifolds_are_scored_without_scaling(capsys, name):
    table, notes = score(capsys, f"manifold:{name},n_points=200,seed=3")
    points = load_manifold(name, 200, seed=3).table.to_numpy()
    np.testing.assert_allclose(table["score"], mc.curvature(points).values, rtol=1e-9)
    assert "keep the scale" in notes


def test_k_mode_and_preparation_are_used(capsys, table_file):
    words = [table_file, "-k", "9", "-m", "fast", "--target", "kind"]
    words += ["--prepare", "scale=robust", "--prepare", "missing=median", "--prepare", "exclude=b"]
    table, _ = score(capsys, *words)
    frame = pd.read_csv(table_file)[["a", "c"]]
    frame["a"] = frame["a"].fillna(frame["a"].median())
    quartiles = frame.quantile([0.25, 0.75])
    points = (frame - frame.median()) / (quartiles.loc[0.75] - quartiles.loc[0.25])
    expected = mc.curvature(points, 9, mode="fast").values
    np.testing.assert_allclose(table["score"], expected, rtol=1e-9)


def test_cosine_is_one_word_on_the_command_line(capsys, table_file, tmp_path):
    table, notes = score(
        capsys, table_file, "-k", "9", "--no-target", "--metric", "cosine", "--protocol", "paper"
    )
    assert "Scaled every row to length one" in notes
    frame = pd.read_csv(table_file)
    prepared = prepare(Dataset("t", frame), Preparation(metric="cosine"))
    np.testing.assert_allclose(table["score"], mc.curvature(prepared.points, 9).values, rtol=1e-9)
    points = np.random.default_rng(0).normal(size=(60, 4))
    np.save(tmp_path / "p.npy", points)
    words = [tmp_path / "p.npy", "--metric", "cosine", "--prepare", "scale=none"]
    streamed = tmp_path / "s.csv"
    assert main(["score", *map(str, words), "--stream", "-o", str(streamed)]) == 0
    np.testing.assert_allclose(pd.read_csv(streamed)["score"], score(capsys, *words)[0]["score"])


def test_rows_that_are_not_scored_stay_as_empty_rows(capsys, table_file):
    table, notes = score(capsys, table_file, "--prepare", "missing=drop-rows")
    assert len(table) == 80
    assert table["score"].isna().to_numpy().nonzero()[0].tolist() == [5]
    assert "1 row" in notes


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_output_files_hold_the_same_table(capsys, tmp_path, suffix):
    path = tmp_path / f"out{suffix}"
    assert main(["score", "iris", "-o", str(path)]) == 0
    assert capsys.readouterr().out == ""
    read = {
        ".csv": pd.read_csv,
        ".tsv": lambda p: pd.read_csv(p, sep="\t"),
        ".parquet": pd.read_parquet,
    }[suffix]
    table, _ = score(capsys, "iris")
    pd.testing.assert_frame_equal(read(path), table)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_standard_input_is_a_source(capsys, monkeypatch):
    typed = load_bundled("wine").table.to_csv(index=False).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed)))
    table, notes = score(capsys, "-", "-q", "--protocol", "paper")
    assert notes == ""
    expected = mc.curvature(prepare(load_bundled("wine")).points).values
    np.testing.assert_allclose(table["score"], expected)


def test_json_is_for_programs(capsys, tmp_path):
    assert main(["score", "iris", "--json", "-q"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["mode"], told["n_neighbors"], told["n_points"]) == ("haar", 7, 150)
    assert len(told["scores"]) == 150
    assert told["scores"][3]["score"] > 0
    assert main(["score", "iris", "--json", "-q", "-o", str(tmp_path / "a.csv")]) == 0
    assert "scores" not in json.loads(capsys.readouterr().out)
    assert main(["info", "digits", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["n_rows"], told["n_features"], told["suggested_k"]) == (1797, 64, 11)
    assert set(told["seconds"]) == set(MODES)


def test_info_prints_a_first_look(capsys):
    assert main(["info", "iris"]) == 0
    out = capsys.readouterr().out
    for words in ("150 rows", "k = 7", "3 classes", "Estimated time"):
        assert words in out


@pytest.fixture
def embeddings(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "embeddings.parquet"
    vectors = rng.normal(size=(50, 8)).astype(np.float32)
    texts = [f"text {i}" for i in range(50)]
    labels = rng.choice(["a", "b"], 50)
    pd.DataFrame({"text": texts, "label": labels, "embedding": list(vectors)}).to_parquet(path)
    return path


@pytest.mark.parametrize("words", [[], ["--vectors", "embedding"]])
def test_a_table_of_vectors_is_scored_by_its_vectors_in_blocks_too(
    capsys, tmp_path, embeddings, words
):
    vectors = np.stack(pd.read_parquet(embeddings)["embedding"].to_list())
    expected = mc.curvature(vectors, 6).values
    output = tmp_path / "s.csv"
    asked = [str(embeddings), "-k", "6", "-o", str(output), *words]
    for way in (["--stream"], ["--prepare", "scale=none", "--prepare", "exclude=text"]):
        assert main(["score", *asked, *way]) == 0
        assert "column 'embedding'" in capsys.readouterr().err.lower()
        table = pd.read_csv(output)
        np.testing.assert_allclose(table["score"], expected, rtol=1e-6)
        assert set(table["label"]) == {"a", "b"}


def test_a_gap_among_vectors_is_one_sentence_in_blocks_too(capsys, tmp_path):
    path = tmp_path / "gap.parquet"
    pd.DataFrame({"e": [[1.0, 2.0]] * 30 + [None]}).to_parquet(path)
    assert main(["score", str(path), "--stream", "-o", str(tmp_path / "s.csv")]) == 1
    assert "row 31 has no vector of 2 numbers in column 'e'" in capsys.readouterr().err
    assert main(["info", str(path)]) == 1
    assert "but 1 row (row 31) has none of this length" in capsys.readouterr().err
    assert main(["info", str(path), "--skip-missing-vectors"]) == 0
    assert "30 rows" in capsys.readouterr().out


@pytest.mark.parametrize("stream", [[], ["--stream"]])
def test_scores_that_are_all_equal_are_an_error_unless_asked_for(capsys, tmp_path, stream):
    source, out = tmp_path / "same.parquet", tmp_path / "s.csv"
    pd.DataFrame({"a": np.repeat([0.0, 1.0], 40)}).to_parquet(source)
    words = ["score", str(source), "-o", str(out), *stream]
    assert main(words) == 1
    assert "every score is 0: nothing was written" in capsys.readouterr().err
    assert not out.exists()
    assert main([*words, "--allow-equal"]) == 0
    assert pd.read_csv(out)["score"].tolist() == [0.0] * 80


def classes_file(folder):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc"))
    table["Class"] = rng.integers(0, 3, 60)
    table.to_parquet(folder / "t.parquet")
    return folder / "t.parquet"


@pytest.mark.parametrize("stream", [[], ["--stream"]])
def test_a_target_is_found_by_the_rule_of_the_app_and_said(capsys, tmp_path, stream):
    path, out = classes_file(tmp_path), tmp_path / "s.csv"
    options = sniff(path).options
    assert sniff(path).suggested_target == "Class"
    by_app = read(path, replace(options, target="Class"))
    for words, target in (([], "Class"), (["--no-target"], None), (["--target", ""], None)):
        options = [*stream, *words, "--protocol", "paper"]
        assert main(["score", str(path), "-o", str(out), *options]) == 0
        notes = capsys.readouterr().err
        assert ("Column 'Class' is taken as the target" in notes) == (target is not None)
        assert ("--no-target makes it a feature" in notes) == (target is not None)
        points = prepare(by_app.with_target(target)).points
        scores = pd.read_csv(out)
        np.testing.assert_allclose(scores["score"], mc.curvature(points).values, rtol=1e-9)
        assert ("label" in scores) == (target is not None)
        out.unlink()


def test_info_finds_the_same_target(capsys, tmp_path):
    path = classes_file(tmp_path)
    assert main(["info", str(path)]) == 0
    printed = capsys.readouterr()
    assert "Target 'Class' has 3 classes" in printed.out
    assert "Column 'Class' is taken as the target" in printed.err
    assert main(["info", str(path), "--no-target"]) == 0
    assert "There is no target." in capsys.readouterr().out


def test_a_stream_writes_the_columns_of_the_other_way(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "PART", 25)
    path = classes_file(tmp_path)
    for words in ([], ["--columns"], ["--why"], ["--columns", "--why", "--top", "20%"]):
        tables = []
        for stream in ([], ["--stream"]):
            out = tmp_path / "s.parquet"
            assert main(["score", str(path), "-o", str(out), *words, *stream]) == 0
            tables.append(pd.read_parquet(out))
        pd.testing.assert_frame_equal(*tables, rtol=1e-9)
    assert len(tables[0]) == 12
    assert list(tables[0].columns[6:]) == ["percentile", "label", "why", "a", "b", "c"]


def test_the_highest_rows_alone_can_be_written(capsys):
    whole, _ = score(capsys, "iris")
    for words, size in (("12", 12), ("10%", 15)):
        top, _ = score(capsys, "iris", "--top", words)
        assert top["score"].min() >= whole["score"].nlargest(size).min()
        assert top["row"].tolist() == sorted(top["row"])
        assert len(top) == size


@pytest.mark.thorough
def test_progress_is_drawn_on_a_terminal_only(capsys):
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "mecuco_core", "score", "digits", "-o", os.devnull + ".csv"],
        stderr=child,
        stdout=subprocess.DEVNULL,
    )
    os.close(child)
    drawn = b""
    try:
        while chunk := os.read(parent, 4096):
            drawn += chunk
    except OSError:  # the terminal is closed when the process ends
        pass
    process.wait(60)
    os.close(parent)
    assert "cannot be written" in drawn.decode() or "Written" in drawn.decode()
    assert "█".encode() in drawn
    main(["score", "iris"])
    assert "█" not in capsys.readouterr().err


@pytest.mark.thorough
def test_interrupting_leaves_no_output(tmp_path):
    out = tmp_path / "out.csv"
    rows = np.random.default_rng(0).normal(size=(4000, 60))
    source = tmp_path / "rows.npy"
    np.save(source, rows)
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "mecuco_core", "score", source, "-m", "original", "-o", out],
        stderr=child,
        # A shell that runs the tests in the background has interrupts ignored; children inherit it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(child)
    drawn = b""
    while b"Scoring" not in drawn:
        drawn += os.read(parent, 4096)
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 130
    assert b"stopped" in drawn + os.read(parent, 65536)
    os.close(parent)
    assert [p.name for p in tmp_path.iterdir()] == ["rows.npy"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["score", "nowhere.csv"], 1, "no file 'nowhere.csv'"),
        (["score", "iris", "-k", "150"], 1, "n_neighbors must be in [2, 149]"),
        (["score", "iris", "-o", "scores.xls"], 1, "must end in .csv, .tsv, .parquet"),
        (["score", "iris", "-o", "nowhere/scores.csv"], 1, "does not exist"),
        (["score", "iris", "--prepare", "speed=high"], 1, "--prepare takes KEY=VALUE"),
        (["score", "iris", "--prepare", "scale=log"], 1, "scale must be one of"),
        (["score", "iris", "--prepare", "n_rows=few"], 1, "must be a whole number, got 'few'"),
        (["score", "manifold:klein"], 1, "manifold must be one of"),
        (["score", "manifold:torus,R"], 1, "must be PARAMETER=NUMBER"),
        (["score", "iris", "--target", "colour"], 1, "'colour'"),
        (["score", "paper:none"], 1, "none"),
        (["score", "."], 1, "is a folder"),
        (["datasets", "--rows", "many"], 1, "a range must be LOW..HIGH"),
        (["score", "iris", "-m", "quadric", "--why"], 1, "--why is for the scores of the paper"),
        (["score", "iris", "--top", "0"], 2, "must be a number of rows or N%, got '0'"),
        (["score", "iris", "-m", "best"], 2, "invalid choice: 'best'"),
        (["score", "iris", "--measures", "score,beauty"], 1, "no measure is called 'beauty'"),
        (["score", "iris", "--measures", "map_fidelity"], 1, "needs a map of the points, which"),
        (["score", "iris", "--measures", "true_mean_curvature"], 1, "needs points of known curv"),
        (["score", "iris", "-d", "2"], 1, "--dimension is for mode quadric only, got mode haar"),
        (["score", "iris", "-m", "quadric", "-d", "4"], 1, "dimension must be in [1, 3]"),
        (["score", "iris", "-m", "quadric", "-k", "log2"], 1, "a whole number or None"),
        (["score", "iris", "-m", "quadric", "-k", "7"], 1, "n_neighbors must be at least 8"),
        (["score", "iris", "-m", "quadric", "-d", "two"], 2, "must be a whole number or auto"),
        (["score", "iris", "-k", "few"], 2, "must be a whole number or log2"),
        (["frobnicate"], 2, "invalid choice"),
        ([], 2, "required"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_an_exit_code(
    words, code, message, capsys, monkeypatch
):
    monkeypatch.setenv("MECUCO_OPENML_SERVER", "http://127.0.0.1:9/api/v1/xml")
    try:
        returned = main(words)
    except SystemExit as left:  # argparse leaves by itself
        returned = left.code
    printed = capsys.readouterr()
    assert returned == code
    assert printed.out == ""
    lines = printed.err.splitlines()
    assert [line for line in lines if message in line] == lines[-1:]


@pytest.mark.thorough
def test_a_pipe_in_and_a_reader_that_leaves_early_are_no_error(tmp_path):
    load_bundled("digits").table.to_csv(tmp_path / "digits.csv", index=False)
    command = f"cat {tmp_path}/digits.csv | {sys.executable} -m mecuco_core score - -q | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, timeout=60, check=False)
    assert done.stdout.startswith(b"row,score")
    assert done.stderr == b""


def test_a_preparation_survives_the_way_to_words_and_back():
    from mecuco_core.cli.preparing import parse_preparation, preparation_words

    for preparation in (
        Preparation(),
        Preparation("one-hot", "drop rows", "none", ("a b", "c=d"), (), 50, True, 7),
        Preparation("drop", "median", "min-max", None, ("x", "y")),
        Preparation(metric="cosine"),
        Preparation.sensible(dimensions=3).with_mend(Mend.parse("a: b: -999 is missing")),
        Preparation().with_role("zip", "identifier").with_mend(Mend("first")),
    ):
        assert parse_preparation(preparation_words(preparation)) == preparation
    assert preparation_words(Preparation.paper()) == []


def test_exactly_the_measures_asked_for_are_written_beside_row_and_id(capsys, tmp_path):
    path = classes_file(tmp_path)
    words = ("--measures", "stability,score,label_disagreement,mean_curvature")
    table, notes = score(capsys, path, *words)
    assert list(table.columns) == [
        "row", "stability", "score", "label_disagreement", "mean_curvature",
    ]  # fmt: skip
    assert table["stability"].between(0, 1).all()
    usual, _ = score(capsys, path)
    assert "label" in usual
    np.testing.assert_array_equal(table["score"], usual["score"])
    assert "which scaling bends" in notes
    raw, notes = score(capsys, path, "--measures", "mean_curvature", "--prepare", "scale=none")
    assert "which scaling bends" not in notes
    surface, _ = score(capsys, path, "-m", "quadric")
    np.testing.assert_allclose(raw["mean_curvature"], surface["mean_curvature"], rtol=1e-12)


def test_a_surface_has_the_measures_of_a_score_too(capsys):
    table, _ = score(capsys, "iris", "-m", "quadric", "-k", "20", "--measures", "fit,score,error")
    points = prepare(load_bundled("iris"), Preparation(scale="none")).points
    assert list(table.columns) == ["row", "fit", "score", "error"]
    np.testing.assert_allclose(table["score"], mc.curvature(points, 20).values, rtol=1e-12)
    table, _ = score(capsys, "manifold:torus,n_points=200", "--measures", "gaussian_curvature")
    assert table["gaussian_curvature"].min() < 0 < table["gaussian_curvature"].max()


def test_a_stream_writes_the_measures_asked_for(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "PART", 25)
    path, tables = classes_file(tmp_path), []
    for stream in ([], ["--stream"]):
        out = tmp_path / "s.parquet"
        words = ["--measures", "in_degree,label_disagreement,knn_distance,ratio"]
        assert main(["score", str(path), "-o", str(out), *words, *stream]) == 0
        tables.append(pd.read_parquet(out))
    pd.testing.assert_frame_equal(*tables, rtol=1e-9)
    assert list(tables[0].columns[1:3]) == ["in_degree", "label_disagreement"]
    assert main(["score", str(path), "-o", str(out), "--measures", "stability", "--stream"]) == 1
    assert "stability needs the score for several k, which --stream" in capsys.readouterr().err


@pytest.mark.usefixtures("descent")
def test_the_search_and_its_seed_can_be_chosen(tmp_path, capsys):
    points = np.random.default_rng(0).standard_normal((6000, 4)) @ np.ones((4, 24))
    points += np.random.default_rng(1).standard_normal(points.shape) * 0.3
    path = tmp_path / "points.npy"
    np.save(path, points)
    told = []
    for words in (["--search", "approximate", "--seed", "3"], ["--search", "exact"]):
        assert (
            main(["score", str(path), "-k", "9", "--json", "-q", "--protocol", "paper", *words])
            == 0
        )
        told.append(json.loads(capsys.readouterr().out))
    assert [one["search"] for one in told] == ["approximate", "exact"]
    assert f"{told[0]['recall']:.1%} of the true neighbours" in told[0]["notes"][0]
    assert told[1]["notes"] == []
    prepared = prepare(mc.datasets.read_table(path)).points
    expected = mc.curvature(prepared, 9, search="approximate", seed=3).values
    np.testing.assert_allclose([line["score"] for line in told[0]["scores"]], expected, rtol=1e-12)


@pytest.mark.parametrize("words", [["--search", "best"], ["--seed", "-1"], ["--seed", "1.5"]])
def test_a_search_or_seed_that_cannot_be_is_a_usage_error(words):
    with pytest.raises(SystemExit) as ended:
        main(["score", "iris", *words])
    assert ended.value.code == 2
