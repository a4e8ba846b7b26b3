"""`mecuco info` and `mecuco datasets`: what there is, before anything is scored."""

import argparse
import json
from dataclasses import asdict

from mecuco_core.cli.sources import SourceOptions, load_source
from mecuco_core.cli.terminal import Terminal
from mecuco_core.datasets.openml import search_openml
from mecuco_core.errors import DataError
from mecuco_core.preparation.findings.suspicions import suspicions
from mecuco_core.preparation.protocol import starting_preparation
from mecuco_core.preparation.summary import summarise
from mecuco_core.score.cost import scoring_cost


def info(options: argparse.Namespace, source: SourceOptions, terminal: Terminal) -> None:
    """Print what a first look at a source should tell."""
    dataset = load_source(options.source, source, terminal.note, terminal.progress("Loading"))
    terminal.close()
    summary = summarise(dataset)
    found = suspicions(dataset)
    cost = scoring_cost(summary.n_rows, summary.n_usable)
    if options.json:
        provenance = {key: value for key, value in asdict(dataset.provenance).items() if value}
        facts = summary.as_dict() | {
            "seconds": {} if cost is None else cost.seconds,
            "search_seconds": None if cost is None else cost.search_seconds,
            "fingerprint": dataset.fingerprint,
            "provenance": provenance,
            "suspicions": [one.as_dict() for one in found],
            "protocol": starting_preparation(dataset).protocol,
        }
        print(json.dumps(facts, ensure_ascii=False, default=str))
        return
    for sentence in summary.sentences():
        print(sentence)
    for one in found:
        how = "" if one.mend is None else f" Mend: {one.mend.words!r}."
        print(f"Suspicious: {one.sentence}{how}")
    print(f"Preparation: {starting_preparation(dataset).protocol_sentence}")
    if cost is not None:
        print(cost.sentence())


def datasets(options: argparse.Namespace, terminal: Terminal) -> None:
    """Search OpenML and print one line a dataset."""
    found = search_openml(
        " ".join(options.words),
        n_rows=parse_range(options.rows),
        n_features=parse_range(options.features),
        limit=options.limit,
        notify=terminal.note,
        offline=options.offline,
        refresh=options.refresh,
    )
    if options.json:
        print(json.dumps([asdict(listing) for listing in found], ensure_ascii=False))
        return
    if not found:
        terminal.note("No dataset fits: use fewer words or wider limits.")
        return
    print(f"{'id':>7}  {'rows':>9}  {'columns':>8}  {'classes':>7}  {'missing':>9}  name@version")
    for one in found:
        numbers = [one.n_rows, one.n_features, one.n_classes, one.n_missing]
        rows, columns, classes, missing = ("" if n is None else f"{n:,}" for n in numbers)
        print(
            f"{one.id:>7}  {rows:>9}  {columns:>8}  {classes:>7}  {missing:>9}  "
            f"{one.name}@{one.version}"
        )


def parse_range(text: str | None) -> tuple[int | None, int | None] | None:
    """Return the ends of LOW..HIGH, either of which may be left out."""
    if text is None:
        return None
    low, dots, high = text.partition("..")
    try:
        ends = (int(low) if low else None, int(high) if high else None)
    except ValueError:
        dots = ""
    if not dots:
        raise DataError(f"a range must be LOW..HIGH, as in 100..5000 or 100.., got {text!r}")
    return ends
