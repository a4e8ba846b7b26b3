"""A reproduction in words: the table on the terminal, the summary, and where a figure lies."""

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from mecuco_core.reproduction.runner import Outcome
from mecuco_core.runtime.wording import counted

ROUNDING = 0.5e-4 + 1e-12
"""What four decimals leave open."""

_LINE = "{:<32} {:>5}  {:<8} {:>20} {:>20} {:>9}  {}"


def table_lines(results: pd.DataFrame) -> Iterator[str]:
    """Yield the table for the terminal: every row with a published figure, or with a reason."""
    yield _LINE.format("dataset", "table", "mode", "ours", "published", "diff.", "")
    for row in results.to_dict("records"):
        if pd.isna(row["table"]):
            yield f"{row['dataset']:<32} {row['status']}: {row['note']}"
        elif pd.notna(row["published_mean"]):
            yield _LINE.format(
                row["dataset"], row["table"], row["mode"],
                _pair(row["mean"], row["std"]) if pd.notna(row["mean"]) else "—",
                _pair(row["published_mean"], row["published_std"]),
                _signed(row["difference_mean"]), _verdict(row),
            ).rstrip()  # fmt: skip


def _pair(mean: float, std: float) -> str:
    return f"{mean:.4f} ± {std:.4f}"


def _signed(difference: float) -> str:
    return "" if pd.isna(difference) else f"{difference:+.4f}"


def _verdict(row: Mapping[object, object]) -> str:
    if row["status"] == "skipped":
        return str(row["note"])
    if row["agrees"] is True:
        return "✓"
    if row["determined"]:
        return "differs"
    repeats = "neighbours repeat: published fast is arbitrary there"
    return repeats if row["mode"] == "fast" else "depends on the null-space basis"


def summary(outcomes: Sequence[Outcome], results: pd.DataFrame) -> list[str]:
    """Return the few sentences that end a run."""
    count = {s: sum(o.status == s for o in outcomes) for s in ("done", "missing", "failed")}
    reused = sum(outcome.reused for outcome in outcomes)
    first = f"{counted(count['done'], 'dataset')} reproduced"
    if reused:
        first += f" ({reused} of them finished by an earlier run)"
    first += f", {count['missing']} not in the source, {count['failed']} failed."
    sentences = [first]
    compared = results[results["agrees"].notna()]
    for determined, what in (
        (True, "determined by the data"),
        (False, "that depend on a null-space basis or on repeated rows"),
    ):
        some = compared[compared["determined"].astype(bool) == determined]
        if len(some):
            equal = int(some["agrees"].astype(bool).sum())
            sentences.append(
                f"Of {counted(len(some), 'published figure')} {what}, {equal} agree to 1e-4."
            )
    skipped = int((results["status"] == "skipped").sum())
    if skipped:
        sentences.append(f"{counted(skipped, 'row')} skipped for the time they would take.")
    return sentences


def position_among(figure: float, references: Mapping[str, float]) -> str:
    """Return between which references a figure of four decimals lies, or which it equals.

    Parameters
    ----------
    figure : float
    references : mapping of str to float
        At least one.
    """
    equal = [name for name in references if abs(references[name] - figure) <= ROUNDING]
    if equal:
        return f"on {', '.join(equal)}"
    below = [name for name in references if references[name] < figure]
    above = [name for name in references if references[name] > figure]
    if not below:
        return f"below all, next to {min(above, key=lambda name: references[name])}"
    if not above:
        return f"above all, next to {max(below, key=lambda name: references[name])}"
    nearest_below = max(below, key=lambda name: references[name])
    return f"between {nearest_below} and {min(above, key=lambda name: references[name])}"


def is_inside(figure: float, low: float, high: float) -> bool:
    """Return whether a figure of four decimals can lie between two numbers."""
    return low - ROUNDING <= figure <= high + ROUNDING
