"""The report: one HTML file that needs no network, no script and no wide screen."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

import pandas as pd

from mecuco_core.diagnostics.null_bases.scores import AXIS_ALIGNED
from mecuco_core.reproduction.published import TABLES
from mecuco_core.reproduction.report.figures import error_figure, speedup_figure, time_figures
from mecuco_core.reproduction.report.svg import strip
from mecuco_core.reproduction.report.words import is_inside, position_among, summary
from mecuco_core.reproduction.rows import basis_rows, result_rows, undetermined
from mecuco_core.reproduction.runner import Outcome

TITLES = {
    1: "Table 1: raw scores",
    2: "Table 2: scores scaled to [0, 1]",
    3: "Table 3: many features, scores scaled to [0, 1]",
}


def html_report(
    outcomes: Sequence[Outcome], about: Mapping[str, Any], tables: Sequence[int] = TABLES
) -> str:
    """Return the report of a run as one self-contained HTML page.

    Parameters
    ----------
    outcomes : sequence of Outcome
    about : mapping
        Versions, date and command; shown as they are.
    tables : sequence of {1, 2, 3}
    """
    results = result_rows(outcomes, tables)
    style = files("mecuco_core.reproduction.report").joinpath("report.css").read_text("utf-8")
    body = [
        "<h1>The paper’s tables, reproduced</h1>",
        *(f"<p>{escape(sentence)}</p>" for sentence in summary(outcomes, results)),
        _about(about),
        _not_done(outcomes),
        *(_table(results, table) for table in tables),
        _bases(outcomes, tables),
        _figures(outcomes),
        _times(outcomes),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>MeCuCo: the paper’s tables, reproduced</title><style>{style}</style></head>"
        f"<body><main>{''.join(body)}</main></body></html>\n"
    )


def _about(about: Mapping[str, Any]) -> str:
    lines = "".join(
        f"<dt>{escape(str(name))}</dt><dd>{escape(str(value))}</dd>"
        for name, value in about.items()
    )
    return f"<details><summary>What made these numbers</summary><dl>{lines}</dl></details>"


def _not_done(outcomes: Sequence[Outcome]) -> str:
    lines = [
        f"<li><b>{escape(o.dataset.name)}</b> {escape(o.status)}: {escape(o.note)}</li>"
        for o in outcomes
        if o.status != "done"
    ]
    if not lines:
        return ""
    return f"<h2>Not done</h2><ul class='plain'>{''.join(lines)}</ul>"


def _table(results: pd.DataFrame, table: int) -> str:
    some = results[(results["table"] == table) & results["published_mean"].notna()]
    if some.empty:
        return ""
    head = ("dataset", "mode", "ours", "published", "difference", "equal to 1e-4", "what to expect")
    rows = []
    for row in some.to_dict("records"):
        skipped = row["status"] == "skipped"
        differences = [row["difference_mean"], row["difference_std"]]
        rows.append(
            [
                row["dataset"],
                row["mode"],
                str(row["note"]) if skipped else _pair(row["mean"], row["std"]),
                _pair(row["published_mean"], row["published_std"]),
                "" if skipped else " / ".join(f"{value:+.4f}" for value in differences),
                "" if skipped else ("✓" if row["agrees"] is True else "no"),
                _expectation(row),
            ]
        )
    return f"<h2>{TITLES[table]}</h2>{_html_table(head, rows)}"


def _expectation(row: Mapping[Any, Any]) -> str:
    if row["determined"]:
        return "a function of the data: equal if the data are"
    if row["mode"] == "fast":
        share = row["repeated_share"]
        return f"{share:.0%} of neighbourhoods repeat points: published fast is arbitrary there"
    return f"depends on the null-space basis at {row['deficient_share']:.0%} of the points"


def _bases(outcomes: Sequence[Outcome], tables: Sequence[int]) -> str:
    by_basis = basis_rows(outcomes, [table for table in tables if table == 2])
    if by_basis.empty:
        return ""
    parts = [
        "<h2>Where the published figures lie when the score is not a function of the data</h2>",
        "<p>With k ≤ m the null space of a neighbourhood has no preferred basis, and "
        "<code>exact</code> depends on the one LAPACK returns. Each line shows the scaled mean "
        "score in the bases of this machine’s LAPACK drivers (ev, evd, evr), in the "
        "axis-aligned basis, the expectation over all bases (haar), the band of "
        "random bases, and the published figures of the modes that depend on it as upright "
        "strokes.</p>",
    ]
    for name, some in by_basis.groupby("dataset", sort=False):
        parts.append(_one_strip(str(name), some))
    skipped = [
        o.dataset.name
        for o in outcomes
        if undetermined(o)
        and 2 in o.dataset.tables
        and o.dataset.name not in set(by_basis["dataset"])
    ]
    if skipped:
        parts.append(
            f"<p>Too large for all bases within the budget: {escape(', '.join(skipped))}.</p>"
        )
    return "".join(parts)


def _one_strip(name: str, some: pd.DataFrame) -> str:
    names = some["basis"].replace(AXIS_ALIGNED, "axis-aligned")
    means = dict(zip(names, some["mean"], strict=True))
    random = some[some["basis"] == "random"].iloc[0]
    bases = {basis: mean for basis, mean in means.items() if basis not in ("fast", "random")}
    sentences, strokes = [], {}
    for role, label in (("original", "original"), ("mecuco", "MeCuCo")):
        figure = float(some[f"published_{role}_mean"].iloc[0])
        if math.isnan(figure):
            continue
        strokes[f"published {label}"] = figure
        inside = is_inside(figure, random["low"], random["high"])
        where = "inside" if inside else "outside"
        sentences.append(
            f"{label} {figure:.4f} lies {position_among(figure, bases)}, {where} the random bases "
            f"({random['low']:.4f} to {random['high']:.4f})"
        )
    drawing = strip(f"{name}: null-space bases", bases | strokes, (random["low"], random["high"]))
    words = "; ".join(sentences)
    return (
        f'<figure class="strip"><h3>{escape(name)}</h3>{drawing}'
        f"<figcaption>Published {escape(words)}.</figcaption></figure>"
    )


def _figures(outcomes: Sequence[Outcome]) -> str:
    against_n, against_m, exponents = time_figures(outcomes)
    powers = "; ".join(
        f"{mode} ∝ n^{fit.n_power:.2f} m^{fit.m_power:.2f} ({fit.n_datasets} datasets)"
        for mode, fit in exponents
    )
    shown = [
        (
            "Error against m / k",
            error_figure(outcomes),
            "Mean score of published fast and of haar over the mean in random null-space bases; "
            "with many features, where such bases take too long, fast over haar.",
        ),
        (
            "Speed-up against m",
            speedup_figure(outcomes),
            "Over original on the same neighbours, both on all processors. Where a mode was "
            "skipped its time is projected from a sample of the points.",
        ),
        ("Time against n", against_n, f"At the median m by the fitted powers: {powers}."),
        ("Time against m", against_m, f"At the median n by the fitted powers: {powers}."),
    ]
    drawn = "".join(
        f"<figure><h3>{title}</h3>{drawing}<figcaption>{escape(caption)}</figcaption></figure>"
        for title, drawing, caption in shown
    )
    return f'<h2>What the tables have no room for</h2><div class="figures">{drawn}</div>'


def _times(outcomes: Sequence[Outcome]) -> str:
    head = ("dataset", "n × m, k", "search", "original", "exact", "fast", "haar", "fastest gain")
    rows = []
    for outcome in outcomes:
        part = outcome.part
        if part is None:
            continue
        times = {mode: _time(part["modes"].get(mode, {})) for mode in head[3:7]}
        before, after = _seconds(part, "original"), _seconds(part, "haar") or _seconds(part, "fast")
        gain = f"{before / after:,.0f} ×" if before and after else ""
        size = f"{part['n']:,} × {part['m']:,}, {part['k']}"
        search = f"{part['search_seconds']:.3g} s"
        rows.append([outcome.dataset.name, size, search, *times.values(), gain])
    if not rows:
        return ""
    return (
        "<h2>Times of this run</h2><p>Seconds of wall time with the neighbours found and the "
        "kernels compiled; ~ marks a projection from a sample. The gain is that of haar over "
        f"original.</p>{_html_table(head, rows)}"
    )


def _seconds(part: Mapping[str, Any], mode: str) -> float | None:
    found = part["modes"].get(mode, {})
    seconds: float | None = found.get("seconds") or found.get("projected_seconds")
    return seconds


def _time(found: Mapping[str, Any]) -> str:
    if "seconds" in found:
        return f"{found['seconds']:.3g} s"
    if "projected_seconds" in found:
        return f"~ {found['projected_seconds']:.3g} s"
    return str(found.get("skipped", ""))


def _pair(mean: float, std: float) -> str:
    return f"{mean:.4f} ± {std:.4f}"


def _html_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    names = "".join(f"<th>{escape(name)}</th>" for name in head)
    lines = []
    for row in rows:
        cells = "".join(
            f'<td data-name="{escape(name)}">{escape(cell)}</td>'
            if cell
            else '<td class="empty"></td>'
            for name, cell in zip(head, row, strict=True)
        )
        lines.append(f"<tr>{cells}</tr>")
    return f"<table><thead><tr>{names}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
