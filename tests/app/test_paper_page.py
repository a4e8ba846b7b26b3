"""The Paper page: the tables, one dataset of them, and a new run of it."""

import math

import numpy as np
import pandas as pd
import pytest

from mecuco_app.page.paper import measured, words
from mecuco_app.page.paper.comparison import compared, counts, reason, results, shown_columns
from mecuco_app.page.paper.dataset_panel import figures_of
from mecuco_app.page.paper.styling import HIGHER, LOWER, difference_css, signed, styled
from mecuco_app.plots import paper as plots
from mecuco_app.results.paper.again import Again, again_task, choice_of, is_present
from mecuco_app.scene.look import Look
from mecuco_app.view.settings import DataChoice
from mecuco_core.datasets.base import Dataset, Provenance
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.datasets.paper import paper_dataset
from mecuco_core.errors import DataError
from mecuco_core.reproduction.report.figures import LEAST_SECONDS
from tests.app.rerunning import figures, opened, settled, texts

PAGE = "10_Paper.py"


@pytest.fixture(scope="module")
def page():
    return opened(PAGE, data="bundled:iris", map="pca")


# The tables as frames.


def test_every_line_of_the_paper_is_there_with_its_difference():
    frame = compared(2, "scores")
    assert len(frame) == 80  # forty datasets by two methods
    iris = frame[(frame["dataset"] == "iris") & (frame["method"] == "MeCuCo")].iloc[0]
    assert (iris["mean, paper"], iris["s.d., paper"]) == (0.1588, 0.1571)
    assert iris["Δ mean"] == iris["mean"] - 0.1588
    assert abs(iris["Δ mean"]) < 1e-4
    assert iris["why"] == "a function of the data, and equal"
    absent = compared(3, "scores").set_index("dataset").loc["Speech"]
    assert math.isnan(absent["mean"])
    assert absent["mean, paper"] == 0.4034
    assert "not at hand" in absent["why"]


@pytest.mark.parametrize(
    ("table", "dataset", "mode", "words"),
    [
        (2, "wine", "exact", "depends on the null-space basis at 100 % of points"),
        (3, "cnae-9", "fast", "neighbours repeat at 44 % of points"),
        (2, "car-evaluation", "exact", "ties decide who is a neighbour at 100 % of points"),
        (2, "USPS", "original", "skipped: would take about 34 min"),
        (1, "USPS", "fast", "reconstruction"),
        (2, "segment", "exact", "equal all the same"),
    ],
)
def test_why_a_figure_differs_is_said(table, dataset, mode, words):
    frame = compared(table, "scores")
    told = frame[(frame["dataset"] == dataset) & (frame["mode"] == mode)]["why"].item()
    assert words in told.replace("\u202f", " ")


def test_data_that_differ_are_the_only_reason_left_for_a_determined_figure():
    row = {"status": "done", "determined": True, "agrees": False}
    assert "the data must differ" in reason("iris", row)


def test_only_columns_that_a_table_has_are_offered():
    assert shown_columns(1) == ("scores", "agreement", "time")
    assert shown_columns(3) == ("scores", "quartiles", "time")
    for table in (1, 2, 3):
        for columns in shown_columns(table):
            assert len(compared(table, columns)) >= 25


def test_times_of_two_machines_have_no_difference():
    frame = compared(2, "time").set_index(["dataset", "method"])
    assert not [name for name in frame if name.startswith("Δ")]
    assert frame.loc[("hill-valley", "MeCuCo"), "speed-up, paper"] == pytest.approx(7.91 / 0.37)
    assert frame.loc[("hill-valley", "original"), "speed-up"] == 1.0


def test_the_verdict_counts_what_the_results_say():
    assert counts(3) == (8, 8, 1, 0)
    assert words.verdict(3) == (
        "8 published figures are functions of the data, all of them met to 1e-4. "
        "1 other depends on a null-space basis, repeated rows or ties: none met."
    )


# Colours and signs.


