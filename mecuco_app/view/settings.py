"""The choices a visitor can make, as frozen values: keys of caches, links and recipes."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from mecuco_app.view.choices import choice
from mecuco_app.view.lessons import (
    CoordinateChangeSettings,
    NullSettings,
    SurfaceSettings,
    TruthSettings,
    XraySettings,
)
from mecuco_app.view.link_values import (
    flag,
    integer,
    listed,
    names,
    one_of,
    real,
    written_flag,
    written_real,
)
from mecuco_core.datasets.files.options import ReadOptions
from mecuco_core.datasets.paper import PAPER_DATASETS
from mecuco_core.measures import Scale, measure_of
from mecuco_core.preparation.protocol import PAPER, Preparation
from mecuco_core.types import MODES, Mode

K_MAX = 60
"""Neighbours searched once; every smaller k is a prefix of that graph."""

LARGE, K_MAX_LARGE = 50_000, 30
"""Of more points than `LARGE` fewer are searched: twice as many take three times as long."""

Source = Literal["bundled", "openml", "manifold", "file", "memory", "unknown"]
SOURCES: tuple[Source, ...] = ("bundled", "openml", "manifold", "file", "memory")
"""Those an address can name; "unknown" is what it names in words that cannot be read."""

BROUGHT: tuple[Source, ...] = ("file", "memory")
"""Those only their owner has: an address names them, and cannot bring them."""

MapKind = Literal["umap", "pca", "columns"]
MAP_KINDS: tuple[MapKind, ...] = get_args(MapKind)

LABEL, COLUMN = "label", "column"
"""What points can be coloured by besides the measures: their target, or a column as it came."""

COLOUR_SCALES: tuple[Scale, ...] = get_args(Scale)

RuleKind = Literal["none", "top", "range", "rows"]
RULE_KINDS: tuple[RuleKind, ...] = get_args(RuleKind)

PERCENTILES = (1.0, 99.0)
"""Between which a split of the points can be."""

BoundaryLines = Literal["spread", "highest", "unstable"]
BOUNDARY_LINES: tuple[BoundaryLines, ...] = get_args(BoundaryLines)

Clustering = Literal["k-means", "hdbscan", "spectral"]
CLUSTERINGS: tuple[Clustering, ...] = get_args(Clustering)

PaperColumns = Literal["scores", "quartiles", "agreement", "time"]
PAPER_COLUMNS: tuple[PaperColumns, ...] = get_args(PaperColumns)


@dataclass(frozen=True)
class DataChoice:
    """Where a dataset comes from, enough to load it again (those in `BROUGHT` excepted).

    Parameters
    ----------
    source : {"bundled", "openml", "manifold", "file", "memory", "unknown"}
    identifier : str
        Name of a bundled set or manifold, number on OpenML, name of a file or of data from memory,
        words of an address.
    options : tuple of (str, float)
        Of a manifold: arguments of `load_manifold`.
    target : str or None
        Column taken as target, where it is not the declared one.
    asked : ReadOptions or None
        Of a file: how the visitor wanted it to be read.
    content : str
        Of a file: the first letters of the SHA-256 of its bytes, to know it again.
    reading : ReadOptions or None
        Of a file: how it was read, with what was found out.
    fingerprint : str
        Of a file, or from memory: the dataset it became.
    """

    source: Source = "bundled"
    identifier: str = "digits"
    options: tuple[tuple[str, float], ...] = ()
    target: str | None = None
    asked: ReadOptions | None = None
    content: str = ""
    reading: ReadOptions | None = None
    fingerprint: str = ""


@dataclass(frozen=True)
class ScoreSettings:
    """Mode and neighbours; `None` neighbours means the paper's round(log2 n)."""

    mode: Mode = choice("haar", "mode", one_of(MODES))
    n_neighbors: int | None = choice(None, "k", integer(2, 1000))


@dataclass(frozen=True)
class MapSettings:
    """How points are laid out; `columns` are the two or three of kind "columns"."""

    kind: MapKind = choice("umap", "map", one_of(MAP_KINDS))
    dimension: Literal[2, 3] = choice(2, "dim", integer(2, 3))
    n_neighbors: int = choice(15, "nn", integer(2, 60))
    min_dist: float = choice(0.1, "dist", real(0.0, 1.0), written_real)
    seed: int = choice(0, "seed", integer(0))
    columns: tuple[str, ...] = choice((), "axes", names, listed)


