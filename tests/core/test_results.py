"""What every result has in common: one line of repr, arrays nobody writes to, a frame, notes."""

import pickle
import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import mecuco as mc
from mecuco_core.datasets.manifolds import sample_manifold
from tests.core import samples

DOCUMENT = (Path(__file__).parents[2] / "docs" / "exports.md").read_text(encoding="utf-8")
POINTS = samples.gaussian(0, 80, 6)
TORUS = sample_manifold("torus", 300).points


def streamed(folder):
    np.save(folder / "points.npy", POINTS)
    return mc.score_rows(folder / "points.npy", folder / "scores.csv", 8)


RESULTS = {
    "Curvature": lambda _: mc.curvature(POINTS, 8),
    "KnnGraph": lambda _: mc.knn_graph(POINTS, 5),
    "ShapeOperator": lambda _: mc.shape_operator(TORUS, 20),
    "IntrinsicDimension": lambda _: mc.intrinsic_dimension(TORUS),
    "Agreement": lambda _: mc.compare(POINTS[:, 0], POINTS[:, 1]),
    "Boundary": lambda _: mc.boundary_points(POINTS[:, 0]),
    "Stability": lambda _: mc.k_stability(POINTS, k_values=[4, 8]),
    "Streamed": streamed,
}


@pytest.fixture(params=RESULTS, scope="module")
def result(request, tmp_path_factory):
    return RESULTS[request.param](tmp_path_factory.mktemp("result"))


def arrays(result):
    found = [getattr(result, field.name) for field in fields(result)]
    return [one for one in found if isinstance(one, np.ndarray)]


def test_its_repr_is_one_line(result):
    told = repr(result)
    assert told.startswith(f"{type(result).__name__}(")
    assert told.endswith(")")
    assert "\n" not in told
    assert "array" not in told
    assert len(told) < 100


def test_its_arrays_cannot_be_written_to_after_pickling_either(result):
    for one in (result, pickle.loads(pickle.dumps(result))):
        for array in arrays(one):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0


def test_its_arrays_are_those_of_before_after_pickling(result):
    for one, other in zip(arrays(result), arrays(pickle.loads(pickle.dumps(result))), strict=True):
        np.testing.assert_array_equal(one, other)


def test_its_columns_are_those_of_the_exports(result):
    frame = result.to_frame()
    assert set(frame.columns) <= set(re.findall(r"`(\w+)`", DOCUMENT)) | {"principal_curvature_2"}
    assert len(frame) > 0


def test_its_notes_are_sentences(result):
    assert isinstance(result.notes, tuple)
    for note in result.notes:
        assert note[0].isupper() or note[0].isdigit()
        assert note.endswith(".")


def test_the_callers_own_array_stays_as_it_was():
    indices = np.array([[1, 2], [0, 2], [0, 1]])
    graph = mc.KnnGraph(indices, np.ones((3, 2)), "given")
    indices[0, 0] = 2
    assert graph.indices.flags.writeable is False


def test_a_score_is_an_array_that_is_read_only():
    score = mc.curvature(POINTS, 8)
    np.testing.assert_array_equal(np.asarray(score), score.values)
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(score)[0] = 1.0


@pytest.mark.usefixtures("descent")
def test_an_approximate_search_is_noted_with_its_recall():
    score = mc.curvature(samples.sheet(1, 9000, 40), 6, search="approximate", seed=5)
    assert (score.graph.method, score.graph.seed) == ("approximate", 5)
    assert f"{score.graph.recall:.1%} of the true neighbours" in score.notes[0]
    assert mc.curvature(POINTS, 8, search="exact").notes == ()


@pytest.mark.usefixtures("descent")
def test_the_seed_reaches_the_search():
    points = samples.sheet(2, 9000, 40)
    graphs = [mc.curvature(points, 6, search="approximate", seed=s).graph for s in (0, 0, 1)]
    np.testing.assert_array_equal(graphs[0].indices, graphs[1].indices)
    assert [graph.seed for graph in graphs] == [0, 0, 1]


