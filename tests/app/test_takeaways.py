"""What can be taken away: tables, recipes, pages."""

import io
import re
import shlex
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import mecuco as mc
from mecuco_app.data.sources import from_file, loaded
from mecuco_app.results import analyses, maps, scores
from mecuco_app.scene.look import LIGHT
from mecuco_app.scene.maps import ShownMap, column_map
from mecuco_app.scene.scene import Scene
from mecuco_app.takeaway.export import Contents, csv_bytes, parquet_bytes, score_table
from mecuco_app.takeaway.recipes import (
    MAP,
    boundary_recipe,
    command_recipe,
    comparison_recipe,
    python_recipe,
)
from mecuco_app.takeaway.report import Section, figure_html, report_html
from mecuco_app.takeaway.session import session_report
from mecuco_app.view.settings import (
    AgreementSettings,
    DataChoice,
    MapSettings,
    ScoreSettings,
    SelectionRule,
    View,
)
from mecuco_app.work.jobs import silent
from mecuco_core.cli.commands import main
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.files import ReadOptions, read_with_notes
from mecuco_core.preparation.prepare import Preparation, prepare

FILE = "Nummer;Länge;Breite;Art\n" + "".join(
    f"id-{i:03};{i % 13},5;{i * i % 17},25;{'=rot' if i % 3 else 'blau'}\n" for i in range(60)
)


def scene_of(found, view=None):
    view = view or View(data=found.choice, preparation=found.prepared.preparation)
    result = scores.curvature_of(found.prepared, view.score)
    flat = maps.pca_of(found.prepared)
    shown = ShownMap(flat, MapSettings(kind="pca"), ("pca", found.prepared.fingerprint))
    return Scene(view, found.dataset, found.prepared, result, shown, LIGHT), result


@pytest.fixture
def iris():
    found = loaded(DataChoice("bundled", "iris"))
    return scene_of(found, View(data=found.choice, rule=SelectionRule("top", low=10.0)))


@pytest.fixture
def uploaded(tmp_path):
    path = tmp_path / "maße.csv"
    path.write_bytes(FILE.encode("cp1252"))
    reading = read_with_notes(path.read_bytes(), ReadOptions(target="Art"), path.name)
    dataset = reading.dataset
    preparation = Preparation(scale="min-max", exclude=("Breite",))
    choice = DataChoice("file", path.name, reading=reading.options, fingerprint=dataset.fingerprint)
    view = View(data=choice, preparation=preparation, score=ScoreSettings("haar", 6))
    result = scores.curvature_of(prepare(dataset, preparation), view.score)
    prepared = prepare(dataset, preparation)
    shown = column_map(MapSettings(kind="columns"), dataset, prepared)
    return tmp_path, Scene(view, dataset, prepared, result, shown, LIGHT), result


def test_csv_and_parquet_hold_the_same_scores(iris):
    scene, result = iris
    frame = score_table(scene, result, Contents(map=True))
    csv = pd.read_csv(io.BytesIO(csv_bytes(frame)))
    parquet = pd.read_parquet(io.BytesIO(parquet_bytes(frame)))
    np.testing.assert_array_equal(parquet["score"], result.values)
    np.testing.assert_allclose(csv["score"], result.values, rtol=1e-15)
    np.testing.assert_allclose(csv["scatter"] + csv["alignment"], csv["score"])
    assert csv["row"].tolist() == list(range(150))
    assert csv["selected"].sum() == 15
    np.testing.assert_array_equal(parquet[["map_x", "map_y"]], scene.map.coordinates)


WAYS = [
    (Contents(), []),
    (Contents(columns=True, why=True), ["--columns", "--why"]),
]


@pytest.mark.parametrize(("contents", "words"), WAYS)
@pytest.mark.parametrize("only_selected", [False, True])
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_app_and_command_line_write_the_same_file(
    uploaded, run_command, contents, words, only_selected, suffix
):
    folder, scene, result = uploaded
    scene = replace(scene, view=replace(scene.view, rule=SelectionRule("top", low=15.0)))
    table = score_table(scene, result, contents, only_selected=only_selected)
    mine = {"csv": csv_bytes, "parquet": parquet_bytes}[suffix](table)
    words = [*words, "--top", "15%"] if only_selected else words
    name = f"scores.{suffix}"
    command = command_recipe(scene.view, scene.prepared, result.n_neighbors, output=name)
    theirs = run_command(" ".join([command, *words]), folder)
    assert list(theirs.columns[:8]) == [
        "row", "score", "scatter", "alignment", "covariance_rank", "knn_distance", "percentile",
        "id",
    ]  # fmt: skip
    assert len(theirs) == (9 if only_selected else 60)
    if suffix == "csv":
        assert (folder / name).read_bytes() == mine
    else:
        pd.testing.assert_frame_equal(theirs, pd.read_parquet(io.BytesIO(mine)), check_exact=True)