def colour_name(text: str) -> str:
    """Read what colours the points: a measure, by its name or a former one, or one of the data."""
    return text if text in (LABEL, COLUMN) else measure_of(text).name


@dataclass(frozen=True)
class ColourSettings:
    """What colours the points, and how values become colours.

    Parameters
    ----------
    by : str
        Name of a measure, `LABEL` or `COLUMN`.
    column : str or None
    scale : {"auto", "robust", "log", "rank", "full"}
        "auto" is the scale the measure opens with.
    every_label : bool
    """

    by: str = choice("score", "colour", colour_name)
    column: str | None = choice(None, "column", str)
    scale: Scale = choice("auto", "scale", one_of(COLOUR_SCALES))
    every_label: bool = choice(False, "labels", flag, written_flag)


@dataclass(frozen=True)
class SelectionRule:
    """Which points are selected, in words that outlive a change of k or of the map.

    Parameters
    ----------
    kind : {"none", "top", "range", "rows"}
    low, high : float
        "top": the highest `low` percent of the scores. "range": scores from `low` to `high`.
    rows : tuple of int, ascending
        "rows": positions in the table of the dataset.
    """

    kind: RuleKind = "none"
    low: float = 0.0
    high: float = 0.0
    rows: tuple[int, ...] = ()


@dataclass(frozen=True)
class AgreementSettings:
    """The two modes compared on the Agreement page; the first is the reference."""

    first: Mode = choice("exact", "first", one_of(MODES))
    second: Mode = choice("fast", "second", one_of(MODES))
    normalised: bool = choice(False, "normalised", flag, written_flag)


@dataclass(frozen=True)
class BoundarySettings:
    """The split of the Boundary points page: scores above `percentile` are boundary."""

    percentile: float = choice(75.0, "cut", real(*PERCENTILES), written_real)
    clustering: Clustering = choice("k-means", "clustering", one_of(CLUSTERINGS))
    n_clusters: int | None = choice(None, "clusters", integer(2, 100))
    lines: BoundaryLines = choice("spread", "lines", one_of(BOUNDARY_LINES))


@dataclass(frozen=True)
class PaperSettings:
    """The Paper page: the table, what is shown of it, and the dataset looked at."""

    table: int = choice(2, "table", integer(1, 3))
    columns: PaperColumns = choice("scores", "show", one_of(PAPER_COLUMNS))
    dataset: str = choice("iris", "paper", one_of(line.name for line in PAPER_DATASETS))


@dataclass(frozen=True)
class View:
    """Everything the address bar holds."""

    data: DataChoice = DataChoice()
    preparation: Preparation = PAPER
    score: ScoreSettings = ScoreSettings()
    map: MapSettings = MapSettings()
    colour: ColourSettings = ColourSettings()
    rule: SelectionRule = SelectionRule()
    focus: int | None = choice(None, "point", integer(0))
    agreement: AgreementSettings = AgreementSettings()
    boundary: BoundarySettings = BoundarySettings()
    surface: SurfaceSettings = field(default_factory=SurfaceSettings)
    truth: TruthSettings = field(default_factory=TruthSettings)
    xray: XraySettings = field(default_factory=XraySettings)
    null: NullSettings = field(default_factory=NullSettings)
    change: CoordinateChangeSettings = field(default_factory=CoordinateChangeSettings)
    paper: PaperSettings = PaperSettings()


def changed(view: View, path: str, value: Any) -> View:
    """Return `view` with one choice changed, for example `changed(view, "score.mode", "haar")`."""
    part, _, name = path.partition(".")
    if not name:
        return replace(view, **{part: value})
    return replace(view, **{part: replace(getattr(view, part), **{name: value})})


def chosen(view: View, path: str) -> Any:
    """Return one choice of `view`, by the path `changed` takes."""
    part, _, name = path.partition(".")
    found = getattr(view, part)
    return getattr(found, name) if name else found
