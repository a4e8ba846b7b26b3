import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.datasets.paper import paper_dataset
from mecuco_core.preparation.prepare import prepare
from mecuco_core.reproduction.protocol import Settings, measure
from mecuco_core.reproduction.report.figures import fitted_exponents
from mecuco_core.reproduction.report.page import html_report
from mecuco_core.reproduction.report.svg import Axis, Series, figure, strip
from mecuco_core.reproduction.report.words import is_inside, position_among, summary, table_lines
from mecuco_core.reproduction.rows import COLUMNS, basis_rows, is_determined, result_rows
from mecuco_core.reproduction.runner import Outcome


@pytest.fixture(scope="module")
def outcomes():
    made = []
    for name in ("iris", "wine"):
        points = prepare(load_bundled(name)).points
        made.append(Outcome(paper_dataset(name), "done", part=measure(points, Settings(), _none)))
    return [*made, Outcome(paper_dataset("seeds"), "failed", "<b>no</b> table & no sense")]


def _none(name):
    return None


def test_rows_are_one_for_each_dataset_table_and_mode(outcomes):
    rows = result_rows(outcomes, (1, 2, 3))
    assert tuple(rows.columns) == COLUMNS
    assert COLUMNS[:8] == (
        "dataset", "table", "mode", "mean", "std", "published_mean", "published_std", "seconds",
    )  # fmt: skip
    done = rows[rows["status"] == "done"]
    assert len(done) == 2 * 2 * 4
    assert not done.duplicated(["dataset", "table", "mode"]).any()
    assert len(result_rows(outcomes, (2,))) == 2 * 4 + 1


def test_differences_are_ours_minus_the_published_and_judged_at_1e_4(outcomes):
    rows = result_rows(outcomes, (2,)).set_index(["dataset", "mode"])
    iris, wine = rows.loc[("iris", "exact")], rows.loc[("wine", "exact")]
    assert iris["difference_mean"] == pytest.approx(iris["mean"] - 0.1588)
    assert iris["agrees"] is True
    assert iris["determined"]
    assert wine["difference_std"] == pytest.approx(wine["std"] - 0.1431)
    assert wine["agrees"] is False
    assert not wine["determined"]
    assert rows.loc[("wine", "haar")].isna()["published_mean"]


def test_table_one_is_raw_and_table_two_scaled(outcomes):
    rows = result_rows(outcomes, (1, 2)).set_index(["dataset", "table", "mode"])
    part = outcomes[1].part["modes"]["haar"]
    assert rows.loc[("wine", 1, "haar")]["q50"] == part["raw"]["q50"]
    assert rows.loc[("wine", 2, "haar")]["q50"] == part["normalised"]["q50"]


def test_a_score_is_determined_by_the_rank_its_mode_needs():
    ranks = {"share_below_features": 0.0, "share_below_assumed": 0.1}
    assert [is_determined(mode, ranks) for mode in ("exact", "fast", "haar")] == [True, False, True]
    ranks = {"share_below_features": 1.0, "share_below_assumed": 0.0}
    assert [is_determined(mode, ranks) for mode in ("original", "fast")] == [False, True]


def test_bases_are_listed_only_where_the_score_depends_on_them(outcomes):
    rows = basis_rows(outcomes, (1, 2))
    assert set(rows["dataset"]) == {"wine"}
    assert rows["published_mecuco_mean"].tolist() == [2.1751] * 7 + [0.1579] * 7
    assert rows["published_original_mean"].tolist() == [2.1459] * 7 + [0.164] * 7


def test_the_papers_own_figure_is_placed_among_bases_only_where_it_is_exact(outcomes):
    digits = replace(outcomes[1], dataset=paper_dataset("digits"))
    digits = replace(digits, part=digits.part | {"m": 64})
    assert basis_rows([digits], (2,))["published_mecuco_mean"].isna().all()
    page = html_report([digits], {})
    assert "Published original 0.0447 lies" in page
    assert "published MeCuCo" not in page


def test_the_terminal_table_marks_what_is_equal_and_says_why_the_rest_is_not(outcomes):
    lines = list(table_lines(result_rows(outcomes, (2,))))
    iris = next(line for line in lines if line.startswith("iris") and "exact" in line)
    assert "0.1588 ± 0.1571" in iris
    assert iris.endswith("✓")
    wine = next(line for line in lines if line.startswith("wine") and "exact" in line)
    assert wine.endswith("depends on the null-space basis")
    assert lines[-1].endswith("failed: <b>no</b> table & no sense")


