"""The messy table: each fault is named, and two clicks leave no artefact among the top."""

import io

import numpy as np
import pandas as pd
import pytest

from mecuco_core.cli.commands import main
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.files.reading import read_with_notes
from mecuco_core.preparation.findings.suspicions import suspicions
from mecuco_core.preparation.mending.mends import Mend
from mecuco_core.preparation.prepare import prepare
from mecuco_core.preparation.protocol import PAPER, SENSIBLE, starting_preparation
from mecuco_core.score.curvature import curvature
from tests.core.preparation.messy import REPEATED, messy

FAULTS = {
    ("identifier", "customer_id"): "customer_id: role identifier",
    ("sentinel", "age"): "age: -999 is missing",
    ("sentinel", "income"): "income: 9999999 is missing",
    ("percent", "discount"): "discount: read as numbers",
    ("code", "zip"): "zip: role identifier",
    ("sentinel", "since"): "since: 1900-01-01 is missing",
    ("nearly constant", "active"): "active: role leave out",
    ("spelling", "segment"): "segment: join spellings",
    ("repeated rows", ""): "keep the first of repeated rows",
}
CLICKS = ("age: -999 is missing", "income: 9999999 is missing")


@pytest.fixture(scope="module")
def dataset():
    content = messy().to_csv(index=False).encode()
    return read_with_notes(content, None, "messy.csv", find_target=True).dataset


def test_the_label_is_guessed_and_every_fault_is_named_once_with_its_mend(dataset):
    assert (dataset.n_rows, dataset.target_name) == (1215, "segment")
    found = suspicions(dataset)
    assert {(one.kind, one.column): one.mend.words for one in found} == FAULTS
    assert len(found) == len(FAULTS)
    by_kind = {(one.kind, one.column): one for one in found}
    repeated = by_kind["repeated rows", ""]
    assert repeated.n_values == REPEATED
    assert repeated.rows == tuple(range(1200, 1215))
    assert by_kind["sentinel", "age"].n_values == int((messy().age == -999).sum())
    ages = messy().age[list(by_kind["sentinel", "age"].rows)]
    assert set(ages) == {-999.0}


def test_two_clicks_leave_no_sentinel_percent_or_missing_value_among_the_top_30(dataset):
    start = starting_preparation(dataset)
    assert start.protocol == "sensible"
    table = messy()
    faulty = (table[["age", "income"]].isna() | table[["age", "income"]].isin([-999, 9999999])).any(
        axis=1
    )

    def n_artefacts(preparation):
        prepared = prepare(dataset, preparation)
        scores = curvature(prepared.points).values
        top = prepared.rows[np.argsort(-scores, kind="stable")[:30]]
        return int(faulty.iloc[top].sum()), prepared

    clicked = start
    for words in CLICKS:
        clicked = clicked.with_mend(Mend.parse(words))
    n, prepared = n_artefacts(clicked)
    assert n == 0
    assert "discount" in prepared.feature_names  # the percent texts are read
    assert not {"zip", "customer_id"} & set(prepared.feature_names)
    assert np.isfinite(prepared.points).all()
    assert n_artefacts(PAPER)[0] >= 10  # what the paper's protocol makes of it


def test_rows_with_missing_values_are_among_the_top_no_more_often_than_others():
    # No row is odd by design here: what is among the top is there for its other features.
    shares = []
    for seed in range(4):
        g = np.random.default_rng(seed)
        whole = pd.DataFrame(np.exp(g.normal(size=(1200, 6)) / 3), columns=list("abcdef"))
        holes = g.random((1200, 2)) < [0.08, 0.06]
        table = whole.copy()
        table[["a", "b"]] = whole[["a", "b"]].mask(holes)
        prepared = prepare(Dataset("t", table), SENSIBLE)
        assert {"a is missing", "b is missing"} <= set(prepared.feature_names)
        scores = curvature(prepared.points).values
        top = np.argsort(-scores, kind="stable")[:30]
        shares.append(holes.any(axis=1)[top].mean() / holes.any(axis=1).mean())
    assert np.mean(shares) < 1.0


def test_info_names_each_fault_and_its_mend(tmp_path, capsys):
    messy().to_csv(tmp_path / "messy.csv", index=False)
    assert main(["info", str(tmp_path / "messy.csv")]) == 0
    said = capsys.readouterr().out
    for (_, column), mend in FAULTS.items():
        assert f"Mend: {mend!r}." in said
        assert column in said
    assert "15 rows repeat an earlier one" in said
    assert "Preparation: Sensible:" in said


def test_score_takes_protocol_and_mends_and_says_so(tmp_path, capsys):
    messy().to_csv(tmp_path / "messy.csv", index=False)
    words = [word for mend in CLICKS for word in ("--mend", mend)]
    assert main(["score", str(tmp_path / "messy.csv"), *words]) == 0
    printed = capsys.readouterr()
    assert "Prepared by the sensible protocol" in printed.err
    assert "Mended 'age: -999 is missing': 22 values taken as missing." in printed.err
    scores = pd.read_csv(io.StringIO(printed.out))["score"]
    assert main(["score", str(tmp_path / "messy.csv"), "--protocol", "paper"]) == 0
    printed = capsys.readouterr()
    assert "Prepared as in the paper." in printed.err
    assert not np.allclose(pd.read_csv(io.StringIO(printed.out))["score"], scores)


def test_a_mend_of_no_column_or_in_other_words_is_refused(tmp_path, capsys):
    messy().to_csv(tmp_path / "messy.csv", index=False)
    path = str(tmp_path / "messy.csv")
    assert main(["score", path, "--mend", "ages: -999 is missing"]) == 1
    assert "'ages', which is no column: did you mean 'age'?" in capsys.readouterr().err
    assert main(["score", path, "--mend", "age is strange"]) == 1
    assert "a mend is written 'COLUMN: VALUE is missing'" in capsys.readouterr().err
