import pytest

from mecuco_core.errors import DataError
from mecuco_core.reproduction import runner
from mecuco_core.reproduction.protocol import Settings
from mecuco_core.reproduction.rows import result_rows
from mecuco_core.reproduction.runner import Watcher, chosen_datasets, reproduce
from mecuco_core.reproduction.sources import FolderSource
from tests.core.reproduction import folders

QUICK = Settings(modes=("exact", "haar"), n_bases=2)


@pytest.fixture
def data(tmp_path):
    for name in ("iris", "wine"):
        folders.write_set(tmp_path / "data", name)
    return tmp_path / "data"


def run(data, parts, names=("iris", "wine"), settings=QUICK, watcher=None):
    datasets = chosen_datasets(names, (1, 2, 3))
    return reproduce(datasets, FolderSource(data), parts, settings, watcher)


def forbid_measuring(monkeypatch):
    def measure(*_):
        raise AssertionError("measured again")

    monkeypatch.setattr(runner, "measure", measure)


def test_a_second_run_measures_nothing_and_gives_the_same_rows(data, tmp_path, monkeypatch):
    first = run(data, tmp_path / "parts")
    forbid_measuring(monkeypatch)
    second = run(data, tmp_path / "parts")
    assert [outcome.reused for outcome in second] == [True, True]
    assert result_rows(second, (1, 2)).equals(result_rows(first, (1, 2)))


@pytest.mark.thorough
def test_interrupted_and_started_again_only_the_unfinished_is_measured(data, tmp_path, monkeypatch):
    whole = run(data, tmp_path / "whole")
    real, measured = runner.measure, []

    def stopped_in_the_second(points, *rest):
        measured.append(points.shape)
        if len(measured) == 2:
            raise KeyboardInterrupt
        return real(points, *rest)

    monkeypatch.setattr(runner, "measure", stopped_in_the_second)
    with pytest.raises(KeyboardInterrupt):
        run(data, tmp_path / "parts")
    assert run(data, tmp_path / "parts")[0].reused
    assert measured == [(150, 4), (178, 13), (178, 13)]
    finished = run(data, tmp_path / "parts")
    columns = ["dataset", "table", "mode", "mean", "std", "spearman", "agrees"]
    expected = result_rows(whole, (1, 2))[columns]
    assert result_rows(finished, (1, 2))[columns].equals(expected)


def test_a_corrupted_a_missing_and_a_wrong_file_are_one_line_each(data, tmp_path):
    (data / "digits.parquet").write_bytes(b"PAR1 and then nothing of the kind PAR1")
    folders.table_of("wine").iloc[:, 2:].to_csv(data / "seeds.csv", index=False)
    names = ["digits", "vowel", "seeds", "wine"]
    outcomes = run(data, tmp_path / "parts", names)
    assert [o.status for o in outcomes] == ["failed", "missing", "failed", "done"]
    for outcome in outcomes[:3]:
        assert outcome.note
        assert "\n" not in outcome.note
    assert "wrong shape" in outcomes[2].note
    rows = result_rows(outcomes, (1, 2))
    assert rows["dataset"].tolist() == ["digits", "vowel", "seeds", *["wine"] * 4]


def test_an_unforeseen_error_is_a_line_with_its_kind(data, tmp_path, monkeypatch):
    def measure(*_):
        raise MemoryError("too\nlarge")

    monkeypatch.setattr(runner, "measure", measure)
    outcome = run(data, tmp_path / "parts", ["wine"])[0]
    assert (outcome.status, outcome.note) == ("failed", "MemoryError: too large")


def test_a_failure_is_tried_again_by_the_next_run(data, tmp_path):
    path = data / "wine.csv"
    good = path.read_bytes()
    path.write_bytes(b"")
    assert run(data, tmp_path / "parts", ["wine"])[0].status == "failed"
    path.write_bytes(good)
    assert run(data, tmp_path / "parts", ["wine"])[0].status == "done"


@pytest.mark.thorough
def test_changed_data_and_changed_settings_are_measured_anew(data, tmp_path):
    run(data, tmp_path / "parts", ["wine"])
    path = data / "wine.csv"
    path.write_bytes(path.read_bytes().replace(b"14.23", b"14.33", 1))
    assert not run(data, tmp_path / "parts", ["wine"])[0].reused
    other = Settings(modes=("haar",), n_bases=2)
    assert not run(data, tmp_path / "parts", ["wine"], other)[0].reused
    assert run(data, tmp_path / "parts", ["wine"])[0].reused


@pytest.mark.thorough
@pytest.mark.parametrize("damage", [lambda text: text[:100], lambda text: "[]", str.upper])
def test_a_damaged_part_is_made_anew(data, tmp_path, damage):
    run(data, tmp_path / "parts", ["iris"])
    (part,) = (tmp_path / "parts").iterdir()
    part.write_text(damage(part.read_text()))
    outcome = run(data, tmp_path / "parts", ["iris"])[0]
    assert (outcome.status, outcome.reused) == ("done", False)


def test_a_part_that_names_another_key_is_made_anew(data, tmp_path):
    run(data, tmp_path / "parts", ["iris"])
    (part,) = (tmp_path / "parts").iterdir()
    part.write_text(part.read_text().replace('"key": "', '"key": "0'))
    assert not run(data, tmp_path / "parts", ["iris"])[0].reused


def test_the_watcher_hears_of_every_dataset_in_order(data, tmp_path):
    heard = []

    class Listener(Watcher):
        def started(self, dataset, place, total):
            heard.append((dataset.name, place, total))

        def finished(self, outcome):
            heard.append(outcome.status)

    run(data, tmp_path / "parts", ["iris", "vowel"], watcher=Listener())
    assert heard == [("iris", 1, 2), "done", ("vowel", 2, 2), "missing"]


def test_datasets_are_chosen_by_any_of_their_names_and_by_table():
    assert len(chosen_datasets([], (1, 2, 3))) == 65
    assert len(chosen_datasets([], (3,))) == 25
    chosen = chosen_datasets(["breast_cancer", "mnist-784"], (1, 2, 3))
    assert [line.name for line in chosen] == ["breast-cancer", "MNIST_784"]
    with pytest.raises(DataError, match="did you mean wine"):
        chosen_datasets(["wines"], (1,))
    with pytest.raises(DataError, match="none of the datasets is in table 3"):
        chosen_datasets(["wine"], (3,))
