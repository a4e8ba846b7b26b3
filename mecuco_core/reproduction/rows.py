"""Outcomes become the rows of results.csv and null_bases.csv."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pandas as pd

from mecuco_core.reproduction.published import RAW_TABLE, Published, published
from mecuco_core.reproduction.runner import Outcome
from mecuco_core.types import Mode

EQUAL = 1e-4
"""Figures printed with four decimals are equal when they differ by no more."""

COLUMNS = (
    "dataset", "table", "mode", "mean", "std", "published_mean", "published_std", "seconds",
    "difference_mean", "difference_std", "agrees", "determined", "published_role", "status",
    "note", "n", "m", "k", "search_seconds", "projected_seconds", "speedup", "published_seconds",
    "q25", "q50", "q75", "published_q25", "published_q50", "published_q75", "mae", "spearman",
    "chatterjee", "agreement_against", "published_mae", "published_spearman",
    "published_chatterjee", "bias_to_haar", "bias_to_random", "random_spread",
    "spearman_with_scatter", "deficient_share", "repeated_share", "tied_share",
)  # fmt: skip
BASIS_COLUMNS = (
    "dataset", "table", "basis", "mean", "std", "low", "high", "n_rows", "n_bases",
    "published_original_mean", "published_original_std", "published_mecuco_mean",
    "published_mecuco_std",
)  # fmt: skip
_AGREEMENT = ("mae", "spearman", "chatterjee")


def result_rows(outcomes: Iterable[Outcome], tables: Sequence[int]) -> pd.DataFrame:
    """Return one row per dataset, table and mode, and one per dataset that could not be done.

    Columns
    -------
    mean, std, q25, q50, q75
        Of raw scores in table 1, of scores scaled to [0, 1] in tables 2 and 3.
    agrees
        Whether mean and std are within 1e-4 of the published ones.
    determined
        Whether the score is a function of the data: for `original` and `exact` where every null
        space has at most one dimension, for `fast` where no neighbourhood has a lower rank than
        the published algorithm assumes, for `haar` always.
    agreement_against
        The reference of mae, spearman and chatterjee: `original`, or `exact` where that was
        skipped.
    bias_to_haar, bias_to_random, random_spread
        Mean score over that of `haar`, and over the mean in random null-space bases, less one;
        deviation of the mean between such bases, over their mean. Of raw scores, in every table.
    projected_seconds, speedup
        Time of a skipped mode for all points, from a sample; time of `original`, measured or
        projected, over that of this mode.
    deficient_share, repeated_share, tied_share
        Share of neighbourhoods with null spaces of more than one dimension, of those with a
        lower rank than the published algorithm assumes, and of points whose last neighbour is as
        near as the next point.
    """
    listed: list[dict[str, Any]] = []
    for outcome in outcomes:
        if outcome.part is None:
            row = {"dataset": outcome.dataset.name, "status": outcome.status}
            listed.append(row | {"note": outcome.note})
        else:
            listed += _dataset_rows(outcome, outcome.part, tables)
    frame = pd.DataFrame(listed, columns=list(COLUMNS))
    return frame.astype({name: "Int64" for name in ("table", "n", "m", "k")})


def _dataset_rows(
    outcome: Outcome, part: dict[str, Any], tables: Sequence[int]
) -> Iterator[dict[str, Any]]:
    name, ranks, bases = outcome.dataset.name, part["ranks"], part["null_bases"] or {}
    original = _seconds(part["modes"].get("original", {}))
    for table in outcome.dataset.tables:
        if table not in tables:
            continue
        for mode, found in part["modes"].items():
            paper = published(table, name, mode, part["m"])
            seconds = _seconds(found)
            yield {
                "dataset": name,
                "table": table,
                "mode": mode,
                "seconds": found.get("seconds"),
                "determined": None if ranks is None else is_determined(mode, ranks),
                "status": "skipped" if "skipped" in found else "done",
                "note": found.get("skipped"),
                "n": part["n"],
                "m": part["m"],
                "k": part["k"],
                "search_seconds": part["search_seconds"],
                "projected_seconds": found.get("projected_seconds"),
                "speedup": original / seconds if original and seconds else None,
                "agreement_against": found.get("against"),
                "bias_to_haar": found.get("bias_to_haar"),
                "bias_to_random": bases.get(f"bias_{mode}"),
                "random_spread": bases.get("spread_of_means"),
                "spearman_with_scatter": found.get("spearman_with_scatter"),
                "deficient_share": None if ranks is None else ranks["share_below_features"],
                "repeated_share": None if ranks is None else ranks["share_below_assumed"],
                "tied_share": part["tied_share"],
            } | _compared(table, found, paper)


def _compared(table: int, found: dict[str, Any], paper: Published | None) -> dict[str, Any]:
    scaling = "raw" if table == RAW_TABLE else "normalised"
    row: dict[str, Any] = dict(found.get(scaling, {}))
    row |= found.get(f"agreement_{scaling}", {})
    if paper is None:
        return row
    row["published_role"] = paper.role
    for column in ("mean", "std", "q25", "q50", "q75", "seconds", *_AGREEMENT):
        row[f"published_{column}"] = getattr(paper, column)
    if "mean" in row:
        row["difference_mean"] = row["mean"] - paper.mean
        row["difference_std"] = row["std"] - paper.std
        worst = max(abs(row["difference_mean"]), abs(row["difference_std"]))
        row["agrees"] = bool(worst <= EQUAL)
    return row


def is_determined(mode: Mode, ranks: dict[str, Any]) -> bool:
    """Return whether the published score of a mode is a function of the data."""
    if mode == "haar":
        return True
    share = "share_below_assumed" if mode == "fast" else "share_below_features"
    return bool(ranks[share] == 0)


def _seconds(found: dict[str, Any]) -> float | None:
    return found.get("seconds") or found.get("projected_seconds")


def basis_rows(outcomes: Iterable[Outcome], tables: Sequence[int]) -> pd.DataFrame:
    """Return one row per dataset, table and kind of null-space basis.

    `random` is the mean over random bases, `low` and `high` the least and greatest of their means;
    `ev`, `evd` and `evr` are LAPACK's drivers on this machine, `leaning` the axis-aligned
    basis. `fast` is no basis: it is the published approximation, for
    comparison.
    """
    listed = []
    for outcome in outcomes:
        if outcome.part is None or not (outcome.part["null_bases"] or {}).get("marks"):
            continue
        bases, name = outcome.part["null_bases"], outcome.dataset.name
        for table in outcome.dataset.tables:
            by_basis = bases["marks"]["raw" if table == RAW_TABLE else "normalised"]
            m = outcome.part["m"]
            papers = {
                "original": published(table, name, "original", m),
                "mecuco": published(table, name, "exact", m),  # `fast` knows no basis
            }
            row: dict[str, Any] = {"dataset": name, "table": table}
            row |= {"n_rows": bases["n_rows"], "n_bases": bases["n_bases"]}
            for role, paper in papers.items():
                row[f"published_{role}_mean"] = None if paper is None else paper.mean
                row[f"published_{role}_std"] = None if paper is None else paper.std
            if table in tables:
                listed += [row | {"basis": basis} | figures for basis, figures in by_basis.items()]
    frame = pd.DataFrame(listed, columns=list(BASIS_COLUMNS))
    return frame.astype({name: float for name in BASIS_COLUMNS if name.startswith("published")})


def undetermined(outcome: Outcome) -> bool:
    """Return whether `exact` on this dataset depends on the null-space basis."""
    ranks = None if outcome.part is None else outcome.part["ranks"]
    return ranks is not None and not is_determined("exact", ranks)
