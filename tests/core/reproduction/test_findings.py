"""docs/findings.md says what the shipped results say: every table of it, and its counts."""

import re
from pathlib import Path

import pandas as pd
import pytest

from mecuco_core.reproduction import shipped_about, shipped_null_bases, shipped_results
from mecuco_core.reproduction.report.figures import LEAST_SECONDS, fitted_exponents
from mecuco_core.reproduction.report.words import ROUNDING, is_inside

PAGE = Path(__file__).resolve().parents[3] / "docs" / "findings.md"
TEXT = PAGE.read_text("utf-8")
PROSE = " ".join(TEXT.split())
DRIVERS = ("ev", "evd", "evr")


@pytest.fixture(scope="module")
def results():
    return shipped_results()


@pytest.fixture(scope="module")
def bases():
    return shipped_null_bases()


def table_after(heading):
    """Cells of the rows of the first table whose header starts with `heading`."""
    lines = TEXT.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def percent(share, digits):
    text = f"{100 * share:+.{digits}f} %".replace("-", "−")
    return text[1:] if float(f"{100 * share:.{digits}f}") == 0 else text


def one_each(results, mode):
    some = results[(results["mode"] == mode) & results["n"].notna()]
    return some.groupby("dataset", sort=False).first()


def truth(column):
    return column.astype(str) == "True"


def test_the_counts_of_figures_that_match(results):
    compared = results[results["agrees"].notna()]
    roles = {"original": "the original", "mecuco": "MeCuCo"}
    expected = []
    for (table, role), some in compared.groupby(["table", "published_role"], sort=False):
        cells = []
        for determined in (True, False):
            part = some[truth(some["determined"]) == determined]
            cells.append(f"{truth(part['agrees']).sum()} of {len(part)}")
        expected.append([str(int(table)), roles[role], *cells])
    assert sorted(table_after("table")) == sorted(expected)


@pytest.mark.parametrize("dataset", ["iris", "digits", "USPS", "madelon", "Fashion-MNIST", "MLL"])
def test_figures_that_are_quoted_as_met(results, dataset):
    some = results[(results["dataset"] == dataset) & (results["table"] > 1)]
    row = some[truth(some["agrees"]) & (some["published_role"] == "mecuco")].iloc[0]
    assert f"{dataset} {row['mean']:.4f} ± {row['std']:.4f}" in PROSE
    assert (row["published_mean"], row["published_std"]) == pytest.approx(
        (row["mean"], row["std"]), abs=ROUNDING
    )


def test_the_one_determined_figure_that_is_missed(results):
    missed = results[
        results["agrees"].notna() & truth(results["determined"]) & ~truth(results["agrees"])
    ]
    assert missed[["dataset", "table"]].to_numpy().tolist() == [["USPS", 1]]
    ours, theirs = missed[["mean", "published_mean"]].iloc[0]
    assert f"USPS, {ours:.4f} against {theirs:.4f}" in PROSE


def test_the_mean_score_in_other_bases(results, bases):
    raw = bases[bases["table"] == 1].pivot(index="dataset", columns="basis", values="mean")
    spread = one_each(results, "haar")["random_spread"]
    sizes = one_each(results, "haar")
    rows = table_after("dataset | m / k | random bases, s.d. of the mean")
    assert len(rows) == 10
    for name, ratio, scatter, *others in rows:
        assert ratio == f"{sizes.loc[name, 'm'] / sizes.loc[name, 'k']:.1f}"
        assert scatter == f"{100 * spread[name]:.2f} %"
        expected = [raw.loc[name, basis] / raw.loc[name, "haar"] - 1 for basis in DRIVERS]
        expected.append(raw.loc[name, "leaning"] / raw.loc[name, "haar"] - 1)
        assert others == [percent(share, 1) for share in expected], name


def test_where_the_published_means_lie(bases):
    scaled = bases[bases["table"] == 2]
    marks = scaled[scaled["basis"] != "fast"].groupby("dataset")
    low = pd.concat([marks["mean"].min(), marks["low"].min()], axis=1).min(axis=1)
    high = pd.concat([marks["mean"].max(), marks["high"].max()], axis=1).max(axis=1)
    inside, equal = {}, {}
    for role in ("original", "mecuco"):
        figures = marks[f"published_{role}_mean"].first().dropna()
        inside[role] = [
            sum(is_inside(figure, low[name], high[name]) for name, figure in figures.items()),
            len(figures),
        ]
        drivers = scaled[scaled["basis"].isin(DRIVERS)]
        near = (drivers["mean"] - drivers[f"published_{role}_mean"]).abs() <= ROUNDING
        equal[role] = drivers[near]["dataset"].nunique()
    assert (
        "{} of {} published means of the original and {} of {} of MeCuCo's `exact` lie within the "
        "range of these bases".format(*inside["original"], *inside["mecuco"])
    ) in PROSE
    assert f"{equal['original']} and {equal['mecuco']} are equal to one of" in PROSE
    steel, cancer = "steel-plates-fault", "breast-cancer"
    assert f"{low[steel]:.4f} to {high[steel]:.4f} here" in PROSE
    assert f"{low[cancer]:.4f} to {high[cancer]:.4f} here" in PROSE
    wine = scaled[(scaled["dataset"] == "wine") & (scaled["basis"] == "random")].iloc[0]
    assert f"{wine['low']:.4f} to {wine['high']:.4f} over twenty random bases" in PROSE


