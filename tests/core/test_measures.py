"""The table of measures: entries that agree with each other, with the documents and with NumPy."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import mecuco as mc
from mecuco_core.datasets.manifolds import load_manifold
from mecuco_core.diagnostics.stability import k_around, k_stability
from mecuco_core.errors import DataError
from mecuco_core.measures import MEASURES, NEEDS, Points, known_measures, measure_of
from mecuco_core.measures.exports import known_points, measure_columns
from mecuco_core.preparation.prepare import Preparation, prepare

DOCUMENT = (Path(__file__).parents[2] / "docs" / "exports.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def known():
    """Points of which everything is known."""
    dataset = load_manifold("torus", 300)
    prepared = prepare(dataset, Preparation(scale="none"))
    points = prepared.points
    score = mc.curvature(points, 8)
    found = known_points(dataset, prepared, score)
    return replace(
        found,
        surface=mc.shape_operator(points, 20, dimension=2),
        labels=pd.Series(np.arange(300) % 3),
        map=np.linspace(0, 1, 300),
        ranks_over_k=k_stability(points, k_values=k_around(8, 60).tolist()).percent,
    )


def test_every_entry_says_all_there_is_to_say():
    former = [name for one in MEASURES.values() for name in one.former]
    assert len({*former, *MEASURES}) == len(former) + len(MEASURES)
    for name, one in MEASURES.items():
        assert name == one.name
        assert name.isidentifier()
        assert one.title[0].isupper() or one.title.startswith("k-NN")
        assert len(one.title) < 25  # captions and colour bars cut longer ones
        assert one.explanation.endswith(".")
        assert set(one.needs) <= set(NEEDS)
        assert set(one.parts) <= set(MEASURES)
        assert one.cost
    assert len({one.title for one in MEASURES.values()}) == len(MEASURES)


@pytest.mark.parametrize("kind", ["score", "surface", "curve"])
def test_the_frame_of_a_result_has_the_columns_of_the_table_of_measures(known, kind):
    result = {
        "score": lambda: known.score,
        "surface": lambda: known.surface,
        "curve": lambda: mc.shape_operator(known.points, 20, dimension=1),
    }[kind]()
    which = {"score" if kind == "score" else "surface": result}
    expected = measure_columns(Points(graph=result.graph, **which))
    pd.testing.assert_frame_equal(
        result.to_frame().drop(columns="row"), pd.DataFrame(expected), check_dtype=False
    )


def test_every_measure_has_a_number_for_every_point(known):
    assert known_measures(known) == list(MEASURES.values())
    for one in MEASURES.values():
        values = one.values(known)
        assert (values.shape, values.dtype) == ((300,), np.float64), one.name
        assert not np.isnan(values).any(), one.name
        assert not one.whole or (values == np.round(values)).all()
        assert one.unit != "share" or (values.min() >= 0 and values.max() <= 1)
        for whole in [one] if one.parts else []:
            parts = sum(MEASURES[part].values(known) for part in whole.parts)
            np.testing.assert_allclose(parts, values, rtol=1e-12)


def test_what_is_not_known_gives_no_measure_and_says_what_is_missing(known):
    for one in MEASURES.values():
        assert not one.is_known(Points())
        with pytest.raises(DataError, match=rf"^{one.name} needs {re.escape(one.needed)}$"):
            one.values(Points())
    curve = replace(
        known, surface=mc.shape_operator(np.c_[known.points, known.truth], 20, dimension=2)
    )
    assert measure_of("mean_curvature").is_known(curve)  # in four dimensions there is no one normal
    assert not measure_of("gaussian_curvature").is_known(curve)


def test_by_hand():
    # 0 and 1 are each other's neighbours, the rest look at both: 1 is nearest to all.
    points = np.array([[0.0], [1.0], [3.0], [6.0]])
    result = mc.curvature(points, 2, mode="exact")
    known = Points(graph=result.graph, score=result, labels=pd.Series(["a", "b", "b", None]))
    np.testing.assert_array_equal(result.graph.indices, [[1, 2], [0, 2], [1, 0], [2, 1]])
    columns = measure_columns(known, ["knn_distance", "in_degree", "label_disagreement"])
    np.testing.assert_array_equal(columns["knn_distance"], [3, 2, 3, 5])
    np.testing.assert_array_equal(columns["in_degree"], [2, 3, 3, 0])
    assert columns["in_degree"].dtype == np.int64
    np.testing.assert_array_equal(columns["label_disagreement"], [1, 0.5, 0.5, np.nan])
    ranks = np.array([[25.0, 100.0, 50.0], [75.0, 100.0, 25.0]])
    stable = MEASURES["stability"].values(Points(ranks_over_k=ranks))
    np.testing.assert_array_equal(stable, [0.5, 1.0, 0.75])


def test_columns_are_written_in_the_order_asked_for_under_their_names_of_today(known):
    assert list(measure_columns(known, ["rank", "score"])) == ["percentile", "score"]
    usual = [name for name in measure_columns(known) if not name.startswith("principal")]
    assert usual.index("mean_curvature") < usual.index("score") < usual.index("percentile")
    assert set(usual) == {name for name, one in MEASURES.items() if "export" in one.places}


def test_an_unknown_name_is_one_sentence_with_the_names_there_are():
    with pytest.raises(DataError, match="no measure is called 'beauty': choose from score, scat"):
        measure_of("beauty")


def test_the_document_has_every_measure_in_the_words_of_the_table():
    lines = [
        f"| `{one.name}` | {one.title} | {one.unit} | {one.explanation} | {one.needed} |".replace(
            "|H|", r"\|H\|"
        )
        for one in MEASURES.values()
    ]
    written = [line for line in DOCUMENT.splitlines() if line.count(" | ") == 4]
    assert written[1:] == lines  # after the heads of the columns


def test_a_k_has_a_dozen_around_it():
    assert k_around(9, 100).tolist() == [3, 4, 5, 7, 8, 9, 10, 12, 15, 18, 22, 27]
    assert k_around(9, 12).max() == 12
