"""`mecuco reproduce --source openml` against a server on loopback."""

import numpy as np
import pandas as pd
import pytest

from mecuco_core.cli.commands import main
from mecuco_core.datasets.paper import paper_dataset
from mecuco_core.reproduction.sources import OpenMLSource
from tests.openml_server import OpenMLServer, Served

MODES = ["--modes", "exact", "haar", "--table", "2"]


def served(number, name, table):
    """Return a table of numbers as a dataset of the server, its last column the target."""
    line = paper_dataset(name)
    header = "".join(f"@attribute c{i} real\n" for i in range(table.shape[1]))
    rows = table.to_csv(index=False, header=False, lineterminator="\n")
    arff = f"@relation {name}\n{header}@data\n{rows}".encode()
    target = f"c{table.shape[1] - 1}"
    return Served(number, line.source_name, arff, version=line.version, target=target)


def some_numbers(name, n_rows=None):
    """Return a table of the size of a dataset, its features and a target."""
    line = paper_dataset(name)
    size = (n_rows or line.n_rows, line.n_features + 1)
    return pd.DataFrame(np.random.default_rng(0).normal(size=size).round(3))


@pytest.fixture
def server(monkeypatch, tmp_path):
    monkeypatch.setenv("MECUCO_CACHE_DIR", str(tmp_path / "cache"))
    sets = [
        served(1, "seeds", some_numbers("seeds")),
        served(2, "thoracic_surgery", some_numbers("thoracic_surgery")),
        served(3, "vowel", some_numbers("vowel", n_rows=100)),
        served(4, "ionosphere", some_numbers("ionosphere")),
    ]
    with OpenMLServer(*sets) as running:
        monkeypatch.setenv("MECUCO_OPENML_SERVER", running.address)
        yield running


def reproduce(*words):
    return main(["reproduce", *map(str, words)])


def statuses(folder):
    results = pd.read_csv(folder / "results.csv")
    return results.groupby("dataset", sort=False)[["status", "note"]].first()


def test_good_missing_and_broken_datasets_are_each_told_and_the_rest_go_on(
    server, tmp_path, capsys
):
    server.fail("/data/v1/download/4/", "500")
    names = ["seeds", "wine", "satimage", "ionosphere", "vowel", "thoracic_surgery"]
    out = tmp_path / "out"
    assert reproduce("--source", "openml", "-o", out, "--datasets", *names, *MODES) == 0
    told = statuses(out)
    assert list(told.index) == names
    assert told["status"].to_dict() == {
        "seeds": "done",
        "wine": "done",  # bundled with scikit-learn
        "satimage": "missing",  # the server does not have it
        "ionosphere": "failed",  # its file cannot be had
        "vowel": "failed",  # of another size
        "thoracic_surgery": "done",
    }
    assert "wrong shape: 100 rows" in told.loc["vowel", "note"]
    for name in ("satimage", "ionosphere"):
        note = told.loc[name, "note"]
        assert note.count("\n") == 0
        assert "Error" not in note
        assert note in (out / "report.html").read_text("utf-8").replace("&#x27;", "'")
    assert "3 datasets reproduced, 1 not in the source, 2 failed." in capsys.readouterr().err


def test_started_again_it_asks_only_for_what_failed(server, tmp_path, capsys):
    server.fail("/data/v1/download/4/", "500")
    words = ["--source", "openml", "-o", tmp_path / "out", "--datasets", "seeds", "ionosphere"]
    reproduce(*words, *MODES)
    server.heal()
    before = len(server.log)
    assert reproduce(*words, *MODES) == 0
    assert statuses(tmp_path / "out")["status"].tolist() == ["done", "done"]
    asked = server.log[before:]
    assert any("/4/" in line or line.endswith("/4") for line in asked)
    assert not any("seeds" in line or "/download/1/" in line for line in asked)
    assert "1 of them finished by an earlier run" in capsys.readouterr().err


def test_offline_it_uses_what_was_stored(server, tmp_path):
    words = ["--source", "openml", "--datasets", "seeds", *MODES, "-o"]
    reproduce(*words, tmp_path / "first")
    server.stop()
    assert reproduce(*words, tmp_path / "second", "--offline") == 0
    first, second = (pd.read_csv(tmp_path / name / "results.csv") for name in ("first", "second"))
    assert first["mean"].tolist() == second["mean"].tolist()


def test_points_are_those_of_the_papers_version(server):
    points = OpenMLSource().points(paper_dataset("seeds"), None)
    assert points.shape == (210, 7)
    assert any("data_version/1" in line for line in server.log)
