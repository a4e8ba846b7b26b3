"""The sentences of the Paper page; no Streamlit."""

from collections.abc import Mapping
from typing import Any

from mecuco_app.page.paper.comparison import counts
from mecuco_app.text.numbers import count, plural
from mecuco_app.view.settings import PaperColumns
from mecuco_core.datasets.paper import PaperDataset
from mecuco_core.reproduction.report.figures import Exponents
from mecuco_core.reproduction.report.page import TITLES

INTRO = (
    "The paper's three tables, computed again by its own protocol on real copies of the data, "
    "beside the published figures."
)

LABELS: dict[PaperColumns, str] = {
    "scores": "Mean and s.d.",
    "quartiles": "Quartiles",
    "agreement": "Agreement with original",
    "time": "Time",
}

LEGEND: dict[PaperColumns, str] = {
    "scores": "▲ orange: ours is higher. ▼ blue: ours is lower. = equal to 1e-4.",
    "quartiles": (
        "▲ orange: ours is higher. ▼ blue: ours is lower. = equal to 1e-4: the paper cuts after "
        "the fourth decimal."
    ),
    "agreement": (
        "Of MeCuCo's scores with the original's; with exact where the original was skipped. "
        "▲ orange: ours is higher. ▼ blue: ours is lower. = equal to 1e-4."
    ),
    "time": (
        "Seconds with the neighbours found, ours while other work ran on the machine, the paper's "
        "on another one: compare powers of ten. Speed-up is over original on the same machine."
    ),
}

WHY = """
**A function of the data.** The score is one where every neighbourhood spans the space (exact,
original) or has the rank that published fast assumes. Then every scaled figure of the paper is met.

**The null-space basis.** With k ≤ m a neighbourhood does not span the space, and exact depends on
the basis that the eigenvalue routine happens to return. The same code on another machine gives
other figures, mostly in the third or fourth decimal; haar averages over all bases.

**Repeated rows.** Where neighbours repeat, the last singular vectors of published fast are
arbitrary. Ours uses the numerical rank.

**Ties.** Where the last neighbour is as near as the next point, the search decides which of them
counts.

**Table 1 against Table 2.** Scaling to [0, 1] cannot change a rank correlation, yet the two tables
differ in ρ and ξ: they come from different runs of the original. Its raw figures in Table 1
contradict those of Table 2, and ours are on the side of Table 2.
"""


def title(table: int) -> str:
    """Return the name of a table."""
    return TITLES[table]


def verdict(table: int) -> str:
    """Say how many figures of a table are met."""
    fixed, fixed_equal, rest, rest_equal = counts(table)
    met = "all of them" if fixed == fixed_equal else f"{fixed_equal} of them"
    other = "other depends" if rest == 1 else "others depend"
    return (
        f"{fixed} published figures are functions of the data, and {met} are met to 1e-4. "
        f"{rest} {other} on a null-space basis, on repeated rows or on ties: "
        f"{rest_equal if rest_equal else 'none'} met."
    )


def size(line: PaperDataset) -> str:
    """Return what a dataset is in one line."""
    classes = "" if line.n_classes is None else f" · {line.n_classes} classes"
    return f"{count(line.n_rows)} × {count(line.n_features)}{classes}"


def made_by(about: Mapping[str, Any]) -> str:
    """Say what made the shipped results."""
    return (
        f"Made by mecuco {about['mecuco']} on {about['date']}: {about['command']}, "
        f"on {about['platform']}."
    )


def powers(modes: list[str], exponents: list[Exponents]) -> str:
    """Return the fitted powers of all modes."""
    return "; ".join(
        f"{mode} ∝ n^{fit.n_power:.2f} m^{fit.m_power:.2f} ({plural(fit.n_datasets, 'dataset')})"
        for mode, fit in zip(modes, exponents, strict=True)
    )
