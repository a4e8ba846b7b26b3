"""The sentences of the Paper page; no Streamlit."""

from collections.abc import Mapping
from typing import Any

from mecuco_app.page.paper.comparison import counts
from mecuco_app.text.numbers import count, plural
from mecuco_app.view.settings import PaperColumns
from mecuco_core.datasets.paper import PaperDataset
from mecuco_core.reproduction.report.figures import Exponents
from mecuco_core.reproduction.report.page import TITLES

INTRO = "The paper's three tables, computed again by its protocol, beside the published figures."

LABELS: dict[PaperColumns, str] = {
    "scores": "Mean and s.d.",
    "quartiles": "Quartiles",
    "agreement": "Agreement with original",
    "time": "Time",
}

_COLOURS = "▲ orange: ours is higher. ▼ blue: ours is lower. = equal to 1e-4."

LEGEND: dict[PaperColumns, str] = {
    "scores": _COLOURS,
    "quartiles": _COLOURS,
    "agreement": f"With the original, or with exact where that was skipped. {_COLOURS}",
    "time": (
        "Seconds with the neighbours found, on two machines: compare powers of ten. Speed-up: "
        "on one machine."
    ),
}

WHY = """
**A function of the data.** Every neighbourhood spans the space, or has the rank that published fast
assumes: every scaled figure of the paper is met.

**The null-space basis.** With k ≤ m exact depends on the solver: another machine gives other
figures, mostly in the third or fourth decimal.

**Repeated rows.** Where neighbours repeat, published fast is arbitrary. Ours uses the numerical
rank.

**Ties.** Where the last neighbour is as near as the next point, the search decides.

**Table 1 against Table 2.** Scaling cannot change a rank correlation, yet ρ and ξ differ: the
tables come from different runs of the original. Ours are on the side of Table 2.
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
        f"{fixed} published figures are functions of the data, {met} met to 1e-4. {rest} {other} "
        f"on a null-space basis, repeated rows or ties: {rest_equal if rest_equal else 'none'} met."
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