def test_a_difference_has_a_sign_and_a_colour():
    assert signed(0.00123).split("\u202f") == ["▲", "0.0012"]
    assert signed(-0.00123).split("\u202f") == ["▼", "0.0012"]
    assert signed(-0.00009).split("\u202f") == ["=", "0.0001"]
    assert signed(math.nan) == "–"
    assert HIGHER in difference_css(0.01, 0.1)
    assert LOWER in difference_css(-0.01, 0.1)
    assert difference_css(0.00009, 0.1) == difference_css(math.nan, 0.1) == ""


def test_a_larger_difference_is_stronger():
    shades = [float(difference_css(d, 0.1).split()[-1][:-1]) for d in (2e-4, 2e-3, 2e-2, 2e-1)]
    assert shades == sorted(shades)
    assert 0.1 < shades[0] < shades[1] < shades[2] <= shades[3] <= 0.5


def test_new_figures_are_coloured_against_the_paper_too():
    frame = pd.DataFrame(
        {"mean, paper": [0.1], "mean": [0.1], "Δ mean": [0.0], "Δ new mean": [0.01]}
    )
    html = styled(frame).to_html()
    assert html.count(f"rgba({HIGHER}") == 1
    assert "▲\u202f0.0100" in html
    assert "=\u202f0.0000" in html


# The figures.


def test_the_error_figure_has_fast_low_and_haar_on_zero():
    fast, haar = measured.errors(results())
    assert len(fast.datasets) == 39
    assert fast.y.max() < 0
    assert np.abs(haar.y).max() < 0.1
    drawn = plots.error_over_ratio([fast, haar])
    assert [trace.name for trace in drawn.data] == ["fast", "haar"]
    np.testing.assert_array_equal(drawn.data[0].x, fast.x)


@pytest.mark.parametrize("against", ["n", "m"])
def test_the_time_figures_have_the_fitted_lines(against):
    series, exponents = measured.timings(results(), against)
    drawn = plots.time_over(series, against, look=Look(dark=True))
    assert [trace.mode for trace in drawn.data] == ["markers"] * 4 + ["lines"] * 4
    for one, fit in zip(series, exponents, strict=True):
        (x0, x1), (y0, y1) = one.line
        power = fit.n_power if against == "n" else fit.m_power
        assert np.log(y1 / y0) / np.log(x1 / x0) == pytest.approx(power)
    assert f"haar ∝ n^{exponents[-1].n_power:.2f}" in words.powers(
        [one.mode for one in series], exponents
    )


def test_short_times_are_left_out_of_the_fit():
    some = results().copy()
    some.loc[some["dataset"] == "iris", "seconds"] = LEAST_SECONDS / 2
    series, _ = measured.timings(some, "n")
    assert all("iris" not in one.datasets for one in series)


# One dataset, anew.


def test_a_dataset_is_opened_in_the_papers_version():
    assert choice_of(paper_dataset("wine")) == DataChoice("bundled", "wine")
    assert choice_of(paper_dataset("seeds")) == DataChoice("openml", "seeds@1")


def test_the_present_dataset_is_known_again():
    wine, seeds = paper_dataset("wine"), paper_dataset("seeds")
    bundled = load_bundled("wine")
    assert is_present(wine, bundled, DataChoice("bundled", "wine"))
    assert not is_present(wine, bundled, DataChoice("bundled", "wine", target="ash"))
    assert not is_present(seeds, bundled, DataChoice("bundled", "wine"))
    table = pd.DataFrame(np.zeros((210, 7)))
    own = Dataset("seeds", table, provenance=Provenance("openml", "1499", "1"))
    assert is_present(seeds, own, DataChoice("openml", "1499"))
    other = Dataset("seeds", table, provenance=Provenance("openml", "1500", "2"))
    assert not is_present(seeds, other, DataChoice("openml", "1500"))
    assert is_present(seeds, own, DataChoice("file", "seeds.csv"))
    assert not is_present(seeds, Dataset("seeds", table[:9]), DataChoice("file", "seeds.csv"))


