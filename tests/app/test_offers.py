"""Datasets that a program brought: taken once by one browser, over pipes and in Arrow alone."""

import numpy as np
import pandas as pd
import pytest

import mecuco as mc
from mecuco_app.data.offers import Offers
from mecuco_app.data.sources import Loaded
from mecuco_app.data.visits import Visit, same_data, subject
from mecuco_app.view.by_name import KNOWN, chosen_view
from mecuco_app.view.links import decoded, encoded
from mecuco_app.view.settings import DataChoice, SelectionRule, View, changed
from mecuco_app.work.tables import from_dataset, to_dataset
from mecuco_core.datasets.base import Dataset, Vectors
from mecuco_core.datasets.manifolds import load_manifold
from mecuco_core.preparation.prepare import prepare


def loaded(seed=0, n_rows=20):
    table = pd.DataFrame(np.random.default_rng(seed).standard_normal((n_rows, 3)), columns=[*"abc"])
    dataset = Dataset("mine", table)
    choice = DataChoice("memory", "mine", fingerprint=dataset.fingerprint)
    return Loaded(dataset, prepare(dataset), choice)


def test_a_token_gives_the_data_to_the_first_visit_alone():
    offers, one, other = Offers(), Visit(), Visit()
    offer = offers.make(loaded(), View())
    token = offers.token(offer)
    assert offers.has(token)
    assert offers.take(token, one).data == offer.loaded.choice
    assert one.find(offer.loaded.choice).loaded is offer.loaded
    assert offers.take(token, other) is None
    assert other.find(offer.loaded.choice) is None
    assert offers.take(token, one) is not None  # it comes back to what it has
    fresh = offers.token(offer)
    assert offers.take(fresh, other) is not None
    assert offers.take(fresh, one) is None
    assert offers.take("made up", one) is None


def test_what_is_seen_is_what_the_visit_chose_last():
    offers, visit = Offers(), Visit()
    offer = offers.make(loaded(), View())
    assert offer.seen == (offer.view, offer.loaded)
    offers.take(offers.token(offer), visit)
    chosen = changed(offer.view, "rule", SelectionRule("rows", rows=(1, 4)))
    visit.hold(chosen, offer.loaded, "a tab")
    assert offer.seen[0].rule.rows == (1, 4)


def test_what_is_withdrawn_is_forgotten_by_those_who_took_it():
    offers, visit = Offers(), Visit()
    offer, twin = (offers.make(loaded(), View()) for _ in range(2))
    tokens = [offers.token(one) for one in (offer, twin)]
    for token in tokens:
        offers.take(token, visit)
    offers.withdraw(offer)
    assert not offers.has(tokens[0])
    assert visit.find(twin.loaded.choice) is not None  # the same data are shown by another call
    offers.withdraw(twin)
    assert visit.find(twin.loaded.choice) is None
    assert visit.has_forgotten(twin.loaded.dataset.fingerprint)


def test_data_from_memory_stay_where_no_tab_shows_them():
    offers, visit = Offers(), Visit()
    offer = offers.make(loaded(), View())
    offers.take(offers.token(offer), visit)
    assert visit.unseen == []


def test_an_address_names_data_from_memory_by_their_fingerprint():
    choice = loaded().choice
    view = decoded(encoded(changed(View(), "data", choice))).view
    assert same_data(choice, view.data)
    assert subject(changed(View(), "data", choice))[0] == subject(view)[0]
    other = loaded(seed=1).choice
    assert not same_data(other, view.data)
    assert not same_data(DataChoice("file", "mine", fingerprint=choice.fingerprint), view.data)


def messy():
    n = 40
    vectors = pd.DataFrame(
        np.random.default_rng(0).standard_normal((n, 20)).astype(np.float32),
        columns=[f"v[{i}]" for i in range(20)],
    )
    others = pd.DataFrame(
        {
            "text": [f"t{i}" for i in range(n)],
            "kind": pd.Categorical(["a", "b"] * (n // 2)),
            "whole": pd.array([1, None] * (n // 2), dtype="Int64"),
            "day": pd.date_range("2020-01-01", periods=n, tz="Europe/Berlin"),
            "picture": pd.Series([b"\x89PNG" + bytes([i]) for i in range(n)], dtype=object),
        }
    )
    names = tuple(vectors.columns)
    table = pd.concat([others, vectors], axis=1)
    target = pd.Series(np.arange(n) % 3, name="label")
    return Dataset("messy", table, target, vectors=Vectors("v", names))


@pytest.mark.parametrize(
    "dataset",
    [messy(), load_manifold("torus", n_points=30), mc.datasets.load_bundled("digits")],
    ids=lambda one: one.name,
)
def test_a_dataset_goes_over_whole(dataset):
    words, body, notes = from_dataset(dataset)
    back = to_dataset(words, bytearray(b"".join(body)))
    assert back.fingerprint == dataset.fingerprint
    assert (back.name, back.provenance) == (dataset.name, dataset.provenance)
    assert (back.vectors, back.image_shape) == (dataset.vectors, dataset.image_shape)
    assert back.target_name == dataset.target_name
    assert notes == ()


def test_what_arrow_has_no_type_for_becomes_text_and_is_said():
    table = pd.DataFrame({"a": [1.0, 2.0, 3.0], "z": np.array([1j, 2j, 3j])})
    words, body, (note,) = from_dataset(Dataset("complex", table))
    back = to_dataset(words, bytearray(b"".join(body)))
    assert back.table["z"].tolist() == ["1j", "2j", "3j"]
    assert "'z'" in note


def test_choices_by_name_are_those_of_the_view():
    chosen = {"k": 9, "mode": "fast", "map": "pca", "dimension": 3, "scale": "log"}
    view = chosen_view(chosen | {"color": "price"}, ["price"])
    assert (view.score.n_neighbors, view.score.mode) == (9, "fast")
    assert (view.map.kind, view.map.dimension, view.colour.scale) == ("pca", 3, "log")
    assert (view.colour.by, view.colour.column) == ("column", "price")
    assert chosen_view({"colour": "label"}, []).colour.by == "label"
    paper = mc.datasets.Preparation.paper()
    assert chosen_view({"preparation": "paper"}, []).preparation == paper
    with pytest.raises(TypeError, match=f"no choice 'kk': there are {', '.join(KNOWN)}"):
        chosen_view({"kk": 3}, [])
    for name, value in {"k": 1, "mode": "best", "map": True, "colour": "prize"}.items():
        with pytest.raises(mc.DataError, match=f"{name} must be .*, got '{value}'"):
            chosen_view({name: value}, ["price"])