@pytest.mark.parametrize(("columns", "words"), [(False, []), (True, ["--columns"])])
def test_app_and_command_line_write_the_same_of_chosen_measures(
    uploaded, run_command, columns, words
):
    folder, scene, result = uploaded
    contents = Contents(measures=("percentile", "score"), columns=columns)
    command = command_recipe(scene.view, scene.prepared, result.n_neighbors)
    run_command(" ".join([command, "--measures percentile,score", *words]), folder)
    mine = csv_bytes(score_table(scene, result, contents))
    assert (folder / "scores.csv").read_bytes() == mine


@pytest.mark.parametrize("kind", ["parquet", "feather", "xlsx", "xls", "xlsb", "ods"])
def test_the_script_names_the_extra_its_file_needs(uploaded, kind):
    _, scene, result = uploaded
    stored = replace(scene.view.data, reading=replace(scene.view.data.reading, format=kind))
    scene = replace(scene, view=replace(scene.view, data=stored))
    assert "# needs: pip install 'mecuco[data]'\n" in python_recipe(scene, result)


def test_rows_that_were_not_scored_are_in_both_files_too(tmp_path, run_command):
    table = pd.DataFrame(np.random.default_rng(0).standard_normal((40, 3)), columns=list("abc"))
    table.loc[7, "b"] = np.nan
    raw = table.to_csv(index=False).encode()
    (tmp_path / "t.csv").write_bytes(raw)
    found = from_file(raw, ReadOptions(), "t.csv", report=silent)
    prepared = prepare(found.dataset, Preparation(missing="drop rows"))
    scene, result = scene_of(replace(found, prepared=prepared))
    command = command_recipe(scene.view, prepared, result.n_neighbors)
    theirs = run_command(command + " --columns", tmp_path)
    both = score_table(scene, result, Contents(columns=True, every_row=True))
    assert (tmp_path / "scores.csv").read_bytes() == csv_bytes(both)
    assert theirs["score"].isna().to_numpy().nonzero()[0].tolist() == [7]
    np.testing.assert_allclose(theirs[["a", "b", "c"]], table)
    assert len(score_table(scene, result)) == 39


def test_columns_of_the_visitor_are_in_the_file_as_they_came(uploaded):
    _, scene, result = uploaded
    table = score_table(scene, result, Contents(columns=True, why=True))
    own = scene.dataset.table
    pd.testing.assert_frame_equal(table[["Länge", "Breite"]], own[["Länge", "Breite"]])
    assert table["id"].tolist() == own["Nummer"].tolist()
    assert table["label"].tolist() == scene.dataset.target.tolist()
    assert table["why"].str.len().min() > 0


def test_a_column_of_the_visitor_never_takes_the_place_of_a_score():
    table = pd.DataFrame(
        np.random.default_rng(0).standard_normal((30, 3)), columns=["score", "map_x", "=1+1"]
    )
    dataset = Dataset("mine", table)
    prepared = prepare(dataset)
    view = View(data=DataChoice("file", "mine"))
    result = scores.curvature_of(prepared, view.score)
    flat = maps.pca_of(prepared)
    scene = Scene(view, dataset, prepared, result, ShownMap(flat, MapSettings("pca"), ()), LIGHT)
    found = score_table(scene, result, Contents(columns=True, map=True))
    np.testing.assert_array_equal(found["score"], result.values)
    np.testing.assert_array_equal(found["score 2"], table["score"])
    np.testing.assert_array_equal(found["map_x 2"], table["map_x"])
    header = csv_bytes(found).decode().split("\n")[0]
    assert header.endswith(",score 2,map_x 2,'=1+1")


def test_neighbours_are_in_both_files(iris):
    scene, result = iris
    frame = score_table(scene, result, Contents(map=True))
    near = pd.read_parquet(io.BytesIO(parquet_bytes(frame)))["neighbors"][3]
    assert near["ids"].tolist() == result.graph.indices[3].tolist()
    np.testing.assert_array_equal(near["distances"], result.graph.distances[3])
    csv = pd.read_csv(io.BytesIO(csv_bytes(frame)))
    assert csv["neighbor_rows"][3] == " ".join(map(str, result.graph.indices[3]))


def test_the_selection_alone_can_be_exported(iris):
    scene, result = iris
    frame = score_table(scene, result, only_selected=True)
    assert frame["row"].tolist() == scene.selected.tolist()
    whole = score_table(scene, result)
    pd.testing.assert_frame_equal(frame, whole.iloc[scene.selected].reset_index(drop=True))


