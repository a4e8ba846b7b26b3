"""What is suspicious is found, and what is not is left in peace."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mecuco_core.datasets.base import Dataset, Vectors
from mecuco_core.datasets.bundled import BUNDLED, load_bundled
from mecuco_core.preparation.findings.overview import column_overview
from mecuco_core.preparation.findings.suspicions import suspicions
from mecuco_core.preparation.mending.mends import Mend
from mecuco_core.preparation.prepare import prepare
from mecuco_core.preparation.protocol import SENSIBLE, VECTORS

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
G = np.random.default_rng(0)
N = 200
NORMAL = G.normal(50, 10, N).round(1)


def found_in(columns, target=None):
    return suspicions(Dataset("t", pd.DataFrame(columns), target))


def replaced(values, by, count):
    values = np.array(values)
    values[:count] = by
    return values


SUSPECT = {
    "-999": (replaced(NORMAL, -999, 3), "sentinel", "x: -999 is missing"),
    "-99": (replaced(NORMAL, -99, 3), "sentinel", "x: -99 is missing"),
    "9999": (replaced(NORMAL, 9999, 1), "sentinel", "x: 9999 is missing"),
    "-1": (replaced(G.poisson(6, N), -1, 9), "sentinel", "x: -1 is missing"),
    "two": (replaced(replaced(NORMAL, -999, 5), 99999, 2), "sentinel", "x: -999 is missing"),
    "mark": (np.array(["a", "b", "?", "c"] * 50), "sentinel", "x: ? is missing"),
    "old date": (
        pd.Series(pd.date_range("2020", periods=N)).mask(np.arange(N) < 4, pd.Timestamp("1900")),
        "sentinel",
        "x: 1900-01-01 is missing",
    ),
    "percent": ([f"{v}%" for v in NORMAL], "percent", "x: read as numbers"),
    "money": ([f"$ {v:,.2f}" for v in 99 * NORMAL], "money", "x: read as numbers"),
    "euros": ([f"{v:.2f} €".replace(".", ",") for v in NORMAL], "money", "x: read as numbers"),
    "nearly": (replaced(np.ones(N), 7.5, 2), "nearly constant", "x: role leave out"),
    "spelling": (["red", "blue", "Red ", "blue"] * 50, "spelling", "x: join spellings"),
    "far": (replaced(NORMAL, 123456.7, 1), "far", None),
    "two currencies": (["$5", "€6", "$7", "€8"] * 50, "money", None),
    "percent or not": (["5%", "6%", "7", "8%"] * 50, "percent", "x: read as numbers"),
}


@pytest.mark.parametrize(("values", "kind", "mend"), SUSPECT.values(), ids=SUSPECT)
def test_a_fault_is_found_with_its_mend(values, kind, mend):
    found = found_in({"x": values, "other": G.normal(size=N)})
    assert found[0].kind == kind
    assert (found[0].mend and found[0].mend.words) == mend
    assert all(one.kind == "sentinel" for one in found[1:])
    json.dumps([one.as_dict() for one in found], allow_nan=False)


NAMED = {
    "zip": (G.integers(10_000, 99_999, N), "code"),
    "Postal Code": (G.integers(10_000, 99_999, N), "code"),
    "homePhone": (G.integers(10**9, 10**10, N), "code"),
    "code": (G.permutation(N) + 1000, "code"),
    "customer_id": (np.repeat(G.permutation(N // 2), 2), "identifier"),
    "price": (G.integers(10_000, 99_999, N), None),
    "zipper length": (G.integers(10_000, 99_999, N), None),
    "year": (G.integers(1950, 2020, N), None),
    "phone calls": (G.integers(0, 60, N), None),
    "code length": (G.normal(size=N), None),
}


@pytest.mark.parametrize("name", NAMED)
def test_numbers_that_name_things_are_found_by_name_and_value(name):
    values, kind = NAMED[name]
    found = found_in({name: values, "other": G.normal(size=N)})
    assert [one.kind for one in found] == ([] if kind is None else [kind])
    used = prepare(Dataset("t", pd.DataFrame({name: values, "o": NORMAL})), SENSIBLE).report.used
    assert (name in used) == (kind is None)


INNOCENT = {
    "normal": G.normal(size=N),
    "heavy tails": np.exp(1.5 * G.normal(size=N)),
    "counts": G.poisson(3, N),
    "percentages to 99": G.integers(0, 100, N),
    "years": G.integers(1900, 2020, N),
    "signed": G.integers(-3, 4, N),
    "minus one and one": G.choice([-1.0, 1.0], N),
    "cosines": np.cos(G.random(N) * 6).round(2),
    "thousands around 999": G.integers(900, 1100, N),
    "temperature": replaced(G.normal(3, 4, N).round(), -1, 9),
    "phonemes": G.choice(["had", "hAd", "hod", "hOd"], N),
    "letters": G.choice(list("aAbB"), N),
    "levels": G.choice(["low", "high"], N),
    "yes": G.random(N) < 0.05,
    "versions": [f"{i % 7}.{i % 3}" for i in range(N)],
    "free text": [f"it costs ${i} or {i}% more" for i in range(N)],
    "dates": pd.date_range("1890-01-01", periods=N, freq="90D"),
}


@pytest.mark.parametrize("values", INNOCENT.values(), ids=INNOCENT)
def test_an_innocent_column_is_left_in_peace(values):
    assert found_in({"x": values, "other": np.random.default_rng(1).normal(size=N)}) == ()


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_sets_give_hardly_an_alarm(name):
    kinds = [one.kind for one in suspicions(load_bundled(name))]
    known = {"iris": ["repeated rows"], "breast-cancer": ["far"]}  # both are true
    assert kinds == known.get(name, [])


@pytest.mark.thorough
@pytest.mark.skipif(not SHARED.is_dir(), reason="the paper's data are not here")
@pytest.mark.parametrize("name", ["car-evaluation", "vowel", "ionosphere", "satimage", "letter",
                                  "pendigits", "segment", "splice", "qsar-biodeg"])  # fmt: skip
def test_the_papers_tables_give_few_alarms(name):
    table = pd.read_parquet(SHARED / f"{name}.parquet")
    found = suspicions(Dataset(name, table))
    assert len(found) <= 4, [one.sentence for one in found]
    assert not {one.kind for one in found} & {"percent", "money", "spelling", "code"}


def test_repeated_rows_are_named_with_their_identifiers_and_their_own_are_not_compared():
    table = pd.DataFrame({"name": [f"p{i}" for i in range(N)], "x": NORMAL, "y": G.normal(size=N)})
    copies = table.iloc[[3, 7]].assign(name=["q1", "q2"])
    table = pd.concat([table, copies], ignore_index=True)
    (found,) = suspicions(Dataset("t", table))
    assert (found.kind, found.rows, found.identifiers) == (
        "repeated rows",
        (200, 201),
        ("name q1", "name q2"),
    )
    assert "200 (as 3), 201 (as 7)" in found.sentence
    prepared = prepare(Dataset("t", table), SENSIBLE.with_mend(found.mend))
    assert prepared.rows.tolist() == list(range(N))
    assert "Left out 2 rows that repeat an earlier one." in prepared.report.sentences()


def test_rows_that_are_equal_by_coincidence_are_not_repeated():
    dice = pd.DataFrame(G.integers(1, 7, (500, 3)))
    assert suspicions(Dataset("dice", dice)) == ()


def test_vectors_of_one_length_are_offered_cosine():
    points = G.normal(size=(N, 16))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    names = tuple(f"v[{i}]" for i in range(16))
    dataset = Dataset("v", pd.DataFrame(points, columns=names), vectors=Vectors("v", names))
    (found,) = suspicions(dataset)
    assert (found.kind, found.column, found.mend) == ("unit length", "v", Mend("cosine"))
    assert VECTORS.with_mend(found.mend).metric == "cosine"
    longer = Dataset("v", dataset.table * np.linspace(1, 3, N)[:, None], vectors=dataset.vectors)
    assert suspicions(longer) == ()
    (line,) = column_overview(dataset)
    assert (line.name, line.role, line.n_distinct) == ("v", "vector", 16)
    assert line.suspicions == (found,)


@pytest.mark.thorough
def test_many_independent_columns_are_no_embedding():
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 30_000)))
    assert found_in(table) == ()
    table = table.div(np.sqrt(np.square(table).sum(axis=1)), axis=0)
    assert [one.kind for one in found_in(table)] == ["unit length"]


def test_one_fault_of_many_columns_is_one_suspicion():
    table = pd.DataFrame({f"x{i}": replaced(np.zeros(N), i + 1, 2) for i in range(30)})
    (found,) = (one for one in found_in(table) if one.kind == "nearly constant")
    assert (found.column, found.mend) == ("", None)
    assert found.sentence.startswith("30 columns are nearly constant: 'x0', 'x1'")


def test_the_table_of_columns_shows_roles_ends_and_sketches():
    target = pd.Series(["u", "v"] * (N // 2), name="kind")
    table = pd.DataFrame(
        {
            "id": range(N),
            "x": NORMAL,
            "share": [f"{v}%" for v in NORMAL],
            "site": [f"https://a.example/{i % 9}" for i in range(N)],
            "said": [f"a sentence of words {i}" for i in range(N)],
            "photo": [b"\x89PNG\r\n" + bytes([i % 250]) for i in range(N)],
            "day": pd.date_range("2024-01-01", periods=N),
        }
    )
    lines = column_overview(Dataset("t", table, target), SENSIBLE.with_role("x", "leave out"))
    roles = {line.name: line.role for line in lines}
    assert roles == {
        "kind": "label",
        "id": "identifier",
        "x": "leave out",
        "share": "feature",
        "site": "link",
        "said": "text",
        "photo": "image",
        "day": "leave out",
    }
    by_name = {line.name: line for line in lines}
    assert (by_name["day"].lowest, by_name["day"].highest) == ("2024-01-01", "2024-07-18")
    assert by_name["share"].lowest == f"{NORMAL.min():g}"
    assert sum(by_name["x"].counts) == N
    assert len(by_name["x"].counts) == 16
    assert by_name["kind"].counts == (N // 2, N // 2)
    assert by_name["share"].suspicions[0].kind == "percent"


@pytest.mark.parametrize("words", [
    "age: -999 is missing", "a: b: -999 is missing", "x: read as numbers", "s: join spellings",
    "zip: role identifier", "x: role leave out", "keep the first of repeated rows",
    "compare rows by direction",
])  # fmt: skip
def test_a_mend_survives_the_way_to_words_and_back(words):
    assert Mend.parse(words).words == words


def test_spellings_are_joined_in_features_and_in_the_label():
    texts = ["red", "Red", "blue", " red", "blue", "blue"] * 5
    table = pd.DataFrame({"c": texts, "x": np.arange(30.0)})
    dataset = Dataset("t", table, pd.Series(texts, name="kind"))
    mended = SENSIBLE.with_mend(Mend("join", "c")).with_mend(Mend("join", "kind"))
    prepared = prepare(dataset, mended)
    assert prepared.feature_names == ("c=blue", "c=red", "x")
    assert set(prepared.target) == {"red", "blue"}
    said = " ".join(prepared.report.sentences())
    assert "Mended 'c: join spellings': 10 values joined" in said
