import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.errors import DataError
from mecuco_core.preparation.prepare import prepare
from mecuco_core.reproduction import protocol
from mecuco_core.reproduction.protocol import Settings, measure, modes_named


def no_stage(name):
    return None


def points_of(name):
    return prepare(load_bundled(name)).points


def without_times(value):
    if isinstance(value, dict):
        return {name: without_times(item) for name, item in value.items() if "seconds" not in name}
    return value


@pytest.fixture(scope="module")
def iris():
    return measure(points_of("iris"), Settings(), no_stage)


@pytest.fixture(scope="module")
def wine():
    return measure(points_of("wine"), Settings(), no_stage)


def test_where_neighbours_span_the_space_all_modes_but_fast_are_one(iris):
    assert (iris["n"], iris["m"], iris["k"]) == (*load_iris().data.shape, 7)
    assert iris["null_bases"] is None
    exact = iris["modes"]["exact"]
    for mode in ("original", "haar"):
        for scaling in ("raw", "normalised"):
            assert iris["modes"][mode][scaling] == pytest.approx(exact[scaling], rel=1e-9)
    assert exact["agreement_raw"]["spearman"] == pytest.approx(1.0)


def test_iris_is_the_papers_to_four_decimals(iris):
    figures = iris["modes"]["exact"]["normalised"]
    assert figures["mean"] == pytest.approx(0.1588, abs=1e-4)
    assert figures["std"] == pytest.approx(0.1571, abs=1e-4)


def test_random_bases_average_to_haar_and_fast_lies_low(wine):
    bases = wine["null_bases"]
    assert not bases["is_sample"]
    assert abs(bases["bias_haar"]) < 4 * bases["spread_of_means"] / np.sqrt(bases["n_bases"])
    assert -0.20 < bases["bias_fast"] < -0.15
    marks = bases["marks"]["raw"]
    assert marks["random"]["low"] <= marks["random"]["mean"] <= marks["random"]["high"]
    assert marks["haar"]["mean"] < marks["leaning"]["mean"]
    assert marks["haar"]["mean"] == pytest.approx(wine["modes"]["haar"]["raw"]["mean"])
    assert set(marks) == {"fast", "haar", "random", "ev", "evd", "evr", "leaning"}


def test_numbers_do_not_depend_on_threads_or_on_the_run(wine):
    again = measure(points_of("wine"), Settings(), no_stage, n_jobs=1)
    assert without_times(again) == without_times(wine)


def test_neighbours_that_repeat_show_in_the_ranks_and_the_ties():
    points = np.repeat(np.random.default_rng(0).standard_normal((12, 3)), 5, axis=0)
    found = measure(points, Settings(modes=("fast", "haar")), no_stage)
    assert found["k"] == 6
    # Four equal neighbours, then two of the five of the next place: rank one, and a choice of two.
    assert (found["ranks"]["least"], found["ranks"]["most"]) == (1, 1)
    assert found["ranks"]["share_below_assumed"] == 1.0
    assert found["tied_share"] == 1.0


def test_the_reference_is_exact_where_original_is_not_scored():
    points = load_wine().data[:, :5]
    found = measure(points, Settings(modes=("exact", "fast")), no_stage)
    assert found["modes"]["fast"]["against"] == "exact"
    assert "against" not in found["modes"]["exact"]


def test_a_mode_over_the_budget_is_skipped_said_and_timed_on_a_sample(monkeypatch):
    monkeypatch.setattr(protocol, "SAMPLE_SECONDS", 0.05)
    points = np.random.default_rng(0).standard_normal((300, 60))
    found = measure(points, Settings(modes=("original", "haar"), budget=0.05), no_stage)
    original = found["modes"]["original"]
    assert original["skipped"].startswith("skipped: would take about")
    assert "raw" not in original
    assert original["projected_seconds"] > found["modes"]["haar"]["seconds"] > 0
    assert "raw" in found["modes"]["haar"]


def test_a_short_run_is_never_the_only_one(monkeypatch):
    took = [1.0, 1.1, 0.4]  # the search, a run that was disturbed, and another
    times = iter([time for seconds in took for time in (0.0, seconds)])
    monkeypatch.setattr(protocol.time, "perf_counter", lambda: next(times))
    points = prepare(load_bundled("iris")).points
    found = measure(points, Settings(modes=("haar",), n_bases=0), lambda name: None)
    assert found["modes"]["haar"]["seconds"] == 0.4
    assert found["search_seconds"] == 1.0


def test_progress_is_asked_for_every_stage():
    asked = []
    measure(points_of("wine"), Settings(modes=("haar",)), lambda name: asked.append(name))
    assert asked == ["neighbours", "haar", "null-space bases"]


def test_settings_refuse_what_cannot_be():
    with pytest.raises(DataError, match="modes must be some of"):
        Settings(modes=("auto",))
    with pytest.raises(DataError, match="budget"):
        Settings(budget=0)
    with pytest.raises(DataError, match="got quick"):
        modes_named(["haar", "quick"])
    assert modes_named(["haar", "exact"]) == ("exact", "haar")