def test_labels_that_look_like_formulas_are_neutral_in_csv_and_whole_in_parquet(uploaded):
    _, scene, result = uploaded
    frame = score_table(scene, result)
    assert "'=rot" in csv_bytes(frame).decode()
    assert not re.search(r"(^|,)=", csv_bytes(frame).decode(), re.MULTILINE)
    assert set(pd.read_parquet(io.BytesIO(parquet_bytes(frame)))["label"]) == {"=rot", "blau"}


def test_the_identifiers_of_the_dataset_are_used(uploaded):
    _, scene, result = uploaded
    assert score_table(scene, result)["id"].tolist() == [f"id-{i:03}" for i in range(60)]


@pytest.mark.parametrize(
    "choice",
    [
        DataChoice("bundled", "wine"),
        DataChoice("bundled", "wine", target="alcohol"),
        DataChoice("manifold", "torus", (("n_points", 200), ("noise", 0.1), ("seed", 3))),
    ],
)
def test_the_python_recipe_gives_the_same_numbers(choice):
    scene, result = scene_of(loaded(choice))
    space: dict[str, object] = {}
    exec(python_recipe(scene, result), space)
    np.testing.assert_array_equal(space["scores"], result.values)
    np.testing.assert_allclose(space["coordinates"], scene.map.coordinates, rtol=1e-6)


WITHOUT_THE_APP = """
import sys
for name in ("mecuco_app", "streamlit", "plotly", "umap", "openml", "pyarrow"):
    sys.modules[name] = None  # as in an install without extras
exec(sys.argv[1])
print(repr(scores.tolist()))
"""


@pytest.mark.parametrize(
    "choice",
    [DataChoice("bundled", "wine"), DataChoice("manifold", "torus", (("n_points", 200),))],
)
def test_the_scoring_part_of_the_script_runs_with_the_engine_alone(choice):
    scene, result = scene_of(loaded(choice))
    scoring, drawing = python_recipe(scene, result).split(MAP)
    assert "mecuco_app" not in scoring
    assert "mecuco_app" in drawing
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_THE_APP, scoring],
        capture_output=True, text=True, check=True, cwd=Path(mc.__file__).parents[1],
    )  # fmt: skip
    assert eval(done.stdout) == result.values.tolist()


def test_the_script_says_what_to_install_and_why_it_searches_more_neighbours(iris):
    scene, result = iris
    code = python_recipe(scene, result)
    assert "# needs: pip install mecuco\n" in code
    assert f"# Why 60 where k = {result.n_neighbors}:" in code
    assert "pip install 'mecuco[app]'" in code.split("# ---- The map")[1]


def test_the_python_recipe_of_a_file_gives_the_same_numbers(uploaded, monkeypatch):
    folder, scene, result = uploaded
    monkeypatch.chdir(folder)
    space: dict[str, object] = {}
    exec(python_recipe(scene, result), space)
    np.testing.assert_array_equal(space["scores"], result.values)


def test_the_python_recipe_selects_the_same_rows(iris):
    scene, result = iris
    space: dict[str, object] = {}
    exec(python_recipe(scene, result), space)
    assert sorted(space["selected_rows"]) == scene.selected.tolist()


def test_the_python_recipe_refuses_other_data(uploaded, monkeypatch):
    folder, scene, result = uploaded
    (folder / "maße.csv").write_bytes(FILE.replace("id-007;7,5", "id-007;8,5").encode("cp1252"))
    monkeypatch.chdir(folder)
    with pytest.raises(AssertionError, match="other data"):
        exec(python_recipe(scene, result), {})


def test_the_script_of_the_boundary_points_lists_the_same_rows(iris):
    scene, result = iris
    space: dict[str, object] = {}
    exec(boundary_recipe(scene, result, 90.0), space)
    expected = mc.boundary_points(result.values, percentile=90).indices
    np.testing.assert_array_equal(space["rows"], scene.prepared.rows[expected])


@pytest.mark.parametrize("n_rows", [None, 40])
def test_the_script_of_a_comparison_gives_the_same_agreement(iris, n_rows):
    scene, _ = iris
    shown = analyses.pair_task(
        scene.prepared, AgreementSettings(first="exact", second="haar"), 3, n_rows
    ).run()
    space: dict[str, object] = {}
    code = comparison_recipe(
        scene.view, scene.dataset, scene.prepared, ("exact", "haar"), 3, n_rows, "iris"
    )
    exec(code, space)
    for name in ("mae", "spearman", "chatterjee"):
        assert getattr(space["agreement"], name) == getattr(shown.raw, name)
    assert len(space["first"].values) == (n_rows or 150)


