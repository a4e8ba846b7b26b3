"""`mecuco reproduce`, run as a person runs it."""

import json
import os
import signal
import subprocess
import sys

import pandas as pd
import pytest

from mecuco_core.cli.commands import main
from tests.core.reproduction import folders


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for name in ("iris", "wine"):
        folders.write_set(folder, name)
    return folder


def reproduce(*words):
    return main(["reproduce", *map(str, words)])


def test_a_run_writes_its_files_and_prints_the_table(data, tmp_path, capsys):
    out = tmp_path / "new" / "folder"
    words = ["--source", data, "-o", out, "--datasets", "iris,wine", "seeds", "--table", "2"]
    assert reproduce(*words, "--modes", "exact", "haar") == 0
    printed = capsys.readouterr()
    assert "0.1588 ± 0.1571" in printed.out
    assert "seeds" in printed.out
    assert "2 datasets reproduced, 1 not in the source, 0 failed." in printed.err
    results = pd.read_csv(out / "results.csv")
    assert set(results["dataset"]) == {"iris", "wine", "seeds"}
    assert set(results["mode"].dropna()) == {"exact", "haar"}
    assert set(results["table"].dropna()) == {2}
    assert set(pd.read_csv(out / "null_bases.csv")["dataset"]) == {"wine"}
    assert "wine" in (out / "report.html").read_text("utf-8")
    about = json.loads((out / "about.json").read_text("utf-8"))
    assert str(data) not in json.dumps(about)
    assert about["command"] == (
        "mecuco reproduce --source DIR --table 2 --datasets iris,wine seeds --modes exact haar"
    )
    assert sorted(path.name for path in out.iterdir()) == [
        "about.json", "null_bases.csv", "parts", "report.html", "results.csv",
    ]  # fmt: skip


def test_json_is_for_programs(data, tmp_path, capsys):
    code = reproduce("--source", data, "-o", tmp_path, "--datasets", "iris", "--json", "-q")
    printed = capsys.readouterr()
    assert (code, printed.err) == (0, "")
    told = json.loads(printed.out)
    assert {row["mode"] for row in told["rows"]} == {"original", "exact", "fast", "haar"}


def heed_interrupts():
    # A shell that runs the tests in the background has them ignored, and children inherit that.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.thorough
def test_stopped_by_ctrl_c_it_keeps_what_is_finished(data, tmp_path):
    words = ["reproduce", "--source", data, "-o", tmp_path / "out", "--datasets", "iris", "wine"]
    # The second dataset waits for a file that is never written, so that the stop comes in it.
    slow = tmp_path / "slow"
    slow.mkdir()
    (slow / "iris.csv").write_bytes((data / "iris.csv").read_bytes())
    os.mkfifo(slow / "wine.csv")
    command = [sys.executable, "-m", "mecuco_core", *map(str, words)]
    command[command.index(str(data))] = str(slow)
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=heed_interrupts
    ) as process:
        for line in process.stderr:
            if b"iris done" in line:
                process.send_signal(signal.SIGINT)
                break
        _, notes = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"goes on from here" in notes
    assert not (tmp_path / "out" / "results.csv").exists()
    assert len(list((tmp_path / "out" / "parts").iterdir())) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--source", "nowhere"], "is no folder"),
        (["--modes", "quick"], "modes must be some of"),
        (["--datasets", "wines"], "did you mean wine"),
        (["--budget", "-1"], "budget must be a positive number"),
        (["--jobs", "0"], "--jobs must be at least 1"),
    ],
)
def test_wrong_words_are_refused_in_one_sentence(tmp_path, capsys, words, sentence):
    assert reproduce("-o", tmp_path / "out", *words) == 1
    printed = capsys.readouterr()
    assert sentence in printed.err
    assert printed.err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_an_output_that_is_a_file_is_refused(data, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert reproduce("--source", data, "-o", tmp_path / "file") == 1
    assert "cannot be made" in capsys.readouterr().err
