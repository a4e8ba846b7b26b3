"""What is suspicious in a column of texts: numbers with a unit, and words in several spellings."""

from collections.abc import Iterator

import pandas as pd

from mecuco_core.preparation.columns import Column
from mecuco_core.preparation.findings.suspicion import Suspicion
from mecuco_core.preparation.mending.mends import Mend
from mecuco_core.preparation.mending.spellings import spellings
from mecuco_core.preparation.mending.units import units_of
from mecuco_core.runtime.wording import counted, named, quoted

MARKS = ("?", "-", "--", ".", "n/a", "na", "nan", "null", "#n/a", "missing", "not available")
"""Texts that seem to mean a missing value, in any case."""


def text_suspicions(series: "pd.Series", column: Column) -> Iterator[Suspicion]:
    """Yield what is suspicious in a column of texts of shape (n_rows,)."""
    name = quoted(column.name)
    found = units_of(series)
    if found is not None:
        what = f"{name} holds {found.unit} texts in {counted(found.n_read, 'row')}"
        if found.certain:
            said = f"{what}: they can be read as numbers, {found.example}."
            yield Suspicion(
                found.unit, column.name, said, found.n_read, mend=Mend("numbers", column.name)
            )
        else:
            said = f"{what}, and {found.doubt}: they are not read as numbers by themselves."
            mend = None if found.doubt == "several currencies" else Mend("numbers", column.name)
            yield Suspicion(found.unit, column.name, said, found.n_read, mend=mend)
        return
    if column.kind != "category":
        return
    yield from _marks(series, column)
    several = {chosen: texts for chosen, texts in spellings(series).items() if _is_one(texts)}
    if several:
        n = int(series.isin([text for texts in several.values() for text in texts[1:]]).sum())
        pairs = [" and ".join(repr(text) for text in texts[:4]) for texts in several.values()]
        yield Suspicion(
            "spelling",
            column.name,
            f"{name} has texts that differ only by case or blanks: {named(pairs, 3)}; "
            f"{counted(n, 'row')} would join another spelling.",
            n,
            mend=Mend("join", column.name),
        )


def _marks(series: "pd.Series", column: Column) -> Iterator[Suspicion]:
    for value, count in series.value_counts().items():
        if isinstance(value, str) and count and value.strip().lower() in MARKS:
            yield Suspicion(
                "sentinel",
                column.name,
                f"{quoted(column.name)} is {value.strip()!r} in {counted(int(count), 'row')}: it "
                "seems to mean a missing value.",
                int(count),
                mend=Mend("missing", column.name, value.strip()),
            )


def _is_one(texts: list[str]) -> bool:
    """Whether texts are spellings of a word; single letters, and hAd and had, may mean the case."""
    words = [" ".join(text.split()) for text in texts]
    usual = all(
        word in (word.lower(), word.upper(), word.title(), word.capitalize()) for word in words
    )
    return (usual and len(words[0]) > 1) or len(set(words)) < len(words)