def test_the_command_of_a_mode_names_it_and_its_file(iris):
    scene, _ = iris
    words = shlex.split(command_recipe(scene.view, scene.prepared, 3, "haar", "haar.csv"))
    assert words[-4:] == ["-m", "haar", "-o", "haar.csv"]


@pytest.fixture
def run_command(monkeypatch):
    """Return a function that runs a command in a folder and returns the scores it wrote."""

    def run(command, folder):
        words = shlex.split(command)
        assert words[0] == "mecuco"
        monkeypatch.chdir(folder)
        assert main(words[1:]) == 0
        name = words[words.index("-o") + 1]
        return (pd.read_parquet if name.endswith("parquet") else pd.read_csv)(folder / name)

    return run


def test_the_command_gives_the_same_numbers(uploaded, run_command):
    folder, scene, result = uploaded
    scores = run_command(command_recipe(scene.view, scene.prepared, result.n_neighbors), folder)
    np.testing.assert_allclose(scores["score"], result.values, rtol=1e-14)


def test_the_command_of_a_file_in_an_archive_gives_the_same_numbers(tmp_path, run_command):
    rng = np.random.default_rng(0)
    with zipfile.ZipFile(tmp_path / "both.zip", "w") as archive:
        for name in ("one.csv", "two.csv"):
            table = pd.DataFrame(rng.standard_normal((40, 3)), columns=list("abc"))
            archive.writestr(name, table.to_csv(index=False))
    content = (tmp_path / "both.zip").read_bytes()
    found = from_file(content, ReadOptions(member="two.csv"), "both.zip", report=silent)
    scene, result = scene_of(found)
    scores = run_command(command_recipe(scene.view, scene.prepared, result.n_neighbors), tmp_path)
    np.testing.assert_allclose(scores["score"], result.values, rtol=1e-14)


def test_the_command_of_a_manifold_gives_the_same_numbers(tmp_path, run_command):
    options = (("n_points", 150), ("noise", 0.25), ("density", 0.5), ("seed", 4))
    scene, result = scene_of(loaded(DataChoice("manifold", "saddle", options)))
    scores = run_command(command_recipe(scene.view, scene.prepared, result.n_neighbors), tmp_path)
    np.testing.assert_allclose(scores["score"], result.values, rtol=1e-14)


def test_names_cannot_break_out_of_a_recipe():
    evil = "a'\n\"; import os #"
    table = pd.DataFrame(
        np.random.default_rng(0).standard_normal((30, 3)), columns=["x", evil, "z"]
    )
    dataset = Dataset(evil, table)
    preparation = Preparation(exclude=(evil,))
    prepared = prepare(dataset, preparation)
    view = View(data=DataChoice("file", evil), preparation=preparation)
    result = scores.curvature_of(prepared, view.score)
    flat = maps.pca_of(prepared)
    scene = Scene(view, dataset, prepared, result, ShownMap(flat, MapSettings("pca"), ()), LIGHT)
    code = python_recipe(scene, result)
    compile(code, "recipe", "exec")
    assert not any(line.lstrip().startswith("import os") for line in code.splitlines())
    assert shlex.split(command_recipe(scene.view, scene.prepared, result.n_neighbors))[2] == evil


def test_the_report_says_what_is_selected(iris):
    scene, result = iris
    report = session_report(scene, result, "http://127.0.0.1/", ())
    assert "<h2>The selection</h2>" in report
    assert "15 points of 150: the highest 10 % of the scores." in report.replace("\u202f", " ")


def test_a_figure_is_a_page_that_needs_no_network():
    page = figure_html(go.Figure(go.Scatter(x=[1], y=[2])), "<script>x</script>", "a < b")
    assert "&lt;script&gt;x&lt;/script&gt;" in page
    assert "a &lt; b" in page
    assert not re.search(r'<(script|link)[^>]*(src|href)="http', page)


def test_a_report_holds_the_library_once_and_escapes_everything():
    figure = go.Figure(go.Scatter(x=[1], y=[2]))
    sections = [
        Section("<i>one</i>", ("a & b",), figure, "first"),
        Section("two", figure=figure, table=pd.DataFrame({"<x>": ["<y>", 1.23456789]})),
        Section("three", code="if a < b:\n    pass"),
    ]
    page = report_html("Report", sections)
    assert page.count("plotly.js v") == figure_html(figure, "", "").count("plotly.js v")
    for literal in (
        "&lt;i&gt;one",
        "a &amp; b",
        "&lt;x&gt;",
        "&lt;y&gt;",
        "1.235",
        "if a &lt; b:\n    pass",
    ):
        assert literal in page