def test_other_verdicts_name_their_reason(outcomes):
    rows = result_rows([replace(outcomes[1], dataset=paper_dataset("digits"))], (2,))
    rows = rows[rows["mode"] == "fast"].assign(published_mean=0.5, agrees=False)
    for determined, words in ((False, "neighbours repeat"), (True, "differs")):
        line = list(table_lines(rows.assign(determined=determined)))[-1]
        assert words in line


def test_the_summary_counts(outcomes):
    sentences = summary(outcomes, result_rows(outcomes, (1, 2)))
    assert sentences[0] == "2 datasets reproduced, 0 not in the source, 1 failed."
    assert sentences[1] == "Of 4 published figures determined by the data, 4 agree to 1e-4."


def test_the_report_needs_nothing_from_outside_and_escapes_what_it_is_told(outcomes):
    page = html_report(outcomes, {"command": "<script>alert(1)</script>"})
    assert not re.search(r"<script|<link|<img|src=|url\(|https?:", page)
    assert "&lt;script&gt;" in page
    assert "&lt;b&gt;no&lt;/b&gt; table &amp; no sense" in page
    assert 'name="viewport"' in page


def test_the_report_has_both_numbers_and_all_figures(outcomes):
    page = html_report(outcomes, {})
    for words in ("0.1588 ± 0.1571", "2.1459 ± 1.0322", "Error against m / k", "Time against n"):
        assert words in page
    drawings = re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL)
    assert len(drawings) >= 3
    for drawing in drawings:
        ElementTree.fromstring(drawing)


def test_a_report_of_nothing_still_stands():
    outcome = Outcome(paper_dataset("wine"), "missing", "there is no file")
    page = html_report([outcome], {})
    assert "there is no file" in page
    assert "nothing to draw" in page


def test_a_skipped_mode_is_said_with_its_reason(outcomes):
    part = outcomes[1].part
    modes = part["modes"] | {"original": {"skipped": "skipped: would take about 3 h"}}
    skipped = replace(outcomes[1], part=part | {"modes": modes})
    page = html_report([skipped], {})
    assert "would take about 3 h" in page
    rows = result_rows([skipped], (2,)).set_index("mode")
    assert rows.loc["original", "status"] == "skipped"
    assert rows.loc["haar", "speedup"] is None or np.isnan(rows.loc["haar", "speedup"])


def test_exponents_of_a_power_law_are_found():
    rng = np.random.default_rng(0)
    n, m = rng.uniform(100, 10_000, 30), rng.uniform(4, 500, 30)
    fit = fitted_exponents(n, m, 3e-9 * n * m**2.5)
    assert (fit.n_power, fit.m_power) == pytest.approx((1.0, 2.5))
    assert fitted_exponents(n[:3], m[:3], n[:3]) is None
    assert fitted_exponents(n, n, n) is None  # points and features do not vary apart


def test_places_are_told_by_the_nearest_marks():
    marks = {"haar": 0.10, "evr": 0.12, "leaning": 0.20}
    assert position_among(0.15, marks) == "between evr and leaning"
    assert position_among(0.05, marks) == "below all, next to haar"
    assert position_among(0.25, marks) == "above all, next to leaning"
    assert position_among(0.12004, marks) == "on evr"
    assert is_inside(0.1, 0.10004, 0.2)
    assert not is_inside(0.1, 0.10006, 0.2)


def test_points_are_drawn_where_the_axes_say():
    drawn = figure("t", [Series("a", [1, 10, 100], [0, 5, 10])], Axis("x", log=True), Axis("y"))
    circles = re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', drawn)
    x, y = np.array(circles, dtype=float).T
    assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.2)  # decades are equally wide
    assert y[0] > y[1] > y[2]  # upwards on the page


def test_what_cannot_be_drawn_is_left_out_and_names_are_escaped():
    series = [Series("a", [1, 0, 2], [1, 1, np.nan], ["<i>", "zero", "nan"])]
    drawn = figure("t & u", series, Axis("x", log=True), Axis("y"))
    assert drawn.count("<circle") == 1
    assert "&lt;i&gt;" in drawn
    ElementTree.fromstring(drawn)
    ElementTree.fromstring(strip("<&>", {"a<b": 1.0, "published x": 2.0}, (0.5, 1.5)))
