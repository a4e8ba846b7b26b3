"""What preparation did to a table: facts for a program, sentences for a person."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, Literal

from mecuco_core.runtime.wording import SHOWN, counted, named, quoted


@dataclass(frozen=True)
class LeftOut:
    """A column that gave no feature."""

    column: str
    reason: str


@dataclass(frozen=True)
class Note:
    """A column that was not read as it stands."""

    column: str
    note: str


@dataclass(frozen=True)
class Counted:
    """A column and how many of its values a fact concerns."""

    column: str
    n_values: int


@dataclass(frozen=True)
class Filled:
    """Missing values of a column, and what was put in their place."""

    column: str
    n_values: int
    how: Literal["zero", "median", "code", "nothing", "most frequent", "own category"]
    value: float | str


@dataclass(frozen=True)
class Encoded:
    """A column of categories turned into numbers."""

    column: str
    how: Literal["codes", "one-hot", "levels"]
    n_categories: int
    n_joined: int = 0


@dataclass(frozen=True)
class Mended:
    """A change of the table that was asked for, in the words of `Mend`, and its effect."""

    mend: str
    n_values: int
    effect: str


@dataclass(frozen=True)
class Report:
    """Everything preparation did; nothing happens that is not in here."""

    n_rows: int
    n_columns: int
    n_points: int
    n_features: int
    scale: str
    metric: str
    used: tuple[str, ...]
    left_out: tuple[LeftOut, ...] = ()
    encoded: tuple[Encoded, ...] = ()
    notes: tuple[Note, ...] = ()
    infinite: tuple[Counted, ...] = ()
    filled: tuple[Filled, ...] = ()
    empty: tuple[str, ...] = ()
    constant: tuple[str, ...] = ()
    by_deviation: tuple[str, ...] = ()
    by_middle: tuple[str, ...] = ()
    by_ends: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()
    duplicate_rows: int = 0
    dropped_for: tuple[Counted, ...] = ()
    n_rows_dropped: int = 0
    n_rows_repeated: int = 0
    n_rows_zero: int = 0
    n_rows_sampled: int | None = None
    stratified: bool = False
    seed: int | None = None
    protocol: str = "paper"
    mends: tuple[Mended, ...] = ()
    n_components: int | None = None
    variance_kept: float | None = None
    remarks: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return every fact as plain numbers, texts, lists and dictionaries."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }

    def sentences(self) -> list[str]:
        """Return the report as sentences, most important first."""
        return [
            self._size(),
            *self._protocol(),
            *(f"Mended {one.mend!r}: {one.effect}." for one in self.mends),
            *self._rows(),
            *self._left_out(),
            *(f"Column {quoted(note.column)}: {note.note}." for note in self.notes[:SHOWN]),
            *self._more_notes(),
            *self._encoded(),
            *self._missing(),
            *self._scaled(),
            *self._oddities(),
            *self.remarks,
        ]

    def _size(self) -> str:
        return (
            f"{counted(self.n_points, 'point')} with {counted(self.n_features, 'feature')}, from "
            f"{self.n_points:,} of {counted(self.n_rows, 'row')} and {len(self.used):,} of "
            f"{counted(self.n_columns, 'column')}."
        )

    def _protocol(self) -> Iterable[str]:
        if self.protocol == "paper":
            yield "Prepared as in the paper."
        elif self.protocol == "sensible":
            yield "Prepared by the sensible protocol, for people's own tables."
        else:
            yield "Prepared by choices of your own, not by one of the two protocols."

    def _rows(self) -> Iterable[str]:
        if self.n_rows_repeated:
            yield f"Left out {counted(self.n_rows_repeated, 'row')} that repeat an earlier one."
        if self.n_rows_dropped:
            yield (
                f"Dropped {counted(self.n_rows_dropped, 'row')} with missing values, "
                f"found in {named(with_counts(self.dropped_for))}."
            )
        if self.n_rows_sampled is not None:
            left = self.n_rows - self.n_rows_repeated - self.n_rows_dropped
            fair = ", each class with its share" if self.stratified else ""
            yield (
                f"Kept a random sample of {self.n_rows_sampled:,} of {left:,} rows{fair} "
                f"(seed {self.seed})."
            )
        if self.n_rows_zero:
            have = "has" if self.n_rows_zero == 1 else "have"
            yield (
                f"Dropped {counted(self.n_rows_zero, 'row')} that {have} zeros only: a row of "
                "zeros has no direction (cosine)."
            )

    def _left_out(self) -> Iterable[str]:
        by_reason = sorted(self.left_out, key=lambda item: item.reason)
        for reason, items in groupby(by_reason, lambda item: item.reason):
            names = [item.column for item in items]
            yield f"Left out {counted(len(names), 'column')} ({reason}): {named(_quotes(names))}."

    def _more_notes(self) -> Iterable[str]:
        rest = len(self.notes) - SHOWN
        if rest > 0:
            yield f"And {counted(rest, 'more column')} not read as they stand."

    def _encoded(self) -> Iterable[str]:
        for how, spoken in (("codes", "integer codes"), ("one-hot", "one 0/1 feature each")):
            items = [item for item in self.encoded if item.how == how]
            if items:
                sizes = [f"{quoted(item.column)} ({item.n_categories:,})" for item in items]
                yield f"Categories became {spoken} in {named(sizes)}."
        for item in self.encoded:
            if item.how == "levels":
                yield (
                    f"Categories of {quoted(item.column)} became {item.n_categories:,} features; "
                    f"{item.n_joined:,} rare ones are joined as 'other'."
                )

    def _missing(self) -> Iterable[str]:
        if self.infinite:
            n_values = sum(item.n_values for item in self.infinite)
            yield (
                f"{counted(n_values, 'infinite value')} counted as missing in "
                f"{named(with_counts(self.infinite))}."
            )
        for how, spoken in (
            ("zero", "0"),
            ("median", "the median of the column"),
            ("code", "the code -1"),
            ("nothing", "no category, 0 in every feature of the column,"),
            ("most frequent", "the most frequent category of the column"),
            ("own category", "a category of their own"),
        ):
            items = [item for item in self.filled if item.how == how]
            if items:
                n_values = sum(item.n_values for item in items)
                yield (
                    f"Filled {counted(n_values, 'missing value')} with {spoken} in "
                    f"{named(with_counts(items))}."
                )
        if self.marked:
            yield f"Where values were filled is marked in {named(_quotes(self.marked))}."
        if self.empty:
            yield (
                f"Every value is missing in {named(_quotes(self.empty))}: kept as constant, so "
                "that the number of features stays that of the table."
            )

    def _scaled(self) -> Iterable[str]:
        yield {
            "standard": "Scaled every feature to mean 0 and standard deviation 1.",
            "robust": "Scaled every feature to median 0 and interquartile range 1.",
            "min-max": "Scaled every feature to the range from 0 to 1.",
            "none": "Features keep the scale they came with.",
            "suited": (
                "Scaled each feature by what it is: numbers to standard deviation 1; two different "
                "categories are as far apart as one standard deviation."
            ),
        }[self.scale]
        if self.by_middle:
            yield (
                f"Far values in {named(_quotes(self.by_middle))}: there the middle nine tenths of "
                "the values have standard deviation 1."
            )
        if self.by_ends:
            yield (
                f"Two values, or nearly a single one, in {named(_quotes(self.by_ends))}: scaled to "
                "the range from 0 to 1."
            )
        if self.n_components is not None:
            yield (
                f"Replaced the features by their first {self.n_components:,} principal components, "
                f"which keep {100 * (self.variance_kept or 0.0):.3g} % of the variance."
            )
        if self.metric == "cosine":
            yield "Scaled every row to length one: points are compared by direction (cosine)."
        if self.by_deviation:
            yield (
                f"The interquartile range is 0 in {named(_quotes(self.by_deviation))}: divided by "
                "the standard deviation instead."
            )

    def _oddities(self) -> Iterable[str]:
        if self.constant:
            now = "" if self.scale == "none" else ", and became 0"
            yield (
                f"{counted(len(self.constant), 'feature')} constant{now}: "
                f"{named(_quotes(self.constant))}."
            )
        if self.duplicate_rows:
            verb = "repeats" if self.duplicate_rows == 1 else "repeat"
            yield f"{counted(self.duplicate_rows, 'point')} {verb} an earlier one."
        if self.renamed:
            yield f"Names that occur more than once were numbered: {named(_quotes(self.renamed))}."


def with_counts(items: Iterable[Counted] | Iterable[Filled]) -> list[str]:
    """Return the columns in quotes, each with the number of its values."""
    return [f"{quoted(item.column)} ({item.n_values:,})" for item in items]


def _quotes(names: Iterable[str]) -> list[str]:
    return [quoted(name) for name in names]