def test_a_new_run_gives_the_shipped_figures_and_says_how_far_it_is():
    told = []
    task = again_task(
        paper_dataset("iris"),
        ("exact", "fast"),
        load_bundled("iris"),
        DataChoice("bundled", "iris"),
    )
    again = task.work(lambda share, message: told.append((share, message)))
    assert again.origin == "the dataset you are looking at"
    frame = figures_of(paper_dataset("iris"), 2, again).set_index("mode")
    assert frame.loc["exact", "new mean"] == pytest.approx(frame.loc["exact", "mean"], abs=1e-9)
    assert math.isnan(frame.loc["haar", "new mean"])
    assert frame.loc["exact", "Δ new mean"] == frame.loc["exact", "new mean"] - 0.1588
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert "Scoring by fast" in {message for _, message in told}


def test_modes_that_all_take_too_long_are_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr("mecuco_app.results.paper.again.LONGEST", 1e-9)
    task = again_task(
        paper_dataset("iris"), ("exact",), load_bundled("iris"), DataChoice("bundled", "iris")
    )
    with pytest.raises(DataError, match="choose fast or haar"):
        task.work(lambda share, message: None)


def test_a_copy_of_another_size_is_refused(monkeypatch):
    monkeypatch.setattr("mecuco_app.results.paper.again.is_present", lambda *_: True)
    task = again_task(
        paper_dataset("seeds"), ("fast",), load_bundled("iris"), DataChoice("openml", "seeds@1")
    )
    with pytest.raises(DataError, match="wrong shape"):
        task.work(lambda share, message: None)


# The page.


def test_the_page_shows_table_reasons_and_figures(page):
    said = texts(page)
    assert "Table 2: scores scaled to" in said
    assert "Null-space" in said or "null-space basis" in said
    assert "mecuco reproduce \\-\\-source DIR" in said
    assert len(page.dataframe[0].value) == 80
    assert set(figures(page)) == {"paper-error", "paper-speed-up", "paper-time-n", "paper-time-m"}


def test_table_figures_and_dataset_are_in_the_address():
    app = opened(PAGE, data="bundled:iris", map="pca", table="3", show="quartiles", paper="MLL")
    assert app.query_params["table"] == "3"
    assert "Table 3" in texts(app)
    assert "25 %, paper" in app.dataframe[0].value
    assert "**MLL**" in texts(app)
    app.button_group(key="paper.table").set_value(1)
    settled(app)
    assert app.query_params["table"] == "1"
    assert "mean, paper" in app.dataframe[0].value  # the first table has no quartiles
    app.selectbox(key="paper.dataset").set_value("wine")
    settled(app)
    assert app.query_params["paper"] == "wine"
    assert "**wine**" in texts(app)


def test_a_dataset_is_run_again_on_the_page():
    app = opened(PAGE, data="bundled:iris", map="pca", paper="wine")
    app.button_group(key="paper:modes").set_value(["fast", "haar"])
    settled(app)
    app.button(key="paper:again").click()
    settled(app)
    assert "data from scikit\\-learn" in texts(app)
    frame = next(d.value for d in app.dataframe if "new mean" in d.value).set_index("mode")
    assert frame.loc["haar", "new mean"] == pytest.approx(frame.loc["haar", "mean"], abs=1e-9)
    assert app.button(key="paper:again").disabled


def test_a_dataset_that_cannot_be_had_is_one_sentence(monkeypatch):
    def unreachable(*_, **__):
        raise DataError("OpenML cannot be reached: check the network.")

    monkeypatch.setattr("mecuco_app.data.sources.load_openml", unreachable)
    app = opened(PAGE, data="bundled:iris", map="pca", paper="seeds")
    app.button(key="paper:again").click()
    settled(app)
    assert [error.value for error in app.error] == [
        "OpenML cannot be reached\\: check the network\\."
    ]
    assert app.button(key="again:paper again").label == "Try again"


def test_no_mode_is_no_run():
    app = opened(PAGE, data="bundled:iris", map="pca")
    app.button_group(key="paper:modes").set_value([])
    settled(app)
    assert app.button(key="paper:again").disabled


def test_new_figures_of_nothing_are_empty():
    line = paper_dataset("iris")
    again = Again(results().iloc[:0], "nowhere")
    assert figures_of(line, 2, again)["new mean"].isna().all()
