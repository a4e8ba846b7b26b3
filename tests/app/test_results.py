from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import mecuco as mc
from mecuco_app.results import analyses, maps, principal, scores
from mecuco_app.results.lessons.coordinate_change import coordinate_stability_task
from mecuco_app.results.needs import fidelity_sentence
from mecuco_app.view.settings import (
    K_MAX,
    K_MAX_LARGE,
    LARGE,
    AgreementSettings,
    BoundarySettings,
    MapSettings,
    ScoreSettings,
)
from mecuco_app.work.jobs import Stopped
from mecuco_app.work.tasks import Task
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.preparation.prepare import Preparation, prepare


@pytest.fixture(scope="module")
def wine():
    return prepare(load_bundled("wine"))


@pytest.fixture
def counted(monkeypatch):
    """How often neighbours are searched."""
    calls = []
    real = scores.knn_graph

    def search(points, *args, **kwargs):
        calls.append(points.shape)
        return real(points, *args, **kwargs)

    monkeypatch.setattr(scores, "knn_graph", search)
    return calls


def fresh(seed, n_points=150):
    """Points nobody has asked for before."""
    table = pd.DataFrame(np.random.default_rng(seed).standard_normal((n_points, 5)))
    return prepare(Dataset("fresh", table.rename(columns=str)))


@pytest.mark.parametrize("mode", ["auto", "haar", "fast"])
@pytest.mark.parametrize("k", [2, 7, 60])
def test_scores_on_a_prefix_are_those_of_a_search_of_their_own(wine, mode, k):
    found = scores.curvature_of(wine, ScoreSettings(mode, k))
    np.testing.assert_array_equal(found.values, mc.curvature(wine.points, k, mode=mode).values)
    assert found.n_neighbors == k


def test_every_k_is_served_by_one_search(counted):
    points = fresh(1)
    for k in (3, 9, 20):
        scores.curvature_of(points, ScoreSettings("haar", k))
    assert counted == [(150, 5)]


def test_fast_and_haar_are_made_of_the_same_terms_once(monkeypatch):
    points, passes = fresh(2), []
    score = scores.scored
    monkeypatch.setattr(scores, "scored", lambda *a, **o: passes.append(a[2]) or score(*a, **o))
    both = {m: scores.curvature_of(points, ScoreSettings(m, 7)) for m in ("haar", "fast")}
    assert passes == ["haar"]
    for mode, result in both.items():
        np.testing.assert_array_equal(
            result.values, mc.curvature(points.points, 7, mode=mode).values
        )
    scores.curvature_of(points, ScoreSettings("fast", 8))
    assert passes == ["haar", "fast"]


MADE_FROM_A_SCORE = {
    "score": lambda points, score: scores.score_task(points, score),
    "stability": lambda points, score: analyses.stability_task(points, score),
    "coordinate change": lambda points, score: analyses.coordinate_change_task(
        points, score, "rotation", 0
    ),
    "coordinate stability": lambda points, score: coordinate_stability_task(
        points, score, "rotation"
    ),
    "removal": lambda points, score: analyses.removal_task(
        load_bundled("wine"), points, score, BoundarySettings(), None
    ),
    "pair": lambda points, score: analyses.pair_task(
        points, AgreementSettings(score.mode, "haar"), 7, None
    ),
}


@pytest.mark.parametrize("task", MADE_FROM_A_SCORE.values(), ids=MADE_FROM_A_SCORE)
@pytest.mark.parametrize(("n_features", "mode"), [(5, "exact"), (60, "fast")])
def test_auto_and_the_mode_it_means_are_one_task(task, n_features, mode):
    table = pd.DataFrame(np.random.default_rng(0).standard_normal((40, n_features)))
    points = prepare(Dataset("few", table.rename(columns=str)))
    assert task(points, ScoreSettings("auto", 7)).key == task(points, ScoreSettings(mode, 7)).key
    assert task(points, ScoreSettings(mode, 7)).key != task(points, ScoreSettings("haar", 7)).key