def test_a_slow_mode_is_noted_by_the_size_of_the_work(monkeypatch):
    monkeypatch.setattr("mecuco_core.score.notes.SLOW_SECONDS", 0.0)
    (note,) = mc.curvature(samples.gaussian(0, 40, 3), 8, mode="exact").notes
    assert "'exact' takes about" in note
    assert "2 processors" in note


def test_scores_that_depend_on_a_basis_are_noted_with_their_number():
    points = samples.gaussian(3, 40, 12)
    (note,) = mc.curvature(points, 5, mode="exact").notes
    assert note.startswith("40 of 40 neighbourhoods do not span the space")
    assert mc.curvature(points, 5, mode="haar").notes == ()


def test_scores_below_their_bound_are_noted():
    points = samples.gaussian(1, 300, 128)
    score = mc.curvature(points, 8, mode="fast")
    low = int((score.alignment < 0).sum())
    assert low > 0
    assert score.notes[0].startswith(f"{low} of 300 scores are below")


def test_poor_fits_and_an_estimated_dimension_are_noted():
    noise = samples.gaussian(0, 200, 3)
    surface = mc.shape_operator(noise, 12, dimension="auto")
    assert surface.notes[0].startswith("The dimension 2 was estimated")
    assert f"{int(surface.poor.sum())} of 200 fits are poor" in surface.notes[1]


def test_a_constant_score_is_noted():
    assert "no order" in mc.compare(np.ones(5), np.arange(5.0)).notes[0]


def test_a_threshold_among_equal_scores_is_noted():
    boundary = mc.boundary_points(np.repeat([0.0, 1.0], [10, 10]), percentile=80)
    assert boundary.notes == (
        "Scores repeat at the threshold: 0 points lie above it, where the percentile would have 4.",
    )
    assert mc.boundary_points(np.arange(20.0), percentile=80).notes == ()


@pytest.mark.parametrize("percentile", range(0, 101, 3))
@pytest.mark.parametrize("n", [3, 20, 97, 150])
def test_different_scores_never_repeat_at_the_threshold(n, percentile):
    assert mc.boundary_points(np.arange(float(n)), percentile=percentile).notes == ()


def test_the_frame_of_a_score_has_a_line_for_every_point():
    score = mc.curvature(POINTS, 8)
    frame = score.to_frame()
    np.testing.assert_array_equal(frame["score"], score.values)
    np.testing.assert_array_equal(frame["alignment"], score.alignment)
    np.testing.assert_array_equal(frame["row"], np.arange(80))


def test_the_frame_of_a_run_is_what_was_written(tmp_path):
    frame = streamed(tmp_path).to_frame()
    assert len(frame) == 80
    assert frame["score"].notna().all()


@pytest.mark.parametrize(
    ("make", "former"),
    [
        ("Curvature", ("shape", "rank", "neighbors")),
        ("ShapeOperator", ("goodness", "neighbors")),
    ],
)
def test_former_names_are_gone(make, former, tmp_path):
    result = RESULTS[make](tmp_path)
    for name in former:
        with pytest.raises(AttributeError, match=name):
            getattr(result, name)


def test_after_the_points_only_the_number_of_neighbours_goes_without_a_name():
    score = mc.curvature(POINTS, 8)
    for call in (
        lambda: mc.curvature(POINTS, 8, "haar"),
        lambda: mc.knn_graph(POINTS, 8, "exact"),
        lambda: mc.shape_operator(TORUS, 20, 2),
        lambda: mc.intrinsic_dimension(TORUS, 20, score.graph),
        lambda: mc.boundary_points(score, 75),
        lambda: mc.k_stability(POINTS, [4, 8]),
    ):
        with pytest.raises(TypeError, match="positional argument"):
            call()
    with pytest.raises(TypeError, match="neighbors"):
        mc.curvature(POINTS, neighbors=score.graph)