def test_the_paragraph_on_repeated_rows(results):
    fast, exact = one_each(results, "fast"), one_each(results, "exact")
    for name in ("cnae-9", "splice", "mfeat-factors", "mfeat-pixel"):
        assert re.search(rf"{name} \({100 * fast.loc[name, 'repeated_share']:.0f} %", PROSE), name
    many = fast[(fast["m"] >= 50) & (fast["repeated_share"] > 0)]
    scaled = results[(results["mode"] == "fast") & (results["table"] > 1)].set_index("dataset")
    missing = [name for name in many.index if not truth(scaled.loc[[name], "agrees"]).all()]
    assert sorted(missing) == ["cnae-9", "splice"]
    for name in missing:
        row = scaled.loc[name]
        assert f"{row['published_mean']:.4f} published, {row['mean']:.4f} here" in PROSE
    assert f"splice its mean is {percent(exact.loc['splice', 'bias_to_haar'], 1)}" in PROSE
    assert f"rank correlation of `fast` with it is {fast.loc['splice', 'spearman']:.4f}" in PROSE


def test_the_paragraph_on_ties(results):
    shares = one_each(results, "haar")["tied_share"]
    assert shares["car-evaluation"] == 1.0
    assert f"solar-flare has ties at {100 * shares['solar-flare']:.0f} %" in PROSE
    car = results[(results["dataset"] == "car-evaluation") & (results["table"] == 2)]
    ours = car[car["mode"] == "exact"].iloc[0]
    theirs = car[car["mode"] == "original"].iloc[0]
    told = f"{ours['published_mean']:.4f} and {theirs['published_mean']:.4f} in the paper"
    assert f"{told}, {ours['mean']:.2f} here" in PROSE


def test_the_table_of_biases(results):
    fast, haar = one_each(results, "fast"), one_each(results, "haar")
    fast = fast[fast["bias_to_random"].notna()]
    ratio = (fast["m"] / fast["k"]).sort_values(kind="stable")
    rows = table_after("dataset | m / k | published `fast`")
    assert {row[0] for row in rows} == set(ratio.index)
    assert [float(row[1]) for row in rows] == sorted(float(row[1]) for row in rows)
    for name, shown, of_fast, of_haar in rows:
        assert shown == f"{ratio[name]:.1f}"
        assert of_fast == percent(fast.loc[name, "bias_to_random"], 1), name
        assert of_haar == percent(haar.loc[name, "bias_to_random"], 2), name
    assert fast["bias_to_random"].max() < 0
    assert f"up to {-100 * fast['bias_to_random'].min():.1f} %" in PROSE
    assert haar["bias_to_random"].abs().max() < 0.001
    against_haar = one_each(results, "fast")["bias_to_haar"]
    assert f"{-100 * against_haar['Fashion-MNIST']:.1f} % on Fashion-MNIST" in PROSE
    assert f"{-100 * against_haar['MLL']:.2f} % on MLL" in PROSE


def test_the_correlation_with_the_scatter(results):
    found = one_each(results, "haar")["spearman_with_scatter"].sort_values()
    assert found.index[0] == "car-evaluation"
    assert f"car-evaluation (−{-found.iloc[0]:.2f}:" in PROSE
    assert found.iloc[1] >= 0.97
    assert f"with a median of {found.median():.3f}" in PROSE


def test_the_fitted_powers(results):
    rows = table_after("mode | time grows as")
    assert [row[0] for row in rows] == ["`original`", "`exact`", "`fast`", "`haar`"]
    for name, told in rows:
        some = one_each(results, name.strip("`"))
        some = some[some["seconds"] >= LEAST_SECONDS]
        fit = fitted_exponents(*(some[column].to_numpy(float) for column in ("n", "m", "seconds")))
        assert told == f"n^{fit.n_power:.2f} m^{fit.m_power:.2f} ({fit.n_datasets} datasets)"


def test_the_speed_ups(results):
    gains = one_each(results, "haar")["speedup"]
    for name in ("digits", "mfeat-pixel", "USPS"):
        assert f"{gains[name]:,.0f} on {name}".replace(",", " ") in PROSE


def test_it_says_of_how_many_datasets_it_speaks(results):
    done = results[results["n"].notna()]["dataset"].nunique()
    missing = (results["status"] == "missing").sum()
    assert f"real copies of {done} of the {done + missing} datasets" in PROSE
    assert f"The other {missing} datasets" in PROSE
    projected = one_each(results, "original")["projected_seconds"].notna().sum()
    projected += one_each(results, "exact")["projected_seconds"].notna().sum()
    assert f"`projected_seconds` holds it for {projected} of them" in PROSE
    assert shipped_about()["command"] in PROSE