def test_whitening_is_one_task_whatever_the_seed(wine):
    keys = {
        kind: {
            analyses.coordinate_change_task(wine, ScoreSettings(), kind, seed).key
            for seed in range(3)
        }
        for kind in ("whitening", "rotation")
    }
    assert (len(keys["whitening"]), len(keys["rotation"])) == (1, 3)


def test_auto_shares_the_scores_of_the_mode_it_stands_for():
    points = fresh(3)
    used = scores.curvature_of(points, ScoreSettings("auto", 7))
    assert scores.curvature_of(points, ScoreSettings(used.mode, 7)) is used


def test_a_long_search_is_kept_for_the_next_start(counted, monkeypatch, tmp_path):
    monkeypatch.setenv("MECUCO_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(scores, "KEPT_SECONDS", 0.0)
    points = fresh(41)
    task = scores.graph_task(points)
    first = task.work(lambda share, message: None)
    again = task.work(lambda share, message: None)
    assert counted == [(150, 5)]
    np.testing.assert_array_equal(first.indices, again.indices)
    (kept,) = (tmp_path / "graphs").iterdir()
    kept.write_bytes(kept.read_bytes()[:-1])
    repaired = task.work(lambda share, message: None)
    assert len(counted) == 2
    np.testing.assert_array_equal(first.indices, repaired.indices)


def test_a_second_call_computes_nothing(counted, monkeypatch):
    points, settings = fresh(2), ScoreSettings("haar", 6)
    first = scores.curvature_of(points, settings)
    monkeypatch.setattr(scores, "curvature", lambda *_, **__: pytest.fail("computed again"))
    np.testing.assert_array_equal(scores.curvature_of(points, settings).values, first.values)


def test_one_changed_cell_is_another_answer():
    # 800 × 700 is past the size from which Streamlit hashes only a sample of an array.
    table = pd.DataFrame(np.random.default_rng(0).standard_normal((800, 700))).rename(columns=str)
    preparation = Preparation(scale="none")
    first = prepare(Dataset("a", table), preparation)
    changed = table.copy()
    changed.iloc[400, 350] += 1.0
    second = prepare(Dataset("a", changed), preparation)
    settings = ScoreSettings("haar", 5)
    a, b = (scores.curvature_of(points, settings) for points in (first, second))
    assert (a.values != b.values).any()
    np.testing.assert_array_equal(b.values, mc.curvature(second.points, 5, mode="haar").values)


def test_k_is_cut_to_what_the_data_allow():
    few = fresh(3, n_points=6)
    assert scores.k_of(few, ScoreSettings("auto", 50)) == 5
    assert scores.k_of(few, ScoreSettings("auto", None)) == 3  # round(log2 6)
    assert scores.largest_k(fresh(4)) == K_MAX
    many = replace(few, points=np.zeros((LARGE + 1, 1)))
    assert scores.largest_k(many) == K_MAX_LARGE


def test_a_stopped_run_is_not_cached():
    points = fresh(5)

    def stop(share, message):
        raise Stopped

    task = scores.graph_task(points)
    with pytest.raises(Stopped):
        task.run(stop)
    assert task.ready() is None
    assert task.run().n_neighbors == K_MAX
    assert task.ready() is not None


def test_a_failed_run_is_not_cached_and_the_next_one_may_succeed():
    answers = iter([ValueError("no"), 7])

    def work(report):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    task = Task("test", "Test", 0.0, ("failed then fine",), work)
    with pytest.raises(ValueError, match="no"):
        task.run()
    assert task.ready() is None
    assert task.run() == 7
    assert replace(task, work=lambda report: 8).run() == 7


def test_kinds_with_equal_keys_do_not_meet():
    first = Task("kind a", "", 0.0, ("same",), lambda report: 1)
    second = Task("kind b", "", 0.0, ("same",), lambda report: 2)
    assert (first.run(), second.run()) == (1, 2)


def test_pca_is_centred_and_ordered_by_spread(wine):
    flat = maps.pca_of(wine, 3)
    assert flat.dtype == np.float32
    np.testing.assert_allclose(flat.mean(axis=0), 0, atol=1e-5)
    assert (np.diff(flat.std(axis=0)) < 0).all()


@pytest.mark.parametrize("table", [{"a": [1.0, 2, 3, 4]}, {"a": [1.0] * 4, "b": [2.0] * 4}])
def test_pca_of_one_column_or_of_constants_still_has_two_axes(table):
    points = prepare(Dataset("few", pd.DataFrame(table)))
    assert maps.pca_of(points).shape == (4, 2)
    assert np.isfinite(maps.pca_of(points)).all()


def test_directions_of_a_sample_are_nearly_those_of_all(monkeypatch):
    points = np.random.default_rng(9).standard_normal((3000, 6)) * [9, 5, 1, 1, 1, 1]
    whole = principal.principal_coordinates(points, 2)
    monkeypatch.setattr(principal, "FITTED", 1000)
    monkeypatch.setattr(principal, "_MOST_WORK", 0.0)
    assert principal.is_sampled(*points.shape)
    some = principal.principal_coordinates(points, 2)
    assert some.shape == (3000, 2)
    for axis in range(2):
        assert abs(np.corrcoef(whole[:, axis], some[:, axis])[0, 1]) > 0.99


def test_a_map_that_is_the_data_keeps_every_neighbour():
    table = pd.DataFrame(np.random.default_rng(6).standard_normal((80, 2)), columns=["a", "b"])
    points = prepare(Dataset("flat", table), Preparation(scale="none"))
    kept = maps.fidelity_task(points, 8, points.points.astype(np.float32), ("itself",)).run()
    np.testing.assert_array_equal(kept, 1.0)


def test_a_point_without_a_place_has_no_fidelity_and_is_nobodys_neighbour():
    points = prepare(Dataset("cloud", pd.DataFrame(np.random.default_rng(3).normal(size=(40, 2)))))
    places = points.points.astype(np.float32)
    places[7] = np.nan
    kept = maps.fidelity_task(points, 5, places, ("holes",)).run()
    assert np.isnan(kept[7])
    near = scores.graph_of(points).prefix(5).indices
    others = np.delete(np.arange(40), 7)
    expected = [np.mean([i != 7 for i in near[j]]) for j in others]
    np.testing.assert_allclose(kept[others], expected)


def test_a_random_map_keeps_few_neighbours():
    points = fresh(7)
    noise = np.random.default_rng(8).standard_normal((150, 2)).astype(np.float32)
    kept = maps.fidelity_task(points, 10, noise, ("noise",)).run()
    assert kept.mean() < 0.2
    assert "by chance it would keep 6.7" in fidelity_sentence(kept, 10)  # 10 of 149 others
    assert kept.mean() == pytest.approx(10 / 149, abs=0.02)
    assert fidelity_sentence(np.array([0.0, 0.5, 1.0]), 2).endswith("1 point of 3 keeps none.")
    assert fidelity_sentence(np.array([0.0, 0.0, 1.0]), 2).endswith("2 points of 3 keep none.")


def test_the_fidelity_of_a_map_reports_on_its_way_and_can_be_stopped():
    def stop(share, message):
        if message == "Searching neighbours on the map":
            raise Stopped

    points = fresh(8)
    task = maps.fidelity_task(points, 10, points.points[:, :2], ("stopped",))
    with pytest.raises(Stopped):
        task.work(stop)


def test_maps_with_other_settings_are_other_maps(wine):
    tasks = [
        maps.embedding_task(wine, settings)
        for settings in (
            MapSettings(),
            MapSettings(seed=1),
            MapSettings(min_dist=0.2),
            MapSettings(n_neighbors=5),
            MapSettings(dimension=3),
        )
    ]
    assert len({task.key for task in tasks}) == 5


def test_the_time_is_known_before_the_work(wine):
    slow = scores.score_task(wine, ScoreSettings("original", 60))
    assert slow.seconds > scores.score_task(wine, ScoreSettings("haar", 7)).seconds > 0
