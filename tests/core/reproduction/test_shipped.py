"""The results that ship with the package: whole, made by the command, and in agreement."""

import csv
from pathlib import Path

import pytest

import mecuco as mc
from mecuco_core.datasets.paper import PAPER_DATASETS
from mecuco_core.reproduction import shipped_about, shipped_null_bases, shipped_results
from mecuco_core.reproduction.rows import BASIS_COLUMNS, COLUMNS
from mecuco_core.reproduction.sources import letters

MANIFEST = Path(__file__).resolve().parents[4] / "shared" / "data" / "MANIFEST.csv"


def test_every_dataset_of_the_paper_has_a_row():
    results = shipped_results()
    assert tuple(results.columns) == COLUMNS
    assert list(dict.fromkeys(results["dataset"])) == [line.name for line in PAPER_DATASETS]
    assert set(results["status"]) <= {"done", "skipped", "missing"}
    assert (results.loc[results["status"] == "skipped", "mode"].isin(["original", "exact"])).all()


def test_every_published_figure_that_is_determined_by_the_data_agrees():
    results = shipped_results()
    compared = results[results["agrees"].notna() & (results["determined"].astype(str) == "True")]
    scaled = compared[compared["table"] > 1]
    assert len(scaled) >= 18
    assert (scaled["agrees"].astype(str) == "True").all()
    assert scaled[["difference_mean", "difference_std"]].abs().to_numpy().max() <= 1e-4
    # One copy is a reconstruction: its raw scores have the published ones' first five digits.
    raw = compared[compared["table"] == 1]
    assert (raw["difference_mean"].abs() <= 1e-4 * raw["published_mean"].clip(lower=1)).all()


def test_every_copy_marked_as_the_papers_agrees_where_it_is_determined():
    if not MANIFEST.exists():
        pytest.skip("the list of real copies is not here")
    with MANIFEST.open(encoding="utf-8") as stream:
        same = {letters(line["name"]) for line in csv.DictReader(stream) if line["match"] == "yes"}
    names = {
        line.name
        for line in PAPER_DATASETS
        if letters(line.name) in same or letters(line.source_name) in same
    }
    assert len(names) == len(same)
    results = shipped_results().set_index("dataset")
    for name in names:
        rows = results.loc[[name]]
        own = rows[(rows["published_role"] == "mecuco") & (rows["table"] > 1)]
        assert len(own) == 1, name
        own = own[own["determined"].astype(str) == "True"]
        assert (own["agrees"].astype(str) == "True").all(), name


def test_bases_belong_to_datasets_of_the_results():
    bases = shipped_null_bases()
    assert tuple(bases.columns) == BASIS_COLUMNS
    done = shipped_results().query("status == 'done'")
    assert set(bases["dataset"]) <= set(done["dataset"])
    random = bases[bases["basis"] == "random"]
    assert (random["low"] <= random["mean"]).all()
    assert (random["mean"] <= random["high"]).all()


def test_it_is_said_what_made_them():
    about = shipped_about()
    # The version that computed them, which may be an earlier one: the record is not rewritten.
    made, ours = (tuple(map(int, one.split("."))) for one in (about["mecuco"], mc.__version__))
    assert (0, 1, 0) <= made <= ours
    assert about["command"] == "mecuco reproduce --source DIR"
    assert {"numpy", "scipy", "blas", "python", "date"} <= set(about)
